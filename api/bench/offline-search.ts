/**
 * `offline-search`: the device's engine on 10,000, 50,000 and 200,000 tenders, and MiniSearch at 50,000. Both run on the
 * main thread of a real Chromium with fourfold CPU throttling. Throttling does not apply to workers, so this is an upper
 * bound for the worker. Tenders are in packs of 5,000 with all details, as on a device. Each figure is the median of three
 * rounds.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parseQuery } from '@nivida/contract/search/query-words';
import { type CDPSession, chromium, type Page } from 'playwright-core';
import { build, type Rolldown } from 'vite';
import { CHROMIUM_FLAGS, findChromium } from '../../e2e/support/browsers.ts';
import { DEFAULT_ENGINE_QUERY, type EngineQuery } from '../../pwa/src/offline/engine/query.ts';
import { buildSegmentIndex } from '../../pwa/src/offline/segments/build-segment-index.ts';
import { BenchmarkMetrics, log, median, percentile } from './measure/metrics.ts';
import type { OfflinePage, PlainTender } from './measure/offline-page.ts';
import {
  type OfflineTender,
  offlineColumns,
  offlineTenders,
  type QuestionGroup,
  questionGroups,
  searchedTerms,
} from './measure/offline-tenders.ts';

declare const offline: OfflinePage;

/** `SIZES=200000` measures one size only. */
const SIZES = process.env.SIZES?.split(',').map(Number) ?? [10_000, 50_000, 200_000];
const COMPARED_TENDERS = 50_000;
const MAX_TENDERS = 200_000;
const PACK_ROWS = 5_000;
const CPU_SLOWDOWN = 4;
const COLD_STARTS = 3;
const ROUNDS = 3;
const NOW = new Date();

/** The files that the browser can fetch now. */
interface ServedFiles {
  script: string;
  packs: ArrayBuffer[];
  tenders: string;
}

/** The page's script, bundled from the project's sources. */
async function bundle(): Promise<string> {
  const entry = join(import.meta.dirname, '../bench/measure/offline-page.ts');
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    build: { write: false, target: 'chrome111', lib: { entry, formats: ['iife'], name: 'page' } },
  });
  const [{ output }] = built as Rolldown.RolldownOutput[] as [Rolldown.RolldownOutput];
  return output[0].code;
}

async function serve(served: ServedFiles): Promise<{ origin: string; stop(): void }> {
  const server = createServer(({ url = '' }, reply) => {
    if (url === '/page.js') reply.setHeader('content-type', 'text/javascript; charset=utf-8').end(served.script);
    else if (url === '/tenders') reply.setHeader('content-type', 'application/json').end(served.tenders);
    else if (url.startsWith('/packs/')) reply.end(new Uint8Array(served.packs[Number(url.slice(7))] ?? []));
    else reply.setHeader('content-type', 'text/html').end('<!doctype html><script src="/page.js"></script>');
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => server.close() };
}

/** Median of the rounds' p95 of each group in milliseconds, and the totals found. */
interface SearchMeasurement {
  groups: Record<string, number>;
  /** p95 over all questions of a round. */
  all: number;
  totals: number[];
}

type Search = (queries: EngineQuery[]) => Promise<{ times: number[]; totals: number[] }>;

async function measure(groups: QuestionGroup[], search: Search): Promise<SearchMeasurement> {
  const ofGroups: Record<string, number[]> = {};
  const ofAll: number[] = [];
  let totals: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const times: number[] = [];
    totals = [];
    for (const { name, queries } of groups) {
      const answer = await search(queries);
      ofGroups[name] = [...(ofGroups[name] ?? []), percentile(answer.times, 0.95)];
      times.push(...answer.times);
      totals.push(...answer.totals);
    }
    ofAll.push(percentile(times, 0.95));
  }
  const medians = Object.entries(ofGroups).map(([name, values]) => [name, median(values)] as const);
  return { groups: Object.fromEntries(medians), all: median(ofAll), totals };
}

const toPlain = (tender: OfflineTender): PlainTender => {
  const { id, state, district, department, publishedAt, closesAt } = tender;
  const price = tender.price === null ? null : Number(tender.price);
  return { id, terms: searchedTerms(tender).join('\n'), state, district, department, price, publishedAt, closesAt };
};

function encodePacks(tenders: OfflineTender[]): ArrayBuffer[] {
  return Array.from({ length: Math.ceil(tenders.length / PACK_ROWS) }, (_, at) => {
    const columns = offlineColumns(tenders.slice(at * PACK_ROWS, (at + 1) * PACK_ROWS));
    return buildSegmentIndex(columns, columns);
  });
}

const throttleCpu = (session: CDPSession, rate: number) => session.send('Emulation.setCPUThrottlingRate', { rate });

/** Runs cold starts, then the questions, each in their own pages. */
async function run(
  origin: string,
  served: ServedFiles,
  tenders: OfflineTender[],
  figures: BenchmarkMetrics,
): Promise<void> {
  const size = `${tenders.length / 1_000}k`;
  log(`packing ${size} tenders`);
  served.packs = encodePacks(tenders);
  const browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_FLAGS });
  try {
    const page = await (await browser.newContext()).newPage();
    const session = await page.context().newCDPSession(page);
    await page.goto(origin);
    await page.evaluate((count) => offline.store(count), served.packs.length);
    const starts = [];
    const first = { ...DEFAULT_ENGINE_QUERY, q: 'road' };
    for (let start = 0; start < COLD_STARTS; start += 1) {
      await page.reload();
      await throttleCpu(session, CPU_SLOWDOWN);
      starts.push(await page.evaluate(([query, now]) => offline.start(query, now), [first, NOW.getTime()] as const));
      await throttleCpu(session, start < COLD_STARTS - 1 ? 1 : CPU_SLOWDOWN);
    }
    const groups = questionGroups(tenders);
    const ours = await measure(groups, (queries) =>
      page.evaluate(([asked, now]) => offline.search(asked, now), [queries, NOW.getTime()] as const),
    );
    report(figures, size, starts, ours);
    if (tenders.length === COMPARED_TENDERS) await compare(page, session, served, tenders, groups, ours, figures);
    if (tenders.length === MAX_TENDERS) checkLargest(figures, size, starts, ours);
  } finally {
    await browser.close();
  }
}

type Start = Awaited<ReturnType<OfflinePage['start']>>;

const coldStart = (starts: Start[]): number => median(starts.map(({ read, open, first }) => read + open + first));

function report(figures: BenchmarkMetrics, size: string, starts: Start[], ours: SearchMeasurement): void {
  for (const part of ['read', 'open', 'first'] as const)
    figures.record(`cold_${part}_${size}_ms`, median(starts.map((start) => start[part])));
  figures.record(`packs_${size}_mb`, starts[0]?.megabytes ?? Number.NaN);
  for (const [name, value] of Object.entries(ours.groups)) figures.record(`${name}_p95_${size}_ms`, value);
}

function checkLargest(figures: BenchmarkMetrics, size: string, starts: Start[], ours: SearchMeasurement): void {
  // Every group must meet the limit, so the slowest one is the figure.
  figures.check(`p95_${size}_ms`, Math.max(...Object.values(ours.groups)), 'most', 50);
  figures.check(`cold_start_${size}_ms`, coldStart(starts), 'most', 1_500);
}

async function compare(
  page: Page,
  session: CDPSession,
  served: ServedFiles,
  tenders: OfflineTender[],
  groups: QuestionGroup[],
  ours: SearchMeasurement,
  figures: BenchmarkMetrics,
): Promise<void> {
  log('indexing the same for MiniSearch');
  served.tenders = JSON.stringify(tenders.map(toPlain));
  await throttleCpu(session, 1);
  await page.evaluate(() => offline.index());
  await throttleCpu(session, CPU_SLOWDOWN);
  // The last group is of readings that MiniSearch does not have.
  const compared = groups.slice(0, -1);
  const theirs = await measure(compared, (queries) =>
    page.evaluate(([asked, now]) => offline.searchOther(asked, now), [queries, NOW.getTime()] as const),
  );
  checkTotals(
    compared.flatMap(({ queries }) => queries),
    ours.totals,
    theirs.totals,
  );
  for (const [name, value] of Object.entries(theirs.groups)) figures.record(`minisearch_${name}_p95_50k_ms`, value);
  figures.check('minisearch_ratio_50k', theirs.all / ours.all, 'least', 10);
}

/** Without synonyms and optional words both engines find the same. With them our engine finds more, never fewer. */
function checkTotals(queries: EngineQuery[], ours: number[], theirs: number[]): void {
  for (const [at, query] of queries.entries()) {
    const hasOneWay = parseQuery(query.q).every(({ alternatives, required }) => required && alternatives.length === 1);
    const [our = 0, their = 0] = [ours[at], theirs[at]];
    if (hasOneWay ? our !== their : our < their)
      throw new Error(`The engine finds ${our} and MiniSearch ${their}: ${JSON.stringify(query)}`);
  }
}

const figures = new BenchmarkMetrics('offline-search');
const served: ServedFiles = { script: await bundle(), packs: [], tenders: '[]' };
const server = await serve(served);
try {
  log(`making ${MAX_TENDERS.toLocaleString('en-IN')} tenders`);
  const tenders = offlineTenders(MAX_TENDERS, NOW);
  for (const size of SIZES) await run(server.origin, served, tenders.slice(0, size), figures);
  figures.finish();
} finally {
  server.stop();
}
