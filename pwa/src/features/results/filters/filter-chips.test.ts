// @vitest-environment node
import type { Messages } from '@lingui/core';
import { parseListQuery, type TenderListQuery } from '@nivida/contract/filter/tender-filter';
import { addTexts, inLanguage } from '@nivida/contract/i18n';
import { expect, test } from 'vitest';
import { conditionChips, filterChips, stateChip, withoutConditions } from './filter-chips.ts';

const HIMACHAL = parseListQuery(new URLSearchParams({ state: 'Himachal Pradesh' }));

test.each<[Partial<TenderListQuery>, string[]]>([
  [{}, []],
  [{ q: 'road', sort: 'closing_date' }, []],
  [{ districts: ['Kullu', 'Mandi'], departments: ['PWD'] }, ['Kullu', 'Mandi', 'PWD']],
  [{ min: 500_000, max: 10_000_000 }, ['₹5 Lakh to ₹1 Cr']],
  [{ min: 500_000 }, ['From ₹5 Lakh']],
  [{ max: 500_000 }, ['Up to ₹5 Lakh']],
  [{ within: 0 }, ['Closing today']],
  [{ within: 7 }, ['Closing within 7 days']],
  [{ hour: 10 }, ['Closing today, 10:00 to 10:59 AM']],
  [{ hour: 10, open: false }, ['Closed today, 10:00 to 10:59 AM', 'Closed tenders']],
  [{ publishedWithin: 0 }, ['Published today']],
  [{ publishedWithin: 1 }, ['New since yesterday']],
  [{ publishedWithin: 30 }, ['Published within 30 days']],
  [{ category: 'Works' }, ['Works']],
  [{ open: false, within: 7 }, ['Closed tenders']],
])('%j has the chips %j', (part, labels) => {
  expect(filterChips({ ...HIMACHAL, ...part }).map(({ label }) => label)).toEqual(labels);
});

const ALL: TenderListQuery = {
  ...HIMACHAL,
  districts: ['Kullu', 'Mandi'],
  departments: ['PWD', 'Forest'],
  q: 'road',
  min: 500_000,
  max: 10_000_000,
  within: 7,
  publishedWithin: 1,
  category: 'Works',
  page: 3,
};

test.each<[string, Partial<TenderListQuery>]>([
  ['Mandi', { districts: ['Kullu'] }],
  ['PWD', { departments: ['Forest'] }],
  ['₹5 Lakh to ₹1 Cr', { min: null, max: null }],
  ['Closing within 7 days', { within: null }],
  ['New since yesterday', { publishedWithin: null }],
  ['Works', { category: null }],
])('without %s all other filters stay, on the first page', (label, change) => {
  const chip = filterChips(ALL).find((each) => each.label === label);
  expect(chip?.without).toEqual({ ...ALL, ...change, page: 1 });
});

const [catalogue] = Object.values(
  import.meta.glob<{ messages: Messages }>('../../../../../texts/hi.po', { query: '?part=app', eager: true }),
);
addTexts('hi', catalogue?.messages ?? {});

const NOW = new Date('2026-11-25T09:00:00+05:30');
const CONDITIONS = [
  { kind: 'price', label: 'Value up to ₹10 Lakh', text: 'below 10 lakh', rest: 'road closing today' },
  { kind: 'closing', label: 'Closing today', text: 'closing today', rest: 'road below 10 lakh' },
];

test('a condition in the words is a chip that takes out its own words', () => {
  const search = { ...ALL, q: 'road below 10 lakh closing today' };
  expect(conditionChips(search, CONDITIONS, NOW).map(({ label, without }) => [label, without.q, without.page])).toEqual(
    [
      ['Value up to ₹10 Lakh', 'road closing today', 1],
      ['Closing today', 'road below 10 lakh', 1],
    ],
  );
  expect(withoutConditions(search, CONDITIONS)).toEqual({ ...search, q: 'road', page: 1 });
});

test('a condition is named in the language of the app', () => {
  const facts = { from: null, to: 50_000, names: [] };
  const condition = { kind: 'emd', label: 'EMD up to ₹50,000', facts, text: 'emd under 50k', rest: 'road' };
  const labels = () => conditionChips(ALL, [condition], NOW).map(({ label }) => label);
  expect(labels()).toEqual(['EMD up to ₹50,000']);
  expect(inLanguage('hi', labels)).toEqual(['EMD ₹50,000 तक']);
});

test('a search of conditions only that loses them is sorted as a list without words', () => {
  const search: TenderListQuery = { ...HIMACHAL, q: 'no emd', sort: 'relevance' };
  const [chip] = conditionChips(search, [{ kind: 'no_emd', label: 'No EMD', text: 'no emd', rest: '' }], NOW);
  expect(chip?.without).toEqual({ ...HIMACHAL, page: 1 });
});

test('without closed tenders the open ones are sorted by price', () => {
  const [chip] = filterChips({ ...HIMACHAL, open: false, sort: 'closing_date', page: 2 });
  expect(chip?.without).toEqual(HIMACHAL);
});

test('without its state a search has no districts and departments', () => {
  expect(stateChip(ALL)?.without).toEqual({ ...ALL, state: '', districts: [], departments: [], page: 1 });
  expect(stateChip({ ...ALL, state: '' })).toBeUndefined();
});
