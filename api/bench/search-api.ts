/**
 * `search-api`: this API against a bare node:http + pg handler on 200,000 tenders, the effect of five times as many tenders
 * on a filter with 200 matches, and that of the closed ones on searches for common words. About twelve minutes on two cores;
 * `SIZES=300000` makes all databases smaller, `PARTS=rates`, `PARTS=sizes` and `PARTS=words` run one part, and `BENCH_DATA=FOLDER`
 * keeps the filled databases for the next run of the day.
 */
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { MEASURED_PLACES, type MeasuredPlace } from './measure/fill-tenders.ts';
import { getText, latencies, requestsPerSecond } from './measure/load.ts';
import { BenchmarkMetrics, log, median, runParts } from './measure/metrics.ts';
import { serve, startServer } from './measure/servers.ts';
import { type BenchDatabase, inWorkspace, type Workspace } from './measure/workspace.ts';

const LARGE_SIZE = Number(process.env.SIZES ?? 1_000_000);
const SMALL_SIZE = LARGE_SIZE / 5;
/** Open tenders of the databases with an archive. */
const OPEN = LARGE_SIZE / 10;
const MIN_SIZE = 40_000;
const CONNECTIONS = 32;
const ROUNDS = 3;
const ROUND_SECONDS = 5;
const WARM_UP_SECONDS = 3;
const LATENCY_CONNECTIONS = 4;
const LATENCY_ROUNDS = 10;
const LATENCY_REQUESTS = 720;

/** Each has as many matches at every size as there are open tenders with it. */
const COMMON_WORDS = 'road,construction,repair,supply,wall,scheme,water supply,school,retaining wall,link road'.split(
  ',',
);
const WORD_ROUNDS = 20;

const SORTS = ['price', 'closing_date'];

function searchPath(place: Partial<MeasuredPlace>, index: number): string {
  return `/api/tenders?${new URLSearchParams({ ...place, sort: SORTS[index % 2] ?? '', limit: '10' })}`;
}

/** A third each of state + district + department, state + district, and state. */
const MIXED = MEASURED_PLACES.slice(0, 20).flatMap(({ state, district, department }, index) => [
  searchPath({ state, district, department }, index),
  searchPath({ state, district }, index),
  searchPath({ state }, index),
]);
/** 200 matches each, in either order. */
const NARROW = MEASURED_PLACES.flatMap((place) => [searchPath(place, 0), searchPath(place, 1)]);

async function run(workspace: Workspace): Promise<void> {
  const figures = new BenchmarkMetrics('search-api');
  await runParts({
    rates: () => compareWithBare(figures, workspace),
    sizes: () => compareSizes(figures, workspace),
    words: () => compareArchives(figures, workspace),
  });
  figures.finish();
}

/** The origin of this API on a database of `rows` tenders, `open` of them open. */
async function startFilled(
  workspace: Workspace,
  rows: number,
  open = rows,
): Promise<BenchDatabase & { origin: string }> {
  const database = await workspace.openTenders(rows, open);
  return { ...database, origin: await startServer(workspace, import.meta.filename, 'product', database.address) };
}

/** Both must return the same data, apart from the format of instants. */
async function compareAnswers(product: string, bare: string, path: string): Promise<void> {
  const [ours, theirs] = await Promise.all([readResponse(product, path), readResponse(bare, path)]);
  assert.ok(ours.tenders.length === 10, `${path} found no page of tenders`);
  assert.deepEqual(ours, theirs);
}

const INSTANTS = new Set(['published_date', 'bid_start_date', 'closing_date', 'fetched_at']);

async function readResponse(origin: string, path: string) {
  // PostgreSQL writes instants in another format and to the microsecond.
  return JSON.parse(await getText(origin + path), (key, value) => (INSTANTS.has(key) ? Date.parse(value) : value));
}

async function compareTotals(few: string, many: string, path: string): Promise<void> {
  const [atFew, atMany] = await Promise.all([readResponse(few, path), readResponse(many, path)]);
  assert.equal(atFew.total, 200, path);
  assert.equal(atMany.total, 200, path);
}

async function compareWithBare(figures: BenchmarkMetrics, workspace: Workspace): Promise<void> {
  const few = await startFilled(workspace, SMALL_SIZE);
  const product = few.origin;
  const bare = await startServer(workspace, import.meta.filename, 'bare', few.address);
  for (const path of MIXED) await compareAnswers(product, bare, path);
  const rate = (origin: string, seconds: number) => requestsPerSecond(origin, MIXED, CONNECTIONS, seconds);
  log('comparing with the bare handler');
  for (const origin of [product, bare]) await rate(origin, WARM_UP_SECONDS);
  const rounds: { ours: number; theirs: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const ours = await rate(product, ROUND_SECONDS);
    const theirs = await rate(bare, ROUND_SECONDS);
    rounds.push({ ours, theirs });
  }
  figures.record('this_rps', median(rounds.map(({ ours }) => ours)));
  figures.record('bare_rps', median(rounds.map(({ theirs }) => theirs)));
  // Both run in each round, so that other load affects both.
  const ratio = median(rounds.map(({ ours, theirs }) => ours / theirs));
  figures.check('requests_per_second_ratio', ratio, 'least', 1.5);
  await few.drop();
}

async function compareSizes(figures: BenchmarkMetrics, workspace: Workspace): Promise<void> {
  const databases = [await startFilled(workspace, SMALL_SIZE), await startFilled(workspace, LARGE_SIZE)] as const;
  const [few, many] = [databases[0].origin, databases[1].origin];
  for (const path of NARROW) await compareTotals(few, many, path);
  const times = (origin: string) => latencies(origin, NARROW, LATENCY_CONNECTIONS, LATENCY_REQUESTS);
  log('comparing the sizes');
  for (const origin of [few, many]) await times(origin);
  const atFew: number[] = [];
  const atMany: number[] = [];
  for (let round = 0; round < LATENCY_ROUNDS; round++) {
    atFew.push(...(await times(few)));
    atMany.push(...(await times(many)));
  }
  figures.record('p50_200k_ms', median(atFew));
  figures.record('p50_1m_ms', median(atMany));
  figures.check('p50_ratio_1m_200k', median(atMany) / median(atFew), 'most', 1.5);
  for (const database of databases) await database.drop();
}

/** Ten common words over all India: five times the archive beside as many open tenders, and the open ones alone. */
async function compareArchives(figures: BenchmarkMetrics, workspace: Workspace): Promise<void> {
  const databases = {
    large: await startFilled(workspace, LARGE_SIZE, OPEN),
    small: await startFilled(workspace, SMALL_SIZE, OPEN),
    open_only: await startFilled(workspace, OPEN),
  };
  const wordPath = (word: string, open: string) =>
    `/api/tenders?${new URLSearchParams({ q: word, open, limit: '10' })}`;
  const paths = COMMON_WORDS.map((word) => wordPath(word, '1'));
  const archivePaths = COMMON_WORDS.map((word) => wordPath(word, '0'));
  // Fewer matches than are counted: all of them are ranked.
  const rankedPaths = COMMON_WORDS.map(
    (word, at) => `${wordPath(word, '0')}&${new URLSearchParams({ state: MEASURED_PLACES[at]?.state ?? '' })}`,
  );
  const names = Object.keys(databases) as (keyof typeof databases)[];
  for (const path of paths) {
    const totals = await Promise.all(
      names.map(async (name) => (await readResponse(databases[name].origin, path)).total),
    );
    log(`${path}: ${totals.join(', ')}`);
    // Places and villages differ a little with the size.
    assert.ok(
      Math.min(...totals) > OPEN / 50 && Math.max(...totals) < 1.25 * Math.min(...totals),
      `${path}: ${totals}`,
    );
  }
  const times = {
    large: [] as number[],
    small: [] as number[],
    open_only: [] as number[],
    archive: [] as number[],
    archive_of_a_state: [] as number[],
  };
  const { origin } = databases.large;
  const timed = (from: string, of: string[]) => latencies(from, of, 1, of.length);
  for (let round = 0; round < WORD_ROUNDS; round++) {
    // All in each round, so that other load affects all.
    for (const name of names) times[name].push(...(await timed(databases[name].origin, paths)));
    times.archive.push(...(await timed(origin, archivePaths)));
    times.archive_of_a_state.push(...(await timed(origin, rankedPaths)));
  }
  const p95 = (values: number[]) => values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? Number.NaN;
  for (const name of names) {
    figures.record(`words_p50_${name}_ms`, median(times[name]));
    figures.record(`words_p95_${name}_ms`, p95(times[name]));
  }
  figures.check('words_p95_ratio_to_a_fifth', p95(times.large) / p95(times.small), 'most', 1.5);
  figures.check('words_p95_ratio_to_open_only', p95(times.large) / p95(times.open_only), 'most', 2);
  figures.record('words_p50_archive_ms', median(times.archive));
  figures.check('words_p95_archive_ms', p95(times.archive), 'most', 1_000);
  figures.check('words_p95_archive_of_a_state_ms', p95(times.archive_of_a_state), 'most', 1_000);
  for (const name of names) await databases[name].drop();
}

const [kind, address] = process.send ? process.argv.slice(2) : [];
if (kind && address) await serve(kind, JSON.parse(address));
else if (!(LARGE_SIZE >= MIN_SIZE)) {
  log(`SIZES must be at least ${MIN_SIZE}: each measured place has 200 tenders`);
  process.exitCode = 2;
} else await inWorkspace(run);
