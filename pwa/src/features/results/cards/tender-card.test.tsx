import type { TenderSummary } from '@nivida/contract/tenders/tender';
import { testTender } from '@nivida/contract/tenders/test-tender';
import { act } from 'react';
import { expect, test } from 'vitest';
import { openTestPage } from '../../../ui/test-page.tsx';
import { CardList, CardListSkeleton } from './CardList.tsx';
import { TenderCard } from './TenderCard.tsx';

const NOW = new Date('2026-04-13T05:30:00Z');
const WORDS = [{ typed: 'danga', alternatives: ['danga', 'retaining wall'] }];
const openCard = (fields: Partial<TenderSummary>, props: Partial<Parameters<typeof TenderCard>[0]> = {}) =>
  openTestPage(
    <TenderCard
      tender={testTender({ fetched_at: NOW.toISOString(), ...fields })}
      now={NOW}
      bookmark="Star"
      {...props}
    />,
  );

test('a card has the status, the work, its office, place, EMD, value and closing', async () => {
  const { page, texts } = await openCard({}, { ownMark: 'In my limit' });
  expect(texts('h2')).toEqual(['Metalling of a village road']);
  expect(page.querySelector('a')?.getAttribute('href')).toBe('/tenders/1');
  expect(texts('article > p, article > div')).toEqual([
    'Star',
    'ActivePWD · Solan · EMD ₹23,500.00In my limit',
    '₹11.75 Lakh 2 days left · 11:00 AM',
  ]);
  expect(page.querySelector('article')?.hasAttribute('data-over')).toBe(false);
  expect(page.querySelector('svg')?.hasAttribute('data-look')).toBe(false);
  expect(page.querySelector('[data-closes]')?.getAttribute('data-closes')).toBe('2026-04-15T05:30:00.000Z time card');
});

test('a card of a work in two districts names both', async () => {
  const { texts } = await openCard({ second_district: 'Sirmaur' });
  expect(texts('article > p')).toEqual(['ActivePWD · Solan and Sirmaur · EMD ₹23,500.00']);
});

test('a card without a district or an estimate says what is known, with its mark', async () => {
  const { texts } = await openCard({ district: null, price: null, emd: null, nit_works: 96 }, { heading: 'h3' });
  expect(texts('h3')).toEqual(['Metalling of a village road']);
  expect(texts('article > p')).toEqual(['ActivePWD · EMD not specified96 works in this NIT']);
  expect(texts('article > div')[1]).toContain('₹0 (estimate not published)');
});

test.each<[string, Partial<TenderSummary>, string | null, boolean]>([
  ['that was cancelled', { stage: 'cancelled' }, 'hollow', true],
  ['that has closed', { closing_date: NOW.toISOString() }, 'hollow', true],
  ['whose closing may have changed', { fetched_at: '2026-04-12T22:30:00.000Z' }, 'stale', false],
])('the card of a tender %s looks so', async (_what, fields, look, isOver) => {
  const { page } = await openCard(fields);
  expect(page.querySelector('svg')?.getAttribute('data-look')).toBe(look);
  expect(page.querySelector('article')?.hasAttribute('data-over')).toBe(isOver);
});

test('found words are marked in the title, else in a line of the description or of the cut title', async () => {
  const marks = (page: Element) =>
    [...page.querySelectorAll('mark')].map((mark) => [
      mark.textContent,
      mark.getAttribute('title'),
      mark.closest('p') !== null,
    ]);
  const title = await openCard({ title: 'Danga, Solan' }, { words: WORDS });
  expect(marks(title.page)).toEqual([['Danga,', null, false]]);
  const description = await openCard({ description: 'Road with a retaining wall' }, { words: WORDS });
  expect(marks(description.page)).toEqual([
    ['retaining', 'danga: retaining wall', true],
    ['wall', 'danga: retaining wall', true],
  ]);
  const long = `${'Repair of a long road '.repeat(3)}with a danga`;
  const cut = await openCard({ title: long, description: long }, { words: WORDS });
  expect(cut.page.querySelector('p[aria-hidden="true"]')?.getAttribute('data-phone')).toBe('true');
  expect(marks(cut.page)).toEqual([
    ['danga', null, false],
    ['danga', null, true],
  ]);
  expect(marks((await openCard({ title: 'Danga' })).page)).toEqual([]);
});

test('a list has the bookmark and the mark of each tender, and says which one is pointed at or focused', async () => {
  const previews: string[] = [];
  const { page, texts } = await openTestPage(
    <CardList
      {...{ tenders: [testTender({ _id: '1' }), testTender({ _id: '2', title: 'Second' })], now: NOW, previewId: '2' }}
      {...{ onPreview: ({ _id }: TenderSummary) => void previews.push(_id), heading: 'h3' as const }}
      renderBookmark={({ _id }) => `Star ${_id}`}
      renderMark={({ _id }) => `Mark ${_id}`}
    />,
  );
  expect(texts('h3')).toEqual(['Metalling of a village road', 'Second']);
  for (const id of ['1', '2']) expect(texts('li')[Number(id) - 1]).toMatch(new RegExp(`Star ${id}.*Mark ${id}`));
  expect(texts('[data-preview="true"] h3')).toEqual(['Second']);
  const [first, second] = page.querySelectorAll('li');
  await act(async () => void first?.dispatchEvent(new Event('pointermove', { bubbles: true })));
  await act(async () => void second?.querySelector('a')?.focus());
  expect(previews).toEqual(['1', '2']);
});

test('a list that loads has the places of its cards', async () => {
  const { page } = await openTestPage(<CardListSkeleton />);
  expect(page.querySelectorAll('ol[aria-busy="true"] > li')).toHaveLength(10);
  expect((await openTestPage(<CardListSkeleton count={2} />)).page.querySelectorAll('li')).toHaveLength(2);
});
