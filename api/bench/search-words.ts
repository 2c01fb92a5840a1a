/**
 * `search-words`: word search by relevance against the same words sorted by price, which is the plain AND of the words, on
 * 200,000 tenders over the API. p50 and p95 of 20 frequent and 20 rare queries, side by side. About two minutes on two cores.
 */
import 'reflect-metadata';
import { fillTenders } from './measure/fill-tenders.ts';
import { getText } from './measure/load.ts';
import { BenchmarkMetrics, log, median } from './measure/metrics.ts';
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
  log(`filling ${SIZE.toLocaleString('en-IN')} tenders`);
  const database = await workspace.createDatabase('words');
  await fillTenders(database.dataSource, SIZE);
  const origin = await startServer(workspace, import.meta.filename, 'product', database.address);
  for (const [name, queries] of [
    ['frequent', FREQUENT],
    ['rare', await rareQueries(origin)],
  ] as const) {
    const times: Record<'relevance' | 'price', number[]> = { relevance: [], price: [] };
    for (const q of queries) {
      const of: typeof times = { relevance: [], price: [] };
      // Both in turns, so that a slow moment of the machine meets both.
      for (let round = 0; round <= ROUNDS; round += 1)
        for (const sort of ['relevance', 'price'] as const) {
          const took = await timed(`${origin}/api/tenders?${new URLSearchParams({ q, sort, limit: '10' })}`);
          if (round > 0) of[sort].push(took);
        }
      for (const sort of ['relevance', 'price'] as const) times[sort].push(median(of[sort]));
    }
    for (const share of [0.5, 0.95]) {
      const [ranked, plain] = [percentile(times.relevance, share), percentile(times.price, share)];
      const metric = `${name}_p${share * 100}`;
      figures.record(`${metric}_ms`, ranked);
      figures.record(`${metric}_plain_ms`, plain);
      figures.check(`${metric}_ratio`, ranked / plain, 'most', MAX_RATIO);
    }
  }
  figures.finish('worst');
  await database.dataSource.destroy();
}

const [kind, address] = process.argv.slice(2);
if (kind === 'product' && address) await serve(kind, JSON.parse(address));
else await inWorkspace(run);
