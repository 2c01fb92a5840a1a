/**
 * `search-api`: this API against a bare node:http + pg handler on 200,000 tenders, and what five times as many tenders
 * do to a filter that matches 200 of them. About four minutes on two cores.
 */
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { Figures, median, say } from './measure/figures.ts';
import { fillTenders, MEASURED_PLACES, type Place } from './measure/fill-tenders.ts';
import { getText, latencies, requestsPerSecond } from './measure/load.ts';
import { serve, startServer } from './measure/servers.ts';
import { type BenchDatabase, inWorkspace, type Workspace } from './measure/workspace.ts';

const FEW = 200_000;
const MANY = 1_000_000;
const CONNECTIONS = 32;
const ROUNDS = 3;
const ROUND_SECONDS = 5;
const WARM_UP_SECONDS = 3;
const LATENCY_CONNECTIONS = 4;
const LATENCY_ROUNDS = 10;
const LATENCY_REQUESTS = 720;

const SORTS = ['price', 'closing_date'];

function pathOf(place: Partial<Place>, index: number): string {
  return `/api/tenders?${new URLSearchParams({ ...place, sort: SORTS[index % 2] ?? '', limit: '10' })}`;
}

/** A third each of state + district + department, state + district, and state. */
const MIXED = MEASURED_PLACES.slice(0, 20).flatMap(({ state, district, department }, index) => [
  pathOf({ state, district, department }, index),
  pathOf({ state, district }, index),
  pathOf({ state }, index),
]);
/** 200 matches each, by either order. */
const NARROW = MEASURED_PLACES.flatMap((place) => [pathOf(place, 0), pathOf(place, 1)]);

async function run(workspace: Workspace): Promise<void> {
  const figures = new Figures('search-api');
  const few = await filled(workspace, 'few', FEW);
  const product = await startServer(workspace, import.meta.filename, 'product', few.address);
  const bare = await startServer(workspace, import.meta.filename, 'bare', few.address);
  for (const path of MIXED) await compareAnswers(product, bare, path);
  await compareRates(figures, product, bare);

  const many = await filled(workspace, 'many', MANY);
  const large = await startServer(workspace, import.meta.filename, 'product', many.address);
  for (const path of NARROW) await compareTotals(product, large, path);
  await compareSizes(figures, product, large);
  figures.finish();
  await Promise.all([few.dataSource.destroy(), many.dataSource.destroy()]);
}

async function filled(workspace: Workspace, name: string, rows: number): Promise<BenchDatabase> {
  say(`filling ${rows.toLocaleString('en-IN')} tenders`);
  const database = await workspace.createDatabase(name);
  await fillTenders(database.dataSource, rows);
  return database;
}

/** Both must give the same answer, whatever the spelling of its instants. */
async function compareAnswers(product: string, bare: string, path: string): Promise<void> {
  const [ours, theirs] = await Promise.all([answerOf(product, path), answerOf(bare, path)]);
  assert.ok(ours.tenders.length === 10, `${path} found no page of tenders`);
  assert.deepEqual(ours, theirs);
}

const INSTANTS = new Set(['published_date', 'closing_date', 'fetched_at']);

async function answerOf(origin: string, path: string) {
  // PostgreSQL and JavaScript write the same instant differently, and PostgreSQL to the microsecond.
  return JSON.parse(await getText(origin + path), (key, value) => (INSTANTS.has(key) ? Date.parse(value) : value));
}

async function compareTotals(few: string, many: string, path: string): Promise<void> {
  const [atFew, atMany] = await Promise.all([answerOf(few, path), answerOf(many, path)]);
  assert.equal(atFew.total, 200, path);
  assert.equal(atMany.total, 200, path);
}

async function compareRates(figures: Figures, product: string, bare: string): Promise<void> {
  const rate = (origin: string, seconds: number) => requestsPerSecond(origin, MIXED, CONNECTIONS, seconds);
  say('comparing with the bare handler');
  for (const origin of [product, bare]) await rate(origin, WARM_UP_SECONDS);
  const rounds: { ours: number; theirs: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const ours = await rate(product, ROUND_SECONDS);
    const theirs = await rate(bare, ROUND_SECONDS);
    rounds.push({ ours, theirs });
  }
  figures.note('this_rps', median(rounds.map(({ ours }) => ours)));
  figures.note('bare_rps', median(rounds.map(({ theirs }) => theirs)));
  // By pairs: what else the machine does changes from one round to the next.
  const ratio = median(rounds.map(({ ours, theirs }) => ours / theirs));
  figures.check('requests_per_second_ratio', ratio, 'least', 1.5);
}

async function compareSizes(figures: Figures, few: string, many: string): Promise<void> {
  const times = (origin: string) => latencies(origin, NARROW, LATENCY_CONNECTIONS, LATENCY_REQUESTS);
  say('comparing 200,000 tenders with 1,000,000');
  for (const origin of [few, many]) await times(origin);
  const atFew: number[] = [];
  const atMany: number[] = [];
  for (let round = 0; round < LATENCY_ROUNDS; round++) {
    atFew.push(...(await times(few)));
    atMany.push(...(await times(many)));
  }
  figures.note('p50_200k_ms', median(atFew));
  figures.note('p50_1m_ms', median(atMany));
  figures.check('p50_ratio_1m_200k', median(atMany) / median(atFew), 'most', 1.5);
}

const [kind, address] = process.send ? process.argv.slice(2) : [];
if (kind && address) await serve(kind, JSON.parse(address));
else await inWorkspace(run);
