/** The real tenders of two portals, read from the folder beside the project; skipped without it. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toSavedFilter } from '@nivida/contract/filter/saved-filter';
import { EMPTY_FILTER } from '@nivida/contract/filter/tender-filter';
import type { ListedTender, TenderSummary } from '@nivida/contract/tenders/tender';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { searchExamples } from '../../../pwa/src/features/search/search.ts';
import { OPEN_TENDERS } from '../../src/push/alerts/alerts.sql.ts';
import {
  type MatchedTender,
  matchesSearch,
  prepareSearch,
  searchProbes,
  tenderProbes,
} from '../../src/push/alerts/search-match.ts';
import type { Database } from '../../src/schema/database.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { describeWithData, SHARED_DATA } from '../support/test-machine.ts';
import { ASSAM, createRealDatabase, HIMACHAL, importPortal, REAL_NOW } from './real-tenders.ts';

let database: Database;
let app: TestApp;

describeWithData('the real files', () => {
  beforeAll(async () => {
    database = await createRealDatabase(HIMACHAL, ASSAM);
    app = await startApp({ now: REAL_NOW, database });
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  test('two portals are stored in one database, with their revoked evaluations and corrected dates', async () => {
    const rows = await database.dataSource.query(`SELECT DISTINCT portal, stage FROM tender ORDER BY portal`);
    expect(rows).toEqual([
      { portal: 'assamtenders', stage: 'awarded' },
      { portal: 'hptenders', stage: 'awarded' },
    ]);
    const [{ revoked }] = await database.dataSource.query(
      `SELECT count(*)::int AS revoked FROM corrigendum WHERE type = 'Evaluation revoked'`,
    );
    expect(revoked).toBe(66);
    const [{ corrected }] = await database.dataSource.query(
      `SELECT count(*)::int AS corrected FROM corrigendum WHERE title LIKE 'Publishing date corrected:%'`,
    );
    expect(corrected).toBe(12);
  });

  test('every OCDS example is imported with a portal and a state', async () => {
    const examples = join(SHARED_DATA, 'ocds/examples');
    for (const name of (await readdir(examples)).sort()) {
      const portal = `ocds-${name.slice(0, 20).replace(/[^a-z0-9]+/g, '-')}x`;
      const source = { file: join(examples, name), portal, state: 'Assam' };
      const counts = await importPortal(source, database, { rebase: undefined });
      expect({ name, stored: counts.new > 0 }).toEqual({ name, stored: true });
    }
    const { rows } = await foreign();
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row.price_text).toMatch(/^(?:MXN|GBP) [\d,.]+$/);
  });

  const foreign = async () => ({
    rows: await database.dataSource.query('SELECT price_text FROM tender WHERE price_text IS NOT NULL'),
  });

  test('no district of Himachal is missing, and few tenders have none', async () => {
    const rows: { district: string | null; tenders: number }[] = await database.dataSource.query(
      `SELECT district, count(*)::int AS tenders FROM tender WHERE portal = 'hptenders' GROUP BY district`,
    );
    expect(rows.filter(({ district }) => district !== null)).toHaveLength(12);
    const without = rows.find(({ district }) => district === null)?.tenders ?? 0;
    expect(without / 11_628).toBeLessThan(0.2);
  });

  async function search(
    words: string,
    open = '1',
  ): Promise<{ total: number; showing_for: string | null; tenders: ListedTender[] }> {
    return (await app.get(`/api/tenders/search?q=${encodeURIComponent(words)}&open=${open}`)).json;
  }

  /** The 60 judged queries beside the project, and its own: 40, and 60 with conditions. */
  async function judgedQueries(): Promise<{ query: string }[]> {
    const files = [
      join(SHARED_DATA, 'search/dev-queries.json'),
      join(import.meta.dirname, '../../bench/search-quality/own-queries.json'),
      join(import.meta.dirname, '../../bench/search-quality/condition-queries.json'),
    ];
    const sets = await Promise.all(files.map(async (file) => JSON.parse(await readFile(file, 'utf8'))));
    return sets.flatMap(({ queries }) => queries);
  }

  const wording = (tender: TenderSummary) =>
    [tender.title, tender.description, tender.org_name, tender.district, tender.address].join(' ');
  const ids = (answer: { tenders: TenderSummary[] }) => answer.tenders.map(({ _id }) => _id);

  test.each([
    ...searchExamples(),
    ...['nali', '171001', 'sabzi mandi', 'raod', 'brige', 'skool', 'hospital building', 'danga mandi', 'ward no 7'],
  ])('the example "%s" finds tenders', async (example) => {
    const [open, closed] = await Promise.all([search(example), search(example, '0')]);
    expect(open.total + closed.total).toBeGreaterThan(0);
  });

  test.each(searchExamples())('the example of the search form "%s" finds open tenders', async (example) => {
    expect((await search(example)).total).toBeGreaterThan(0);
  });

  test('"naukar" finds nothing, and neither it nor "camera" is corrected', async () => {
    expect(await search('naukar')).toMatchObject({ total: 0, showing_for: null });
    expect(await search('camera')).toMatchObject({ showing_for: null });
  });

  test('"nalka" finds taps, not streams', async () => {
    const { total, showing_for } = await search('nalka');
    expect([total > 0, showing_for]).toEqual([true, null]);
  });

  test('"sadak shimla" finds the roads of Shimla, in Latin and in Devanagari', async () => {
    const latin = await search('sadak shimla');
    expect(latin.total).toBeGreaterThan(30);
    for (const tender of latin.tenders.slice(0, 20)) expect(wording(tender)).toMatch(/road|marg|path|sadak/i);
    for (const tender of latin.tenders)
      expect(tender.district ?? wording(tender)).toMatch(/shimla|solan|kinnaur|mandi/i);
    expect(ids(await search('सड़क शिमला'))).toEqual(ids(latin));
    // The same word typed with a separate nukta.
    expect(ids(await search('सड\u093cक शिमला'))).toEqual(ids(latin));
  });

  test('"road widning shimla" shows the results for "road widening shimla"', async () => {
    const answer = await search('road widning shimla');
    expect(answer.showing_for).toBe('road widening shimla');
    expect(answer.total).toBeGreaterThan(0);
    for (const tender of answer.tenders) expect(wording(tender)).toMatch(/widen/i);
    expect(ids(answer)).toEqual(ids(await search('road widening shimla')));
  });

  test('"c/o r/wall" finds the construction of retaining walls in every spelling', async () => {
    const answer = await search('c/o r/wall', '0');
    expect(answer.total).toBeGreaterThan(500);
    const titles = answer.tenders.map(wording);
    for (const spelling of [/R\/Wall/i, /R Wall/i, /retaining wall/i])
      expect(titles.some((title) => spelling.test(title))).toBe(true);
    const exact = titles.filter((title) => /r\W{0,2}wall|retaining|r\/w|danga/i.test(title));
    expect(exact.length / titles.length).toBeGreaterThan(0.95);
  });

  test.each([
    ['danga', /wall/i],
    ['pulia', /culvert|\bhpc\b/i],
    ['bailey bridge', /bailey/i],
    ['hpseb line', /line/i],
    ['jal shakti kangra', /irrigation|jal shakti/i],
  ])('"%s" finds tenders of its meaning', async (words, expected) => {
    const answer = await search(words, '0');
    expect(answer.showing_for).toBeNull();
    expect(answer.total).toBeGreaterThan(5);
    const matching = answer.tenders
      .slice(0, 50)
      .filter((tender) => expected.test(`${wording(tender)} ${tender.department}`));
    expect(matching.length / Math.min(50, answer.tenders.length)).toBeGreaterThan(0.9);
  });

  test('a saved search alerts of the tenders that its list has with all words, for 60 judged and 100 other queries', async () => {
    const { dataSource } = database;
    const rows: { id: number }[] = await dataSource.query(
      'SELECT id FROM tender WHERE published_at <= $1 AND closes_at > $1',
      [REAL_NOW],
    );
    const tenders: MatchedTender[] = await dataSource.query(OPEN_TENDERS, [rows.map(({ id }) => id), REAL_NOW]);
    const indexed = tenders.map((tender) => ({
      tender,
      terms: new Set(tender.words),
      probes: new Set(tenderProbes(tender)),
    }));
    const differing: object[] = [];
    let found = 0;
    for (const { query } of await judgedQueries()) {
      const list = await search(query);
      const filter = toSavedFilter({ ...EMPTY_FILTER, q: list.showing_for ?? query });
      const prepared = prepareSearch(filter, REAL_NOW);
      const ownProbes = searchProbes(prepared, new Set());
      const alerted = indexed
        .filter(({ probes }) => ownProbes.some((probe) => probes.has(probe)))
        .filter(({ tender, terms }) => prepared && matchesSearch(prepared, tender, terms, REAL_NOW))
        .map(({ tender }) => String(tender.id));
      const listed = list.tenders.filter(({ matches }) => matches !== 'most').map(({ _id }) => _id);
      found += listed.length;
      if (listed.toSorted().join() !== alerted.toSorted().join())
        differing.push({ query, listed: listed.length, alerted: alerted.length });
    }
    expect(differing).toEqual([]);
    // A comparison without tenders proves nothing.
    expect(found).toBeGreaterThan(500);
  });

  test('a tender id finds only its tender', async () => {
    const answer = await search('2025_HPIPH_106686_1', '0');
    expect(answer.tenders.map((tender) => tender.source_tender_id)).toEqual(['2025_HPIPH_106686_1']);
  });

  test('no name of a person in the source is stored', async () => {
    const [row] = await database.dataSource.query(
      `SELECT count(*)::int AS names FROM tender WHERE contact_designation ~* '\\m(sri|smt|shri|er|dr)\\M'`,
    );
    expect(row.names).toBe(0);
  });
});
