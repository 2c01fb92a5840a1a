import { readSearch, type TenderSearch, toQuery, writeSearch } from '@nivida/contract/list-address';
import { describe, expect, test } from 'vitest';
import { resultsTitle, showOpen, sortBy } from './search.ts';

const HIMACHAL: TenderSearch = {
  state: 'Himachal Pradesh',
  district: '',
  department: '',
  q: '',
  min: null,
  max: null,
  within: null,
  category: null,
  open: true,
  sort: 'price',
  order: 'desc',
  page: 1,
};

describe('the search in the address', () => {
  test.each<[string, Partial<TenderSearch>]>([
    ['state=Himachal+Pradesh', {}],
    ['state=Himachal+Pradesh&district=Lahaul+and+Spiti', { district: 'Lahaul and Spiti' }],
    ['state=Himachal+Pradesh&department=Irrigation+%26+Public+Health', { department: 'Irrigation & Public Health' }],
    ['state=Himachal+Pradesh&q=r%2Fwall', { q: 'r/wall' }],
    ['state=Himachal+Pradesh&order=asc', { order: 'asc' }],
    ['state=Himachal+Pradesh&sort=closing_date', { sort: 'closing_date', order: 'asc' }],
    ['state=Himachal+Pradesh&sort=closing_date&order=desc', { sort: 'closing_date', order: 'desc' }],
    ['state=Himachal+Pradesh&page=5', { page: 5 }],
    ['state=Himachal+Pradesh&min=100000&max=500000', { min: 100_000, max: 500_000 }],
    ['state=Himachal+Pradesh&min=0&within=0&category=Works', { min: 0, within: 0, category: 'Works' }],
    ['state=Himachal+Pradesh&within=7&open=0', { within: 7, open: false, sort: 'closing_date', order: 'desc' }],
    ['state=Himachal+Pradesh&open=0', { open: false, sort: 'closing_date', order: 'desc' }],
    ['state=Himachal+Pradesh&open=0&sort=price', { open: false, sort: 'price', order: 'desc' }],
    ['state=Himachal+Pradesh&open=0&order=asc&page=2', { open: false, sort: 'closing_date', order: 'asc', page: 2 }],
  ])('%s is read and written the same', (address, part) => {
    const search = { ...HIMACHAL, ...part };
    expect(readSearch(new URLSearchParams(address))).toEqual(search);
    expect(writeSearch(search).toString()).toBe(address);
  });

  test.each([
    'page=0',
    'page=-1',
    'page=2.5',
    'page=two',
    'min=-1',
    'max=1e6',
    'within=366',
    'category=works',
    'sort=title',
    'order=up',
    'open=yes',
    'district=&department=&q=++',
  ])('%s counts as not given', (address) => {
    expect(readSearch(new URLSearchParams(`state=Himachal+Pradesh&${address}`))).toEqual(HIMACHAL);
  });

  test('the server is asked for one page of ten with everything said', () => {
    expect(toQuery({ ...HIMACHAL, page: 3 })).toBe(
      'state=Himachal+Pradesh&open=1&sort=price&order=desc&page=3&limit=10',
    );
  });
});

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
