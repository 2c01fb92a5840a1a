/**
 * `search-words`: word search by relevance against the plain AND of the words with their synonyms, sorted by price or closing,
 * which one statement answers over terms without classes. 200,000 tenders; p50 and p95 of 20 frequent and 20 rare queries,
 * side by side in one process without HTTP, which would add the same to both. About two minutes on two cores.
 */
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { TenderQuery } from '@nivida/contract/filter/tender-query';
import type { Pool } from 'pg';
import * as v from 'valibot';
import { createModule } from '../src/app/app.module.ts';
import { builtPagesFolder } from '../src/app/server.ts';
import { readConfig } from '../src/base/config.ts';
import { READ_POOL } from '../src/base/injection-tokens.ts';
import { createDataSource } from '../src/schema/data-source.ts';
import { TendersService } from '../src/tenders/tenders.service.ts';
import { fillTenders } from './measure/fill-tenders.ts';
import { BenchmarkMetrics, log, median, percentile } from './measure/metrics.ts';
import { type PlainSort, plainSearch } from './measure/plain/search.ts';
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

const LIMIT = 10;

const list = (service: TendersService, query: object) =>
  service.list(v.parse(TenderQuery, { limit: String(LIMIT), ...query }));

/** Villages of the filled tenders: each is in a few of them. */
async function rareQueries(service: TendersService): Promise<string[]> {
  const { tenders } = JSON.parse(await list(service, { limit: String(RARE_QUERIES), sort: 'closing_date' }));
  return tenders.map(({ title }: { title: string }, at: number) => {
    const village = / at (\S+) /.exec(title)?.[1] ?? 'road';
    return at % 2 === 0 ? village : `${village} ${title.split(' ')[0]}`;
  });
}

/** Milliseconds of one answer. */
async function timed(answer: () => Promise<string>): Promise<number> {
  const started = performance.now();
  await answer();
  return performance.now() - started;
}

async function run(workspace: Workspace): Promise<void> {
  const figures = new BenchmarkMetrics('search-words');
  const product = await openFilled(workspace, 'product');
  const plain = await openFilled(workspace, 'plain');
  for (const [name, queries] of [
    ['frequent', FREQUENT],
    ['rare', await rareQueries(product.service)],
  ] as const) {
    const times: Record<'ranked' | 'plain', number[]> = { ranked: [], plain: [] };
    for (const [at, q] of queries.entries()) {
      const plainSort: PlainSort = at % 2 === 0 ? 'price' : 'closing_date';
      const answers = {
        ranked: () => list(product.service, { q, sort: 'relevance' }),
        plain: () => plainSearch(plain.pool, q, plainSort, LIMIT),
      };
      await checkFound(q, answers);
      const of: typeof times = { ranked: [], plain: [] };
      // Both in turns, so that a slow moment of the machine meets both.
      for (let round = 0; round < ROUNDS; round += 1)
        for (const kind of ['ranked', 'plain'] as const) of[kind].push(await timed(answers[kind]));
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
  await product.close();
  await plain.close();
}

/** The list service and its pool on a database of its own with 200,000 tenders. */
async function openFilled(
  workspace: Workspace,
  kind: 'product' | 'plain',
): Promise<{ service: TendersService; pool: Pool; close(): Promise<void> }> {
  log(`filling ${SIZE.toLocaleString('en-IN')} tenders for ${kind}`);
  const filled = await workspace.createDatabase(kind);
  await fillTenders(filled.dataSource, SIZE);
  if (kind === 'plain') {
    await filled.dataSource.query('ALTER TABLE tender ALTER words TYPE tsvector USING strip(words)');
    await filled.dataSource.query('VACUUM ANALYZE tender');
  }
  await filled.dataSource.destroy();
  const dataSource = await createDataSource(filled.address).initialize();
  const database = { address: filled.address, dataSource, close: () => dataSource.destroy() };
  const parts = { config: readConfig({}), database, now: () => new Date(), pagesFolder: builtPagesFolder() };
  const context = await NestFactory.createApplicationContext(createModule(parts), { logger: false });
  return { service: context.get(TendersService), pool: context.get(READ_POOL), close: () => context.close() };
}

/** A comparison without results proves nothing. Corrections and prefixes find more, never fewer. */
async function checkFound(
  q: string,
  { ranked, plain }: Record<'ranked' | 'plain', () => Promise<string>>,
): Promise<void> {
  const [ours, theirs] = [JSON.parse(await ranked()), JSON.parse(await plain())];
  if (theirs.total === 0 || ours.total_full < theirs.total)
    throw new Error(`${q}: ${ours.total_full} tenders, by the plain words ${theirs.total}`);
}

await inWorkspace(run);
