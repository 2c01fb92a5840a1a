/**
 * `restart`: a web process restarts under 200 requests a second, and no request fails. Two built processes run behind a
 * proxy that checks their readiness. About 15 seconds.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { buildPack } from '../src/sync/build-pack.ts';
import { findFreePort, toDatabaseUrl } from '../test/support/programs.ts';
import { ReadinessProxy, startLoad } from '../test/support/readiness-proxy.ts';
import { fillTenders } from './measure/fill-tenders.ts';
import { BenchmarkMetrics, log } from './measure/metrics.ts';
import { inWorkspace, type Workspace } from './measure/workspace.ts';

const PER_SECOND = 200;
const TENDERS = 10_000;

async function run(workspace: Workspace): Promise<void> {
  const figures = new BenchmarkMetrics('restart');
  const database = await workspace.createDatabase('restart');
  await fillTenders(database.dataSource, TENDERS);
  await buildPack('himachal-pradesh', -1, { dataSource: database.dataSource, now: new Date() });
  const ports = [await findFreePort(), await findFreePort()];
  const [first = ''] = ports;
  const start = (port: string) => startWeb(workspace, port, toDatabaseUrl(database.address));
  const [one] = await Promise.all(ports.map(start));
  const proxy = new ReadinessProxy(ports);
  const people = startLoad(await proxy.listen(), PER_SECOND);
  await wait(3_000);
  log('ending one of two');
  one?.kill('SIGTERM');
  if (one) await once(one, 'exit');
  log('starting it again');
  await start(first);
  while (!proxy.isReady(first)) await wait(20);
  await wait(3_000);
  const { 200: answered = 0, ...failed } = await people.stop();
  await proxy.close();
  log(JSON.stringify(failed));
  figures.check(
    'failed_requests',
    Object.values(failed).reduce((sum, count) => sum + count, 0),
    'most',
    0,
  );
  figures.record('answered_requests', answered);
  figures.finish();
  await database.dataSource.destroy();
}

/** Starts a web process in production mode with test secrets; returns when it is ready. */
async function startWeb(workspace: Workspace, port: string, url: string): Promise<ChildProcess> {
  const child = workspace.start(join(import.meta.dirname, 'main.js'), [], {
    NODE_ENV: '',
    PORT: port,
    DATABASE_URL: url,
    DATA_DIR: workspace.folder,
    ROLE: 'web',
    DEMO: 'off',
    PAYMENT_SANDBOX_PORT: '0',
    DRAIN_SECONDS: '1',
  });
  await new Promise<void>((done, fail) => {
    child.stdout?.on('data', (text) => {
      if (String(text).includes('Nivida is ready')) done();
    });
    child.once('exit', (code) => fail(new Error(`a web process ended with ${code}`)));
  });
  return child;
}

await inWorkspace(run);
