// @vitest-environment node

import { toSavedFilter } from '@nivida/contract/filter/saved-filter';
import { SavedFilterRequest } from '@nivida/contract/filter/saved-search';
import { EMPTY_FILTER, type TenderFilter } from '@nivida/contract/filter/tender-filter';
import { parse } from 'valibot';
import { expect, test } from 'vitest';
import { filterToWire } from '../../data/outbox/send-outbox.ts';
import { filterKey, filterOfQuery, filterQuery, proposedSearchName } from './search-filter.ts';

const ALL: TenderFilter = { ...EMPTY_FILTER, state: 'Himachal Pradesh' };

test.each<[Partial<TenderFilter>, string]>([
  [{}, 'Himachal Pradesh'],
  [{ q: 'bridge', districts: ['Solan'], within: 7 }, 'bridge · Solan · closing within 7 days'],
  [{ state: '', q: 'bailey bridge' }, 'bailey bridge'],
  [{ departments: ['PWD'], min: 1_000_000 }, 'Himachal Pradesh · PWD · from ₹10 Lakh'],
  [{ districts: ['Mandi', 'Kullu'], departments: ['PWD', 'Forest'] }, 'Mandi, Kullu · PWD, Forest'],
  [{ max: 10_000_000 }, 'Himachal Pradesh · up to ₹1 Cr'],
  [{ min: 500_000, max: 2_550_000, category: 'Works' }, 'Himachal Pradesh · ₹5 Lakh to ₹25.50 Lakh · Works'],
  [{ within: 0 }, 'Himachal Pradesh · closing today'],
  [{ within: 1 }, 'Himachal Pradesh · closing by tomorrow'],
])('the search %j is called "%s"', (changes, name) => {
  expect(proposedSearchName(toSavedFilter({ ...ALL, ...changes }))).toBe(name);
});

test('a name has at most 80 characters', () => {
  const name = proposedSearchName(
    toSavedFilter({ ...ALL, q: 'road '.repeat(20), departments: ['Rural Development & Panchayati Raj'] }),
  );
  expect(name.length).toBeLessThanOrEqual(80);
  expect(name.endsWith('…')).toBe(true);
});

test('a search opens the results that it was saved from', () => {
  const filter = toSavedFilter({ ...ALL, districts: ['Solan'], q: ' bailey  bridge ', min: 100_000, within: 0 });
  expect(filterQuery(filter)).toBe('state=Himachal+Pradesh&district=Solan&q=bailey+bridge&min=100000&within=0');
});

test('a filter that is written as a query and read again is the same filter, including a literal reading and all limits', () => {
  const limits = { min: 100_000, max: 500_000, within: 7, category: 'Works' as const };
  for (const changes of [{}, limits, { q: 'road mandi', literal: 'place' as const, districts: ['Kullu', 'Mandi'] }]) {
    const filter = toSavedFilter({ ...ALL, ...changes });
    expect(filterOfQuery(filterQuery(filter))).toEqual(filter);
  }
});

test('words in another case are the same search, another district is not', () => {
  const solan = toSavedFilter({ ...ALL, districts: ['Solan'], q: 'Bridge' });
  expect(filterKey(solan)).toBe(filterKey({ ...solan, q: 'bridge' }));
  expect(filterKey(solan)).not.toBe(filterKey({ ...solan, district: 'Shimla' }));
  expect(filterKey(solan)).not.toBe(filterKey({ ...solan, district: ['Shimla', 'Solan'] }));
  expect(filterKey({ ...solan, district: ['Solan', 'Shimla'] })).toBe(
    filterKey({ ...solan, district: ['Shimla', 'Solan'] }),
  );
});

test('the server understands a filter as it was saved', () => {
  const filter = toSavedFilter({
    ...ALL,
    districts: ['Solan'],
    q: 'bridge',
    min: 100_000,
    within: 7,
    category: 'Works',
  });
  expect(parse(SavedFilterRequest, filterToWire(filter))).toEqual(filter);
  expect(parse(SavedFilterRequest, filterToWire(toSavedFilter(ALL)))).toEqual(toSavedFilter(ALL));
  const several = toSavedFilter({ ...ALL, districts: ['Mandi', 'Kullu'], departments: ['PWD', 'Forest'] });
  expect(parse(SavedFilterRequest, filterToWire(several))).toEqual(several);
});
