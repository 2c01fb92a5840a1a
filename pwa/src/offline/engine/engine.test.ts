/**
 * Compares the engine with a simple model of the same rules: rows in an array, filtered and sorted one by one.
 */

import { MATCH_QUALITY, parseQuery } from '@nivida/contract/search/query-words';
import { searchTerms } from '@nivida/contract/search/terms';
import type { DetailRows, ListRows } from '@nivida/contract/sync/sync';
import { statusAt } from '@nivida/contract/tenders/status';
import type { TenderSummary } from '@nivida/contract/tenders/tender';
import { STATUS_CASES } from '@nivida/contract/tenders/test-status-cases';
import { HOUR_MS } from '@nivida/contract/time';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildSegmentIndex } from '../segments/build-segment-index.ts';
import {
  openTestEngine,
  packTestList,
  packTestRows,
  TEST_NOW,
  type TestRow,
  toColumns,
  toRow,
} from '../test-data/test-rows.ts';
import { Engine } from './engine.ts';
import { DEFAULT_ENGINE_QUERY, type EngineQuery } from './query.ts';

const ask = (engine: Engine, query: Partial<EngineQuery>) =>
  engine.search({ ...DEFAULT_ENGINE_QUERY, ...query }, TEST_NOW);
const idsOf = ({ tenders }: { tenders: { _id: string }[] }) => tenders.map(({ _id }) => Number(_id));

function hasWords(row: TestRow, q: string): boolean {
  const texts = [row.title, row.description, row.sourceTenderId, row.reference, ...row.organisationChain];
  const terms = searchTerms([...texts, row.district, row.department, row.place].filter(Boolean).join('\n'));
  return parseQuery(q).every(
    ({ alternatives, required }) =>
      alternatives.some((alternative) =>
        alternative.terms.every((term, at) => {
          const goesOn = alternative.quality === MATCH_QUALITY.prefix && at === alternative.terms.length - 1;
          return terms.some((each) => (goesOn ? each.startsWith(term) : each === term));
        }),
      ) || !required,
  );
}

const indianDay = (ms: number) => Math.floor((ms + 5.5 * HOUR_MS) / (24 * HOUR_MS));
/** Hours since 1970 in India. */
const indianHour = (ms: number) => Math.floor((ms + 5.5 * HOUR_MS) / HOUR_MS);

function isFound(row: TestRow, query: EngineQuery): boolean {
  const now = TEST_NOW.getTime();
  const { min, max, within, hour, publishedWithin } = query;
  if (row.publishedAt > now || row.closesAt > now !== query.open) return false;
  if (query.state !== '' && row.state !== query.state) return false;
  if (query.state === '' && query.districts.length + query.departments.length > 0) return false;
  if (query.category !== null && row.category !== query.category) return false;
  for (const [names, name] of [
    [query.districts, row.district],
    [query.departments, row.department],
  ] as const)
    if (names.length > 0 && (name === null || !names.includes(name))) return false;
  if ((min !== null || max !== null) && row.price === null) return false;
  if (min !== null && Number(row.price) < min) return false;
  if (max !== null && Number(row.price) > max) return false;
  if (publishedWithin !== null && indianDay(now) - indianDay(row.publishedAt) > publishedWithin) return false;
  if (query.open && within !== null && indianDay(row.closesAt) - indianDay(now) > within) return false;
  if (hour !== null && (!row.closingTimeKnown || indianHour(row.closesAt) !== indianDay(now) * 24 + hour)) return false;
  return hasWords(row, query.q);
}

/** The model corrects no words. */
function model(rows: readonly TestRow[], query: EngineQuery) {
  const key = (row: TestRow) =>
    query.sort === 'closing_date' ? row.closesAt : row.price === null ? null : Number(row.price);
  const found = rows
    .filter((row) => isFound(row, query))
    .sort((one, other) => {
      const [left, right] = [key(one), key(other)];
      if (left === right) return one.id - other.id;
      if (left === null) return 1;
      if (right === null) return -1;
      return query.order === 'asc' ? left - right : right - left;
    });
  const lacksState = query.state === '' && query.districts.length + query.departments.length > 0;
  const count = (field: 'district' | 'department') => {
    const counts: Record<string, number> = {};
    for (const row of rows) {
      const name = row[field];
      if (name !== null && !lacksState && isFound(row, { ...query, [`${field}s`]: [] }))
        counts[name] = (counts[name] ?? 0) + 1;
    }
    return counts;
  };
  return {
    total: found.length,
    ids: found.slice((query.page - 1) * query.limit, query.page * query.limit).map((row) => row.id),
    districts: count('district'),
    departments: count('department'),
  };
}

const WORDS = [
  'road',
  'retaining wall',
  'R/Wall',
  'bridges',
  'sadak',
  'पुल',
  '11 kV line',
  'école',
  'school',
  'water tank',
];
const instants = fc.integer({ min: -5, max: 5 }).map((days) => TEST_NOW.getTime() + days * 12 * HOUR_MS);

const someRow = fc
  .record({
    id: fc.integer({ min: 1, max: 60 }),
    title: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }).map((words) => words.join(', ')),
    description: fc.constantFrom('', 'Repair of a school', 'Supply of 5 m pipes'),
    state: fc.constantFrom('Himachal Pradesh', 'Assam'),
    district: fc.constantFrom(null, 'Shimla', 'Hamirpur'),
    department: fc.constantFrom(null, 'PWD', 'Forest'),
    category: fc.constantFrom(null, 'Works', 'Goods'),
    price: fc.constantFrom(null, '0.00', '100000.00', '100000.50', '2500000.00'),
    publishedAt: instants,
    closesAt: instants,
  })
  .map(toRow);

const someQuery: fc.Arbitrary<EngineQuery> = fc.record({
  state: fc.constantFrom('', '', 'Himachal Pradesh', 'Assam', 'Goa'),
  districts: fc.constantFrom([], [], ['Shimla'], ['Una'], ['Shimla', 'Hamirpur'], ['Una', 'Hamirpur']),
  departments: fc.constantFrom([], [], ['PWD'], ['PWD', 'Forest'], ['Forest', 'Police']),
  q: fc.constantFrom(
    '',
    '',
    'road',
    'sadak',
    'retaining wall',
    'r/wall',
    'bri',
    'water ta',
    'school wall',
    '11kv',
    '2026_pwd',
    'road shimla',
  ),
  literal: fc.constantFrom('place' as const),
  open: fc.boolean(),
  sort: fc.constantFrom('price' as const, 'closing_date' as const),
  order: fc.constantFrom('asc' as const, 'desc' as const),
  page: fc.integer({ min: 1, max: 3 }),
  limit: fc.constantFrom(1, 3, 10),
  min: fc.constantFrom(null, null, 0, 100_000),
  max: fc.constantFrom(null, null, 100_000),
  within: fc.constantFrom(null, null, 0, 1, 2),
  hour: fc.constantFrom(null, null, null, 10, 12, 23),
  publishedWithin: fc.constantFrom(null, null, 0, 1, 2),
  category: fc.constantFrom(null, null, 'Works' as const),
});

/** Without filters many tenders of all segments are found. */
const someOrder = someQuery.map(({ open, sort, order, page, limit }) => ({
  ...DEFAULT_ENGINE_QUERY,
  ...{ open, sort, order, page, limit },
}));

const without = (rows: readonly TestRow[], ids: readonly number[]) => rows.filter((row) => !ids.includes(row.id));
/** The last row of each tender. */
const newest = (rows: readonly TestRow[]) => [...new Map(rows.map((row) => [row.id, row])).values()];

describe('the engine gives the results of a simple model', () => {
  test('for any split into segments, delta and removed tenders', () => {
    const parts = fc.record({
      indexes: fc.array(fc.array(someRow, { maxLength: 12 }), { maxLength: 4 }),
      delta: fc.option(fc.array(someRow, { maxLength: 8 })),
      removed: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 5 }),
    });
    const someQueries = fc.tuple(someOrder, someOrder, someQuery, someQuery, someQuery, someQuery, someQuery);
    fc.assert(
      fc.property(parts, someQueries, ({ indexes, delta, removed }, queries) => {
        const engine = Engine.open({
          indexes: indexes.map(packTestRows),
          delta: delta && packTestRows(delta),
          removed,
        });
        const rows = without(newest([...indexes.flat(), ...(delta ?? [])]), removed);
        expect(engine.rows).toBe(rows.length);
        for (const query of queries) {
          const answer = engine.search(query, TEST_NOW);
          // Corrections are tested below.
          if (answer.showingFor !== null) continue;
          const { fullTotal: total, facets } = answer;
          // Tenders with most of the words are tested below.
          const full = answer.tenders.filter(({ matches }) => matches !== 'most');
          expect({ total, ids: idsOf({ tenders: full }), ...facets }).toEqual(model(rows, query));
        }
      }),
      { numRuns: 150 },
    );
  });

  test('with the newest row of each tender', () => {
    fc.assert(
      fc.property(
        fc.array(someRow, { minLength: 1, maxLength: 8 }),
        fc.array(someRow, { maxLength: 8 }),
        (base, delta) => {
          const engine = Engine.open({ indexes: [packTestRows(base)], delta: packTestRows(delta), removed: [] });
          for (const row of newest([...base, ...delta])) {
            expect(engine.summary(row.id, TEST_NOW)).toMatchObject({
              _id: String(row.id),
              title: row.title,
              description: row.description || row.title,
              price: row.price === null ? null : Number(row.price),
              district: row.district,
              closing_date: new Date(row.closesAt).toISOString(),
            });
            expect(engine.tender(row.id, TEST_NOW)?.organisation_chain).toEqual(['HPPWD', 'Shimla Circle']);
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('a list of notices', () => {
  const someWork = fc
    .tuple(someRow, fc.constantFrom(null, 'n1', 'n2', 'n3', 'n4'))
    .map(([row, nitId]): TestRow => ({ ...row, nitId }));

  test('has each NIT of the plain list once, where its first work stands, for any split of the tenders', () => {
    const parts = fc.record({
      indexes: fc.array(fc.array(someWork, { maxLength: 12 }), { maxLength: 4 }),
      delta: fc.option(fc.array(someWork, { maxLength: 8 })),
    });
    const relevance = someQuery.map((query) => ({ ...query, sort: 'relevance' as const, q: 'road wall' }));
    fc.assert(
      fc.property(parts, fc.tuple(someOrder, someQuery, relevance), ({ indexes, delta }, queries) => {
        const engine = Engine.open({
          indexes: indexes.map(packTestRows),
          delta: delta && packTestRows(delta),
          removed: [],
        });
        const nits = new Map(newest([...indexes.flat(), ...(delta ?? [])]).map(({ id, nitId }) => [String(id), nitId]));
        for (const query of queries) {
          const { tenders: plain, total } = ask(engine, { ...query, page: 1, limit: 1_000 });
          const notices = new Map<string, string[]>();
          for (const { _id, matches } of plain) {
            const name = `${matches} ${nits.get(_id) ?? _id}`;
            notices.set(name, [...(notices.get(name) ?? []), _id]);
          }
          const expected = [...notices.values()];
          const start = (query.page - 1) * query.limit;
          const answer = ask(engine, { ...query, notices: true });
          expect(answer.tenders.map(({ _id, works }) => [_id, ...(works ?? [])])).toEqual(
            expected.slice(start, start + query.limit),
          );
          expect([answer.total, answer.notices, answer.before]).toEqual([
            total,
            expected.length,
            start < expected.length ? expected.slice(0, start).flat().length : 0,
          ]);
        }
      }),
      { numRuns: 150 },
    );
  });

  test('goes by the ids of the portal until the details are here', () => {
    const work = (id: number, sourceTenderId: string, nitWorks = 2) => toRow({ id, sourceTenderId, nitWorks });
    const rows = [
      work(1, '2026_PWD_7_1'),
      work(2, '2026_PWD_7_2'),
      work(3, '2026_PWD_8_1', 1),
      work(4, '2026_PWD_8_2', 1),
    ];
    const engine = Engine.open({ indexes: [packTestList(rows)], delta: null, removed: [] });
    const { tenders } = ask(engine, { notices: true });
    expect(tenders.map(({ _id, works }) => [_id, works])).toEqual([
      ['1', ['2']],
      ['3', []],
      ['4', []],
    ]);
  });
});

describe('repeated queries of one engine', () => {
  const rows = [
    toRow({ id: 1 }),
    toRow({ id: 2, state: 'Assam', district: 'Jorhat' }),
    toRow({ id: 3, district: 'Mandi', category: 'Goods', department: 'Forest' }),
    toRow({ id: 4, district: 'Mandi', price: '90000.00' }),
    toRow({ id: 5, price: '900000.00', publishedAt: TEST_NOW.getTime() - HOUR_MS }),
    toRow({ id: 6, closesAt: TEST_NOW.getTime() + HOUR_MS }),
    toRow({ id: 7, closesAt: TEST_NOW.getTime() - HOUR_MS }),
  ];
  const state = 'Himachal Pradesh';
  const changes: [string, Partial<EngineQuery>, number[]][] = [
    ['state', { state: 'Assam' }, [2]],
    ['district', { state, districts: ['Mandi'] }, [3, 4]],
    ['department', { state, departments: ['Forest'] }, [3]],
    ['category', { state, category: 'Goods' }, [3]],
    ['lower bound', { state, min: 500_000 }, [5]],
    ['upper bound', { state, max: 100_000 }, [4]],
    ['days until closing', { state, within: 0 }, [6]],
    ['hour of today', { state, hour: 12 }, [6]],
    ['hour of today, of closed tenders', { state, hour: 10, open: false }, [7]],
    ['days since publishing', { state, publishedWithin: 0 }, [5]],
    ['closed tenders', { state, open: false }, [7]],
    ['place in the words', { state, q: 'mandi' }, [3, 4]],
  ];
  const ids = (engine: Engine, query: Partial<EngineQuery>) => idsOf(ask(engine, query)).toSorted();

  test.each(changes)('gives the results of another %s, and then those of before', (_what, change, found) => {
    const engine = openTestEngine(...rows);
    expect(ids(engine, { state })).toEqual([1, 3, 4, 5, 6]);
    expect(ids(engine, change)).toEqual(found);
    expect(ids(engine, { state })).toEqual([1, 3, 4, 5, 6]);
  });

  test('gives the results of more filters than it remembers', () => {
    const engine = openTestEngine(...rows);
    for (const [what, change, found] of [...changes, ...changes.toReversed()])
      expect(ids(engine, change), what).toEqual(found);
  });
});

describe('few matches among many tenders', () => {
  const others = Array.from({ length: 80 }, (_, n) => toRow({ id: 100 + n }));
  const few = [
    toRow({ id: 1, district: 'Una', price: null, closesAt: TEST_NOW.getTime() + 3 * HOUR_MS }),
    toRow({ id: 2, district: 'Una', price: '300000.00', closesAt: TEST_NOW.getTime() + 2 * HOUR_MS }),
    toRow({ id: 3, district: 'Una', price: '500000.00', closesAt: TEST_NOW.getTime() + 2 * HOUR_MS }),
    toRow({ id: 4, district: 'Una', price: null, closesAt: TEST_NOW.getTime() + HOUR_MS }),
    toRow({ id: 5, district: 'Una', price: '300000.00', closesAt: TEST_NOW.getTime() + 5 * HOUR_MS }),
  ];
  const una = { state: 'Himachal Pradesh', districts: ['Una'] };

  const sorted: [EngineQuery['sort'], EngineQuery['order'], number[]][] = [
    ['price', 'desc', [3, 2, 5, 1, 4]],
    ['price', 'asc', [2, 5, 3, 1, 4]],
    ['closing_date', 'asc', [4, 2, 3, 1, 5]],
    ['closing_date', 'desc', [5, 1, 2, 3, 4]],
  ];

  test.each(sorted)('without the others are sorted by %s %s in the same way', (sort, order, ids) => {
    const packs = [packTestRows(few.slice(0, 1)), packTestRows(few.slice(1, 4))];
    const engine = Engine.open({ indexes: packs, delta: packTestRows(few.slice(4)), removed: [] });
    expect(idsOf(ask(engine, { sort, order }))).toEqual(ids);
    expect(idsOf(ask(engine, { sort, order, limit: 2, page: 2 }))).toEqual(ids.slice(2, 4));
  });

  test.each(sorted)(
    'are sorted by %s %s, those without a price last, equal ones by id, in pages',
    (sort, order, ids) => {
      for (const engine of [
        openTestEngine(...few, ...others),
        Engine.open({
          indexes: [packTestRows(few.slice(0, 2)), packTestRows(others)],
          delta: packTestRows(few.slice(2)),
          removed: [],
        }),
      ]) {
        expect(idsOf(ask(engine, { ...una, sort, order }))).toEqual(ids);
        expect(idsOf(ask(engine, { ...una, sort, order, limit: 2, page: 2 }))).toEqual(ids.slice(2, 4));
      }
    },
  );
});

describe('pages of many matches', () => {
  const DISTRICT = { state: 'Himachal Pradesh', districts: ['Una'] };
  /** Numbers from 0 to 18 in no order. */
  const shuffled = (at: number) => (at * 7) % 19;
  const pagesOf = (engine: Engine, query: Partial<EngineQuery>, limit: number, count: number) =>
    Array.from({ length: count }, (_, at) => idsOf(ask(engine, { ...query, limit, page: at + 1 }))).flat();
  const inOrder = (rows: readonly TestRow[], key: (row: TestRow) => number) =>
    rows.toSorted((one, other) => key(one) - key(other) || one.id - other.id).map(({ id }) => id);
  const price = ({ price }: TestRow) => Number(price);

  test.each([0, 400])('beside %i others have each tender once, in the order of all', (others) => {
    const una = Array.from({ length: 19 }, (_, at) =>
      toRow({
        ...{ id: at + 1, title: 'Drain', district: 'Una', price: `${(shuffled(at) >> 1) + 1}00.00` },
        closesAt: TEST_NOW.getTime() + (1 + (shuffled(at + 3) >> 1)) * HOUR_MS,
      }),
    );
    const engine = openTestEngine(...una, ...Array.from({ length: others }, (_, at) => toRow({ id: at + 100 })));
    const closing = ({ closesAt }: TestRow) => closesAt;
    const pages = (query: Partial<EngineQuery>) => pagesOf(engine, { ...DISTRICT, ...query }, 4, 5);
    expect(pages({ sort: 'price', order: 'asc' })).toEqual(inOrder(una, price));
    expect(pages({ sort: 'price', order: 'desc' })).toEqual(inOrder(una, (row) => -price(row)));
    expect(pages({ sort: 'closing_date', order: 'asc' })).toEqual(inOrder(una, closing));
    expect(pages({ sort: 'closing_date', order: 'desc' })).toEqual(inOrder(una, (row) => -closing(row)));
    expect(pages({ q: 'drain', sort: 'relevance' })).toEqual(inOrder(una, closing));
  });

  test('with most of the words are the best twenty, those of equal coverage by their closing', () => {
    const most = Array.from({ length: 30 }, (_, at) =>
      toRow({
        ...{ id: at + 1, title: at < 5 ? 'Helipad with turbine and gabion' : 'Helipad with turbine' },
        closesAt: TEST_NOW.getTime() + (1 + ((at * 7) % 31)) * HOUR_MS,
      }),
    );
    const answer = ask(openTestEngine(...most, toRow({ id: 90, title: 'Parapet' })), {
      ...{ q: 'helipad turbine gabion parapet', sort: 'relevance', limit: 30 },
    });
    expect([answer.fullTotal, answer.total]).toEqual([0, 20]);
    const byClosing = (rows: TestRow[]) => inOrder(rows, ({ closesAt }) => closesAt);
    expect(idsOf(answer)).toEqual([...byClosing(most.slice(0, 5)), ...byClosing(most.slice(5))].slice(0, 20));
  });
});

describe('open and closed', () => {
  const at = (ms: number) => new Date(TEST_NOW.getTime() + ms);
  const engine = openTestEngine(
    toRow({ id: 1, publishedAt: TEST_NOW.getTime() - HOUR_MS, closesAt: TEST_NOW.getTime() }),
    toRow({ id: 2, publishedAt: TEST_NOW.getTime(), closesAt: TEST_NOW.getTime() + HOUR_MS }),
  );
  const found = (isOpen: boolean, now: Date) => idsOf(engine.search({ ...DEFAULT_ENGINE_QUERY, open: isOpen }, now));

  test('a tender is closed at its closing instant and open a millisecond before', () => {
    expect([found(true, at(-1)), found(false, at(-1))]).toEqual([[1], []]);
    expect([found(true, at(0)), found(false, at(0))]).toEqual([[2], [1]]);
  });

  test('a tender is found from its publishing instant on', () => {
    expect(engine.summary(2, at(-1))).not.toBeNull();
    expect(found(true, at(-1))).toEqual([1]);
    expect(found(true, at(0))).toEqual([2]);
  });

  test('at each instant an engine finds what an engine opened then finds, in any order of the instants', () => {
    const hours = fc.integer({ min: -4, max: 4 }).map((each) => each * HOUR_MS);
    const row = fc
      .record({ published: hours, closes: hours })
      .map(({ published, closes }) => ({ publishedAt: at(published).getTime(), closesAt: at(closes).getTime() }));
    const asked = fc.record({
      ms: fc.tuple(hours, fc.integer({ min: -1, max: 1 })).map(([one, other]) => one + other),
      open: fc.boolean(),
      within: fc.constantFrom(null, 0),
      q: fc.constantFrom('', 'road'),
    });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 8 }), fc.array(asked, { maxLength: 12 }), (rows, questions) => {
        const packs = [packTestRows(rows.map((fields, index) => toRow({ ...fields, id: index + 1 })))];
        const shared = Engine.open({ indexes: packs, delta: null, removed: [] });
        for (const { ms, ...filter } of questions) {
          const fresh = Engine.open({ indexes: packs, delta: null, removed: [] });
          const query = { ...DEFAULT_ENGINE_QUERY, ...filter };
          expect(shared.search(query, at(ms))).toEqual(fresh.search(query, at(ms)));
        }
      }),
      { numRuns: 60 },
    );
  });

  test('days until closing are Indian days', () => {
    const lastToday = Date.parse('2026-03-10T18:29:59.999Z');
    const days = openTestEngine(toRow({ id: 1, closesAt: lastToday }), toRow({ id: 2, closesAt: lastToday + 1 }));
    expect(idsOf(ask(days, { within: 0 }))).toEqual([1]);
    expect(idsOf(ask(days, { within: 1 }))).toEqual([1, 2]);
  });

  test.each(STATUS_CASES)('$stage, bids from $bidStartAt, at $now: $status', (row) => {
    const bidStartAt = row.bidStartAt === null ? null : Date.parse(row.bidStartAt);
    const engine = openTestEngine(toRow({ id: 1, stage: row.stage, bidStartAt, closesAt: Date.parse(row.closesAt) }));
    expect(engine.summary(1, new Date(row.now))?.status).toBe(row.status);
  });

  test('a tender that was bookmarked as upcoming becomes active and closed with its portal stage', () => {
    const at = (ms: number) => new Date(TEST_NOW.getTime() + ms);
    const row = toRow({ id: 1, stage: 'awarded', bidStartAt: at(1).getTime(), closesAt: at(2).getTime() });
    const bookmarked = openTestEngine(row).summary(1, TEST_NOW) as TenderSummary;
    expect(bookmarked.status).toBe('upcoming');
    expect([0, 1, 2].map((ms) => statusAt(bookmarked, at(ms)))).toEqual(['upcoming', 'active', 'awarded']);
  });
});

describe('words', () => {
  const shimla = toRow({ id: 1, title: 'Widening of Theog road', description: 'Providing crash barrier' });
  const mandi = toRow({ id: 2, title: 'Repair of Theog bridge', district: 'Mandi', price: null });

  test('match only list fields until the details are loaded, and the engine reports it', () => {
    const list = Engine.open({ indexes: [packTestList([shimla])], delta: null, removed: [] });
    expect(list.isComplete).toBe(false);
    expect(ask(list, { q: 'crash barrier' }).total).toBe(0);
    expect(ask(list, { q: 'widening shimla' }).total).toBe(1);
    expect(list.tender(1, TEST_NOW)).toBeNull();
    expect(list.summary(1, TEST_NOW)).toMatchObject({ description: 'Widening of Theog road', reference_number: null });
    const whole = openTestEngine(shimla);
    expect(whole.isComplete).toBe(true);
    expect(ask(whole, { q: 'crash barrier' }).total).toBe(1);
  });

  test('that find nothing are corrected, and the answer has the searched words', () => {
    const engine = openTestEngine(shimla, mandi);
    const answer = ask(engine, { q: 'Road Widning' });
    expect([idsOf(answer), answer.showingFor]).toEqual([[1], 'road widening']);
    expect(answer.facets.districts).toEqual({ Shimla: 1 });
    expect(ask(engine, { q: 'widening' }).showingFor).toBeNull();
    expect(ask(engine, { q: 'zzzzzz' })).toMatchObject({ total: 0, showingFor: null, tenders: [] });
  });

  test('are not corrected to words of a removed tender', () => {
    const engine = Engine.open({ indexes: [packTestRows([shimla, mandi])], delta: null, removed: [1] });
    expect(ask(engine, { q: 'widning' })).toMatchObject({ total: 0, showingFor: null });
  });

  test('are ordered by where they are found, how close they are and how rare they are', () => {
    const engine = openTestEngine(
      toRow({
        id: 1,
        title: 'Building at Kasauli',
        description: 'With a drain',
        closesAt: TEST_NOW.getTime() + HOUR_MS,
      }),
      toRow({ id: 2, title: 'Nali at Solan', closesAt: TEST_NOW.getTime() + HOUR_MS }),
      toRow({ id: 3, title: 'Drain at Solan', closesAt: TEST_NOW.getTime() + 3 * HOUR_MS }),
      toRow({ id: 4, title: 'Drain at Una', closesAt: TEST_NOW.getTime() + 2 * HOUR_MS }),
    );
    expect(idsOf(ask(engine, { q: 'drain', sort: 'relevance' }))).toEqual([4, 3, 2, 1]);
    expect(idsOf(ask(engine, { q: 'drain', sort: 'relevance', limit: 2, page: 2 }))).toEqual([2, 1]);
  });

  test('rank the typed word before its synonym, and each in the title, the description, then the office', () => {
    // 'nali' and 'drain' are one group.
    const [nowhere, office] = [{ title: 'Culvert' }, { title: 'Culvert', organisationChain: ['HPPWD'] }];
    const rows = [
      { ...office, organisationChain: ['Nali Board'] },
      { ...office, organisationChain: ['Drain Board'] },
      { ...nowhere, description: 'With a nali' },
      { ...nowhere, description: 'With a drain' },
      { title: 'Nali' },
      { title: 'Drain' },
    ];
    const engine = openTestEngine(...rows.map((row, at) => toRow({ id: at + 1, ...row })));
    expect(idsOf(ask(engine, { q: 'drain', sort: 'relevance' }))).toEqual([6, 5, 4, 3, 2, 1]);
    expect(idsOf(ask(engine, { q: 'nali', sort: 'relevance' }))).toEqual([5, 6, 3, 4, 1, 2]);
  });

  test('score a phrase as its word in the least field', () => {
    const engine = openTestEngine(
      toRow({ id: 1, title: 'Retaining of soil', description: 'At the wall' }),
      toRow({ id: 2, title: 'Retaining wall', closesAt: TEST_NOW.getTime() + 72 * HOUR_MS }),
      toRow({ id: 3, title: 'Soil', description: 'Retaining wall', closesAt: TEST_NOW.getTime() + HOUR_MS }),
    );
    expect(idsOf(ask(engine, { q: 'retaining wall', sort: 'relevance' }))).toEqual([2, 3, 1]);
  });

  test('of equal scores come the soonest closing, then by id', () => {
    const closesAt = TEST_NOW.getTime() + HOUR_MS;
    const engine = openTestEngine(
      toRow({ id: 3, title: 'Drain at Una', closesAt }),
      toRow({ id: 1, title: 'Drain at Solan', closesAt: closesAt + HOUR_MS }),
      toRow({ id: 2, title: 'Drain at Kullu', closesAt }),
    );
    expect(idsOf(ask(engine, { q: 'drain', sort: 'relevance' }))).toEqual([2, 3, 1]);
  });

  test('are followed by tenders that have most of them, best coverage first', () => {
    const engine = openTestEngine(
      toRow({ id: 1, title: 'Culvert and parapet at Kasauli' }),
      toRow({ id: 2, title: 'Culvert and parapet at Kasauli with crash barrier' }),
      toRow({ id: 3, title: 'Parapet' }),
      toRow({ id: 4, title: 'Road' }),
    );
    const answer = ask(engine, { q: 'culvert parapet crash barrier', sort: 'relevance' });
    expect([answer.fullTotal, answer.total]).toEqual([1, 2]);
    expect(answer.tenders.map(({ _id, matches }) => [_id, matches])).toEqual([
      ['2', 'all'],
      ['1', 'most'],
    ]);
    expect(ask(engine, {}).tenders[0]).not.toHaveProperty('matches');
  });

  test('are followed by a tender that has two of four words, if they weigh half', () => {
    const engine = openTestEngine(
      toRow({ id: 1, title: 'Fencing with gabion, parapet and culvert' }),
      toRow({ id: 2, title: 'Fencing with gabion' }),
      toRow({ id: 3, title: 'Parapet with culvert' }),
      toRow({ id: 4, title: 'Road' }),
    );
    const answer = ask(engine, { q: 'fencing gabion parapet culvert', sort: 'relevance' });
    expect(answer.tenders.map(({ _id, matches }) => [_id, matches])).toEqual([
      ['1', 'all'],
      ['3', 'most'],
    ]);
  });

  test('are followed by tenders with most of them on the next page too, and after any other sorting', () => {
    const engine = openTestEngine(
      toRow({ id: 1, title: 'Culvert and parapet', price: '900.00' }),
      toRow({ id: 2, title: 'Culvert and parapet with crash barrier', price: '100.00' }),
      toRow({ id: 3, title: 'Parapet and culvert with crash barrier', price: '500.00' }),
      toRow({ id: 4, title: 'Road', price: '800.00' }),
    );
    const pages = [1, 2, 3, 4].map((page) => {
      const { total, tenders } = ask(engine, { q: 'culvert parapet crash barrier', limit: 1, page });
      return [total, ...tenders.map(({ _id, matches }) => `${_id} ${matches}`)];
    });
    expect(pages).toEqual([[3, '3 all'], [3, '2 all'], [3, '1 most'], [3]]);
  });

  test('of equal coverage and score come the soonest closing, or of closed tenders the last closed', () => {
    const at = (id: number, hours: number, title = 'Culvert and parapet') =>
      toRow({ id, title, closesAt: TEST_NOW.getTime() + hours * HOUR_MS });
    const rows = (sign: number) => [at(1, sign * 3), at(2, sign * 1), at(3, sign * 2), at(4, sign, 'Turbine')];
    const q = 'culvert parapet turbine';
    expect(idsOf(ask(openTestEngine(...rows(1)), { q, sort: 'relevance' })).filter((id) => id !== 4)).toEqual([
      2, 3, 1,
    ]);
    expect(
      idsOf(ask(openTestEngine(...rows(-1)), { q, open: false, sort: 'relevance' })).filter((id) => id !== 4),
    ).toEqual([2, 3, 1]);
    const drains = (sign: number) =>
      openTestEngine(
        ...[1, 3, 2].map((hours, at) =>
          toRow({ id: at + 1, title: 'Drain', closesAt: TEST_NOW.getTime() + sign * hours * HOUR_MS }),
        ),
      );
    expect(idsOf(ask(drains(1), { q: 'drain', sort: 'relevance' }))).toEqual([1, 3, 2]);
    expect(idsOf(ask(drains(-1), { q: 'drain', open: false, sort: 'relevance' }))).toEqual([1, 3, 2]);
  });

  test('that are none leave nothing to rank: the soonest closing comes first, or the last closed', () => {
    const rows = (sign: number) =>
      openTestEngine(
        ...[3, 1, 2].map((hours, at) => toRow({ id: at + 1, closesAt: TEST_NOW.getTime() + sign * hours * HOUR_MS })),
      );
    expect(idsOf(ask(rows(1), { sort: 'relevance', order: 'desc' }))).toEqual([2, 3, 1]);
    expect(idsOf(ask(rows(-1), { sort: 'relevance', order: 'desc', open: false }))).toEqual([2, 3, 1]);
  });

  test.each([
    [4, 5],
    [5, 5],
  ])('that %i tenders have all of give %i: tenders with most of them follow fewer than five', (full, total) => {
    const engine = openTestEngine(
      toRow({ id: 50, title: 'Parapet' }),
      ...Array.from({ length: full }, (_, n) => toRow({ id: n + 1, title: 'Culvert and parapet' })),
    );
    const answer = ask(engine, { q: 'culvert parapet', sort: 'relevance' });
    expect([answer.fullTotal, answer.total]).toEqual([full, total]);
    expect(idsOf(answer).includes(50)).toBe(full < 5);
  });

  test('are followed by tenders of every segment that have most of them', () => {
    const full = packTestRows([toRow({ id: 2, title: 'Culvert and parapet with crash barrier' }), toRow({ id: 4 })]);
    const most = packTestRows([toRow({ id: 11, title: 'Culvert and parapet' })]);
    const engine = Engine.open({ indexes: [full, most], delta: null, removed: [] });
    expect(idsOf(ask(engine, { q: 'culvert parapet crash barrier', sort: 'relevance' }))).toEqual([2, 11]);
  });

  test('are found in tenders with two of three, also without the rarest', () => {
    const engine = openTestEngine(
      toRow({ id: 1, title: 'Drain and school' }),
      toRow({ id: 2, title: 'Culvert' }),
      toRow({ id: 3, title: 'Drain' }),
    );
    expect(idsOf(ask(engine, { q: 'drain school culvert', sort: 'relevance' }))).toContain(1);
  });

  test('are found in tenders that have exactly half of their weight', () => {
    const both = toRow({ id: 1, title: 'Helipad with turbine' });
    const titles = ['Helipad', 'Turbine', 'Road'].map((title, index) => toRow({ id: index + 2, title }));
    expect(idsOf(ask(openTestEngine(both, ...titles), { q: 'helipad turbine', sort: 'relevance' }))).toEqual([1, 2, 3]);
  });

  test('that name a place ask for its tenders, unless the place is to be a word', () => {
    const engine = openTestEngine(
      toRow({ id: 1, title: 'Road', district: 'Mandi' }),
      toRow({ id: 2, title: 'Road to Mandi', district: 'Shimla' }),
    );
    const placed = ask(engine, { q: 'road mandi' });
    expect([idsOf(placed), placed.place?.text]).toEqual([[1], 'mandi']);
    expect(idsOf(ask(engine, { q: 'road mandi', literal: 'place', sort: 'relevance' }))).toEqual([2, 1]);
  });

  test('a PIN code and a numbered ward are found', () => {
    const engine = openTestEngine(toRow({ id: 1, title: 'Drain in Ward No. 07', pincode: '173204' }), toRow({ id: 2 }));
    expect(idsOf(ask(engine, { q: '173204' }))).toEqual([1]);
    expect(idsOf(ask(engine, { q: 'drain ward 7' }))).toEqual([1]);
  });

  test('without a search term find nothing', () => {
    expect(ask(openTestEngine(shimla), { q: ' / ' }).total).toBe(0);
    expect(ask(openTestEngine(shimla), { q: '  ' }).total).toBe(1);
  });

  const suggest = (engine: Engine, text: string, query: Partial<EngineQuery> = {}) =>
    engine.suggest(text, query, TEST_NOW).map((suggestion) => suggestion.text);

  test('that are unfinished are completed to the words of most open tenders and to names of places', () => {
    const engine = openTestEngine(
      shimla,
      mandi,
      toRow({ id: 3, title: 'Thermal works', closesAt: TEST_NOW.getTime() }),
    );
    expect(suggest(engine, 'the')).toEqual(['theog']);
    expect(suggest(engine, 'Repair of the')).toEqual(['Repair of theog']);
    expect(suggest(engine, 'shi')).toEqual(['Shimla']);
    expect(suggest(engine, 'br', { state: 'Assam' })).toEqual([]);
    expect(suggest(engine, 'mla')).toEqual([]);
    expect(suggest(engine, 'road ')).toEqual([]);
  });

  test('are completed to the three places with most open tenders', () => {
    const districts = ['Sheopur', 'Shillong', 'Shimla', 'Shopian', 'Shopian', 'Shimla', 'Shopian'];
    const engine = openTestEngine(
      ...districts.map((district, index) => toRow({ id: index + 1, title: 'Road', district })),
    );
    expect(suggest(engine, 'sh').slice(0, 2)).toEqual(['Shopian', 'Shimla']);
    expect(engine.suggest('sh', {}, TEST_NOW).filter(({ kind }) => kind === 'place')).toHaveLength(3);
  });

  test('are completed to no district or department beside a filter that has one', () => {
    const engine = openTestEngine(
      shimla,
      toRow({ id: 4, title: 'Shingle', department: 'Shipping', district: 'Shimla' }),
    );
    const state = 'Himachal Pradesh';
    const kinds = (query: Partial<EngineQuery>) => engine.suggest('shi', query, TEST_NOW).map(({ kind }) => kind);
    expect(kinds({ state })).toEqual(['place', 'department', 'word']);
    expect(kinds({ state, districts: ['Shimla'] })).toEqual(['department', 'word', 'word']);
    expect(kinds({ state, departments: ['Shipping'] })).toEqual(['place', 'word', 'word']);
  });

  test('that are finished are not completed to themselves, and one letter not at all', () => {
    const engine = openTestEngine(
      toRow({ title: 'Thermal' }),
      toRow({ id: 2, title: 'Thermally' }),
      toRow({ id: 3, title: 'Thermally' }),
    );
    expect(suggest(engine, 'thermal')).toEqual(['thermally']);
    expect(suggest(engine, 'therm')).toEqual(['thermally', 'thermal']);
    expect(suggest(engine, 't')).toEqual([]);
  });

  test('that begin a work or a tender id are completed to those that open tenders have', () => {
    const wall = toRow({ id: 4, title: 'R/Wall at Kasauli', sourceTenderId: '2026_PWD_77_1' });
    const engine = openTestEngine(shimla, wall);
    expect(suggest(engine, 'dang')).toEqual(['retaining wall']);
    expect(suggest(engine, 'boundary')).toEqual([]);
    expect(suggest(engine, '2026_pwd_77')).toEqual(['2026_PWD_77_1']);
  });

  test('are completed with their spaces as one, and beside the words of a filter as without', () => {
    const engine = openTestEngine(shimla, mandi);
    expect(suggest(engine, '  Repair  of   the')).toEqual(['Repair of theog']);
    expect(suggest(engine, 'the', { q: 'nothing has these' })).toEqual(['theog']);
  });

  test('are completed to eight suggestions at most, of equal numbers by the alphabet', () => {
    const words = ['zeb', 'zea', 'zed', 'zec', 'zei', 'zef', 'zeg', 'zeh', 'zej', 'zek'];
    const engine = openTestEngine(...words.map((word, at) => toRow({ id: at + 1, title: `${word}xx` })));
    expect(suggest(engine, 'ze')).toEqual(
      ['zea', 'zeb', 'zec', 'zed', 'zef', 'zeg', 'zeh', 'zei'].map((word) => `${word}xx`),
    );
    const more = openTestEngine(
      toRow({ id: 1, title: 'Zebra' }),
      toRow({ id: 2, title: 'Zenith' }),
      toRow({ id: 3, title: 'Zenith' }),
    );
    expect(suggest(more, 'ze')).toEqual(['zenith', 'zebra']);
  });

  test('are completed by the tenders of all segments, words by their number in all', () => {
    const titled = (from: number, titles: string[]) =>
      packTestRows(
        titles.map((title, at) => toRow({ id: from + at, title, sourceTenderId: `2026_PWD_77_${from + at}` })),
      );
    const packs = [titled(1, ['Zebra', 'Zebra', 'Zenith']), titled(11, ['Zenith', 'Zenith', 'Road', 'Road'])];
    const engine = Engine.open({ indexes: packs, delta: null, removed: [] });
    expect(suggest(engine, 'ze')).toEqual(['zenith', 'zebra']);
    expect(suggest(engine, '2026_pwd_77')).toEqual(['1', '2', '3', '11', '12'].map((nth) => `2026_PWD_77_${nth}`));
  });

  test('are completed to no numbers', () => {
    const engine = openTestEngine(toRow({ id: 1, title: 'Road 2031 at 33kv', sourceTenderId: '2026_PWD_1_1' }));
    expect([suggest(engine, '20'), suggest(engine, '33')]).toEqual([[], []]);
  });

  test('are completed to names of which a later word begins so', () => {
    const engine = openTestEngine(toRow({ id: 1, district: 'Lahaul and Spiti', title: 'Road' }));
    expect(engine.suggest('spi', {}, TEST_NOW)[0]).toEqual({ text: 'Lahaul and Spiti', kind: 'place' });
    expect(engine.suggest('Lahaul and sp', {}, TEST_NOW)[0]).toEqual({ text: 'Lahaul and Spiti', kind: 'place' });
    expect(suggest(engine, 'piti')).toEqual([]);
  });

  test('are completed to at most two departments and three works', () => {
    const departments = ['Shipping', 'Shire', 'Shield', 'Shield', 'Shire', 'Shield'];
    const engine = openTestEngine(
      ...departments.map((department, at) => toRow({ id: at + 1, title: 'Road', department })),
    );
    const ofShi = engine.suggest('shi', {}, TEST_NOW).filter(({ kind }) => kind === 'department');
    expect(ofShi.map(({ text }) => text)).toEqual(['Shield', 'Shire']);
    const works = ['CC road', 'Link road', 'Approach road', 'Roadside drain'].map((title, at) =>
      toRow({ id: at + 1, title }),
    );
    const ofRoad = openTestEngine(...works).suggest('road', {}, TEST_NOW);
    expect(ofRoad.filter(({ kind }) => kind === 'work')).toHaveLength(3);
  });

  test('that begin a tender id are completed to at most five of open tenders', () => {
    const ids = Array.from({ length: 7 }, (_, at) => toRow({ id: at + 1, sourceTenderId: `2026_PWD_77_${at + 1}` }));
    const closed = toRow({ id: 9, sourceTenderId: '2026_PWD_78_1', closesAt: TEST_NOW.getTime() });
    const engine = openTestEngine(...ids, closed);
    expect(engine.suggest('2026_pwd_7', {}, TEST_NOW).filter(({ kind }) => kind === 'id')).toHaveLength(5);
    expect(suggest(engine, '2026_pwd_78')).toEqual([]);
    expect(suggest(engine, '2026_PWD_77_7')).toEqual(['2026_PWD_77_7']);
  });

  test('are completed to works, departments, places and words, each named as such', () => {
    const engine = openTestEngine(
      shimla,
      toRow({ id: 4, title: 'Shingle', department: 'Shipping', district: 'Shimla' }),
    );
    expect(engine.suggest('shi', {}, TEST_NOW)).toEqual([
      { text: 'Shimla', kind: 'place' },
      { text: 'Shipping', kind: 'department' },
      { text: 'shingle', kind: 'word' },
    ]);
  });
});

test('a search that finds nothing offers no closed tenders and no other state: the device may not have them', () => {
  const engine = openTestEngine(
    toRow({ id: 1, title: 'Culvert' }),
    toRow({ id: 2, title: 'Parapet', closesAt: TEST_NOW.getTime() - HOUR_MS }),
    toRow({ id: 3, title: 'Parapet', state: 'Assam' }),
  );
  const kinds = (query: Partial<EngineQuery>) => ask(engine, query).nearest.map(({ kind, total }) => [kind, total]);
  expect(kinds({ state: 'Himachal Pradesh', q: 'parapet' })).toEqual([]);
  expect(kinds({ state: 'Himachal Pradesh', q: 'culvert', min: 900_000 })).toEqual([['filters', 1]]);
  expect(kinds({ state: 'Himachal Pradesh', districts: ['Mandi'], q: 'culvert' })).toEqual([['state', 1]]);
});

test('counts of a place apply all filters but its own', () => {
  const engine = openTestEngine(
    toRow({ id: 1 }),
    toRow({ id: 2, district: 'Mandi' }),
    toRow({ id: 3, district: 'Mandi', department: 'Forest' }),
    toRow({ id: 4, district: null, department: null }),
  );
  expect(ask(engine, { state: 'Himachal Pradesh', districts: ['Mandi'], departments: ['PWD'] })).toMatchObject({
    total: 1,
    facets: { districts: { Shimla: 1, Mandi: 1 }, departments: { PWD: 1, Forest: 1 } },
  });
});

test('a district in the words is found in its own states only', () => {
  const engine = openTestEngine(
    toRow({ id: 1, state: 'Chhattisgarh', district: 'Balrampur' }),
    toRow({ id: 2, state: 'Uttar Pradesh', district: 'Balrampur' }),
  );
  // The second name is that of the district of Chhattisgarh alone.
  expect(idsOf(ask(engine, { q: 'Balrampur' }))).toEqual([1, 2]);
  expect(idsOf(ask(engine, { q: 'Balrampur-Ramanujganj' }))).toEqual([1]);
});

test('a department is found in another spelling; a category is not', () => {
  const engine = Engine.open({
    indexes: [
      packTestRows([
        toRow({ id: 1, department: 'Harbour Trust & Docks' }),
        toRow({ id: 2, department: 'Goods Sheds Board' }),
      ]),
      packTestRows([
        toRow({ id: 3, department: 'Harbour Trust & Docks', category: 'Goods' }),
        toRow({ id: 4, department: null }),
      ]),
    ],
    delta: null,
    removed: [2],
  });
  expect(idsOf(ask(engine, { state: 'Himachal Pradesh', departments: ['HARBOUR TRUST AND DOCKS LTD.'] }))).toEqual([
    1, 3,
  ]);
  for (const none of ['Harbour', 'Goods', 'Goods Sheds Board', 'Ltd'])
    expect(ask(engine, { state: 'Himachal Pradesh', departments: [none] }).total, none).toBe(0);
});

test('a department that only removed tenders have is found in the spelling of the others', () => {
  const engine = Engine.open({
    indexes: [
      packTestRows([toRow({ id: 1, department: 'Works Department' }), toRow({ id: 2, department: 'Works Deptt.' })]),
    ],
    delta: null,
    removed: [1],
  });
  expect(idsOf(ask(engine, { state: 'Himachal Pradesh', departments: ['Works Department'] }))).toEqual([2]);
});

test('each of two spellings of a department that tenders have finds its own', () => {
  const names = ['Works Department', 'Works Department', 'Works Deptt.'];
  const engine = openTestEngine(...names.map((department, at) => toRow({ id: at + 1, department })));
  const ids = (name: string) => idsOf(ask(engine, { state: 'Himachal Pradesh', departments: [name] })).toSorted();
  expect(ids('Works Department')).toEqual([1, 2]);
  expect(ids('Works Deptt.')).toEqual([3]);
});

test('a district or department without a state finds nothing, as on the server', () => {
  const engine = openTestEngine(toRow({ district: 'Mandi', department: 'PWD' }));
  for (const place of [{ districts: ['Mandi'] }, { departments: ['PWD'] }]) {
    expect(ask(engine, place)).toMatchObject({ total: 0, tenders: [], facets: { districts: {}, departments: {} } });
    expect(ask(engine, { ...place, state: 'Himachal Pradesh' }).total).toBe(1);
  }
});

test('a page with a demonstration is marked', () => {
  const engine = openTestEngine(toRow({ id: 1 }), toRow({ id: 2, demonstration: true }));
  expect(ask(engine, { limit: 1, page: 1 }).demonstration).toBe(false);
  expect(ask(engine, { limit: 1, page: 2 }).demonstration).toBe(true);
});

test('other works of the same notice come in the order of their ids, without drafts and the tender itself', () => {
  const nit = (id: number, more: Partial<TestRow> = {}) =>
    toRow({ id, nitId: 'abc', sourceTenderId: `2026_PWD_7_${id}`, ...more });
  const engine = Engine.open({
    indexes: [
      packTestRows([nit(10), nit(2), nit(1)]),
      packTestRows([nit(3), nit(4, { publishedAt: TEST_NOW.getTime() + 1 }), toRow({ id: 5 })]),
    ],
    delta: null,
    removed: [3],
  });
  expect(engine.tender(1, TEST_NOW)?.nit_siblings.map(({ _id }) => _id)).toEqual(['2', '10']);
  expect(engine.tender(5, TEST_NOW)?.nit_siblings).toEqual([]);
  // Both texts have the same 32-bit FNV-1a hash.
  const collided = openTestEngine(nit(6, { nitId: 'costarring' }), nit(7, { nitId: 'liquid' }));
  expect(collided.tender(6, TEST_NOW)?.nit_siblings).toEqual([]);
});

test('of many works of a notice the first twenty are named', () => {
  const works = Array.from({ length: 25 }, (_, at) =>
    toRow({ id: at + 1, nitId: 'abc', title: `Work ${at + 1}`, sourceTenderId: `2026_PWD_7_${at + 1}` }),
  );
  const siblings = openTestEngine(...works).tender(25, TEST_NOW)?.nit_siblings ?? [];
  expect(siblings.map(({ _id }) => Number(_id))).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
  expect(siblings[0]).toEqual({ _id: '1', title: 'Work 1', source_tender_id: '2026_PWD_7_1' });
});

test('a delta that an app without the newest column stored is read', () => {
  const { documentPackage: _, ...older } = toColumns([toRow({ id: 1 })]);
  const delta = buildSegmentIndex(older as ListRows, older as unknown as DetailRows);
  const engine = Engine.open({ indexes: [packTestRows([toRow({ id: 2 })])], delta, removed: [] });
  expect(engine.tender(1, TEST_NOW)?.document_package).toBeNull();
});

test('the age of a tender is that of the last comparison with its portal', () => {
  const parts = { indexes: [packTestRows([toRow({})])], delta: null, removed: [] };
  const looked = '2026-03-10T03:40:00.000Z';
  expect(Engine.open({ ...parts, checked: { hptenders: looked } }).summary(1, TEST_NOW)?.fetched_at).toBe(looked);
  expect(Engine.open(parts).summary(1, TEST_NOW)?.fetched_at).toBe('2026-03-08T06:00:00.000Z');
});

describe('what is new', () => {
  const published = (id: number, hoursAgo: number, row: Partial<TestRow> = {}) =>
    toRow({ id, publishedAt: TEST_NOW.getTime() - hoursAgo * HOUR_MS, ...row });
  const newest = (engine: Engine, query: Partial<EngineQuery>, above: number, most = 5) => {
    const { tenders, ...counts } = engine.newest({ ...DEFAULT_ENGINE_QUERY, ...query }, above, most, TEST_NOW);
    return { ...counts, ids: tenders.map(({ _id }) => Number(_id)) };
  };
  const rows = [
    published(3, 1),
    published(1, 30),
    published(7, 20, { district: 'Solan' }),
    published(9, -1), // a draft
    published(8, 40, { closesAt: TEST_NOW.getTime() - HOUR_MS }),
  ];

  test('are matching open tenders with a larger id, the last published first', () => {
    expect(newest(openTestEngine(...rows), {}, 1)).toEqual({ count: 2, highestId: 7, ids: [3, 7, 1] });
    expect(newest(openTestEngine(...rows), { state: 'Himachal Pradesh', districts: ['Shimla'] }, 1, 1)).toEqual({
      count: 1,
      highestId: 3,
      ids: [3],
    });
    expect(newest(openTestEngine(...rows), { q: 'bridge' }, 0)).toEqual({ count: 0, highestId: 0, ids: [] });
    expect(newest(openTestEngine(...rows), { q: '/' }, 0)).toEqual({ count: 0, highestId: 0, ids: [] });
  });

  test('are those of the place in the words, and none of a district without a state', () => {
    const placed = openTestEngine(published(1, 1, { title: 'Road to Mandi' }), published(4, 2, { district: 'Mandi' }));
    expect(newest(placed, { q: 'road mandi' }, 0)).toEqual({ count: 1, highestId: 4, ids: [4] });
    expect(newest(placed, { q: 'road mandi', literal: 'place' }, 0)).toEqual({ count: 2, highestId: 4, ids: [1, 4] });
    expect(newest(placed, { districts: ['Mandi'] }, 0)).toEqual({ count: 0, highestId: 0, ids: [] });
  });

  test('are counted without being listed', () => {
    expect(newest(openTestEngine(...rows), {}, 1, 0)).toEqual({ count: 2, highestId: 7, ids: [] });
    expect(newest(openTestEngine(...rows), {}, 7, 1)).toEqual({ count: 0, highestId: 7, ids: [3] });
  });

  test('published at one instant come with the larger id first', () => {
    expect(newest(openTestEngine(published(1, 2), published(4, 2), published(2, 2)), {}, 0).ids).toEqual([4, 2, 1]);
  });

  test('a changed tender counts once, by its newest row', () => {
    const delta = packTestRows([published(7, 20, { district: 'Mandi' }), published(12, 2)]);
    const engine = Engine.open({ indexes: [packTestRows(rows)], delta, removed: [3] });
    expect(newest(engine, {}, 5)).toEqual({ count: 2, highestId: 12, ids: [12, 7, 1] });
  });
});

test('an engine without tenders answers', () => {
  const engine = Engine.open({ indexes: [], delta: null, removed: [] });
  expect(engine.rows).toBe(0);
  expect(ask(engine, { q: 'road' })).toEqual({
    total: 0,
    tenders: [],
    conditions: [],
    fullTotal: 0,
    words: expect.any(Array),
    nearest: [],
    place: null,
    showingFor: null,
    facets: { districts: {}, departments: {} },
    demonstration: false,
  });
  expect(engine.summary(1, TEST_NOW)).toBeNull();
});

test('details of other tenders are refused', () => {
  expect(() => buildSegmentIndex(toColumns([toRow({ id: 1 })]), toColumns([toRow({ id: 2 })]))).toThrow(
    'The details are those of other tenders',
  );
});
