/**
 * `sync-serve`: the segments and deltas that this API serves per second, against bare Fastify with @fastify/static and the
 * same compressed bytes in files. About two minutes on two cores.
 */
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import fastifyStatic from '@fastify/static';
import { STATES } from '@nivida/contract/regions/states';
import { ManifestResponse } from '@nivida/contract/sync/sync';
import { fastify } from 'fastify';
import * as v from 'valibot';
import { takeChangeLock } from '../src/database/locks.sql.ts';
import { buildPack } from '../src/sync/build-pack.ts';
import { fillTenders } from './measure/fill-tenders.ts';
import { getText, requestsPerSecond } from './measure/load.ts';
import { BenchmarkMetrics, log, median } from './measure/metrics.ts';
import { serve, startServer } from './measure/servers.ts';
import { type BenchDatabase, inWorkspace, nextMessage, type Workspace } from './measure/workspace.ts';

const TENDERS = 36_000;
const SCOPES = STATES.slice(0, 8).map(({ slug }) => slug);
/** About the daily changes of a large state. */
const CHANGED_PER_STATE = 40;
const CONNECTIONS = 32;
const ROUNDS = 5;
const ROUND_SECONDS = 4;
const BROTLI = { 'accept-encoding': 'br' };

async function run(workspace: Workspace): Promise<void> {
  const figures = new BenchmarkMetrics('sync-serve');
  log(`filling ${TENDERS.toLocaleString('en-IN')} tenders`);
  const database = await workspace.createDatabase('tenders');
  await fillTenders(database.dataSource, TENDERS);
  for (const scope of SCOPES) await buildPack(scope, -1, { dataSource: database.dataSource, now: new Date() });
  const product = await startServer(workspace, import.meta.filename, 'product', database.address);
  const { segments, deltas } = await listPaths(database, product);
  const files = join(workspace.folder, 'files');
  await mkdir(files);
  const plain = await startStatic(workspace, files);
  const segmentFiles = await writeFiles(files, product, plain, segments);
  const deltaFiles = await writeFiles(files, product, plain, deltas);
  await compare(figures, 'segment', { origin: product, paths: segments }, { origin: plain, paths: segmentFiles });
  await compare(figures, 'delta', { origin: product, paths: deltas }, { origin: plain, paths: deltaFiles });
  figures.finish();
  await database.dataSource.destroy();
}

/** The segments of some states, and the deltas since their manifests. */
async function listPaths(database: BenchDatabase, product: string) {
  const manifests = [];
  for (const scope of SCOPES)
    manifests.push(v.parse(ManifestResponse, JSON.parse(await getText(`${product}/api/sync/${scope}`))));
  await database.dataSource.transaction(async (manager) => {
    await takeChangeLock(manager);
    await manager.query(
      `UPDATE tender t SET change_no = nextval('tender_change_no') FROM (
         SELECT id, row_number() OVER (PARTITION BY state ORDER BY id) AS nth FROM tender) numbered
       WHERE t.id = numbered.id AND nth <= $1`,
      [CHANGED_PER_STATE],
    );
  });
  const deltas = manifests.map(({ scope, cursor }) => `/api/sync/${scope}/delta?cursor=${cursor}&details=1`);
  // The server reads at most once a second what the newest change is.
  while ((await fetch(`${product}${deltas[0]}`)).status === 204) await wait(100);
  return {
    segments: manifests.flatMap(({ segments }) => segments.flatMap(({ list, detail }) => [list.url, detail.url])),
    deltas,
  };
}

/** Stores the product's responses as files and checks that both servers send the same bytes; returns the files' paths. */
async function writeFiles(folder: string, product: string, plain: string, paths: string[]): Promise<string[]> {
  const written: string[] = [];
  for (const path of paths) {
    const name = `${path.replace(/\W+/g, '-').slice(1)}.json`;
    const bytes = await getBytes(product + path);
    await writeFile(join(folder, `${name}.br`), bytes);
    assert.deepEqual(await getBytes(`${plain}/${name}`), bytes);
    written.push(`/${name}`);
  }
  return written;
}

/** The compressed body of a response. */
function getBytes(url: string): Promise<Buffer> {
  return new Promise((done, fail) => {
    get(url, { headers: BROTLI }, async (answer) => {
      const encoding = answer.headers['content-encoding'];
      if (answer.statusCode !== 200 || encoding !== 'br') fail(new Error(`${url}: ${answer.statusCode} ${encoding}`));
      done(Buffer.concat(await answer.toArray()));
    }).on('error', fail);
  });
}

interface Target {
  origin: string;
  paths: string[];
}

async function compare(figures: BenchmarkMetrics, what: string, product: Target, plain: Target): Promise<void> {
  log(`comparing ${what}s`);
  const rate = ({ origin, paths }: Target) => requestsPerSecond(origin, paths, CONNECTIONS, ROUND_SECONDS, BROTLI);
  const rounds: { ours: number; theirs: number }[] = [];
  // The first round warms both up and does not count.
  for (let round = 0; round <= ROUNDS; round++) {
    const ours = await rate(product);
    const theirs = await rate(plain);
    if (round > 0) rounds.push({ ours, theirs });
  }
  figures.record(`${what}_this_rps`, median(rounds.map(({ ours }) => ours)));
  figures.record(`${what}_static_rps`, median(rounds.map(({ theirs }) => theirs)));
  // Both run in each round, so that other load affects both.
  figures.check(`${what}_ratio`, median(rounds.map(({ ours, theirs }) => ours / theirs)), 'least', 0.8);
}

async function startStatic(workspace: Workspace, folder: string): Promise<string> {
  const child = workspace.start(import.meta.filename, ['static', folder]);
  child.stdout?.resume();
  const { port } = await nextMessage<{ port: number }>(child);
  return `http://127.0.0.1:${port}`;
}

async function serveStatic(folder: string): Promise<void> {
  const server = fastify();
  await server.register(fastifyStatic, { root: folder, preCompressed: true, immutable: true, maxAge: '1y' });
  await server.listen({ port: 0, host: '127.0.0.1' });
  process.send?.({ port: (server.server.address() as AddressInfo).port });
}

const [kind, where] = process.send ? process.argv.slice(2) : [];
if (kind === 'static' && where) await serveStatic(where);
else if (kind && where) await serve(kind, JSON.parse(where));
else await inWorkspace(run);
