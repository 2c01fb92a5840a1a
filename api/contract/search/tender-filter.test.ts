import { describe, expect, test } from 'vitest';
import { parseTenderFilter, type TenderListFilter, tenderFilterParams, tenderListQuery } from './tender-filter.ts';

const HIMACHAL: TenderListFilter = {
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

describe('the search in the URL', () => {
  test.each<[string, Partial<TenderListFilter>]>([
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
    expect(parseTenderFilter(new URLSearchParams(address))).toEqual(search);
    expect(tenderFilterParams(search).toString()).toBe(address);
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
    expect(parseTenderFilter(new URLSearchParams(`state=Himachal+Pradesh&${address}`))).toEqual(HIMACHAL);
  });

  test('the request for a page of ten has all parameters', () => {
    expect(tenderListQuery({ ...HIMACHAL, page: 3 })).toBe(
      'state=Himachal+Pradesh&open=1&sort=price&order=desc&page=3&limit=10',
    );
  });
});
