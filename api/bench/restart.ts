/**
 * `restart`: what people notice of a web process that is restarted while they ask 200 times a second: nothing. Two built
 * processes stand behind a proxy that asks for their readiness. About 15 seconds.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { databaseUrl, freePort } from '../test/programs.ts';
import { load, ReadinessProxy } from '../test/proxy.ts';
import { Figures, say } from './measure/figures.ts';
import { fillTenders } from './measure/fill-tenders.ts';
import { inWorkspace, type Workspace } from './measure/workspace.ts';

const PER_SECOND = 200;
const TENDERS = 10_000;

async function run(workspace: Workspace): Promise<void> {
  const figures = new Figures('restart');
  const database = await workspace.createDatabase('restart');
  await fillTenders(database.dataSource, TENDERS);
  const ports = [await freePort(), await freePort()];
  const [first = ''] = ports;
  const start = (port: string) => startWeb(workspace, port, databaseUrl(database.address));
  const [one] = await Promise.all(ports.map(start));
  const proxy = new ReadinessProxy(ports);
  const people = load(await proxy.listen(), PER_SECOND);
  await wait(3_000);
  say('ending one of two');
  one?.kill('SIGTERM');
  if (one) await once(one, 'exit');
  say('starting it again');
  await start(first);
  while (!proxy.isReady(first)) await wait(20);
  await wait(3_000);
  const { 200: answered = 0, ...failed } = await people.stop();
  await proxy.close();
  say(JSON.stringify(failed));
  figures.check(
    'failed_requests',
    Object.values(failed).reduce((sum, count) => sum + count, 0),
    'most',
    0,
  );
  figures.note('answered_requests', answered);
  figures.finish();
  await database.dataSource.destroy();
}

/** A web process as it is deployed, but for its secrets, when it is ready. */
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
