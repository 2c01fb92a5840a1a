// @vitest-environment node

import { resultsTitle } from '@nivida/contract/filter/filter-texts';
import { parseListQuery, type TenderListQuery } from '@nivida/contract/filter/tender-filter';
import { describe, expect, test } from 'vitest';
import { hasFilters, withOpenState, withoutFilters, withSort } from './search.ts';

const HIMACHAL = parseListQuery(new URLSearchParams({ state: 'Himachal Pradesh' }));

describe('sorting', () => {
  test('choosing the same key again reverses the direction and goes to the first page', () => {
    const turned = withSort({ ...HIMACHAL, page: 4 }, 'price');
    expect(turned).toEqual({ ...HIMACHAL, order: 'asc' });
    expect(withSort(turned, 'price')).toEqual(HIMACHAL);
  });

  test('closing date starts with the soonest, price with the dearest', () => {
    const byDate = withSort(HIMACHAL, 'closing_date');
    expect(byDate).toMatchObject({ sort: 'closing_date', order: 'asc' });
    expect(withSort(byDate, 'price')).toMatchObject({ sort: 'price', order: 'desc' });
  });

  test('closed tenders start with the last closed', () => {
    expect(withOpenState({ ...HIMACHAL, page: 4 }, false)).toMatchObject({
      open: false,
      sort: 'closing_date',
      order: 'desc',
      page: 1,
    });
  });
});

test('without its filters a search has its state, its words and its order, on the first page', () => {
  const all: TenderListQuery = {
    ...HIMACHAL,
    ...{ districts: ['Kangra'], departments: ['PWD'], q: 'road', literal: 'place', min: 1, max: 2, within: 7 },
    ...{ publishedWithin: 1, category: 'Works', open: false, sort: 'price', order: 'asc', page: 3 },
  };
  expect(withoutFilters(all)).toEqual({
    ...HIMACHAL,
    ...{ q: 'road', literal: 'place', open: false, sort: 'price', order: 'asc', page: 1 },
  });
});

test.each<[Partial<TenderListQuery>, boolean]>([
  [{ q: 'road', page: 2 }, false],
  [{ districts: ['Kangra'] }, true],
  [{ departments: ['PWD'] }, true],
  [{ min: 0 }, true],
  [{ max: 1 }, true],
  [{ within: 0 }, true],
  [{ within: 0, open: false }, false],
  [{ hour: 0 }, true],
  [{ hour: 0, open: false }, true],
  [{ publishedWithin: 0 }, true],
  [{ category: 'Works' }, true],
])('%j has filters: %s', (part, expected) => {
  expect(hasFilters({ ...HIMACHAL, ...part })).toBe(expected);
});

test.each<[Partial<TenderListQuery>, string]>([
  [{}, 'Tenders in Himachal Pradesh'],
  [{ districts: ['Kangra'] }, 'Tenders in Kangra, Himachal Pradesh'],
  [{ districts: ['Kangra', 'Una'] }, 'Tenders in Kangra and Una, Himachal Pradesh'],
  [{ districts: ['Kangra', 'Mandi', 'Una'] }, 'Tenders in 3 districts, Himachal Pradesh'],
  [{ q: 'bailey bridge' }, 'Tenders for “bailey bridge” in Himachal Pradesh'],
  [{ state: '', q: 'bailey bridge' }, 'Tenders for “bailey bridge”'],
  [{ open: false }, 'Closed tenders in Himachal Pradesh'],
])('the heading of %j is "%s"', (part, title) => {
  expect(resultsTitle({ ...HIMACHAL, ...part })).toBe(title);
});
