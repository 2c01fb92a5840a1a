import { parseListQuery } from '@nivida/contract/filter/tender-filter';
import { expect, test } from 'vitest';
import { openTestPage } from '../../../ui/test-page.tsx';
import type { RangeFilter } from '../../search/search.ts';
import { RangeFields } from './RangeFields.tsx';

const EMPTY_SEARCH = parseListQuery(new URLSearchParams());

/** The fields of a search, and each change that they ask for. */
async function open(search: Partial<RangeFilter> & { open?: boolean } = {}) {
  const changes: Partial<RangeFilter>[] = [];
  const page = await openTestPage(
    <RangeFields search={{ ...EMPTY_SEARCH, ...search }} onChange={(changed) => changes.push(changed)} />,
  );
  return { ...page, changes };
}

test.each<[string, string, Partial<RangeFilter>]>([
  ['Value from', '500000', { min: 500_000 }],
  ['Value to', '2500000', { max: 2_500_000 }],
  ['Closing within', '0', { within: 0, hour: null }],
  ['Closing within', '7', { within: 7, hour: null }],
  ['Published since', '30', { publishedWithin: 30 }],
  ['Category', 'Works', { category: 'Works' }],
])('“%s” with the choice %s changes its own part of the search', async (label, value, changed) => {
  const { enter, changes } = await open();
  await enter(label, value);
  expect(changes).toEqual([changed]);
});

test.each<[string, Partial<RangeFilter>, Partial<RangeFilter>]>([
  ['Value from', { min: 500_000 }, { min: null }],
  ['Value to', { max: 500_000 }, { max: null }],
  ['Closing within', { within: 0 }, { within: null, hour: null }],
  ['Closing within', { hour: 10 }, { within: null, hour: null }],
  ['Published since', { publishedWithin: 7 }, { publishedWithin: null }],
  ['Category', { category: 'Goods' }, { category: null }],
])('“%s” takes its choice away', async (label, search, changed) => {
  const { enter, changes } = await open(search);
  await enter(label, '');
  expect(changes).toEqual([changed]);
});

test('“New since yesterday” chooses “Yesterday”', async () => {
  const { toggle, changes, field } = await open();
  expect(field('New since yesterday').checked).toBe(false);
  await toggle('New since yesterday');
  expect(changes).toEqual([{ publishedWithin: 1 }]);
});

test('“New since yesterday” is ticked while the choice is “Yesterday”, and takes it away', async () => {
  const { toggle, changes, field } = await open({ publishedWithin: 1 });
  expect(field('New since yesterday').checked).toBe(true);
  await toggle('New since yesterday');
  expect(changes).toEqual([{ publishedWithin: null }]);
});

test('a value and a window from the URL are added to the choices in ascending order', async () => {
  const { page } = await open({ min: 700_000, within: 5 });
  const offered = (name: string) =>
    [...page.querySelectorAll(`[name="${name}"] option`)].map(({ textContent }) => textContent).slice(0, 5);
  expect(offered('min')).toEqual(['Any', '₹1 Lakh', '₹5 Lakh', '₹7 Lakh', '₹10 Lakh']);
  expect(offered('within')).toEqual(['Any time', 'Today', '3 days', '5 days', '7 days']);
});

test('closed tenders have no closing window', async () => {
  expect((await open({ open: true })).texts('label')).toContain('Closing within');
  expect((await open({ open: false })).texts('label')).not.toContain('Closing within');
});
