/**
 * `search-api`: this API against a bare node:http + pg handler on 200,000 tenders, and the effect of five times as many
 * tenders on a filter with 200 matches. About four minutes on two cores.
 */
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { fillTenders, MEASURED_PLACES, type MeasuredPlace } from './measure/fill-tenders.ts';
import { getText, latencies, requestsPerSecond } from './measure/load.ts';
import { BenchmarkMetrics, log, median } from './measure/metrics.ts';
import { serve, startServer } from './measure/servers.ts';
import { type BenchDatabase, inWorkspace, type Workspace } from './measure/workspace.ts';

const SMALL_SIZE = 200_000;
const LARGE_SIZE = 1_000_000;
const CONNECTIONS = 32;
const ROUNDS = 3;
const ROUND_SECONDS = 5;
const WARM_UP_SECONDS = 3;
const LATENCY_CONNECTIONS = 4;
const LATENCY_ROUNDS = 10;
const LATENCY_REQUESTS = 720;

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
  const few = await createFilledDatabase(workspace, 'few', SMALL_SIZE);
  const product = await startServer(workspace, import.meta.filename, 'product', few.address);
  const bare = await startServer(workspace, import.meta.filename, 'bare', few.address);
  for (const path of MIXED) await compareAnswers(product, bare, path);
  await compareRates(figures, product, bare);

  const many = await createFilledDatabase(workspace, 'many', LARGE_SIZE);
  const large = await startServer(workspace, import.meta.filename, 'product', many.address);
  for (const path of NARROW) await compareTotals(product, large, path);
  await compareSizes(figures, product, large);
  figures.finish();
  await Promise.all([few.dataSource.destroy(), many.dataSource.destroy()]);
}

async function createFilledDatabase(workspace: Workspace, name: string, rows: number): Promise<BenchDatabase> {
  log(`filling ${rows.toLocaleString('en-IN')} tenders`);
  const database = await workspace.createDatabase(name);
  await fillTenders(database.dataSource, rows);
  return database;
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

async function compareRates(figures: BenchmarkMetrics, product: string, bare: string): Promise<void> {
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
}

async function compareSizes(figures: BenchmarkMetrics, few: string, many: string): Promise<void> {
  const times = (origin: string) => latencies(origin, NARROW, LATENCY_CONNECTIONS, LATENCY_REQUESTS);
  log('comparing 200,000 tenders with 1,000,000');
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
}

const [kind, address] = process.send ? process.argv.slice(2) : [];
if (kind && address) await serve(kind, JSON.parse(address));
else await inWorkspace(run);
