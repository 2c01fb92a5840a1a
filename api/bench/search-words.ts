/**
 * `search-words`: word search by relevance over the API against the plain AND of the typed words, sorted by price or closing,
 * which one statement answers over terms without classes. 200,000 tenders; p50 and p95 of 20 frequent and 20 rare queries,
 * side by side. About two minutes on two cores.
 */
import 'reflect-metadata';
import { fillTenders } from './measure/fill-tenders.ts';
import { getText } from './measure/load.ts';
import { BenchmarkMetrics, log, median } from './measure/metrics.ts';
import type { PlainSort } from './measure/plain-search.ts';
import { serve, startServer } from './measure/servers.ts';
import { inWorkspace, type Workspace } from './measure/workspace.ts';

const SIZE = 200_000;
const ROUNDS = 7;
const MAX_RATIO = 1.5;

const FREQUENT = [
  'road',
  'construction',
  'repair',
  'supply',
  'wall',
  'scheme',
  'water supply',
  'school',
  'drain',
  'maintenance',
  'retaining wall',
  'link road',
  'hospital equipment',
  'irrigation scheme',
  'transformer supply',
  'canal repair',
  'school class room',
  'storage tank',
  'security services',
  'bituminous road',
];
const RARE_QUERIES = 20;

/** Villages of the filled tenders: each is in a few of them. */
async function rareQueries(origin: string): Promise<string[]> {
  const { tenders } = JSON.parse(await getText(`${origin}/api/tenders?limit=${RARE_QUERIES}&sort=closing_date`));
  return tenders.map(({ title }: { title: string }, at: number) => {
    const village = / at (\S+) /.exec(title)?.[1] ?? 'road';
    return at % 2 === 0 ? village : `${village} ${title.split(' ')[0]}`;
  });
}

/** Milliseconds of one answer. */
async function timed(url: string): Promise<number> {
  const started = performance.now();
  await getText(url);
  return performance.now() - started;
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * share) - 1] ?? Number.NaN;

async function run(workspace: Workspace): Promise<void> {
  const figures = new BenchmarkMetrics('search-words');
  const product = await startFilled(workspace, 'product');
  const plain = await startFilled(workspace, 'plain');
  for (const [name, queries] of [
    ['frequent', FREQUENT],
    ['rare', await rareQueries(product)],
  ] as const) {
    const times: Record<'ranked' | 'plain', number[]> = { ranked: [], plain: [] };
    for (const [at, q] of queries.entries()) {
      const plainSort: PlainSort = at % 2 === 0 ? 'price' : 'closing_date';
      const urls = {
        ranked: `${product}/api/tenders?${new URLSearchParams({ q, sort: 'relevance', limit: '10' })}`,
        plain: `${plain}/api/tenders?${new URLSearchParams({ q, sort: plainSort, limit: '10' })}`,
      };
      await checkFound(urls);
      const of: typeof times = { ranked: [], plain: [] };
      // Both in turns, so that a slow moment of the machine meets both.
      for (let round = 0; round < ROUNDS; round += 1)
        for (const kind of ['ranked', 'plain'] as const) of[kind].push(await timed(urls[kind]));
      for (const kind of ['ranked', 'plain'] as const) times[kind].push(median(of[kind]));
      if (process.env.QUERIES) log(`${q}: ${median(of.ranked).toFixed(1)} and ${median(of.plain).toFixed(1)} ms`);
    }
    for (const share of [0.5, 0.95]) {
      const [ranked, reference] = [percentile(times.ranked, share), percentile(times.plain, share)];
      const metric = `${name}_p${share * 100}`;
      figures.record(`${metric}_ms`, ranked);
      figures.record(`${metric}_plain_ms`, reference);
      figures.check(`${metric}_ratio`, ranked / reference, 'most', MAX_RATIO);
    }
  }
  figures.finish('worst');
}

/** A server of this kind on its own 200,000 tenders. */
async function startFilled(workspace: Workspace, kind: 'product' | 'plain'): Promise<string> {
  log(`filling ${SIZE.toLocaleString('en-IN')} tenders for ${kind}`);
  const { dataSource, address } = await workspace.createDatabase(kind);
  await fillTenders(dataSource, SIZE);
  if (kind === 'plain') {
    await dataSource.query('ALTER TABLE tender ALTER words TYPE tsvector USING strip(words)');
    await dataSource.query('VACUUM ANALYZE tender');
  }
  await dataSource.destroy();
  return startServer(workspace, import.meta.filename, kind, address);
}

/** A comparison without results proves nothing. Synonyms find more, never fewer. */
async function checkFound({ ranked, plain }: { ranked: string; plain: string }): Promise<void> {
  const [ours, theirs] = [JSON.parse(await getText(ranked)), JSON.parse(await getText(plain))];
  if (theirs.total === 0 || ours.total_full < theirs.total)
    throw new Error(`${ranked}: ${ours.total_full} tenders, by the plain words ${theirs.total}`);
}

const [kind, address] = process.argv.slice(2);
if ((kind === 'product' || kind === 'plain') && address) await serve(kind, JSON.parse(address));
else await inWorkspace(run);
