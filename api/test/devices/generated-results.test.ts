/**
 * Generated tenders and generated searches: the server and the device's engine give equal results. SEED repeats a run. A
 * difference is reduced to one search of few tenders; put it into `pinned-results.json`, which every run replays.
 */
import { findRegion } from '@nivida/contract/regions/regions';
import { SYNONYM_GROUPS } from '@nivida/contract/search/dictionary';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Engine } from '../../../pwa/src/offline/engine/engine.ts';
import type { EngineAnswer } from '../../../pwa/src/offline/engine/query.ts';
import { reindexBatch, reindexTenders } from '../../src/ingest/reindex-tenders.job.ts';
import type { SourceTender } from '../../src/ingest/source-tender.ts';
import { expectSameResults, type Params, packRows, readRows, toUrl } from '../support/same-results.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { emptyTables, startApp, type TestApp } from '../support/start-app.ts';
import pinned from './pinned-results.json' with { type: 'json' };

const SEED = Number(process.env.SEED ?? 20261121);
const TENDERS = 400;
const SEARCHES = 350;
const CONDITION_SEARCHES = 80;
const PACK_ROWS = 150;
/** The default run has at least these numbers of searches of each kind. */
const MIN_SEARCHES = { found: 60, placed: 20, corrected: 20, partial: 35, empty: 100, withoutState: 10, grouped: 15 };
const NOW = new Date('2026-11-21T05:10:00Z');
/** The longest text that the server accepts. */
const MAX_TEXT = 100;
const HOUR_MS = 3_600_000;

const PORTALS = { 'Himachal Pradesh': 'hptenders', Assam: 'assamtenders', Bihar: 'bihar' } as const;
const STATES = Object.keys(PORTALS) as (keyof typeof PORTALS)[];
/** Few of each kind, so that searches find tenders. */
const ENTRIES = SYNONYM_GROUPS.filter((_, at) => at % 23 === 0).flatMap((group) => group.slice(0, 5));
const DISTRICTS = Object.fromEntries(
  STATES.map((state) => [state, (findRegion(state)?.districts ?? []).slice(0, 5).map(({ name }) => name)]),
) as Record<keyof typeof PORTALS, string[]>;
const PLACES = [...Object.values(DISTRICTS).flat(), ...STATES, 'Aurangabad', 'Hamirpur', 'Guwahati', 'मंडी'];
const OTHER_WORDS = [
  ...[
    'service',
    'work',
    'of',
    'Ward No. 7',
    'ward 12',
    'W.No-7',
    'C/o',
    'R/Wall',
    '11kV',
    '63 KVA',
    'NH5',
    '4',
    '171001',
  ],
  ...['zorbex', 'qualdin', 'Trishna', 'मनपसंद', 'x', 'H.P.SH', 'Phase-II', '&', 'RCC', 'buildings', 'glass'],
];
const PINCODES = ['171001', '781001', '800001'];
const DEPARTMENTS = [
  'PWD',
  'Jal Shakti Vibhag',
  'Zorbex Corporation Ltd',
  'ZORBEX CORPN. LIMITED',
  'Urban Development',
];

const CONDITIONS = [
  ...['below 10 lakh', '5 lakh se upar', '3-8 lakh', 'no emd', 'emd under 20k', 'emd exempted', 'closing this week'],
  ...[
    'kal tak',
    'since yesterday',
    'last 7 days',
    'goods category',
    'not road',
    '-bridge',
    'pul ke alawa',
    'except solan',
  ],
];

const word = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...ENTRIES) },
  { weight: 2, arbitrary: fc.constantFrom(...OTHER_WORDS) },
  { weight: 2, arbitrary: fc.constantFrom(...PLACES) },
);
const texts = (max: number) => fc.array(word, { minLength: 1, maxLength: max }).map((words) => words.join(' '));
const hoursFromNow = (min: number, max: number) =>
  fc.integer({ min, max }).map((hours) => new Date(NOW.getTime() + hours * HOUR_MS));

const tender = fc
  .record({
    state: fc.constantFrom(...STATES),
    title: texts(5),
    description: fc.option(texts(12), { freq: 1 }),
    organisation: fc.constantFrom(...DEPARTMENTS),
    office: texts(2),
    place: fc.nat(),
    pincode: fc.option(fc.constantFrom(...PINCODES)),
    reference: fc.option(fc.constantFrom('NIT 7/2026', 'EE/Una/12', 'zorbex-44')),
    // Equal prices and equal closing instants are frequent.
    price: fc.option(fc.integer({ min: 1, max: 12 }).map((lakhs) => `${lakhs * 100_000}.00`)),
    category: fc.constantFrom('Works', 'Goods', null),
    // Many works of few notices, and works without one.
    nitKey: fc.option(fc.nat(40).map((number) => `notice-${number}`)),
    publishedAt: hoursFromNow(-900, 24),
    closesAt: hoursFromNow(-60, 200),
    emd: fc.constantFrom('0.00', '10000.00', '50000.00', null),
    emdExemptionAllowed: fc.constantFrom(true, false, null),
  })
  .map(
    ({ organisation, office, place, description, ...fields }): Partial<SourceTender> => ({
      ...fields,
      description: description ?? fields.title,
      portal: PORTALS[fields.state],
      organisationChain: [organisation, office],
      // Some works lie in two districts.
      place:
        [
          null,
          DISTRICTS[fields.state][place % 5],
          DISTRICTS[fields.state]
            .slice(place % 4)
            .slice(0, 2)
            .join(' and '),
        ][place % 3] ?? null,
    }),
  );

/** A word as it may be typed: with a wrong, missing or doubled letter, unfinished, or as it is. */
const typedWord = fc.tuple(word, fc.nat(9), fc.nat(20)).map(([text, change, at]) => {
  const place = 1 + (at % Math.max(1, text.length - 1));
  const rest = text.slice(place + 1);
  if (text.length < 5 || change > 3) return text;
  if (change === 0) return text.slice(0, place) + rest;
  if (change === 1) return text.slice(0, place + 1) + text.slice(place);
  if (change === 2) return `${text.slice(0, place)}${rest.slice(0, 1)}${text[place]}${rest.slice(1)}`;
  return text.slice(0, 3 + (at % 3));
});
const typedText = fc
  .oneof(
    { weight: 6, arbitrary: fc.array(typedWord, { minLength: 1, maxLength: 3 }) },
    { weight: 2, arbitrary: fc.array(typedWord, { minLength: 4, maxLength: 14 }) },
    { weight: 1, arbitrary: fc.constantFrom([], ['/'], ['x']) },
  )
  .chain((words) =>
    fc
      .constantFrom(' ', ' ', ' ', ' in ', ' to ', ' district ')
      .map((between) => words.join(between).slice(0, MAX_TEXT).trim()),
  );

/** None of these in three of four searches: a search with all filters finds nothing. */
const some = (...params: Params[]) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant<Params>({}) }, { weight: 1, arbitrary: fc.constantFrom(...params) });
const search = fc
  .tuple(
    typedText.map((q): Params => (q === '' ? {} : { q })),
    fc.constantFrom<Params[]>({}, {}, ...STATES.map((state) => ({ state }))),
    fc.constantFrom<Params[]>(
      {},
      { sort: 'relevance' },
      ...['price', 'closing_date'].flatMap((sort) => ['asc', 'desc'].map((order) => ({ sort, order }))),
    ),
    fc.constantFrom<Params[]>({}, {}, {}, { literal: 'place' }, { literal: 'words' }, { literal: 'all' }),
    fc.constantFrom<Params[]>({ open: 1 }, { open: 1 }, { open: 0 }),
    some(...[0, 3, 365].map((within) => ({ within })), ...[0, 9, 10, 15].map((hour) => ({ hour }))),
    // The bounds are prices that tenders have.
    some({ min: 300_000, max: 900_000 }, { min: 1_200_000 }, { max: 100_000 }),
    some({ category: 'Works' }, { category: 'Goods' }),
    some({ published_within: 0 }, { published_within: 1 }, { published_within: 30 }),
    some({ department: 'Zorbex Corporation Ltd' }, { department: ['PWD', 'Urban Development'] }),
    fc.constantFrom<Params[]>({ page: 1 }, { page: 1 }, { page: 2 }),
    fc.nat(8),
  )
  .map(([...parts]): Params => {
    const place = parts.pop() as number;
    const { department, ...params }: Params = Object.assign({}, ...(parts as Params[]));
    // Districts and departments are names within a state: without one few are asked for, since nothing matches.
    if (!params.state)
      return place < 7 ? params : { ...params, [place === 7 ? 'district' : 'department']: ['Shimla', 'PWD'] };
    const districts = DISTRICTS[params.state as keyof typeof PORTALS];
    const chosen = [districts.slice(0, 1), districts.slice(1, 3), ['Atlantis', ...districts.slice(2, 4)]][place];
    return { ...params, ...(department && { department }), ...(chosen && { district: chosen }) };
  });

type Fields = Partial<SourceTender>;

const generated = fc
  .sample(tender, { seed: SEED, numRuns: TENDERS })
  .map((fields, at): Fields => ({ ...fields, sourceId: `2026_PWD_${100_000 + (at >> 1)}_${1 + (at % 2)}` }));

let app: TestApp;
let engine: Engine;

/** Gives the server and the device these tenders alone. */
async function replaceTenders(tenders: readonly Fields[]): Promise<void> {
  await emptyTables(app.database, ['tender', 'open_tender']);
  await importTenders(app.database.dataSource, tenders.map(createSourceTender), { now: NOW });
  const rows = await readRows(app, NOW);
  const packs = Array.from({ length: Math.ceil(rows.length / PACK_ROWS) }, (_, at) =>
    packRows(rows.slice(at * PACK_ROWS, (at + 1) * PACK_ROWS)),
  );
  engine = Engine.open({ indexes: packs, delta: null, removed: [] });
}

/** Leaves out tenders as long as the search differs, halves first. */
async function fewestTenders(differs: (tenders: readonly Fields[]) => Promise<boolean>): Promise<readonly Fields[]> {
  let tenders: readonly Fields[] = generated;
  for (let size = tenders.length >> 1; size >= 1; size >>= 1)
    for (let at = 0; at < tenders.length; ) {
      const fewer = [...tenders.slice(0, at), ...tenders.slice(at + size)];
      if (fewer.length > 0 && (await differs(fewer))) tenders = fewer;
      else at += size;
    }
  return tenders;
}

/** Asks generated searches on both sides. The error of a difference has what to pin. */
async function expectSameAnswers(
  searches: fc.Arbitrary<Params>,
  numRuns: number,
  onAnswer: (answer: EngineAnswer, params: Params) => void,
): Promise<void> {
  const ask = async (params: Params) =>
    onAnswer(await expectSameResults(app, engine, toUrl({ ...params, limit: 10 }), NOW), params);
  const { failed, counterexample, errorInstance } = await fc.check(fc.asyncProperty(searches, ask), {
    seed: SEED,
    numRuns,
  });
  if (!failed) return;
  const [search] = counterexample as [Params];
  const differs = async (tenders: readonly Fields[]) => {
    await replaceTenders(tenders);
    return ask(search).then(
      () => false,
      () => true,
    );
  };
  const tenders = await fewestTenders(differs).finally(() => replaceTenders(generated));
  const text = JSON.stringify({ name: '', search, tenders });
  throw new Error(`The results differ. For pinned-results.json: ${text}`, { cause: errorInstance });
}

/** A tender of the file, whose times are text. */
function tenderOfFile({ publishedAt, closesAt, ...fields }: Record<string, unknown>): Fields {
  const toDates = { publishedAt, closesAt };
  const dates = Object.entries(toDates).map(([name, value]) => [name, new Date(value as string)]);
  return { ...fields, ...Object.fromEntries(dates) };
}

beforeAll(async () => {
  app = await startApp({ now: NOW });
});
afterAll(() => app.close());

test.each(pinned)('$name: the same results as on the server', async ({ search, tenders }) => {
  await replaceTenders(tenders.map(tenderOfFile));
  await expectSameResults(app, engine, toUrl({ ...(search as unknown as Params), limit: 10 }), NOW);
});

describe('generated tenders', () => {
  beforeAll(() => replaceTenders(generated));

  test('generated tenders and searches have the same results on the server and on the device', {
    tags: 'release',
  }, async () => {
    const kinds = { found: 0, placed: 0, corrected: 0, partial: 0, empty: 0, withoutState: 0, grouped: 0 };
    const asked = fc.tuple(search, fc.constantFrom(0, 1)).map(([params, notices]): Params => ({ ...params, notices }));
    await expectSameAnswers(asked, 2 * SEARCHES, (answer, params) => {
      if (answer.notices !== undefined && answer.notices < answer.total) kinds.grouped += 1;
      if (answer.total > 0) kinds.found += 1;
      else kinds.empty += 1;
      if (answer.place) kinds.placed += 1;
      if (answer.showingFor !== null) kinds.corrected += 1;
      if (answer.total > answer.fullTotal) kinds.partial += 1;
      if (!params.state && (params.district || params.department)) kinds.withoutState += 1;
    });
    // The run reaches each kind of search: a comparison without them proves nothing.
    const reached = Object.entries(kinds).map(([kind, count]) => `${kind} ${count}`);
    for (const [kind, min] of Object.entries(MIN_SEARCHES))
      expect(kinds[kind as keyof typeof kinds], reached.join(', ')).toBeGreaterThanOrEqual(min);
  });

  test('conditions in generated texts have the same results on the server and on the device', async () => {
    const condition = fc.constantFrom(...CONDITIONS);
    const asked = fc
      .record({
        words: fc.oneof(word, fc.constant('')),
        conditions: fc.array(condition, { minLength: 1, maxLength: 2 }),
        isFirst: fc.boolean(),
        open: fc.constantFrom(1, 1, 0),
        notices: fc.constantFrom(0, 1),
      })
      .map(({ words, conditions, isFirst, ...params }): Params => {
        const texts = isFirst ? [...conditions, words] : [words, ...conditions];
        return { q: texts.join(' ').trim(), ...params };
      });
    let found = 0;
    await expectSameAnswers(asked, CONDITION_SEARCHES, ({ total }) => {
      if (total > 0) found += 1;
    });
    expect(found).toBeGreaterThan(CONDITION_SEARCHES / 4);
  });

  test('a tender with terms of earlier rules is found, and the job stores the new terms newest first, also after an interruption', async () => {
    const { dataSource } = app.database;
    const indexed = () =>
      dataSource.query("SELECT id, words::text AS words FROM tender WHERE words::text LIKE '%:%' ORDER BY id DESC");
    const found = async () => (await app.get('/api/tenders?q=road&open=0')).json;
    const [all, before] = [await indexed(), await found()];
    await dataSource.query('UPDATE tender SET words = strip(words)');
    await dataSource.query("DELETE FROM setting WHERE key = 'index terms'");
    const ids = ({ tenders }: { tenders: { _id: string }[] }) => tenders.map(({ _id }) => _id).sort();
    const old = await found();
    expect(ids(old)).toEqual(ids(before));
    // Until the end an answer to words says that tenders may be missing.
    expect([before.index_incomplete, old.index_incomplete]).toEqual([undefined, true]);
    expect((await app.get('/api/tenders?state=Bihar&open=0')).json.index_incomplete).toBeUndefined();

    expect(await dataSource.transaction((manager) => reindexBatch(manager, 100))).toBe(100);
    expect(await indexed()).toEqual(all.slice(0, 100));
    const interrupted = dataSource.transaction(async (manager) => {
      await reindexBatch(manager, 100);
      throw new Error('the worker ends');
    });
    await expect(interrupted).rejects.toThrow('the worker ends');
    expect((await found()).index_incomplete).toBe(true);
    expect(await reindexTenders({ dataSource })).toBe(TENDERS - 100);
    expect(await indexed()).toEqual(all);
    expect(await found()).toEqual(before);
    expect(await reindexTenders({ dataSource })).toBe(0);

    // After an update all are read again; the terms of a newer version of the program stay as they are.
    const setVersion = (change: number) =>
      dataSource.query(
        `UPDATE setting SET value = jsonb_set(value, '{version}', to_jsonb((value->>'version')::int + $1::int))
       WHERE key = 'index terms'`,
        [change],
      );
    await setVersion(1);
    await dataSource.query('UPDATE tender SET words = strip(words)');
    expect(await reindexTenders({ dataSource })).toBe(0);
    expect(await indexed()).toEqual([]);
    await setVersion(-2);
    expect(await reindexTenders({ dataSource })).toBe(TENDERS);
    expect(await indexed()).toEqual(all);
  });

  test('a word is found in each spelling of its letters, on the server and on the device', async () => {
    // A chillu as one character, and as consonant, virama and joiner; Bengali and Assamese; digits.
    const spellings = [
      ['\u0d15\u0d28\u0d3e\u0d7d', '\u0d15\u0d28\u0d3e\u0d32\u0d4d\u200d'],
      ['\u09b8\u09a1\u09bc\u0995', '\u09b8\u09dc\u0995'],
      ['\u0995\u09cb\u09b0\u09be', '\u0995\u09be\u09c7\u09f0\u09be'],
      ['ward \u0967\u0968', 'ward \u0d67\u0d68'],
    ] as const;
    const titles = spellings.flat().map((text) => `qualvex ${text} repair`);
    await importTenders(
      app.database.dataSource,
      titles.map((title, at) =>
        createSourceTender({ title, description: title, sourceId: `2026_PWD_${900_000 + at}_1` }),
      ),
      { now: NOW },
    );
    const device = Engine.open({ indexes: [packRows(await readRows(app, NOW))], delta: null, removed: [] });
    for (const pair of spellings)
      for (const typed of pair) {
        const url = toUrl({ q: `qualvex ${typed}`, open: 0, literal: 'words', limit: 10 });
        const { tenders } = await expectSameResults(app, device, url, NOW);
        const found = tenders.filter(({ matches }) => matches === 'all').map(({ title }) => title);
        expect(found.sort(), typed).toEqual(pair.map((each) => `qualvex ${each} repair`).sort());
      }
  });
});
