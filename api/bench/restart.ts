/**
 * `restart`: a web process restarts under 200 requests a second, and no request fails. Two built processes run behind a
 * proxy that checks their readiness. About 15 seconds.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { buildPack } from '../src/sync/build-pack.ts';
import { ReadinessProxy, startLoad } from '../test/support/readiness-proxy.ts';
import { fillTenders } from './measure/fill-tenders.ts';
import { SELLS_NOTHING, ServerProcess, serverSettings } from './measure/harness/server-processes.ts';
import { BenchmarkMetrics, log, waitUntil } from './measure/metrics.ts';
import { inWorkspace, type Workspace } from './measure/workspace.ts';

const PER_SECOND = 200;
const TENDERS = 10_000;

async function run(workspace: Workspace): Promise<void> {
  const figures = new BenchmarkMetrics('restart');
  const database = await workspace.createDatabase('restart');
  await fillTenders(database.dataSource, TENDERS);
  await buildPack('himachal-pradesh', -1, { dataSource: database.dataSource, now: new Date() });
  const env = serverSettings(database, { ...SELLS_NOTHING, DRAIN_SECONDS: '1', DEMO: 'off' });
  const webs = await Promise.all([1, 2].map(() => ServerProcess.start(workspace, 'web', env)));
  const ports = webs.map(({ port }) => String(port));
  const proxy = new ReadinessProxy(ports);
  const people = startLoad(await proxy.listen(), PER_SECOND);
  await wait(3_000);
  log('ending one of two; it starts again');
  await webs[0]?.kill('SIGTERM');
  await waitUntil(() => proxy.isReady(ports[0] ?? ''));
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

await inWorkspace(run);
