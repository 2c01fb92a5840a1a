import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { CreateSavedSearchRequest, SavedFilterRequest, UpdateSavedSearchRequest } from './saved-search.ts';
import { EMPTY_FILTER } from './tender-filter.ts';
import { TenderQuery, TenderSearchQuery } from './tender-query.ts';

type Input = Record<string, unknown>;

/** The first message for each field that is refused. */
function messages(input: Input, schema: typeof TenderQuery | typeof TenderSearchQuery = TenderQuery) {
  const parsed = v.safeParse(schema, input);
  const found: Record<string, string> = {};
  for (const issue of parsed.issues ?? []) found[v.getDotPath(issue) ?? ''] ??= issue.message;
  return found;
}

const understood = (input: Input) => v.parse(TenderQuery, input);

describe('a query for tenders that is refused', () => {
  test.each<[string, unknown, string]>([
    ['state', ['Delhi', 'Goa'], 'state must be given once, as text'],
    ['state', { name: 'Delhi' }, 'state must be given once, as text'],
    ['state', null, 'state must be given once, as text'],
    ['state', 'x'.repeat(101), 'state must be at most 100 characters'],
    ['state', 'Del\u0000hi', 'state must not contain control characters'],
    ['district', { name: 'Shimla' }, 'district must be text'],
    ['district', Array(21).fill('Shimla'), 'district must be given at most 20 times'],
    ['district', 'x'.repeat(101), 'district must be at most 100 characters'],
    ['district', 'Shim\u001bla', 'district must not contain control characters'],
    ['department', null, 'department must be text'],
    ['department', Array(21).fill('PWD'), 'department must be given at most 20 times'],
    ['department', 'x'.repeat(201), 'department must be at most 200 characters'],
    ['department', 'P\u007fWD', 'department must not contain control characters'],
    ['q', ['road', 'bridge'], 'q must be given once, as text'],
    ['q', { road: '1' }, 'q must be given once, as text'],
    ['q', 7, 'q must be given once, as text'],
    ['q', 'x'.repeat(101), 'q must be at most 100 characters'],
    ['q', 'x'.repeat(5_000), 'q must be at most 100 characters'],
    ['q', 'road\u0000', 'q must not contain control characters'],
    ['q', 'road\tbridge', 'q must not contain control characters'],
    ['q', 'road\nbridge', 'q must not contain control characters'],
    ['open', '2', 'open must be 0 or 1'],
    ['open', 'true', 'open must be 0 or 1'],
    ['open', '', 'open must be 0 or 1'],
    ['open', ['0', '1'], 'open must be 0 or 1'],
    ['sort', 'drop table tender', 'sort must be relevance, price, closing_date or published_date'],
    ['sort', 'PRICE', 'sort must be relevance, price, closing_date or published_date'],
    ['sort', ['price', 'price'], 'sort must be relevance, price, closing_date or published_date'],
    ['order', 'up', 'order must be asc or desc'],
    ['order', 'asc; select 1', 'order must be asc or desc'],
    ['order', ['asc', 'desc'], 'order must be asc or desc'],
    ['page', '0', 'page must be a whole number from 1 to 100000'],
    ['page', '-1', 'page must be a whole number from 1 to 100000'],
    ['page', '1.5', 'page must be a whole number from 1 to 100000'],
    ['page', 'two', 'page must be a whole number from 1 to 100000'],
    ['page', '', 'page must be a whole number from 1 to 100000'],
    ['page', '1e9', 'page must be a whole number from 1 to 100000'],
    ['page', '100001', 'page must be a whole number from 1 to 100000'],
    ['page', '1000000000', 'page must be a whole number from 1 to 100000'],
    ['page', '99999999999999999999', 'page must be a whole number from 1 to 100000'],
    ['page', ['1', '2'], 'page must be given once, as a number'],
    ['limit', '0', 'limit must be a whole number from 1 to 100'],
    ['limit', '-10', 'limit must be a whole number from 1 to 100'],
    ['limit', '101', 'limit must be a whole number from 1 to 100'],
    ['limit', '1000000', 'limit must be a whole number from 1 to 100'],
    ['limit', '十', 'limit must be a whole number from 1 to 100'],
    ['limit', 'Infinity', 'limit must be a whole number from 1 to 100'],
    ['limit', { $gt: '' }, 'limit must be given once, as a number'],
    ['min', '-1', 'min must be a whole number from 0 to 999999999999'],
    ['min', '1.5', 'min must be a whole number from 0 to 999999999999'],
    ['min', '5 lakh', 'min must be a whole number from 0 to 999999999999'],
    ['max', '', 'max must be a whole number from 0 to 999999999999'],
    ['max', '1000000000000', 'max must be a whole number from 0 to 999999999999'],
    ['max', ['1', '2'], 'max must be given once, as a number'],
    ['within', '366', 'within must be a whole number from 0 to 365'],
    ['within', 'today', 'within must be a whole number from 0 to 365'],
    ['hour', '24', 'hour must be a whole number from 0 to 23'],
    ['published_within', '366', 'published_within must be a whole number from 0 to 365'],
    ['published_within', '-1', 'published_within must be a whole number from 0 to 365'],
    ['published_within', ['1', '2'], 'published_within must be given once, as a number'],
    ['literal', 'none', 'literal must be place, conditions, words, all'],
    ['category', 'works', 'category must be Works, Goods, Services'],
    ['category', ['Works', 'Goods'], 'category must be Works, Goods, Services'],
  ])('%s = %j: %s', (field, value, message) => {
    expect(messages({ [field]: value })).toEqual({ [field]: message });
  });

  test.each([
    ['district', ['Shimla', 'x'.repeat(101)], 'district must be at most 100 characters'],
    ['department', ['PWD', 'P\u007fWD'], 'department must not contain control characters'],
  ])('one of several values of %s', (field, values, message) => {
    expect(messages({ [field]: values })).toEqual({ [field]: message });
  });

  test('every wrong field has its own message', () => {
    expect(messages({ page: '0', limit: '0', open: '5', q: 'road' })).toEqual({
      page: 'page must be a whole number from 1 to 100000',
      limit: 'limit must be a whole number from 1 to 100',
      open: 'open must be 0 or 1',
    });
  });
});

describe('a query for tenders that is understood', () => {
  test('a query without parameters means all open tenders, without a page', () => {
    expect(understood({})).toEqual({ ...EMPTY_FILTER, notices: false });
  });

  test('texts are trimmed and numbers are read', () => {
    const query = understood({
      state: ' Delhi ',
      district: '\tNew Delhi\n',
      department: ' Public Works Department ',
      q: '  road  bridge ',
      open: '0',
      sort: 'closing_date',
      order: 'asc',
      min: '0',
      max: '999999999999',
      within: '0',
      hour: '23',
      published_within: '1',
      category: 'Services',
      page: '100000',
      limit: '100',
    });
    expect(query).toEqual({
      notices: false,
      state: 'Delhi',
      districts: ['New Delhi'],
      literal: null,
      departments: ['Public Works Department'],
      q: 'road  bridge',
      open: false,
      sort: 'closing_date',
      order: 'asc',
      min: 0,
      max: 999_999_999_999,
      within: 0,
      hour: 23,
      publishedWithin: 1,
      category: 'Services',
      page: 100_000,
      limit: 100,
    });
  });

  test.each(['place', 'conditions', 'words', 'all'])('what is searched as typed (%s) is read', (literal) => {
    expect(understood({ q: 'mandi', literal }).literal).toBe(literal);
  });

  test('several districts and departments are read, each once and without empty ones', () => {
    const query = understood({ district: [' Shimla', '', 'Solan', 'Shimla'], department: ['PWD', 'Jal Shakti'] });
    expect(query).toMatchObject({ districts: ['Shimla', 'Solan'], departments: ['PWD', 'Jal Shakti'] });
  });

  test.each(['%', '100%', "o'brien", '"', '\\', '; drop table tender', '<b>', 'सड़क', '🛣️', ':*', 'x'.repeat(100)])(
    'the words %s may be searched',
    (q) => {
      expect(understood({ q }).q).toBe(q);
    },
  );

  test('spaces around a text do not count towards its length', () => {
    expect(understood({ q: `${' '.repeat(500)}road` }).q).toBe('road');
  });

  test('keys that no filter has are ignored', () => {
    expect(understood({ utm_source: 'x', 'state[name]': 'Delhi' })).toEqual(understood({}));
  });
});

describe('a search', () => {
  test.each<[Input, Record<string, string>]>([
    [{}, { q: 'q must not be empty' }],
    [{ q: '' }, { q: 'q must not be empty' }],
    [{ q: '   ' }, { q: 'q must not be empty' }],
    [{ q: ['a', 'b'] }, { q: 'q must be given once, as text' }],
    [{ q: 'road', limit: '0' }, { limit: 'limit must be a whole number from 1 to 100' }],
  ])('%j is refused', (input, expected) => {
    expect(messages(input, TenderSearchQuery)).toEqual(expected);
  });

  test('one character is enough', () => {
    expect(v.parse(TenderSearchQuery, { q: ' 7 ' }).q).toBe('7');
  });
});

describe('a saved search in a request', () => {
  test.each<[Input, object]>([
    [{}, { state: '', district: '', department: '', q: '' }],
    [
      { state: ' Assam ', district: ['Cachar', 'Nagaon'], department: ['PWD'], q: ' road ', literal: 'place' },
      { state: 'Assam', district: ['Cachar', 'Nagaon'], department: 'PWD', q: 'road', literal: 'place' },
    ],
    [
      { district: 'Cachar', department: ['PWD', 'Forest'], min: '0', max: '5', within: '7', category: 'Goods' },
      {
        ...{ state: '', district: 'Cachar', department: ['PWD', 'Forest'], q: '' },
        ...{ min: 0, max: 5, within: 7, category: 'Goods' },
      },
    ],
  ])('with the filter %j is stored as %j', (given, stored) => {
    expect(v.parse(SavedFilterRequest, given)).toEqual(stored);
  });

  const SEARCH = { id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301', name: 'Bridges', filter: {}, openedUpTo: 0 };
  const refusals = (changes: object, schema: v.GenericSchema = CreateSavedSearchRequest) =>
    (v.safeParse(schema, { ...SEARCH, ...changes }).issues ?? []).map(({ message }) => message);

  test('is created with an id of the device, a name of at most 80 characters and the last seen tender', () => {
    expect(refusals({ name: 'x'.repeat(80), openedUpTo: 2_147_483_647 })).toEqual([]);
    expect(refusals({ name: 'x'.repeat(81) })).toEqual(['At most 80 characters']);
    expect(refusals({ name: ' ' })).toEqual(['Name is required']);
    expect(refusals({ id: '12' })).toEqual(['id must be a UUID']);
    for (const openedUpTo of [-1, 1.5, 2_147_483_648, '5']) expect(refusals({ openedUpTo })).toHaveLength(1);
    expect(refusals({ filter: { published_within: '1' } })).toEqual([
      'The filter holds a field that does not belong there',
    ]);
    expect(refusals({ owner: '7' })).toEqual(['Unknown field of a search']);
  });

  test('is changed in its name or its last seen tender only', () => {
    const changed = (change: object) => v.safeParse(UpdateSavedSearchRequest, change);
    expect([{}, { name: ' Roads ' }, { openedUpTo: 5 }].map((change) => changed(change).output)).toEqual([
      ...[{}, { name: 'Roads' }, { openedUpTo: 5 }],
    ]);
    expect([{ name: '' }, { openedUpTo: -1 }, { filter: {} }].map((change) => changed(change).success)).toEqual([
      ...[false, false, false],
    ]);
  });
});
