import { describe, expect, test } from 'vitest';
import {
  closingHourText,
  closingWindowText,
  namesText,
  priceRangeText,
  publicationWindowText,
  rupeesText,
} from './filter-texts.ts';
import { fromSavedFilter, toSavedFilter } from './saved-filter.ts';
import {
  EMPTY_FILTER,
  facetsQuery,
  followDefaultOrder,
  lacksState,
  listQueryString,
  parseListQuery,
  type TenderFilter,
  type TenderListQuery,
  tenderFilterParams,
  toListFilter,
} from './tender-filter.ts';

const HIMACHAL: TenderListQuery = {
  ...EMPTY_FILTER,
  state: 'Himachal Pradesh',
  sort: 'price',
  order: 'desc',
  page: 1,
};

test('a change of the words changes the order only if it was the default one', () => {
  const order = (before: Partial<TenderListQuery>, after: Partial<TenderListQuery>) => {
    const { sort, order } = followDefaultOrder({ ...HIMACHAL, ...before }, { ...HIMACHAL, ...before, ...after });
    return [sort, order];
  };
  expect(order({}, { q: 'road' })).toEqual(['relevance', 'desc']);
  expect(order({ q: 'road', sort: 'relevance' }, { q: '' })).toEqual(['price', 'desc']);
  expect(order({ order: 'asc' }, { q: 'road' })).toEqual(['price', 'asc']);
  expect(order({ q: 'road', sort: 'relevance' }, { sort: 'price' })).toEqual(['price', 'desc']);
});

describe('the search in the URL', () => {
  test.each<[string, Partial<TenderListQuery>]>([
    ['state=Himachal+Pradesh', {}],
    ['state=Himachal+Pradesh&district=Lahaul+and+Spiti', { districts: ['Lahaul and Spiti'] }],
    ['state=Himachal+Pradesh&district=Kullu&district=Mandi', { districts: ['Kullu', 'Mandi'] }],
    ['state=Himachal+Pradesh&department=Irrigation+%26+Public+Health', { departments: ['Irrigation & Public Health'] }],
    ['state=Himachal+Pradesh&department=Forest&department=PWD', { departments: ['Forest', 'PWD'] }],
    ['state=Himachal+Pradesh&q=r%2Fwall', { q: 'r/wall', sort: 'relevance' }],
    ['state=Himachal+Pradesh&q=mandi&literal=place', { q: 'mandi', literal: 'place', sort: 'relevance' }],
    ['state=Himachal+Pradesh&q=road&sort=price', { q: 'road' }],
    ['state=Himachal+Pradesh&q=road&open=0', { q: 'road', open: false, sort: 'relevance' }],
    ['state=Himachal+Pradesh&order=asc', { order: 'asc' }],
    ['state=Himachal+Pradesh&sort=closing_date', { sort: 'closing_date', order: 'asc' }],
    ['state=Himachal+Pradesh&sort=closing_date&order=desc', { sort: 'closing_date', order: 'desc' }],
    ['state=Himachal+Pradesh&page=5', { page: 5 }],
    ['state=Himachal+Pradesh&min=100000&max=500000', { min: 100_000, max: 500_000 }],
    ['state=Himachal+Pradesh&min=0&within=0&category=Works', { min: 0, within: 0, category: 'Works' }],
    ['state=Himachal+Pradesh&published_within=1', { publishedWithin: 1 }],
    ['state=Himachal+Pradesh&hour=0&sort=closing_date', { hour: 0, sort: 'closing_date', order: 'asc' }],
    ['state=Himachal+Pradesh&hour=23&open=0', { hour: 23, open: false, sort: 'closing_date', order: 'desc' }],
    ['state=Himachal+Pradesh&within=365&published_within=365', { within: 365, publishedWithin: 365 }],
    [
      'state=Himachal+Pradesh&published_within=0&open=0',
      { publishedWithin: 0, open: false, sort: 'closing_date', order: 'desc' },
    ],
    ['state=Himachal+Pradesh&within=7&open=0', { within: 7, open: false, sort: 'closing_date', order: 'desc' }],
    ['state=Himachal+Pradesh&open=0', { open: false, sort: 'closing_date', order: 'desc' }],
    ['state=Himachal+Pradesh&open=0&sort=price', { open: false, sort: 'price', order: 'desc' }],
    ['state=Himachal+Pradesh&open=0&order=asc&page=2', { open: false, sort: 'closing_date', order: 'asc', page: 2 }],
  ])('%s is read and written the same', (address, part) => {
    const search = { ...HIMACHAL, ...part };
    expect(parseListQuery(new URLSearchParams(address))).toEqual(search);
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
    'hour=24',
    'hour=noon',
    'published_within=366',
    'published_within=-1',
    'published_within=yesterday',
    'category=works',
    'sort=title',
    'order=up',
    'open=yes',
    'district=&department=&q=++',
    'sort=relevance',
    'literal=place',
    'min=1234567890123',
    'max=-0',
    'within=1.5',
  ])('%s counts as not given', (address) => {
    expect(parseListQuery(new URLSearchParams(`state=Himachal+Pradesh&${address}`))).toEqual(HIMACHAL);
  });

  test('repeated districts count once, at most 20 are read, and the URL has them sorted', () => {
    const read = (districts: string[]) =>
      parseListQuery(new URLSearchParams(districts.map((each) => ['district', each]))).districts;
    expect(read(['Mandi', ' Kullu ', '', 'Mandi'])).toEqual(['Mandi', 'Kullu']);
    expect(read(Array.from({ length: 25 }, (_, nth) => `District ${nth}`))).toHaveLength(20);
    expect(tenderFilterParams({ ...HIMACHAL, districts: ['Mandi', 'Kullu'] }).getAll('district')).toEqual([
      'Kullu',
      'Mandi',
    ]);
  });

  test.each<[string, Partial<TenderListQuery>]>([
    ['q=road&order=asc', { q: 'road', sort: 'relevance' }],
    ['q=road&literal=none', { q: 'road', sort: 'relevance' }],
    ['min=123456789012&max=0', { min: 123_456_789_012, max: 0 }],
    ['state=+Goa+&q=+link+road+', { state: 'Himachal Pradesh', q: 'link road', sort: 'relevance' }],
    ['open=1', {}],
    ['sort=relevance&q=road', { q: 'road', sort: 'relevance' }],
  ])('%s is read as %j', (address, part) => {
    expect(parseListQuery(new URLSearchParams(`state=Himachal+Pradesh&${address}`))).toEqual({
      ...HIMACHAL,
      ...part,
    });
  });

  test('the request for a page of closed tenders by words says so', () => {
    const closed = { ...HIMACHAL, q: 'road', literal: 'words', open: false, sort: 'relevance', within: 3 } as const;
    expect(listQueryString(closed)).toBe(
      'state=Himachal+Pradesh&q=road&literal=words&within=3&open=0&sort=relevance&order=desc&page=1&limit=10&notices=1',
    );
  });

  test('the request for a page of ten has all parameters', () => {
    expect(listQueryString({ ...HIMACHAL, page: 3 })).toBe(
      'state=Himachal+Pradesh&open=1&sort=price&order=desc&page=3&limit=10&notices=1',
    );
  });
});

test('the request for the counts has the whole filter, without order and page', () => {
  const search: TenderListQuery = {
    ...HIMACHAL,
    districts: ['Kullu'],
    departments: ['PWD'],
    q: 'road',
    min: 1,
    max: 2,
    hour: 10,
    publishedWithin: 3,
    category: 'Goods',
    open: false,
    page: 4,
  };
  expect(facetsQuery(search)).toBe(
    'state=Himachal+Pradesh&district=Kullu&department=PWD&q=road&min=1&max=2&hour=10&published_within=3&category=Goods&open=0',
  );
});

test('the request for the counts of open tenders names no other parameter', () => {
  const second: TenderListQuery = { ...HIMACHAL, page: 2, order: 'asc' };
  expect(facetsQuery(second)).toBe('state=Himachal+Pradesh');
  expect(facetsQuery({ ...HIMACHAL, within: 0 })).toBe('state=Himachal+Pradesh&within=0');
});

test('districts and departments without a state are a filter without tenders', () => {
  const lacks = (part: Partial<TenderFilter>) => lacksState({ ...EMPTY_FILTER, ...part });
  expect([lacks({}), lacks({ districts: ['Mandi'] }), lacks({ departments: ['PWD'] })]).toEqual([false, true, true]);
  expect(lacks({ state: 'Goa', districts: ['Mandi'], departments: ['PWD'] })).toBe(false);
});

test('bounds, windows and names are written out', () => {
  expect(rupeesText(500_000)).toBe('₹5 Lakh');
  expect([priceRangeText({ min: 1, max: 12_345 }), priceRangeText({ min: null, max: null })]).toEqual([
    '₹1 to ₹12,345',
    '',
  ]);
  expect([priceRangeText({ min: 0, max: null }), priceRangeText({ min: null, max: 0 })]).toEqual([
    'from ₹0',
    'up to ₹0',
  ]);
  expect([null, 0, 1, 2].map(closingWindowText)).toEqual([
    '',
    'closing today',
    'closing by tomorrow',
    'closing within 2 days',
  ]);
  const hourText = (hour: number | null, open = true) => closingHourText({ hour, open });
  expect([hourText(null), hourText(0), hourText(11), hourText(12), hourText(18), hourText(18, false)]).toEqual([
    '',
    'closing today, 12:00 to 12:59 AM',
    'closing today, 11:00 to 11:59 AM',
    'closing today, 12:00 to 12:59 PM',
    'closing today, 6:00 to 6:59 PM',
    'closed today, 6:00 to 6:59 PM',
  ]);
  expect([null, 0, 1, 2].map(publicationWindowText)).toEqual([
    '',
    'published today',
    'new since yesterday',
    'published within 2 days',
  ]);
  const names = ['Kullu', 'Mandi', 'Una'];
  expect([0, 1, 2, 3].map((count) => namesText(names.slice(0, count), 'departments'))).toEqual([
    '',
    'Kullu',
    'Kullu and Mandi',
    '3 departments',
  ]);
});

describe('a saved filter', () => {
  const SAVED = { state: 'Himachal Pradesh', district: '', department: '', q: '' };

  test.each<[Partial<TenderFilter>, object]>([
    [{}, {}],
    [{ districts: ['Mandi'] }, { district: 'Mandi' }],
    [{ districts: ['Mandi', 'Kullu'] }, { district: ['Mandi', 'Kullu'] }],
    [{ departments: ['PWD'] }, { department: 'PWD' }],
    [{ departments: ['PWD', 'Forest'] }, { department: ['PWD', 'Forest'] }],
    [{ q: 'road' }, { q: 'road' }],
    [{ min: 0 }, { min: 0 }],
    [{ max: 500_000 }, { max: 500_000 }],
    [{ within: 7 }, { within: 7 }],
    [{ category: 'Works' }, { category: 'Works' }],
    [{ max: 0 }, { max: 0 }],
    [{ within: 0 }, { within: 0 }],
    [
      { q: 'mandi', literal: 'place' },
      { q: 'mandi', literal: 'place' },
    ],
  ])('%j is saved and read again', (part, saved) => {
    const filter = { ...EMPTY_FILTER, state: 'Himachal Pradesh', ...part };
    expect(toSavedFilter(filter)).toEqual({ ...SAVED, ...saved });
    expect(fromSavedFilter({ ...SAVED, ...saved })).toEqual(filter);
  });

  test('has its words with one space between them, and each name once', () => {
    expect(toSavedFilter({ ...EMPTY_FILTER, q: '  link \u00a0 road\t' }).q).toBe('link road');
    expect(
      fromSavedFilter({ ...SAVED, district: [' Mandi', 'Kullu', 'Mandi', ''], department: ['PWD', ' PWD '] }),
    ).toMatchObject({ districts: ['Mandi', 'Kullu'], departments: ['PWD'] });
  });

  test('has neither the publication window nor whether the tenders were open', () => {
    expect(toSavedFilter({ ...EMPTY_FILTER, state: 'Himachal Pradesh', publishedWithin: 1, open: false })).toEqual(
      SAVED,
    );
  });
});

test.each<[Partial<TenderFilter>, object]>([
  [{}, { state: null, district: null, department: null, districts: [], departments: [], q: null }],
  [
    { state: 'Assam', districts: ['Cachar'], departments: ['PWD'], q: 'road' },
    { state: 'Assam', district: 'Cachar', department: 'PWD', districts: ['Cachar'], departments: ['PWD'], q: 'road' },
  ],
  [
    { state: 'Assam', districts: ['Cachar', 'Nagaon'] },
    { state: 'Assam', district: null, department: null, districts: ['Cachar', 'Nagaon'], departments: [], q: null },
  ],
])('the list answer repeats %j as %j', (part, expected) => {
  expect(toListFilter({ ...EMPTY_FILTER, ...part })).toEqual(expected);
});
