/**
 * Searches on the server and on the device's engine, with the real tenders of one state: equal results. Two in seven of
 * 425 searches; the tests of a release ask all.
 * @module-tag larger
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Engine } from '../../../pwa/src/offline/engine/engine.ts';
import { DEFAULT_ENGINE_QUERY } from '../../../pwa/src/offline/engine/query.ts';
import type { TestRow } from '../../../pwa/src/offline/test-data/test-rows.ts';
import type { Database } from '../../src/schema/database.ts';
import { expectSameResults, type Params, packRows, readRows, toUrl } from '../support/same-results.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { describeWithData } from '../support/test-machine.ts';
import { createRealDatabase, HIMACHAL, REAL_NOW as NOW } from './real-tenders.ts';

const STATE = 'Himachal Pradesh';
const SEGMENT_ROWS = 2_500;
const DELTA_ROWS = 400;
/** One of this many tenders of the segments is in the delta too; the segments contain its earlier values. */
const CHANGED_EVERY = 50;

// Words by kind; each word is searched in four ways.
const WORDS = [
  // English, one to four words
  ...['road', 'bridge', 'retaining wall', 'water supply scheme', 'school building repair', 'link road shimla'],
  ...['solar street light', 'supply of bitumen', 'construction of link road', 'bailey bridge', 'schools', 'glass'],
  // Hindi in Latin letters and in Devanagari
  ...['sadak shimla', 'pul', 'pulia', 'danga', 'pani', 'bijli mandi', 'pakki gali'],
  ...['सड़क शिमला', 'पुल', 'पेयजल कांगड़ा', 'भवन', 'पुलिया निर्माण', 'दीवार'],
  // Abbreviations, numbers, ids
  ...['c/o r/wall', 'C/O', 'm/t', 'wss', 'hpseb line', 'jal shakti kangra', '11 kv', '63 KVA', '2025_HPIPH_106686_1'],
  // Places in the words, wards, PIN codes, general words
  ...['road mandi', 'mandi', 'sabzi mandi', 'mandi to kullu road', 'school in kangra district', 'bridge una himachal'],
  ...['मंडी सड़क', 'hamirpur pul', 'drain ward no 7', '171001', 'ambulance service chahiye', 'government', 'pump wale'],
  // Words that no tender has together
  ...['helipad bitumen', 'bailey bridge culvert', 'street light lift cctv', 'solar drain shimla'],
  // Still being typed
  ...['ro', 'constr', 'retaining w', 'shim', 'transf', '2025_hpp'],
  // Misspelt words, and words without results
  ...[
    'road widning shimla',
    'brigde',
    'constuction',
    'retaning wal',
    'electrcal instalation',
    'zzzzqq',
    '/',
    'culvrt mndi',
    'raod widning',
    'brige',
    'hosptal building kangra',
    'substaton',
  ],
];

/** An unlisted organisation, in its portal's spelling and in another. */
const SPELLINGS = ['HP General Industries Corporation Ltd', 'HP GENERAL INDUSTRIES CORPN. LIMITED'];

/** The searches: words and filters in turn, so each filter is combined with many words and the reverse. */
function questions(): Params[] {
  const districts = ['Shimla', 'Kangra', 'Mandi', 'Kullu', 'Lahaul and Spiti', 'Una'];
  const departments = ['PWD', 'Irrigation & Public Health', 'Urban Development'];
  const turn = <T>(list: readonly T[], at: number): T => list[at % list.length] as T;
  const sorted = (at: number): Params => ({
    sort: turn(['price', 'closing_date'], at),
    order: turn(['asc', 'asc', 'desc', 'desc'], at),
  });
  const ranked: Params = { sort: 'relevance' };
  const asked = WORDS.flatMap((q, at): Params[] => [
    { q, open: 1, ...ranked, page: 1 },
    {
      q,
      open: 0,
      ...ranked,
      page: turn([1, 2, 3], at),
      ...turn<Params>([{}, { literal: 'place' }, { literal: 'all' }], at),
    },
    { q, open: turn([0, 1], at), ...sorted(at + 1), page: 1, literal: turn(['words', 'place'], at) },
    { q, open: 0, ...sorted(at + 2), page: 1, district: turn(districts, at) },
    { q, open: turn([0, 1], at), ...sorted(at + 3), page: 1, department: turn(departments, at), category: 'Works' },
  ]);
  const organisations = SPELLINGS.map((department): Params => ({ department, open: 0, ...sorted(0), page: 1 }));
  const filtered = Array.from({ length: 425 - asked.length - organisations.length }, (_, at): Params => {
    const several = [turn(districts, at), turn(districts, at + 1), 'Atlantis'];
    const bodies = [turn(departments, at), turn(departments, at + 1), turn(SPELLINGS, at)];
    const place = turn<Params>(
      [
        {},
        { district: turn(districts, at) },
        { department: turn(departments, at) },
        { district: several },
        { department: bodies },
        { district: several, department: bodies },
      ],
      at,
    );
    const published = turn<Params>([{}, {}, {}, { published_within: 30 }, { published_within: 1 }], at);
    const range = turn<Params>([{}, { min: 500_000 }, { max: 900_000 }, { min: 100_000, max: 2_000_000 }], at);
    return {
      ...place,
      ...range,
      ...published,
      open: turn([1, 1, 0], at),
      within: turn([0, 3, 7, 30], at),
      ...turn<Params>([{}, {}, {}, {}, { hour: 17 }], at),
      ...sorted(at),
      page: 1 + (at % 5),
    };
  });
  return [...asked, ...organisations, ...filtered];
}

/** Each is asked of open and of closed tenders, ranked and by price. */
const CONDITIONS = [
  ...['road below 10 lakh', '10 lakh se upar sadak kangra', 'building 5-20 lakh', '10 लाख से कम सड़क', 'above 5 crore'],
  ...['no emd', 'emd exempted road', 'emd under 20k', 'road emd 10 hazar se 50 hazar', 'ईएमडी 50 हजार तक'],
  ...['closing today', 'kal band hone wale', 'is hafte road', 'shimla 3 din me band', 'closing by 31 dec', 'सोमवार तक'],
  ...[
    'new tenders',
    'published this week road',
    'last 7 days',
    'goods tenders',
    'services in solan',
    'works below 2 lakh',
  ],
  ...['road not bridge', 'building -repair', 'सड़क पुल छोड़कर', 'road except kangra', 'except retaining wall and culvert'],
  ...['raod below 10 lakh', 'helipad bitumen below 1 crore', 'zzzzqq below 1 lakh', 'road below 10 lakh no emd solan'],
];

/** Segments, a delta with new and changed tenders, and a tender that was removed. */
function openEngine(rows: TestRow[]): Engine {
  const base = rows.slice(DELTA_ROWS);
  const changed = base.filter((_, at) => at % CHANGED_EVERY === 0);
  const before = base.map((row, at) =>
    at % CHANGED_EVERY === 0 ? { ...row, title: 'An earlier wording of roads', price: '1.00', closesAt: 0 } : row,
  );
  const withdrawn = { ...(rows[0] as TestRow), id: 2_000_000_000 };
  const segments = [...before, withdrawn];
  const packs: ArrayBuffer[] = [];
  for (let at = 0; at < segments.length; at += SEGMENT_ROWS)
    packs.push(packRows(segments.slice(at, at + SEGMENT_ROWS)));
  return Engine.open({
    indexes: packs,
    delta: packRows([...rows.slice(0, DELTA_ROWS), ...changed]),
    removed: [withdrawn.id],
  });
}

describeWithData('the tenders of Himachal Pradesh', () => {
  let database: Database;
  let app: TestApp;
  let engine: Engine;
  beforeAll(async () => {
    database = await createRealDatabase(HIMACHAL);
    app = await startApp({ now: NOW, database });
    engine = openEngine(await readRows(app, NOW));
  }, 180_000);
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  const all = questions();
  // No list of filters has seven entries, so every entry is still combined with many words.
  const asked = process.env.RELEASE_TESTS === '1' ? all : all.filter((_, at) => at % 7 < 2);

  test(`server and device return the same results for ${asked.length} searches, in the same order`, async () => {
    expect(all).toHaveLength(425);
    let found = 0;
    let corrected = 0;
    let partial = 0;
    let grouped = 0;
    for (const [at, params] of asked.entries()) {
      const notices = Number(at % 3 > 0);
      const answer = await expectSameResults(app, engine, toUrl({ state: STATE, ...params, limit: 10, notices }), NOW);
      if (answer.notices !== undefined && answer.notices < answer.total) grouped += 1;
      if (answer.total > 0) found += 1;
      if (answer.showingFor !== null) corrected += 1;
      if (answer.total > answer.fullTotal) partial += 1;
    }
    // A comparison without results proves nothing.
    expect(found).toBeGreaterThan(asked.length / 3);
    expect(corrected).toBeGreaterThan(asked.length / 45);
    expect(partial).toBeGreaterThan(asked.length / 25);
    expect(grouped).toBeGreaterThan(asked.length / 6);
  });

  test.each(CONDITIONS)('server and device read and meet the conditions of "%s" alike', async (q) => {
    const ways: Params[] = [
      { open: 1, sort: 'relevance', notices: 1 },
      { open: 0, sort: 'price', order: 'desc', notices: 0 },
    ];
    for (const params of ways)
      await expectSameResults(app, engine, toUrl({ state: STATE, q, page: 1, limit: 10, ...params }), NOW);
  });

  test('a tender has the same fields on the device and on the server', async () => {
    const instants = new Set([
      'published_date',
      'closing_date',
      'bid_start_date',
      'opening_date',
      'pre_bid_date',
      'updated_at',
    ]);
    const read = (tender: object) =>
      Object.fromEntries(
        Object.entries(tender)
          // Sent to the device outside the tender's own row.
          .filter(([field]) => !['fetched_at', 'nit_works'].includes(field))
          .map(([field, value]) => [field, instants.has(field) && value ? Date.parse(value) : value]),
      );
    const { tenders } = engine.search({ ...DEFAULT_ENGINE_QUERY, open: false, sort: 'closing_date', limit: 25 }, NOW);
    expect(tenders).toHaveLength(25);
    for (const { _id } of tenders) {
      const { json } = await app.get(`/api/tenders/${_id}`);
      expect(read(engine.tender(Number(_id), NOW) ?? {})).toEqual(read(json.tender));
    }
  });
});
