import { SavedFilter } from '@nivida/contract/search/saved-search';
import { parse } from 'valibot';
import { expect, test } from 'vitest';
import {
  filterKey,
  filterQuery,
  filterToWire,
  type ListFilterValues,
  proposedSearchName,
  savedFilterOf,
} from './search-filter.ts';

const ALL: ListFilterValues = {
  state: 'Himachal Pradesh',
  district: '',
  department: '',
  q: '',
  min: null,
  max: null,
  within: null,
  category: null,
};

test.each<[Partial<ListFilterValues>, string]>([
  [{}, 'Himachal Pradesh'],
  [{ q: 'bridge', district: 'Solan', within: 7 }, 'bridge · Solan · closing within 7 days'],
  [{ state: '', q: 'bailey bridge' }, 'bailey bridge'],
  [{ department: 'PWD', min: 1_000_000 }, 'Himachal Pradesh · PWD · from ₹10 Lakh'],
  [{ max: 10_000_000 }, 'Himachal Pradesh · up to ₹1 Cr'],
  [{ min: 500_000, max: 2_550_000, category: 'Works' }, 'Himachal Pradesh · ₹5 Lakh to ₹25.50 Lakh · Works'],
  [{ within: 0 }, 'Himachal Pradesh · closing today'],
  [{ within: 1 }, 'Himachal Pradesh · closing by tomorrow'],
])('the search %j is called "%s"', (changes, name) => {
  expect(proposedSearchName(savedFilterOf({ ...ALL, ...changes }))).toBe(name);
});

test('a name has at most 80 characters', () => {
  const name = proposedSearchName(
    savedFilterOf({ ...ALL, q: 'road '.repeat(20), department: 'Rural Development & Panchayati Raj' }),
  );
  expect(name.length).toBeLessThanOrEqual(80);
  expect(name.endsWith('…')).toBe(true);
});

test('a search opens the results that it was saved from', () => {
  const filter = savedFilterOf({ ...ALL, district: 'Solan', q: ' bailey  bridge ', min: 100_000, within: 0 });
  expect(filterQuery(filter)).toBe('state=Himachal+Pradesh&district=Solan&q=bailey+bridge&min=100000&within=0');
});

test('words in another case are the same search, another district is not', () => {
  const solan = savedFilterOf({ ...ALL, district: 'Solan', q: 'Bridge' });
  expect(filterKey(solan)).toBe(filterKey({ ...solan, q: 'bridge' }));
  expect(filterKey(solan)).not.toBe(filterKey({ ...solan, district: 'Shimla' }));
});

test('the server understands a filter as it was saved', () => {
  const filter = savedFilterOf({ ...ALL, district: 'Solan', q: 'bridge', min: 100_000, within: 7, category: 'Works' });
  expect(parse(SavedFilter, filterToWire(filter))).toEqual(filter);
  expect(parse(SavedFilter, filterToWire(savedFilterOf(ALL)))).toEqual(savedFilterOf(ALL));
});
