// @vitest-environment-options { "url": "http://localhost/" }
import { EMPTY_FILTER } from '@nivida/contract/filter/tender-filter';
import { afterEach, expect, test } from 'vitest';
import { clearSession } from '../../../data/session.ts';
import { signInForTest } from '../../../data/test-session.ts';
import { filterOfStored, lastFilters, storedFilterOf, storeLastFilter } from './last-filters.ts';

afterEach(() => {
  clearSession();
  localStorage.clear();
});

function stored(): Readonly<Record<string, string>> {
  lastFilters.show();
  return lastFilters.useShown.getState().value;
}

test('a filter is stored without its state, its words and whether the tenders were open', () => {
  const filter = {
    ...EMPTY_FILTER,
    districts: ['Kullu', 'Mandi'],
    departments: ['PWD'],
    min: 100_000,
    max: 500_000,
    within: 7,
    publishedWithin: 1,
    category: 'Works' as const,
  };
  const text = storedFilterOf({ ...filter, state: 'Himachal Pradesh', q: 'road', open: false });
  expect(filterOfStored('Himachal Pradesh', text)).toEqual({ ...filter, state: 'Himachal Pradesh' });
});

test('words alone, a state alone and closed tenders are no filter', () => {
  expect(storedFilterOf({ ...EMPTY_FILTER, state: 'Assam', q: 'road', open: false })).toBe('');
});

test('a stored filter is one of open tenders of its state, for any stored values', () => {
  expect(filterOfStored('Goa', 'state=Assam&q=road&literal=all&open=0&min=5&page=3')).toMatchObject({
    ...{ state: 'Goa', q: '', open: true, min: 5 },
  });
  expect(filterOfStored('Goa', 'min=5')).not.toHaveProperty('page');
});

test('each state has its last filter until it is deleted', () => {
  storeLastFilter('Himachal Pradesh', 'district=Kullu');
  storeLastFilter('Assam', 'min=100000');
  storeLastFilter('Himachal Pradesh', 'district=Mandi');
  expect(stored()).toEqual({ 'Himachal Pradesh': 'district=Mandi', Assam: 'min=100000' });
  storeLastFilter('Assam', '');
  expect(stored()).toEqual({ 'Himachal Pradesh': 'district=Mandi' });
});

test('a filter is stored before the page can be left', () => {
  storeLastFilter('Assam', 'min=100000');
  expect(localStorage.getItem('last filters')).toBe('{"Assam":"min=100000"}');
  storeLastFilter('Assam', '');
  expect(localStorage.getItem('last filters')).toBe(null);
});

test.each(['["district=Kullu"', '7', '{"Assam":7,"Goa":{"min":1}}'])('%s is no stored filter', (text) => {
  localStorage.setItem('last filters', text);
  expect(stored()).toEqual({});
});

test('sign-out deletes the last filters of the user, but not those of the signed-out device', () => {
  storeLastFilter('Assam', 'min=100000');
  signInForTest('7');
  expect(stored()).toEqual({});
  storeLastFilter('Goa', 'max=500000');
  signInForTest('8');
  expect(stored()).toEqual({});
  signInForTest('7');
  expect(stored()).toEqual({ Goa: 'max=500000' });
  lastFilters.deleteOf('7');
  expect(stored()).toEqual({});
  clearSession();
  expect(stored()).toEqual({ Assam: 'min=100000' });
});

test('the filters of a signed-out device stay at a sign-out', () => {
  storeLastFilter('Assam', 'min=100000');
  lastFilters.deleteOf('');
  expect(stored()).toEqual({ Assam: 'min=100000' });
});
