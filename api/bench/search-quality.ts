/**
 * `search-quality`: relevance of search on the open tenders of two real portals, over the API. A query is relevant to the
 * tenders that its regular expressions select. The developer set has limits; the second set, written before the dictionary
 * was read, is reported only. The set of works has works and places as contractors name them, also in Latin words that are
 * written in Devanagari. The last one has conditions ('road below 10 lakh'), which are computed from the tenders' own
 * fields; its texts without conditions must be read without any, and a device must answer all of it like the server. Needs
 * the data folder beside the project, or NIVIDA_DATA. About two minutes on two cores.
 */
import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseListQuery } from '@nivida/contract/filter/tender-filter';
import { listedPlace } from '@nivida/contract/regions/regions';
import { SYNONYM_GROUPS } from '@nivida/contract/search/dictionary';
import type { TenderListResponse } from '@nivida/contract/tenders/tender';
import { Engine } from '../../pwa/src/offline/engine/engine.ts';
import { buildSegmentIndex } from '../../pwa/src/offline/segments/build-segment-index.ts';
import { readRowsAfter, rowsToColumns } from '../src/sync/scope-rows.sql.ts';
import { getText } from './measure/load.ts';
import { BenchmarkMetrics, log } from './measure/metrics.ts';
import { DATA, importRealTenders, PROJECT } from './measure/real-tenders.ts';
import { listenProduct, portOf } from './measure/servers.ts';
import { type BenchDatabase, inWorkspace, type Workspace } from './measure/workspace.ts';

const OWN_SET = join(PROJECT, 'api/bench/search-quality/own-queries.json');
const WORK_SET = join(PROJECT, 'api/bench/search-quality/work-queries.json');
const CONDITION_SET = join(PROJECT, 'api/bench/search-quality/condition-queries.json');
/** Texts without conditions that are asked. */
const ORDINARY_TEXTS = 500;
/** Texts that are made of a work and a place; the rest of those above are parts of titles. */
const WORKS_AT_PLACES = 100;
const TOP = 10;
const PAGE_ROWS = 100;

/** A judged query: a tender is relevant when all conditions match its fields and no excluded one its texts. */
interface JudgedQuery {
  query: string;
  state?: string;
  district?: string;
  all: { fields: string[]; re: string }[];
  none: string[];
}

interface JudgedSet {
  /** The instant of the judgement. */
  at: string;
  queries: JudgedQuery[];
}

/** Bounds, both included; null: none. */
type Range<Value> = [from: Value | null, to: Value | null];

/** A judged query with conditions: rupees, and Indian days like '2025-12-20'. */
interface JudgedConditions extends JudgedQuery {
  price?: Range<number>;
  emd?: Range<number>;
  closes?: Range<string>;
  published?: Range<string>;
  category?: string;
  /** No EMD, or an exemption is allowed. */
  exempt?: true;
}

interface ConditionSet {
  at: string;
  queries: JudgedConditions[];
  ordinary: string[];
}

type TenderTexts = Record<string, string>;

async function run(workspace: Workspace): Promise<void> {
  const sets = { dev: readSet(join(DATA, 'search/dev-queries.json')), own: readSet(OWN_SET), works: readSet(WORK_SET) };
  const now = new Date(sets.dev.at);
  const database = await workspace.createDatabase('quality');
  await importRealTenders(database, workspace.folder, now);
  const app = await listenProduct(database.address, () => now);
  const origin = `http://127.0.0.1:${portOf(app.getHttpServer())}`;
  const figures = new BenchmarkMetrics('search-quality');
  const open = await readOpen(database, now);
  const dev = await measureSet(origin, sets.dev, open);
  figures.check('dev_precision_at_10', dev.precision, 'least', 0.82);
  figures.check('dev_hits_of_attainable', dev.attained, 'least', 0.88);
  figures.check('dev_empty', dev.empty, 'most', 0);
  figures.check('dev_negatives_labelled', dev.labelled, 'most', 2);
  figures.check('dev_negatives_false', dev.wrong, 'most', 0);
  figures.record('dev_recall', dev.recall);
  const own = await measureSet(origin, sets.own, open);
  for (const [name, value] of Object.entries(own)) figures.record(`own_${name}`, value);
  const works = await measureSet(origin, sets.works, open);
  figures.check('works_hits_of_attainable', works.attained, 'least', 0.85);
  figures.check('works_empty', works.empty, 'most', 0);
  figures.record('works_precision', works.precision);
  figures.record('works_recall', works.recall);
  const device = await openDevice(database);
  const asked = Object.values(sets).flatMap(({ queries }) => queries);
  figures.check('words_device_differs', await countDifferences(origin, device, asked, now), 'most', 0);
  await measureConditions(origin, readConditionSet(), open, device, figures, now);
  figures.finish('worst');
  await app.close();
  await database.dataSource.destroy();
}

const readConditionSet = (): ConditionSet => JSON.parse(readFileSync(CONDITION_SET, 'utf8'));
const readSet = (path: string): JudgedSet => JSON.parse(readFileSync(path, 'utf8'));

/** The judged fields of the open tenders, by source id. */
async function readOpen(database: BenchDatabase, now: Date): Promise<Map<string, TenderTexts>> {
  const rows: TenderTexts[] = await database.dataSource.query(
    `SELECT source_id AS source_tender_id, state, coalesce(district, '') AS district, title, description,
       array_to_string(ARRAY(SELECT jsonb_array_elements_text(organisation_chain)), ' ') AS organisation_chain,
       coalesce(department, '') AS department, coalesce(place, '') AS place, coalesce(address, '') AS address,
       coalesce(reference, '') AS reference_number, coalesce(sub_category, '') AS sub, coalesce(category, '') AS category,
       price::text, emd::text, emd_exemption_allowed::text AS exempt,
       to_char(closes_at AT TIME ZONE 'Asia/Kolkata', 'YYYY-MM-DD') AS closes,
       to_char(published_at AT TIME ZONE 'Asia/Kolkata', 'YYYY-MM-DD') AS published
     FROM tender WHERE published_at <= $1 AND closes_at > $1`,
    [now],
  );
  return new Map(rows.map((row) => [row.source_tender_id ?? '', row]));
}

function isRelevant(query: JudgedQuery, tender: TenderTexts): boolean {
  const matches = (pattern: string, text: string) => new RegExp(pattern, 'i').test(text);
  return (
    (!query.state || tender.state === query.state) &&
    (!query.district || matches(query.district, tender.district ?? '')) &&
    query.all.every(({ fields, re }) => matches(re, fields.map((field) => tender[field] ?? '').join(' '))) &&
    !query.none.some((pattern) => matches(pattern, `${tender.title} ${tender.description}`))
  );
}

/** Means over the queries with relevant tenders; counts of those without results; the negatives' results. */
async function measureSet(origin: string, { queries }: JudgedSet, open: ReadonlyMap<string, TenderTexts>) {
  const sums = { precision: 0, attained: 0, recall: 0, empty: 0, labelled: 0, wrong: 0 };
  let positives = 0;
  for (const query of queries) {
    const relevant = new Set([...open].filter(([, tender]) => isRelevant(query, tender)).map(([id]) => id));
    const { ids, full } = await search(origin, query.query);
    if (relevant.size === 0) {
      if (ids.length > 0) sums[full === 0 ? 'labelled' : 'wrong'] += 1;
      continue;
    }
    positives += 1;
    const top = ids.slice(0, TOP);
    const hits = top.filter((id) => relevant.has(id)).length;
    sums.precision += top.length === 0 ? 0 : hits / top.length;
    sums.attained += hits / Math.min(TOP, relevant.size);
    sums.recall += ids.filter((id) => relevant.has(id)).length / relevant.size;
    if (ids.length === 0) sums.empty += 1;
  }
  const mean = (sum: number) => sum / Math.max(1, positives);
  return { ...sums, precision: mean(sums.precision), attained: mean(sums.attained), recall: mean(sums.recall) };
}

/** The source ids in the list's order, and how many of them have all words. */
async function search(origin: string, q: string): Promise<{ ids: string[]; full: number }> {
  const ids: string[] = [];
  for (let page = 1; ; page += 1) {
    const query = new URLSearchParams({ q, page: String(page), limit: String(PAGE_ROWS) });
    const { tenders, total, total_full } = JSON.parse(await getText(`${origin}/api/tenders/search?${query}`));
    ids.push(...tenders.map(({ source_tender_id }: TenderTexts) => source_tender_id));
    if (tenders.length === 0 || ids.length >= total) return { ids, full: total_full };
  }
}

function meetsConditions(query: JudgedConditions, tender: Record<string, string | null>): boolean {
  const isWithin = <Value extends number | string>(range: Range<Value> | undefined, value: Value | null) =>
    !range || (value !== null && (range[0] === null || value >= range[0]) && (range[1] === null || value <= range[1]));
  const rupees = (text: string | null | undefined) => (text ? Number(text) : null);
  return (
    isWithin(query.price, rupees(tender.price)) &&
    isWithin(query.emd, rupees(tender.emd)) &&
    isWithin(query.closes, tender.closes ?? null) &&
    isWithin(query.published, tender.published ?? null) &&
    (!query.category || tender.category === query.category) &&
    (!query.exempt || rupees(tender.emd) === 0 || tender.exempt === 'true')
  );
}

/** Hits of the attainable in the first ten, empty lists, conditions read in ordinary texts, and differences of a device. */
async function measureConditions(
  origin: string,
  { queries, ordinary }: ConditionSet,
  open: ReadonlyMap<string, TenderTexts>,
  device: Engine,
  figures: BenchmarkMetrics,
  now: Date,
): Promise<void> {
  let [attained, positives, empty, unread, different] = [0, 0, 0, 0, 0];
  for (const query of queries) {
    const relevant = new Set(
      [...open].filter(([, tender]) => isRelevant(query, tender) && meetsConditions(query, tender)).map(([id]) => id),
    );
    const { answer, isAlike } = await askBoth(origin, device, query.query, now);
    if (!isAlike) different += 1;
    if (!answer.conditions?.length) unread += 1;
    if (relevant.size === 0) continue;
    positives += 1;
    const hits = answer.tenders.filter(({ source_tender_id: id }) => relevant.has(id)).length;
    const share = hits / Math.min(TOP, relevant.size);
    if (share < 0.9) log(`${query.query}: ${hits} of ${Math.min(TOP, relevant.size)}`);
    attained += share;
    if (answer.tenders.length === 0) empty += 1;
  }
  const texts = [...ordinary, ...ordinaryTexts([...open.values()], ORDINARY_TEXTS - ordinary.length)];
  let wrong = 0;
  for (const text of texts) {
    const { answer, isAlike } = await askBoth(origin, device, text, now);
    if (!isAlike) different += 1;
    if (!answer.conditions?.length) continue;
    wrong += 1;
    log(`read as a condition: ${text}`);
  }
  figures.check('conditions_hits_of_attainable', attained / Math.max(1, positives), 'least', 0.9);
  figures.check('conditions_empty', empty, 'most', 0);
  figures.check('conditions_not_read', unread, 'most', 0);
  figures.record('conditions_with_tenders', positives);
  figures.record('ordinary_texts', texts.length);
  figures.check('ordinary_read_as_conditions', wrong, 'most', 0);
  figures.check('device_differs', different, 'most', 0);
}

async function openDevice(database: BenchDatabase): Promise<Engine> {
  const query = (text: string, values?: unknown[]) => database.dataSource.query(text, values);
  const rows = await readRowsAfter(query, null, new Date(0), { after: 0, upTo: null }, 1_000_000);
  const { list, details } = rowsToColumns(rows);
  return Engine.open({ indexes: [buildSegmentIndex(list, details)], delta: null, removed: [] });
}

/** How many queries a device answers in another way than the server. */
async function countDifferences(
  origin: string,
  device: Engine,
  queries: readonly JudgedQuery[],
  now: Date,
): Promise<number> {
  let different = 0;
  for (const { query } of queries) if (!(await askBoth(origin, device, query, now)).isAlike) different += 1;
  return different;
}

/** The first ten of the server, and whether a device gives the same ones under the same reading. */
async function askBoth(origin: string, device: Engine, q: string, now: Date) {
  const params = new URLSearchParams({ q, limit: String(TOP) });
  const answer: TenderListResponse = JSON.parse(await getText(`${origin}/api/tenders?${params}`));
  const own = device.search({ ...listedPlace(parseListQuery(params)), limit: TOP }, now);
  const compared = ({ tenders, conditions, place }: Pick<TenderListResponse, 'tenders' | 'conditions' | 'place'>) =>
    JSON.stringify([tenders.map(({ _id }) => _id), conditions, place]);
  const isAlike = own.total === answer.total && compared(own) === compared(answer);
  if (!isAlike) log(`the device differs: ${q}`);
  return { answer, isAlike };
}

/** Parts of titles of two to six words, and works at places; the same ones in every run. */
function ordinaryTexts(tenders: readonly TenderTexts[], count: number): string[] {
  const sorted = tenders.toSorted((one, other) =>
    (one.source_tender_id ?? '') < (other.source_tender_id ?? '') ? -1 : 1,
  );
  const works = SYNONYM_GROUPS.map(([work = '']) => work);
  const turn = <Value>(list: readonly Value[], at: number): Value => list[at % list.length] as Value;
  return Array.from({ length: count }, (_, at) => {
    const tender = turn(sorted, at * 7);
    if (at < WORKS_AT_PLACES) return `${turn(works, at * 3)} ${tender.district || tender.state}`;
    const words = (tender.title ?? '').split(/\s+/);
    const length = 2 + (at % 5);
    const start = (at * 13) % Math.max(1, words.length - length);
    return words
      .slice(start, start + length)
      .join(' ')
      .slice(0, 100);
  });
}

await inWorkspace(run);
