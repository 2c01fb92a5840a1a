/** A child process that serves generated requests: the product on a clock that jumps, with the payment sandbox. */
import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { superviseSandbox } from '../../src/app/sandbox-process.ts';
import { readConfig } from '../../src/base/config.ts';
import type { EmbeddedPostgresConnection } from '../../src/database/embedded-postgres.ts';
import { prepareTarget } from '../../test/http/fuzz-target.ts';
import type { KnownValues } from '../../test/http/schema-values.ts';
import { BENCH_VAPID_KEYS } from './harness/server-processes.ts';
import { listenProduct, portOf } from './servers.ts';
import { nextMessage, type Workspace } from './workspace.ts';

const ORIGIN = 'http://nivida.test';

/** The message of the process when it listens. */
interface StartMessage {
  port: number;
  known: KnownValues;
  tokens: string[];
}

/** Memory of the process after garbage collection and cache expiry. */
export interface ProcessHealth {
  heapBytes: number;
  /** Unhandled rejections and exceptions. */
  unhandled: number;
}

/** The process, as the benchmark uses it. */
export interface RequestServer extends StartMessage {
  /** Moves its clock one hour ahead; returns the accounts' tokens. */
  advanceHour(): Promise<string[]>;
  readHealth(): Promise<ProcessHealth>;
}

/** Starts it on a database with tenders; `entry` must call `serveRequests` for its arguments. */
export async function startRequestServer(
  workspace: Workspace,
  entry: string,
  address: EmbeddedPostgresConnection,
): Promise<RequestServer> {
  const env = { NODE_ENV: 'test', NODE_OPTIONS: '--expose-gc' };
  const child = workspace.start(entry, ['serve', JSON.stringify(address), workspace.folder], env);
  child.stdout?.resume();
  // One question at a time, because answers have no ids.
  let last: Promise<unknown> = Promise.resolve();
  const ask = <Answer>(question: string): Promise<Answer> => {
    const answer = last.then(() => {
      child.send(question);
      return nextMessage<Answer>(child);
    });
    last = answer;
    return answer;
  };
  return { ...(await nextMessage<StartMessage>(child)), advanceHour: () => ask('rest'), readHealth: () => ask('held') };
}

/** In the child process: serves requests and executes the benchmark's commands. */
export async function serveRequests(address: EmbeddedPostgresConnection, folder: string): Promise<void> {
  let unhandled = 0;
  for (const event of ['unhandledRejection', 'uncaughtException'])
    process.on(event, (error) => {
      unhandled += 1;
      process.stderr.write(`${event}: ${error?.stack ?? error}\n`);
    });
  const clock = { now: new Date() };
  const sessionKey = randomBytes(32).toString('hex');
  const settings = readConfig({
    PORT: '0',
    DATA_DIR: folder,
    SESSION_KEYS: sessionKey,
    OTP_PEPPER: randomBytes(32).toString('hex'),
    PUBLIC_ORIGIN: ORIGIN,
    PAYMENT_SANDBOX_PORT: '0',
    TRUST_PROXY: '1',
    VAPID_PUBLIC_KEY: BENCH_VAPID_KEYS.publicKey,
    VAPID_PRIVATE_KEY: BENCH_VAPID_KEYS.privateKey,
  });
  // A separate process, because the build bundles sandbox.js on its own.
  const sandbox = await superviseSandbox(settings, address);
  const config = { ...settings, paymentSandboxPort: sandbox.port };
  const app = await listenProduct(address, () => clock.now, config);
  const target = await prepareTarget(app, clock);
  process.on('message', async (question) => {
    if (question === 'rest') {
      await target.advanceHour();
      process.send?.(target.tokens());
    } else {
      for (let round = 0; round < 3; round++) globalThis.gc?.();
      process.send?.({ heapBytes: process.memoryUsage().heapUsed, unhandled } satisfies ProcessHealth);
    }
  });
  process.send?.({
    port: portOf(app.getHttpServer()),
    known: target.known,
    tokens: [...target.tokens()],
  } satisfies StartMessage);
}
