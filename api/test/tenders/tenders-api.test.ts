import { Readable } from 'node:stream';
import { brotliDecompressSync } from 'node:zlib';
import { indianDay } from '@nivida/contract/format';
import { isOpenForBids } from '@nivida/contract/tenders/status';
import {
  ListedTendersResponse,
  RegionListResponse,
  TenderFacetsResponse,
  TenderListResponse,
  TenderResponse,
} from '@nivida/contract/tenders/tender';
import { STATUS_CASES, type StatusCase } from '@nivida/contract/tenders/test-status-cases';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readGepnic } from '../../src/ingest/gepnic/gepnic-csv.ts';
import type { SourceTender } from '../../src/ingest/source-tender.ts';
import { openForBidsCondition } from '../../src/tenders/tender.entity.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { type ApiResponse, startApp, type TestApp } from '../support/start-app.ts';

/** 10 November 2026, 11:30 AM in India. */
const NOW = new Date('2026-11-10T11:30:00+05:30');
const november = (time: string) => new Date(`2026-11-${time}+05:30`);

/** A notice with a short name in tests: its tender id is 2026_{name}_1_1. */
const named = (name: string, changes: Partial<SourceTender> = {}): SourceTender =>
  createSourceTender({ sourceId: `2026_${name}_1_1`, ...changes });
const nameOf = (tender: { source_tender_id: string }) => tender.source_tender_id.split('_')[1];

const SORTING: SourceTender[] = [
  named('S1', { price: '300000.00', closesAt: november('20T11:00:00') }),
  named('S2', { price: null, closesAt: november('18T11:00:00') }),
  named('S3', { price: '900000.00', closesAt: november('19T11:00:00') }),
  named('S4', { price: '300000.00', closesAt: november('20T11:00:00') }),
  named('S5', { price: null, closesAt: november('25T11:00:00') }),
  named('C1', { price: '700000.00', closesAt: november('08T11:00:00') }),
  named('C2', { price: null, closesAt: november('09T11:00:00') }),
  named('C3', { price: '800000.00', closesAt: november('09T11:00:00') }),
].map((each) => ({ ...each, state: 'Sikkim' }));

/** In stored order; the last three are published at one instant. */
const PUBLISHED: SourceTender[] = [
  named('P1', { publishedAt: november('05T09:00:00') }),
  named('P2', { publishedAt: november('09T17:00:00') }),
  named('P3', { publishedAt: november('03T09:00:00') }),
  named('P4', { publishedAt: november('03T09:00:00') }),
  named('P5', { publishedAt: november('03T09:00:00') }),
].map((each) => ({ ...each, state: 'Meghalaya' }));

/** Closing around today; Q4 states no hour. */
const BY_HOUR: SourceTender[] = [
  named('Q1', { closesAt: november('10T18:00:00') }),
  named('Q2', { closesAt: november('10T18:59:00') }),
  named('Q3', { closesAt: november('10T23:59:59') }),
  named('Q4', { closesAt: november('10T23:59:59'), closingTimeKnown: false }),
  named('Q5', { closesAt: november('10T11:00:00') }),
  named('Q6', { closesAt: november('10T11:45:00') }),
  named('Q7', { closesAt: november('11T18:00:00') }),
  named('Q8', { closesAt: november('09T11:00:00') }),
].map((each) => ({ ...each, title: 'Repair of road', state: 'Puducherry' }));

const SEARCHED: SourceTender[] = [
  named('WALL', { title: 'Providing retaining wall', address: 'Bharmour, Distt. Chamba', organisationChain: ['PWD'] }),
  named('ROAD', { title: 'Metalling and tarring of road km 0/0 to 5/0', place: 'Kullu' }),
  named('HPSEB', {
    title: 'Supply of transformers 11kV',
    organisationChain: ['HPSEBL', 'Operation Circle'],
    reference: 'HPSEBL/MM/2026-17',
  }),
  named('IPH', { title: 'Repair of kuhl', organisationChain: ['Jal Shakti Vibhag', 'Una Division'], place: 'Una' }),
];

/** One tender for each stage and bid start of the shared table. */
const statusName = ({ stage, bidStartAt }: StatusCase) =>
  `${stage.toUpperCase().replace('_', '')}${bidStartAt ? 'LATER' : ''}`;
const STAGES: SourceTender[] = [...new Map(STATUS_CASES.map((row) => [statusName(row), row]))].map(([name, row]) =>
  named(name, {
    stage: row.stage,
    bidStartAt: row.bidStartAt === null ? null : new Date(row.bidStartAt),
    closesAt: new Date(row.closesAt),
    state: 'Goa',
  }),
);

const FILTERED: SourceTender[] = [
  named('F1', { price: '100000.00', closesAt: november('10T23:59:59'), category: 'Works' }),
  named('F2', { price: '100000.50', closesAt: november('11T00:00:00'), category: 'Goods' }),
  named('F3', { price: '500000.00', closesAt: november('13T23:59:59'), category: 'Services' }),
  named('F4', { price: null, closesAt: november('14T00:00:00'), category: null }),
  named('F5', { price: '900000.00', closesAt: november('17T23:59:59'), category: 'Works' }),
  named('F6', { price: '900000.00', closesAt: november('18T00:00:00'), category: 'Works' }),
  named('F7', { price: '200000.00', closesAt: november('09T11:00:00'), category: 'Works' }),
].map((each) => ({ ...each, state: 'Manipur' }));

/** A state whose portal spells its organisations differently from the list. */
const ORGANISATIONS: SourceTender[] = [
  named('LIFT', {
    organisationChain: ['Orissa Lift Irrigation Corporation Ltd.', 'Mechanical Division'],
    place: 'Angul',
  }),
  named('HOSTEL', { organisationChain: ['ST and SC Development Deptt'], title: 'Hostel building', place: 'Puri' }),
  named('WORKS', { organisationChain: ['Works Deptt.', 'Bridge Division'], title: 'Hostel road', place: 'Angul' }),
  named('QUAY', { organisationChain: ['Harbour Trust & Docks', 'Marine Division'], place: 'Puri' }),
  named('CRANE', { organisationChain: ['Harbour Trust & Docks'], place: 'Angul', price: '400000.00' }),
  named('PIER', { organisationChain: ['Harbour Trust & Docks'], closesAt: november('09T11:00:00') }),
  named('LAMP', { organisationChain: ['Lighthouse Board'], closesAt: november('09T11:00:00') }),
].map((each) => ({ ...each, state: 'Odisha' }));

const PUBLISH = november('12T17:00:00');
const DRAFTS: SourceTender[] = [
  named('DRAFT', { state: 'Tripura', title: 'Secretariat annexe', publishedAt: PUBLISH, nitKey: 'nit-9' }),
  named('SIBLING', { state: 'Tripura', title: 'Secretariat roof', nitKey: 'nit-9' }),
  named('LONELY', { state: 'Nagaland', title: 'Assembly hall', publishedAt: PUBLISH }),
];

const KERALA = 1_005;

let app: TestApp;
let ids: Map<string, string>;

beforeAll(async () => {
  app = await startApp({ now: NOW });
  const many = Array.from({ length: KERALA }, (_, i) => named(`K${i}`, { state: 'Kerala', price: `${i + 1}.00` }));
  const all = [
    ...SORTING,
    ...PUBLISHED,
    ...BY_HOUR,
    ...SEARCHED,
    ...STAGES,
    ...FILTERED,
    ...ORGANISATIONS,
    ...DRAFTS,
    ...many,
  ];
  await importTenders(app.database.dataSource, all, { now: NOW });
  ids = await readIds();
});
afterAll(() => app.close());
beforeEach(() => {
  app.clock.now = NOW;
});

async function readIds(): Promise<Map<string, string>> {
  const rows = await app.database.dataSource.query('SELECT id, source_id AS source_tender_id FROM tender');
  return new Map(rows.map((row: { id: number; source_tender_id: string }) => [nameOf(row), String(row.id)]));
}

/** A list, checked against the contract. */
async function list(query: Record<string, string> | string, path = '/api/tenders'): Promise<TenderListResponse> {
  const answer = await app.get(`${path}?${new URLSearchParams(query)}`);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.json.data).toEqual(answer.json.tenders);
  return v.parse(TenderListResponse, answer.json);
}

const names = async (query: Record<string, string> | string) => (await list(query)).tenders.map(nameOf);

/** A tender by its short name. */
async function tender(name: string) {
  const answer = await app.get(`/api/tenders/${ids.get(name)}`);
  expect(answer.status, answer.text).toBe(200);
  return v.parse(TenderResponse, answer.json).tender;
}

describe('an invalid request', () => {
  const REFUSED: [url: string, status: number, fields: Record<string, string> | undefined][] = [
    ['/api/tenders?state=Delhi&state=Goa', 400, { state: 'state must be given once, as text' }],
    [`/api/tenders?${'district=Una&'.repeat(21)}`, 400, { district: 'district must be given at most 20 times' }],
    [
      '/api/facets?published_within=x',
      400,
      { published_within: 'published_within must be a whole number from 0 to 365' },
    ],
    ['/api/tenders?page=1e9', 400, { page: 'page must be a whole number from 1 to 100000' }],
    ['/api/tenders?page=-1', 400, { page: 'page must be a whole number from 1 to 100000' }],
    ['/api/tenders?limit=0', 400, { limit: 'limit must be a whole number from 1 to 100' }],
    ['/api/tenders?limit=101', 400, { limit: 'limit must be a whole number from 1 to 100' }],
    ['/api/tenders?open=2', 400, { open: 'open must be 0 or 1' }],
    ['/api/tenders?sort=drop%20table', 400, { sort: 'sort must be relevance, price, closing_date or published_date' }],
    ['/api/tenders?order=up', 400, { order: 'order must be asc or desc' }],
    ['/api/tenders?min=1e6', 400, { min: 'min must be a whole number from 0 to 999999999999' }],
    ['/api/tenders?within=-1', 400, { within: 'within must be a whole number from 0 to 365' }],
    ['/api/tenders?category=Machinery', 400, { category: 'category must be Works, Goods, Services' }],
    ['/api/tenders?q=%00', 400, { q: 'q must not contain control characters' }],
    [`/api/tenders?q=${'x'.repeat(3_000)}`, 400, { q: 'q must be at most 100 characters' }],
    [
      '/api/tenders?page=0&limit=0',
      400,
      {
        page: 'page must be a whole number from 1 to 100000',
        limit: 'limit must be a whole number from 1 to 100',
      },
    ],
    ['/api/tenders/search', 400, { q: 'q must not be empty' }],
    ['/api/tenders/search?q=%20', 400, { q: 'q must not be empty' }],
    ['/api/tenders/%E0%A4%A', 400, undefined],
    ['/api/tenders/%', 400, undefined],
    ['/%', 400, undefined],
    [`/api/tenders/${'x'.repeat(99)}`, 404, undefined],
    ['/api/tenders/', 404, undefined],
    ['/api/nothing', 404, undefined],
    ['/api/tenders/0', 404, undefined],
    ['/api/tenders/-1', 404, undefined],
    ['/api/tenders/1e0', 404, undefined],
    ['/api/tenders/0x1', 404, undefined],
    ['/api/tenders/1%00', 404, undefined],
    ['/api/tenders/2147483647', 404, undefined],
    ['/api/tenders/2147483648', 404, undefined],
    ['/api/tenders/99999999999999999999', 404, undefined],
    ["/api/tenders/1'--", 404, undefined],
  ];
  for (const [url, status, fields] of REFUSED)
    test(`${url.slice(0, 60)} returns ${status}`, async () => {
      const { status: answered, json, headers } = await app.get(url);
      expect(answered).toBe(status);
      expect(json).toEqual({
        code: status === 400 ? 'INVALID' : 'NOT_FOUND',
        message: fields ? Object.values(fields)[0] : expect.stringMatching(/^\S.*\S$/),
        requestId: headers['x-request-id'],
        ...(fields && { fields }),
      });
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
    });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)('%s changes no tender', async (method) => {
    const reply = await app.app.inject({ method, url: `/api/tenders/${ids.get('S1')}`, payload: { title: 'x' } });
    expect(reply.statusCode).toBe(404);
    expect(reply.json()).toMatchObject({ code: 'NOT_FOUND', message: 'There is nothing at this address' });
  });

  test('an unknown tender is not found', async () => {
    expect((await app.get('/api/tenders/999999')).json.message).toBe('Tender not found');
  });
});

describe('unusual requests never cause a server error', () => {
  const ODD = [
    '?a[b]=c',
    '?state[]=Delhi',
    '?state[name]=Delhi',
    '?__proto__=1&constructor=2',
    '?=&&&=',
    '?q=%',
    '?q=%E0%A4%A',
    '?q=%ED%A0%80',
    "?q='",
    '?q=%22',
    '?q=%5C',
    '?q=:*%20%26%20%7C%20!%20%3C-%3E',
    "?q='%3B%20drop%20table%20tender%3B--",
    '?q=%F0%9F%9B%A3',
    '?q=%E2%80%8B',
    '?q=/',
    '?state=%25',
    "?state=Goa'%20or%20''='",
    '?page=100000&limit=100',
    `?${'x'.repeat(3_000)}=1`,
    `?q=${'a%20'.repeat(49)}b`,
  ];
  for (const query of ODD)
    test(query.slice(0, 60), async () => {
      const { status, json } = await app.get(`/api/tenders${query}`);
      expect(status).toBe(200);
      expect(v.is(TenderListResponse, json)).toBe(true);
    });
});

describe('order of the list', () => {
  test.each<[string, Record<string, string>, string[]]>([
    ['dearest first unless asked otherwise, without an estimate last', {}, ['S3', 'S1', 'S4', 'S2', 'S5']],
    ['dearest first', { sort: 'price' }, ['S3', 'S1', 'S4', 'S2', 'S5']],
    ['dearest first by relevance without words', { sort: 'relevance' }, ['S3', 'S1', 'S4', 'S2', 'S5']],
    ['cheapest first, without an estimate still last', { sort: 'price', order: 'asc' }, ['S1', 'S4', 'S3', 'S2', 'S5']],
    ['an order alone is that of the price', { order: 'asc' }, ['S1', 'S4', 'S3', 'S2', 'S5']],
    ['what closes first', { sort: 'closing_date' }, ['S2', 'S3', 'S1', 'S4', 'S5']],
    ['what closes last', { sort: 'closing_date', order: 'desc' }, ['S5', 'S1', 'S4', 'S3', 'S2']],
    ['closed ones: newest closing first', { open: '0' }, ['C2', 'C3', 'C1']],
    ['closed ones in the order of the calendar', { open: '0', sort: 'closing_date' }, ['C1', 'C2', 'C3']],
    ['closed ones by price', { open: '0', sort: 'price' }, ['C3', 'C1', 'C2']],
  ])('%s', async (_name, query, expected) => {
    expect(await names({ state: 'Sikkim', ...query })).toEqual(expected);
  });

  test.each<[string, Record<string, string>, string[]]>([
    ['of an hour of today', { hour: '18' }, ['Q1', 'Q2']],
    ['of its last hour: without those that state no hour', { hour: '23' }, ['Q3']],
    ['of the present hour: those left', { hour: '11' }, ['Q6']],
    ['of the present hour: those that have closed', { hour: '11', open: '0' }, ['Q5']],
    ['of an hour without closings', { hour: '18', open: '0' }, []],
    ['of an hour, with words', { hour: '18', q: 'road' }, ['Q1', 'Q2']],
  ])('%s', async (_name, query, expected) => {
    expect(await names({ state: 'Puducherry', sort: 'closing_date', ...query })).toEqual(expected);
  });

  test.each<[string, Record<string, string>, string[]]>([
    ['last published first, of one instant the last stored', {}, ['P2', 'P1', 'P5', 'P4', 'P3']],
    ['first published first', { order: 'asc' }, ['P3', 'P4', 'P5', 'P1', 'P2']],
    ['a page of them', { limit: '2', page: '2' }, ['P5', 'P4']],
    ['of a category', { category: 'Works', limit: '3' }, ['P2', 'P1', 'P5']],
    ['with words', { q: 'footbridge', limit: '1' }, ['P2']],
    ['published today: none', { published_within: '0' }, []],
    ['published since yesterday', { published_within: '1' }, ['P2']],
    ['published within 4 days', { published_within: '4' }, ['P2']],
    ['published within 5 days, the whole first day included', { published_within: '5' }, ['P2', 'P1']],
    ['published within a week', { published_within: '7' }, ['P2', 'P1', 'P5', 'P4', 'P3']],
  ])('%s', async (_name, query, expected) => {
    expect(await names({ state: 'Meghalaya', sort: 'published_date', ...query })).toEqual(expected);
  });
});

describe('pages', () => {
  test('contain `limit` rows and the total', async () => {
    const first = await list({ state: 'Kerala', limit: '10', order: 'asc' });
    expect(first).toMatchObject({ total: 1_005, page: 1, limit: 10 });
    expect(first.tenders.map(({ price }) => price)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const last = await list({ state: 'Kerala', limit: '10', order: 'asc', page: '101' });
    expect(last).toMatchObject({ total: 1_005, page: 101, limit: 10 });
    expect(last.tenders.map(({ price }) => price)).toEqual([1_001, 1_002, 1_003, 1_004, 1_005]);
  });

  test('after the last are empty with the same total', async () => {
    expect(await list({ state: 'Kerala', limit: '100', page: '12' })).toMatchObject({ total: 1_005, tenders: [] });
  });

  test('together contain every tender once', async () => {
    const pages = await Promise.all(
      [1, 2, 3, 4, 5].map((page) => names({ state: 'Sikkim', limit: '1', page: `${page}` })),
    );
    expect(pages.flat()).toEqual(['S3', 'S1', 'S4', 'S2', 'S5']);
  });

  test('without a limit are one page of at most 1,000 rows', async () => {
    const everything = await list({ state: 'Kerala' });
    expect(everything).toMatchObject({ total: 1_005, page: 1, limit: null });
    expect(everything.tenders).toHaveLength(1_000);
    expect(await list({ state: 'Sikkim', page: '3' })).toMatchObject({ total: 5, page: 1, limit: null });
  });
});

describe('a list of notices', () => {
  const work = (n: number, price: string, changes: Partial<SourceTender> = {}) =>
    createSourceTender({ sourceId: `2026_NOTICE_5_${n}`, state: 'Ladakh', price, nitKey: 'notice-5', ...changes });
  const idsOf = (found: { _id: string }[]) => found.map(({ _id }) => _id);
  beforeAll(() =>
    importTenders(
      app.database.dataSource,
      [
        ...[work(1, '500.00'), work(2, '900.00'), work(3, '100.00')],
        work(4, '700.00', { nitKey: 'notice-6' }),
        ...[work(5, '600.00', { nitKey: null }), work(6, '50.00', { nitKey: null })],
        work(7, '800.00', { closesAt: november('09T11:00:00') }),
      ],
      { now: NOW },
    ),
  );
  afterAll(() => app.database.dataSource.query("DELETE FROM tender WHERE source_id LIKE '2026_NOTICE_5_%'"));

  test('has one row for each NIT, where its first tender stands, and names the other ones; the total counts tenders', async () => {
    const plain = await list({ state: 'Ladakh', limit: '10' });
    expect(plain.tenders.map(({ price }) => price)).toEqual([900, 700, 600, 500, 100, 50]);
    expect(plain).not.toHaveProperty('notices');
    expect(plain.tenders[0]).not.toHaveProperty('works');
    const ids = idsOf(plain.tenders);
    const pages = [1, 2, 3].map((page) => list({ state: 'Ladakh', limit: '3', notices: '1', page: `${page}` }));
    const [first, second, third] = await Promise.all(pages);
    expect(first).toMatchObject({ total: 6, notices: 4, before: 0 });
    expect(first?.tenders.map(({ _id, works }) => [_id, works])).toEqual([
      [ids[0], [ids[3], ids[4]]],
      [ids[1], []],
      [ids[2], []],
    ]);
    expect(second).toMatchObject({ total: 6, notices: 4, before: 5 });
    expect(idsOf(second?.tenders ?? [])).toEqual([ids[5]]);
    expect(third).toMatchObject({ total: 6, notices: 4, tenders: [] });
    const cheapest = await list({ state: 'Ladakh', limit: '2', notices: '1', order: 'asc' });
    expect(cheapest.tenders.map(({ _id, works }) => [_id, works])).toEqual([
      [ids[5], []],
      [ids[4], [ids[3], ids[0]]],
    ]);
  });

  test('is opened by the ids, in their order, without drafts and unknown tenders', async () => {
    const { tenders } = await list({ state: 'Ladakh', limit: '10' });
    const ids = idsOf(tenders).toReversed();
    const { json } = await app.get(`/api/tenders/listed?ids=${[...ids, '2147483647'].join(',')}`);
    expect(v.parse(ListedTendersResponse, json).tenders).toEqual(tenders.toReversed());
    for (const asked of ['', '?ids=', '?ids=1,x', '?ids=0', '?ids=1&ids=2', `?ids=${Array(501).fill('1')}`])
      expect((await app.get(`/api/tenders/listed${asked}`)).status, asked).toBe(400);
  });
});

describe('tenders by their numbers', () => {
  const lookUp = async (asked: object) => {
    const { statusCode, body } = await app.app.inject({
      method: 'POST',
      url: '/api/tenders/by-number',
      payload: asked,
    });
    if (statusCode !== 200) return statusCode;
    return v.parse(ListedTendersResponse, JSON.parse(body)).tenders.map(nameOfSource).sort();
  };
  const nameOfSource = (tender: { source_tender_id: string }) => tender.source_tender_id;

  test('are found by portal id, NIT, reference and link, open and closed, in any spelling', async () => {
    const { tenders } = await list({ state: 'Sikkim', open: '0', limit: '1' });
    const closed = tenders[0];
    expect(await lookUp({ ids: [], numbers: ['2026_s1_1_1', '2026_C1_1'] })).toEqual(['2026_C1_1_1', '2026_S1_1_1']);
    expect(await lookUp({ ids: [closed?._id], numbers: [] })).toEqual([closed?.source_tender_id]);
    expect(await lookUp({ ids: [], numbers: ['hpsebl-mm-2026-17'] })).toEqual(['2026_HPSEB_1_1']);
    expect(await lookUp({ ids: ['2147483647'], numbers: ['2026_NONE_1_1', '26', '/', "'", '2026_S1_1_1x'] })).toEqual(
      [],
    );
    expect(await lookUp({ ids: [], numbers: [] })).toEqual([]);
  });

  test('have limits, and nothing else in the body', async () => {
    for (const asked of [
      {},
      { ids: [], numbers: Array(101).fill('1') },
      { ids: ['x'], numbers: [] },
      { ids: [], numbers: ['x'.repeat(101)] },
      { ids: [], numbers: [], state: 'Goa' },
    ])
      expect(await lookUp(asked), JSON.stringify(asked)).toBe(400);
  });
});

describe('open and closed', () => {
  const closing = november('18T11:00:00');

  test('are decided by the clock, at the exact instant', async () => {
    app.clock.now = new Date(closing.getTime() - 1);
    expect(await names({ state: 'Sikkim' })).toContain('S2');
    expect(await names({ state: 'Sikkim', open: '0' })).not.toContain('S2');
    expect((await tender('S2')).status).toBe('active');
    app.clock.now = closing;
    expect(await names({ state: 'Sikkim' })).not.toContain('S2');
    expect(await names({ state: 'Sikkim', open: '0' })).toEqual(['S2', 'C2', 'C3', 'C1']);
    expect((await tender('S2')).status).toBe('closed');
  });

  test('apply to search and its total, too', async () => {
    expect(await list({ q: 'kuhl', open: '0' }, '/api/tenders/search')).toMatchObject({ total: 0 });
    expect(await list({ q: 'kuhl' }, '/api/tenders/search')).toMatchObject({ total: 1 });
    app.clock.now = november('20T11:00:00');
    expect(await list({ q: 'kuhl', open: '0' }, '/api/tenders/search')).toMatchObject({ total: 1 });
    expect(await list({ q: 'kuhl' }, '/api/tenders/search')).toMatchObject({ total: 0 });
  });

  test.each(STATUS_CASES)('$stage, bids from $bidStartAt, at $now: $status, in the list too', async (row) => {
    app.clock.now = new Date(row.now);
    const name = statusName(row);
    const facts = { status: row.status, stage: row.stage, bid_start_date: row.bidStartAt };
    const single = await tender(name);
    const instant = (at: string | null | undefined) => (at ? new Date(at).toISOString() : at);
    expect({ ...single, bid_start_date: instant(single.bid_start_date) }).toMatchObject(facts);
    const open = new Date(row.now) < new Date(row.closesAt) ? '1' : '0';
    const listed = (await list({ state: 'Goa', open })).tenders.find((each) => nameOf(each) === name);
    expect({ ...listed, bid_start_date: instant(listed?.bid_start_date) }).toMatchObject(facts);
    const [{ takesBids }] = await app.database.dataSource.query(
      `SELECT ${openForBidsCondition('t', '$2')} AS "takesBids" FROM tender t WHERE id = $1`,
      [ids.get(name), app.clock.now],
    );
    expect(takesBids).toBe(isOpenForBids(single, app.clock.now));
  });
});

describe('a draft', () => {
  test('is not found before its publishing instant', async () => {
    app.clock.now = new Date(PUBLISH.getTime() - 1);
    expect((await app.get(`/api/tenders/${ids.get('DRAFT')}`)).status).toBe(404);
    for (const open of ['0', '1']) {
      expect(await names({ state: 'Nagaland', open })).toEqual([]);
      expect(await names({ q: 'assembly', open })).toEqual([]);
      expect(await names({ q: '2026_LONELY_1_1', open })).toEqual([]);
    }
    const { states } = await list({ state: 'Nagaland' });
    expect(states?.map(({ state }) => state)).not.toContain('Nagaland');
    const regions = v.parse(RegionListResponse, (await app.get('/api/regions')).json);
    expect(regions.states.find(({ state }) => state === 'Nagaland')).toMatchObject({ open: 0 });
    expect(await tender('SIBLING')).toMatchObject({ nit_works: 1, nit_siblings: [] });
  });

  test('is found from that instant on, without waiting for the job', async () => {
    app.clock.now = PUBLISH;
    expect(await tender('DRAFT')).toMatchObject({ status: 'active', title: 'Secretariat annexe' });
    expect(await names({ state: 'Nagaland' })).toEqual(['LONELY']);
    expect(await names({ q: 'assembly' })).toEqual(['LONELY']);
    expect(await tender('SIBLING')).toMatchObject({
      nit_works: 2,
      nit_siblings: [{ _id: ids.get('DRAFT'), title: 'Secretariat annexe', source_tender_id: '2026_DRAFT_1_1' }],
    });
  });
});

describe('places', () => {
  test.each<[Record<string, string>, Record<string, string>]>([
    [{ state: 'himachal-pradesh' }, { state: 'Himachal Pradesh' }],
    [{ state: 'HP' }, { state: 'Himachal Pradesh' }],
    [{ state: ' himachal  PRADESH ' }, { state: 'Himachal Pradesh' }],
    [{ state: 'IN-HP' }, { state: 'Himachal Pradesh' }],
    [{ state: 'Orissa' }, { state: 'Odisha' }],
    [
      { state: 'HP', district: 'sirmour' },
      { state: 'Himachal Pradesh', district: 'Sirmaur' },
    ],
    [
      { state: 'HP', district: 'lahaul-and-spiti' },
      { state: 'Himachal Pradesh', district: 'Lahaul and Spiti' },
    ],
    [
      { state: 'HP', department: 'Jal Shakti Vibhag' },
      { state: 'Himachal Pradesh', department: 'Irrigation & Public Health' },
    ],
  ])('%j are understood as %j', async (query, filter) => {
    const { district, department } = filter;
    const places = { districts: district ? [district] : [], departments: department ? [department] : [] };
    const expected = { state: null, district: null, department: null, ...places, q: null, ...filter };
    expect((await list(query)).filter).toEqual(expected);
  });

  test.each<[Record<string, string>, string[]]>([
    [{ state: 'HP', district: 'Chamba' }, ['WALL']],
    [{ state: 'HP', department: 'PWD', sort: 'closing_date' }, ['WALL', 'ROAD']],
    [{ state: 'HP', district: 'Una', department: 'Irrigation & Public Health' }, ['IPH']],
    [{ state: 'HP', district: 'Una', department: 'PWD' }, []],
  ])('%j contain %j', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  test.each<[string, string[], string[], string[]]>([
    ['district=Chamba&district=una', ['Chamba', 'Una'], [], ['IPH', 'WALL']],
    ['district=Chamba&district=CHAMBA&district=', ['Chamba'], [], ['WALL']],
    ['district=Chamba&district=Mumbai', ['Chamba'], [], ['WALL']],
    ['district=Mumbai&district=Atlantis', ['Mumbai', 'Atlantis'], [], []],
    ['department=PWD&department=Jal Shakti Vibhag', [], ['PWD', 'Irrigation & Public Health'], ['IPH', 'ROAD', 'WALL']],
    ['district=Chamba&district=Una&department=PWD&department=Space', ['Chamba', 'Una'], ['PWD', 'Space'], ['WALL']],
  ])('any of %s', async (query, districts, departments, expected) => {
    const all = `state=HP&${query}`;
    const { filter, tenders } = await list(all);
    expect(filter).toMatchObject({ districts, departments });
    expect(tenders.map(nameOf).sort()).toEqual(expected);
    expect((await list(`${all}&q=retaining`)).total).toBe(expected.includes('WALL') ? 1 : 0);
  });

  test('a district in the words that several states have is found in each, under all other filters', async () => {
    const closed = { closesAt: november('09T11:00:00') };
    const stairs = [{ state: 'Himachal Pradesh' }, { state: 'Chhattisgarh' }].flatMap(({ state }, at) => [
      named(`STAIRS${at}`, { title: 'Steel stairs', place: 'Bilaspur', state }),
      named(`OLDSTAIRS${at}`, { title: 'Steel stairs', place: 'Bilaspur', state, ...closed }),
      named(`LADDER${at}`, { title: 'Wooden ladder', place: 'Bilaspur', state }),
    ]);
    await importTenders(app.database.dataSource, stairs, { now: NOW });
    const found = async (open: string) => {
      const { tenders } = await list({ q: 'steel stairs bilaspur', open });
      return tenders.map(({ source_tender_id: id }) => id.split('_')[1]).sort();
    };
    expect([await found('1'), await found('0')]).toEqual([
      ['STAIRS0', 'STAIRS1'],
      ['OLDSTAIRS0', 'OLDSTAIRS1'],
    ]);
    await app.database.dataSource.query('DELETE FROM tender WHERE source_id = ANY($1)', [
      stairs.map(({ sourceId }) => sourceId),
    ]);
  });

  test("the answer's single `district` is null when several are filtered", async () => {
    const { filter } = await list('state=HP&district=Chamba&district=Una&department=PWD');
    expect(filter).toMatchObject({ district: null, department: 'PWD' });
  });

  test.each<[Record<string, string>, Record<string, string>]>([
    [{ state: 'Atlantis' }, { state: 'Atlantis' }],
    [
      { state: 'HP', district: 'Mumbai' },
      { state: 'Himachal Pradesh', district: 'Mumbai' },
    ],
    [
      { state: 'HP', department: 'Space' },
      { state: 'Himachal Pradesh', department: 'Space' },
    ],
    [{ district: 'Chamba' }, { district: 'Chamba' }],
    [{ state: 'Punjab' }, { state: 'Punjab' }],
  ])('%j contain nothing, and the response names places with tenders', async (query, filter) => {
    const empty = await list(query);
    expect(empty).toMatchObject({ tenders: [], total: 0, filter, showing_for: null });
    expect(empty.states).toContainEqual({ state: 'Kerala', slug: 'kerala', open: 1_005 });
    expect(empty.states).toContainEqual({ state: 'Sikkim', slug: 'sikkim', open: 5 });
    expect(empty.states?.every(({ open }) => open > 0)).toBe(true);
  });

  test('with tenders are returned without the list of other places', async () => {
    expect(await list({ state: 'Sikkim' })).not.toHaveProperty('states');
  });
});

describe('departments', () => {
  const HARBOUR = 'Harbour Trust & Docks';

  test('are recognised in any spelling of the portal, else they are the organisation itself', async () => {
    const { tenders } = await list({ state: 'Odisha' });
    const departments = tenders.map((each) => [nameOf(each), each.department]);
    expect(Object.fromEntries(departments)).toEqual({
      LIFT: 'Odisha Lift Irrigation Corporation',
      HOSTEL: 'ST and SC Development',
      WORKS: 'Works Department',
      QUAY: HARBOUR,
      CRANE: HARBOUR,
    });
  });

  test.each([
    ['Works Department', 'Works Department', ['WORKS']],
    ['works-department', 'Works Department', ['WORKS']],
    ['Orissa Lift Irrigation Corpn', 'Odisha Lift Irrigation Corporation', ['LIFT']],
    ['S.T. & S.C. Development Dept.', 'ST and SC Development', ['HOSTEL']],
    [HARBOUR, HARBOUR, ['CRANE', 'QUAY']],
    ['HARBOUR TRUST AND DOCKS LTD.', HARBOUR, ['CRANE', 'QUAY']],
    ['Harbour', 'Harbour', []],
  ])('"%s" is understood as "%s"', async (department, name, found) => {
    const answer = await list({ state: 'Orissa', department, sort: 'price', order: 'asc' });
    expect(answer.filter.department).toBe(name);
    expect(answer.tenders.map(nameOf)).toEqual(found);
  });

  test('without a state are not searched', async () => {
    expect(await names({ department: HARBOUR })).toEqual([]);
  });

  async function facets(query: Record<string, string> | string): Promise<TenderFacetsResponse> {
    const answer = await app.get(`/api/facets?${new URLSearchParams(query)}`);
    expect(answer.status, answer.text).toBe(200);
    return v.parse(TenderFacetsResponse, answer.json);
  }

  test.each<[string, Record<string, string>, TenderFacetsResponse]>([
    [
      'of the open tenders',
      { state: 'odisha' },
      {
        districts: { Angul: 3, Puri: 2 },
        departments: {
          'Odisha Lift Irrigation Corporation': 1,
          'ST and SC Development': 1,
          'Works Department': 1,
          [HARBOUR]: 2,
        },
      },
    ],
    [
      'of the closed tenders',
      { state: 'Odisha', open: '0' },
      { districts: {}, departments: { [HARBOUR]: 1, 'Lighthouse Board': 1 } },
    ],
    [
      'in a district, and the districts of a department',
      { state: 'Odisha', district: 'Puri', department: 'harbour trust and docks' },
      { districts: { Angul: 1, Puri: 1 }, departments: { 'ST and SC Development': 1, [HARBOUR]: 1 } },
    ],
    [
      'under an estimate',
      { state: 'Odisha', max: '400000' },
      { districts: { Angul: 1 }, departments: { [HARBOUR]: 1 } },
    ],
    [
      'with a word, misspelt',
      { state: 'Odisha', q: 'hostle' },
      { districts: { Angul: 1, Puri: 1 }, departments: { 'ST and SC Development': 1, 'Works Department': 1 } },
    ],
    ['of no state', { state: 'Atlantis' }, { districts: {}, departments: {} }],
    ['of a district without its state', { district: 'Angul' }, { districts: {}, departments: {} }],
    [
      'of a district of another state',
      { state: 'Odisha', district: 'Una' },
      { districts: { Angul: 3, Puri: 2 }, departments: {} },
    ],
    [
      'of all states',
      { q: 'hostel' },
      { districts: { Angul: 1, Puri: 1 }, departments: { 'ST and SC Development': 1, 'Works Department': 1 } },
    ],
    ['with words without a term', { state: 'Odisha', q: '/' }, { districts: {}, departments: {} }],
  ])('are counted: %s', async (_name, query, expected) => {
    expect(await facets(query)).toEqual(expected);
  });

  test('are counted under several districts and departments', async () => {
    const query = 'state=Odisha&district=Angul&district=Puri&department=Works Deptt&department=harbour trust and docks';
    expect(await facets(query)).toEqual({
      districts: { Angul: 2, Puri: 1 },
      departments: {
        [HARBOUR]: 2,
        'Odisha Lift Irrigation Corporation': 1,
        'ST and SC Development': 1,
        'Works Department': 1,
      },
    });
  });

  test('are counted for the corrected word', async () => {
    await importTenders(
      app.database.dataSource,
      [
        named('LINING', { title: 'Canal lining', place: 'Ranchi' }),
        named('LIFTING', { title: 'Lifting gear', place: 'Dhanbad' }),
      ].map((each) => ({ ...each, state: 'Jharkhand', organisationChain: ['Canal Board'] })),
      { now: NOW },
    );
    const query = { state: 'Jharkhand', district: 'Dhanbad', q: 'lifing' };
    expect(await list(query)).toMatchObject({ total: 1, showing_for: 'lifting' });
    expect(await facets(query)).toEqual({ districts: { Dhanbad: 1 }, departments: { 'Canal Board': 1 } });
  });

  test('of new tenders are recognised half a minute later', async () => {
    const query = { state: 'Chhattisgarh', department: 'Ropeway Trust Ltd.' };
    const ropeway = named('ROPEWAY', { state: 'Chhattisgarh', organisationChain: ['Ropeway Trust'] });
    expect(await names(query)).toEqual([]);
    await importTenders(app.database.dataSource, [ropeway], { now: NOW });
    app.clock.now = new Date(NOW.getTime() + 30_001);
    expect(await names(query)).toEqual(['ROPEWAY']);
  });

  test('have the offered number of tenders', async () => {
    for (const state of ['Odisha', 'Himachal Pradesh']) {
      const { departments } = await facets({ state });
      expect(Object.keys(departments).length).toBeGreaterThan(1);
      for (const [department, tenders] of Object.entries(departments))
        expect((await list({ state, department })).total, department).toBe(tenders);
    }
  });
});

describe('filters', () => {
  const cheapest = { state: 'Manipur', order: 'asc' };

  test.each<[string, Record<string, string>, string[]]>([
    ['from an estimate on, itself included', { min: '500000' }, ['F3', 'F5', 'F6']],
    ['up to an estimate, itself included', { max: '100000' }, ['F1']],
    ['between two estimates', { min: '100001', max: '500000' }, ['F3']],
    ['from nothing on: those with an estimate', { min: '0' }, ['F1', 'F2', 'F3', 'F5', 'F6']],
    ['between two estimates in the wrong order: none', { min: '500000', max: '100000' }, []],
    ['closing today, the last second included', { within: '0' }, ['F1']],
    ['closing within 3 days', { within: '3' }, ['F1', 'F2', 'F3']],
    ['closing within 7 days', { within: '7' }, ['F1', 'F2', 'F3', 'F5', 'F4']],
    ['of a category', { category: 'Works' }, ['F1', 'F5', 'F6']],
    ['all of them together', { min: '100000', max: '900000', within: '7', category: 'Works' }, ['F1', 'F5']],
    ['with words', { q: 'footbridge', category: 'Goods' }, ['F2']],
    ['of closed ones, where days until closing mean nothing', { open: '0', within: '0', max: '200000' }, ['F7']],
  ])('%s', async (_name, query, expected) => {
    const found = await list({ ...cheapest, ...query });
    expect(found.tenders.map(nameOf)).toEqual(expected);
    expect(found.total).toBe(expected.length);
  });
});

describe('search', () => {
  test.each([
    ['retaining wall', ['WALL']],
    ['WALL retaining', ['WALL']],
    ['retaining wa', ['WALL']],
    ['transfo', ['HPSEB']],
    ['transformer', ['HPSEB']],
    ['R/Wall', ['WALL']],
    ['danga', ['WALL']],
    ['डंगा', ['WALL']],
    ['sadak', ['ROAD']],
    ['सड़क', ['ROAD']],
    ['M/T road', ['ROAD']],
    ['11 kV', ['HPSEB']],
    ['chamba', ['WALL']],
    ['चंबा', ['WALL']],
    ['irrigation public health', ['IPH']],
    ['jal shakti', ['IPH']],
    ['operation circle', ['HPSEB']],
    ['HPSEBL/MM/2026-17', ['HPSEB']],
    ['2026_ROAD_1_1', ['ROAD']],
    ['2026_road_1_1', ['ROAD']],
  ])('"%s" finds %j', async (q, expected) => {
    expect(await names({ q, state: 'Himachal Pradesh' })).toEqual(expected);
    expect((await list({ q, state: 'Himachal Pradesh' }, '/api/tenders/search')).tenders.map(nameOf)).toEqual(expected);
  });

  test('needs no state and returns the query', async () => {
    const found = await list({ q: '  kuhl  ' });
    expect(found.tenders.map(nameOf)).toEqual(['IPH']);
    expect(found).toMatchObject({ total: 1, showing_for: null, filter: { state: null, q: 'kuhl' } });
  });

  test.each(['transfo supply', 'wall kuhl'])(
    '"%s" is in no tender, so those with most of the words are shown',
    async (q) => {
      const found = await list({ q, state: 'Himachal Pradesh' });
      expect(found.total_full).toBe(0);
      expect(found.tenders.length).toBeGreaterThan(0);
      expect(new Set(found.tenders.map(({ matches }) => matches))).toEqual(new Set(['most']));
    },
  );

  test.each(['zzzzqqqq', '%', '/'])('"%s" finds nothing', async (q) => {
    const empty = await list({ q, state: 'Himachal Pradesh' });
    expect(empty).toMatchObject({ tenders: [], total: 0, showing_for: null });
    expect(empty.states?.length).toBeGreaterThan(0);
    if (q !== 'zzzzqqqq') expect(empty.nearest).toBeUndefined();
  });

  test.each([
    ['retaning wall', 'retaining wall', ['WALL']],
    ['transfromer', 'transformer', ['HPSEB']],
    ['Retaning  Wal', 'retaining wal', ['WALL']],
  ])('"%s" finds nothing, so "%s" is shown', async (q, showingFor, expected) => {
    const corrected = await list({ q, state: 'HP' });
    expect(corrected.showing_for).toBe(showingFor);
    expect(corrected.filter.q?.replace(/\s+/g, ' ')).toBe(q.replace(/\s+/g, ' '));
    expect(corrected.tenders.map(nameOf)).toEqual(expected);
  });

  test('in all states has the best matches first, of equal ones what closes first, then tenders with most of the words', async () => {
    const { dataSource } = app.database;
    const weir = (name: string, day: string, changes: Partial<SourceTender>) =>
      named(name, { title: 'Weir gantry', closesAt: november(`${day}T11:00:00`), ...changes });
    await importTenders(
      dataSource,
      [
        weir('W1', '25', { state: 'Punjab', price: '100000.00' }),
        weir('W2', '22', { state: 'Haryana', price: '900000.00' }),
        weir('W3', '15', {
          state: 'Punjab',
          title: 'Dam',
          description: 'Dam with weir and gantry',
          price: '400000.00',
        }),
        weir('W4', '12', { state: 'Haryana', title: 'Gantry gate', price: '950000.00' }),
        weir('W5', '09', { state: 'Punjab' }),
        weir('W6', '08', { state: 'Punjab' }),
        weir('W7', '24', { state: 'Punjab', publishedAt: PUBLISH }),
      ],
      { now: NOW },
    );
    const q = 'weir gantry';
    const found = await list({ q });
    expect(found).toMatchObject({ total: 4, total_full: 3 });
    expect(found.tenders.map((each) => [nameOf(each), each.matches])).toEqual([
      ['W2', 'all'],
      ['W1', 'all'],
      ['W3', 'all'],
      ['W4', 'most'],
    ]);
    const pages = await Promise.all(['1', '2', '3', '4', '5'].map((page) => names({ q, limit: '1', page })));
    expect(pages.flat()).toEqual(['W2', 'W1', 'W3', 'W4']);
    expect(await names({ q, sort: 'closing_date' })).toEqual(['W3', 'W2', 'W1', 'W4']);
    expect(await names({ q, sort: 'price' })).toEqual(['W2', 'W3', 'W1', 'W4']);
    expect(await names({ q, sort: 'price', order: 'asc' })).toEqual(['W1', 'W3', 'W2', 'W4']);
    expect(await names({ q, open: '0' })).toEqual(['W5', 'W6']);
    expect(await names({ q, open: '0', sort: 'closing_date' })).toEqual(['W6', 'W5']);
    expect(await names({ q, max: '500000' })).toEqual(['W1', 'W3']);
    const found2 = await list({ q: 'weir gantry zzzzqqqq', state: 'Haryana' });
    expect(found2).toMatchObject({ total_full: 0 });
    expect(found2.tenders.map(nameOf)).toEqual(['W2']);
    await dataSource.query("DELETE FROM tender WHERE source_id LIKE '2026_W_\\_1\\_1'");
  });

  test('does not offer a correction from tenders that the filter hides', async () => {
    expect(await list({ q: 'transfromer', state: 'Sikkim' })).toMatchObject({ total: 0, showing_for: null });
    expect(await list({ q: 'transfromer', open: '0' })).toMatchObject({ total: 0, showing_for: null });
  });
});

describe('a row of the list', () => {
  test('contains all fields of a card', async () => {
    const [row] = (await list({ state: 'Himachal Pradesh', district: 'Chamba' })).tenders;
    expect(row).toEqual({
      _id: ids.get('WALL'),
      title: 'Providing retaining wall',
      description: 'Providing retaining wall',
      org_name: 'PWD',
      department: 'PWD',
      category: 'Works',
      status: 'active',
      stage: 'published',
      state: 'Himachal Pradesh',
      district: 'Chamba',
      second_district: null,
      pincode: null,
      address: 'Bharmour, Distt. Chamba',
      bid_opening_place: null,
      price: 500_000,
      price_text: null,
      emd: '10000.00',
      published_date: '2026-11-02T03:30:00+00:00',
      bid_start_date: null,
      closing_date: '2026-11-20T05:30:00+00:00',
      closing_time_known: true,
      source_portal: 'hptenders',
      source_tender_id: '2026_WALL_1_1',
      reference_number: null,
      nit_works: 1,
      is_listed: false,
      last_corrigendum: null,
      fetched_at: '2026-11-10T06:00:00+00:00',
      demonstration: false,
    });
  });

  test('and the list mark a demonstration tender', async () => {
    const { dataSource } = app.database;
    await importTenders(dataSource, [named('DEMO', { state: 'Mizoram' })], { now: NOW, origin: 'generated' });
    const demo = await list({ state: 'Mizoram' });
    expect(demo.demonstration).toBe(true);
    expect(demo.tenders[0]?.demonstration).toBe(true);
    expect((await list({ state: 'Sikkim' })).demonstration).toBe(false);
  });
});

describe('the details', () => {
  test('have each value of the source, and dates of a rebased archive that move together', async () => {
    const { dataSource } = app.database;
    const whole = named('WHOLE', {
      state: 'Himachal Pradesh',
      portal: 'hpeprocure',
      title: 'Footbridge',
      description: 'Footbridge over the khad',
      reference: 'NIT-7',
      nitKey: 'nit-7',
      organisationChain: ['HPPWD', 'Chamba Circle'],
      address: 'The Mall',
      place: 'Bharmour',
      pincode: '176315',
      category: 'Services',
      subCategory: 'Bridges',
      tenderType: 'Limited',
      formOfContract: 'Lump-sum',
      price: '123456.78',
      priceText: 'USD 5',
      emd: '2469.00',
      emdPercent: '2.50',
      emdExemptionAllowed: false,
      tenderFee: '590.00',
      covers: 3,
      periodOfWorkDays: 270,
      bidValidityDays: 90,
      contactDesignation: 'Superintending Engineer',
      bidOpeningPlace: 'Chamba',
      preBidPlace: 'Shimla',
      publishedAt: november('02T09:00:00'),
      preBidAt: november('04T15:00:00'),
      bidStartAt: november('05T10:00:00'),
      closesAt: november('20T23:59:59'),
      closingTimeKnown: false,
      opensAt: november('21T12:00:00'),
      documents: [{ cover: 'Fee', type: 'pdf', name: 'Notice' }],
      corrigenda: [{ title: 'Extension', type: 'Date' }],
    });
    await importTenders(dataSource, [whole], { now: NOW, origin: 'rebased', shiftDays: 1 });
    ids = await readIds();
    expect(await tender('WHOLE')).toEqual({
      _id: ids.get('WHOLE'),
      source_tender_id: '2026_WHOLE_1_1',
      source_portal: 'hpeprocure',
      state: 'Himachal Pradesh',
      district: 'Chamba',
      second_district: null,
      district_confidence: 0.86,
      department: 'PWD',
      title: 'Footbridge',
      description: 'Footbridge over the khad',
      reference_number: 'NIT-7',
      nit_id: 'nit-7',
      nit_works: 1,
      nit_siblings: [],
      org_name: 'HPPWD',
      organisation_chain: ['HPPWD', 'Chamba Circle'],
      address: 'The Mall',
      place: 'Bharmour',
      pincode: '176315',
      category: 'Services',
      sub_category: 'Bridges',
      tender_type: 'Limited',
      form_of_contract: 'Lump-sum',
      price: 123_456.78,
      price_text: 'USD 5',
      emd: '2469.00',
      emd_percent: 2.5,
      emd_exemption_allowed: false,
      tender_fee: '590.00',
      covers: 3,
      period_of_work_days: 270,
      bid_validity_days: 90,
      contact_designation: 'Superintending Engineer',
      bid_opening_place: 'Chamba',
      pre_bid_place: 'Shimla',
      published_date: '2026-11-03T03:30:00+00:00',
      pre_bid_date: '2026-11-05T09:30:00+00:00',
      bid_start_date: '2026-11-06T04:30:00+00:00',
      closing_date: '2026-11-21T18:29:59+00:00',
      closing_time_known: false,
      opening_date: '2026-11-22T06:30:00+00:00',
      documents: [{ cover: 'Fee', type: 'pdf', name: 'Notice' }],
      corrigenda: [{ title: 'Extension', type: 'Date', noticed_at: '2026-11-10T06:00:00+00:00', changes: [] }],
      is_listed: false,
      last_corrigendum: 'date',
      stage: 'published',
      status: 'active',
      document_package: null,
      other_sources: [],
      version: 1,
      fetched_at: '2026-11-10T06:00:00+00:00',
      updated_at: '2026-11-10T06:00:00+00:00',
      demonstration: true,
    });
    await dataSource.query("DELETE FROM tender WHERE source_id = '2026_WHOLE_1_1'");
  });

  test('name the first 20 other works of the notice that are published, in the order of their numbers', async () => {
    const { dataSource } = app.database;
    const work = (n: number, changes: Partial<SourceTender> = {}) =>
      createSourceTender({
        sourceId: `2026_NIT_7_${n}`,
        state: 'Goa',
        title: `Work ${n}`,
        nitKey: 'nit-7',
        ...changes,
      });
    const works = [
      ...Array.from({ length: 23 }, (_, n) => work(23 - n)),
      work(30, { publishedAt: PUBLISH }),
      work(31, { nitKey: 'nit-8' }),
    ];
    await importTenders(dataSource, works, { now: NOW });
    const rows: { id: string; name: string }[] = await dataSource.query(
      "SELECT id::text, source_id AS name FROM tender WHERE source_id LIKE '2026_NIT_7_%'",
    );
    const idOf = (name: string) => rows.find((row) => row.name === name)?.id;
    const { json } = await app.get(`/api/tenders/${idOf('2026_NIT_7_2')}`);
    expect(json.tender.nit_works).toBe(23);
    expect(json.tender.nit_siblings.map(({ title }: { title: string }) => title)).toEqual(
      [1, ...Array.from({ length: 19 }, (_, n) => n + 3)].map((n) => `Work ${n}`),
    );
    expect(json.tender.nit_siblings[0]).toEqual({
      _id: idOf('2026_NIT_7_1'),
      title: 'Work 1',
      source_tender_id: '2026_NIT_7_1',
    });
    await dataSource.query("DELETE FROM tender WHERE source_id LIKE '2026_NIT_7_%'");
  });

  test('contain every change with old and new value after a second import, and the portal’s name for it', async () => {
    const { dataSource } = app.database;
    const before = named('CHANGED', { state: 'Assam', price: null });
    await importTenders(dataSource, [before], { now: NOW });
    ids = await readIds();
    const etag = (await app.get(`/api/tenders/${ids.get('CHANGED')}`)).headers.etag as string;
    expect(await tender('CHANGED')).toMatchObject({ corrigenda: [], version: 1, last_corrigendum: null });

    const extended = {
      ...before,
      closesAt: november('25T17:00:00'),
      corrigenda: [{ title: 'Extension', type: 'Date' }],
    };
    await importTenders(dataSource, [extended], { now: november('10T12:00:00') });
    await importTenders(dataSource, [{ ...extended, price: '750000.00' }], { now: november('10T13:00:00') });

    expect(await tender('CHANGED')).toMatchObject({
      closing_date: '2026-11-25T11:30:00+00:00',
      price: 750_000,
      version: 3,
      updated_at: '2026-11-10T07:30:00+00:00',
      last_corrigendum: 'other',
      corrigenda: [
        {
          title: 'Estimated value changed',
          type: null,
          noticed_at: '2026-11-10T07:30:00+00:00',
          changes: [{ field: 'price', old: null, new: '750000.00' }],
        },
        {
          title: 'Extension',
          type: 'Date',
          noticed_at: '2026-11-10T06:30:00+00:00',
          changes: [{ field: 'closing_date', old: '2026-11-20T05:30:00.000Z', new: '2026-11-25T11:30:00.000Z' }],
        },
      ],
    });
    expect((await app.get(`/api/tenders/${ids.get('CHANGED')}`, { 'if-none-match': etag })).status).toBe(200);
  });

  test('contain no person’s name in any column of any table', async () => {
    const csv = [
      'Tender ID,Title,Organisation Chain,Name,Publish Date,Bid Submission End Date',
      '2026_PERSON_1_1,Repair of hostel,PWD||Bilaspur,"Er. Zyxwvut Qponmlk, Executive Engineer",02-Nov-2026 09:00 AM,20-Nov-2026 11:00 AM',
      '2026_PERSON_2_1,Repair of school,PWD||Bilaspur,Smt. Zyxwvut Qponmlk,02-Nov-2026 09:00 AM,20-Nov-2026 11:00 AM',
    ].join('\n');
    const notices: SourceTender[] = [];
    const input = Readable.from([Buffer.from(csv)], { objectMode: false });
    for await (const row of readGepnic(input, { portal: 'hptenders', state: 'Bihar' }))
      if ('tender' in row) notices.push(row.tender);
    const { dataSource } = app.database;
    expect(await importTenders(dataSource, notices, { now: NOW })).toMatchObject({ new: 2 });
    const found = await list({ state: 'Bihar' });
    expect(found.total).toBe(2);

    const tables: { name: string }[] = await dataSource.query(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    );
    expect(tables.length).toBeGreaterThan(5);
    for (const { name } of tables) {
      const rows = await dataSource.query(`SELECT 1 FROM "${name}" t WHERE t::text ~* 'zyxwvut|qponmlk'`);
      expect(rows, name).toEqual([]);
    }
    const contacts = await dataSource.query(
      `SELECT contact_designation FROM tender WHERE state = 'Bihar' ORDER BY source_id`,
    );
    expect(contacts).toEqual([{ contact_designation: 'Executive Engineer' }, { contact_designation: null }]);
  });
});

describe('states', () => {
  test('are all 36, with their open tenders', async () => {
    const { states, day, fetched_at } = v.parse(RegionListResponse, (await app.get('/api/regions')).json);
    expect(states).toHaveLength(36);
    // Of the tenders of Manipur one closes in the last minute of the day, the next at midnight.
    expect(day).toBe(indianDay(NOW));
    expect(states.find(({ slug }) => slug === 'manipur')).toMatchObject({ closing: [[1439, 1]] });
    expect(states.find(({ slug }) => slug === 'sikkim')).toMatchObject({
      state: 'Sikkim',
      slug: 'sikkim',
      open: 5,
      demonstration: false,
    });
    expect(states.find(({ slug }) => slug === 'ladakh')).toMatchObject({ open: 0 });
    expect(states.find(({ slug }) => slug === 'sikkim')).not.toHaveProperty('fresh');
    // One was published yesterday.
    expect(states.find(({ slug }) => slug === 'meghalaya')).toMatchObject({ open: 5, fresh: 1 });
    expect(fetched_at).toBe('2026-11-10T06:00:00.000Z');
  });

  test('were last compared with their portal when the newest tender was, also when it has not changed', async () => {
    const { dataSource } = app.database;
    const seen = named('SEEN', { state: 'Chandigarh' });
    await importTenders(dataSource, [seen], { now: NOW });
    const later = new Date(NOW.getTime() + 3_600_000);
    expect(await importTenders(dataSource, [seen], { now: later })).toMatchObject({ unchanged: 1 });
    expect((await app.get('/api/regions')).json.fetched_at).toBe('2026-11-10T07:00:00.000Z');
    await dataSource.query("DELETE FROM tender WHERE state = 'Chandigarh'");
  });

  test('have the minutes of all closings of the day, those of the past hours and those without an hour too', async () => {
    const closings: [string, boolean][] = [
      ['09T23:59:59', true],
      ['10T00:00:00', true],
      ['10T09:00:59', true],
      ['10T15:00:00', true],
      ['10T15:00:00', true],
      ['10T23:59:59', false],
      ['11T00:00:00', true],
    ];
    const sources = closings.map(([time, closingTimeKnown], n) =>
      named(`DAY${n}`, { state: 'Lakshadweep', closesAt: november(time), closingTimeKnown }),
    );
    const draft = named('DAY9', {
      state: 'Lakshadweep',
      closesAt: november('10T16:00:00'),
      publishedAt: november('10T14:00:00'),
    });
    const { dataSource } = app.database;
    await importTenders(dataSource, [...sources, draft], { now: NOW });
    // The counts are read again after half a minute.
    app.clock.now = new Date(NOW.getTime() + 31_000);
    const { states } = v.parse(RegionListResponse, (await app.get('/api/regions')).json);
    expect(states.find(({ slug }) => slug === 'lakshadweep')).toEqual({
      state: 'Lakshadweep',
      slug: 'lakshadweep',
      open: 4,
      demonstration: false,
      closing: [
        [0, 1],
        [540, 1],
        [900, 2],
        [1440, 1],
      ],
    });
    await dataSource.query("DELETE FROM tender WHERE state = 'Lakshadweep'");
  });
});

test('an answer that failed is not given again', async () => {
  const { dataSource } = app.database;
  app.clock.now = new Date(NOW.getTime() + 120_000);
  await dataSource.query('ALTER TABLE open_tender RENAME TO unavailable');
  const failed = [await app.get('/api/regions'), await app.get('/api/tenders?state=Sikkim')];
  await dataSource.query('ALTER TABLE unavailable RENAME TO open_tender');
  await dataSource.query('ALTER TABLE tender RENAME TO unavailable');
  failed.push(await app.get('/api/tenders?state=Odisha&department=harbour trust and docks'));
  await dataSource.query('ALTER TABLE unavailable RENAME TO tender');
  for (const { status } of failed) expect(status).toBeGreaterThanOrEqual(500);
  expect((await app.get('/api/regions')).status).toBe(200);
  expect(await names({ state: 'Sikkim' })).toHaveLength(5);
  expect(await names({ state: 'Odisha', department: 'harbour trust and docks' })).toHaveLength(2);
});

describe('a response over the network', () => {
  const URLS = () => [
    '/api/tenders?state=Sikkim',
    `/api/tenders/${ids.get('S1')}`,
    '/api/tenders/search?q=kuhl',
    '/api/facets?state=Sikkim',
    '/api/regions',
  ];

  test('is revalidated by its ETag, and is the same a moment later', async () => {
    for (const url of URLS()) {
      const first = await app.get(url);
      expect(first.headers['cache-control']).toBe(
        /tenders\/\d/.test(url) ? 'no-cache' : 'public, max-age=0, must-revalidate, s-maxage=30',
      );
      // What a shared cache may keep is the same for everyone.
      expect(first.headers['set-cookie']).toBeUndefined();
      expect(first.headers['content-type']).toBe('application/json; charset=utf-8');
      app.clock.now = new Date(NOW.getTime() + 60_000);
      const again = await app.get(url, { 'if-none-match': first.headers.etag as string });
      expect([again.status, again.text]).toEqual([304, '']);
      expect(again.headers.etag).toBe(first.headers.etag);
      expect((await app.get(url, { 'if-none-match': '"other"' })).status).toBe(200);
      app.clock.now = NOW;
    }
  });

  test('changes when a tender has closed', async () => {
    const first = await app.get('/api/tenders?state=Sikkim');
    app.clock.now = november('18T11:00:00');
    const again = await app.get('/api/tenders?state=Sikkim', { 'if-none-match': first.headers.etag as string });
    expect(again.status).toBe(200);
  });

  test('is compressed when it is long and the client accepts it', async () => {
    const plain = await app.get('/api/tenders?state=Kerala');
    const reply = await app.app.inject({
      url: '/api/tenders?state=Kerala',
      headers: { 'accept-encoding': 'gzip, br' },
    });
    expect(reply.headers['content-encoding']).toBe('br');
    expect(String(reply.headers.vary).toLowerCase()).toBe('accept-encoding');
    expect(brotliDecompressSync(reply.rawPayload).toString()).toBe(plain.text);
    expect(reply.rawPayload.length * 10).toBeLessThan(plain.text.length);
    const gzip = await app.app.inject({ url: '/api/tenders?state=Kerala', headers: { 'accept-encoding': 'gzip' } });
    expect(gzip.headers['content-encoding']).toBe('gzip');
    const short = await app.app.inject({ url: '/api/health', headers: { 'accept-encoding': 'br' } });
    expect(short.headers['content-encoding']).toBeUndefined();
  });

  test('has the security headers, also when it is an error', async () => {
    for (const url of [...URLS(), '/api/nothing', '/api/tenders?open=2']) {
      const { headers } = await app.get(url);
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("style-src 'self';");
      expect(policy).toContain("object-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("require-trusted-types-for 'script'");
      expect(policy).not.toMatch(/unsafe|upgrade-insecure-requests|\*/);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'strict-origin-when-cross-origin',
        'cross-origin-opener-policy': 'same-origin-allow-popups',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers).not.toHaveProperty('x-powered-by');
      expect(headers).not.toHaveProperty('strict-transport-security');
    }
  });

  test('over https leaves the browser on https', async () => {
    const secure = await startApp({
      now: NOW,
      database: app.database,
      env: { PUBLIC_ORIGIN: 'https://nivida.example' },
    });
    const { headers } = await secure.get('/api/health');
    await secure.close();
    expect(headers['strict-transport-security']).toBe('max-age=63072000; includeSubDomains');
  });

  test('has a new request id each time', async () => {
    const [one, two] = await Promise.all([app.get('/api/nothing'), app.get('/api/nothing')]);
    expect((one as ApiResponse).json.requestId).not.toBe((two as ApiResponse).json.requestId);
  });
});

test('health returns the version', async () => {
  const { status, json, headers } = await app.get('/api/health');
  expect(status).toBe(200);
  expect(json).toMatchObject({
    status: 'ok',
    database: 'ok',
    payments: 'sandbox',
    version: expect.stringMatching(/^\d+\.\d+/),
  });
  expect(headers['cache-control']).toBe('no-store');
});

describe('the description of the API', () => {
  test('lists the calls with their parameters and responses', async () => {
    const { json } = await app.get('/api/openapi.json');
    expect(json.openapi).toMatch(/^3\./);
    expect(json.info).toMatchObject({
      title: 'Nivida',
      description: 'Government tenders of India. Not a government site.',
      version: '1',
    });
    expect(json.components.securitySchemes.bearer).toEqual({ scheme: 'bearer', bearerFormat: 'JWT', type: 'http' });
    const calls = [
      '/api/auth/change-password',
      '/api/auth/forgot-password',
      '/api/auth/login',
      '/api/auth/logout',
      '/api/auth/otp/generate',
      '/api/auth/otp/verify',
      '/api/auth/refresh',
      '/api/auth/register',
      '/api/auth/reset-password',
      '/api/auth/{provider}',
      '/api/bids/changes',
      '/api/bookmarks/sync',
      '/api/contact',
      '/api/health',
      '/api/me',
      '/api/me/company',
      '/api/me/export',
      '/api/regions',
      '/api/searches',
      '/api/searches/{id}',
      '/api/sessions',
      '/api/sessions/{id}',
      '/api/sync/segments/{hash}',
      '/api/sync/{scope}',
      '/api/sync/{scope}/delta',
      '/api/tenders',
      '/api/tenders/bookmarked',
      '/api/tenders/by-number',
      '/api/tenders/listed',
      '/api/tenders/search',
      '/api/tenders/{id}',
      '/api/tenders/{id}.ics',
      '/api/tenders/{id}/bookmark',
      '/api/user-info/{id}',
    ];
    expect(Object.keys(json.paths)).toEqual(expect.arrayContaining(calls));
    const parametersOf = (path: string) =>
      json.paths[path].get.parameters.map(({ name, in: place }: { name: string; in: string }) => `${place} ${name}`);
    const filters = [
      'state',
      'district',
      'department',
      'q',
      'min',
      'max',
      'within',
      'hour',
      'published_within',
      'category',
      'literal',
      'open',
      'sort',
      'order',
      'notices',
      'page',
      'limit',
    ];
    expect(parametersOf('/api/tenders').sort()).toEqual(filters.map((name) => `query ${name}`).sort());
    expect(parametersOf('/api/tenders/search').sort()).toEqual(filters.map((name) => `query ${name}`).sort());
    expect(parametersOf('/api/tenders/{id}')).toEqual(['path id']);
    for (const [path, key] of [
      ['/api/tenders', 'tenders'],
      ['/api/tenders/search', 'total'],
      ['/api/tenders/{id}', 'tender'],
      ['/api/regions', 'states'],
    ] as const) {
      expect(json.paths[path].get.responses['200'].content['application/json'].schema.properties).toHaveProperty(key);
    }
  });
});
