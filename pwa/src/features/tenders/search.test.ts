import { readSearch, type TenderSearch } from '@nivida/contract/list-address';
import { describe, expect, test } from 'vitest';
import { resultsTitle, showOpen, sortBy } from './search.ts';

const HIMACHAL = readSearch(new URLSearchParams({ state: 'Himachal Pradesh' }));

describe('sorting', () => {
  test('choosing the same key again turns the direction and goes to the first page', () => {
    const turned = sortBy({ ...HIMACHAL, page: 4 }, 'price');
    expect(turned).toEqual({ ...HIMACHAL, order: 'asc' });
    expect(sortBy(turned, 'price')).toEqual(HIMACHAL);
  });

  test('closing date starts with the soonest, price with the dearest', () => {
    const byDate = sortBy(HIMACHAL, 'closing_date');
    expect(byDate).toMatchObject({ sort: 'closing_date', order: 'asc' });
    expect(sortBy(byDate, 'price')).toMatchObject({ sort: 'price', order: 'desc' });
  });

  test('closed tenders start with the last closed', () => {
    expect(showOpen({ ...HIMACHAL, page: 4 }, false)).toMatchObject({
      open: false,
      sort: 'closing_date',
      order: 'desc',
      page: 1,
    });
  });
});

test.each<[Partial<TenderSearch>, string]>([
  [{}, 'Tenders in Himachal Pradesh'],
  [{ district: 'Kangra' }, 'Tenders in Kangra, Himachal Pradesh'],
  [{ q: 'bailey bridge' }, 'Tenders for “bailey bridge” in Himachal Pradesh'],
  [{ state: '', q: 'bailey bridge' }, 'Tenders for “bailey bridge”'],
  [{ open: false }, 'Closed tenders in Himachal Pradesh'],
])('the heading of %j is "%s"', (part, title) => {
  expect(resultsTitle({ ...HIMACHAL, ...part })).toBe(title);
});
