/** Runs the payment sandbox as a child process, or joins the one that listens on its port. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { type Config, ConfigError } from '../base/config.ts';
import { repeatEvery } from '../base/task-runners.ts';
import { SANDBOX_PORT, sandboxSecret } from '../payments/sandbox-gateway.ts';
import type { DatabaseAddress } from '../schema/data-source.ts';

const CHECK_INTERVAL_SECONDS = 2;
const EX_CONFIG = 78;

/** The sandbox of this process. */
export interface SandboxProcess {
  port: number;
  /** Stops the sandbox if this process started it. */
  stop(): Promise<void>;
}

/** Another program listens on the port. */
class PortInUseError extends Error {
  override name = 'PortInUseError';
}

/**
 * Starts the sandbox, or joins one with our secret on the same port, and restarts it when it exits. Without
 * PAYMENT_SANDBOX_PORT it uses a free port when 4010 is in use. Throws ConfigError when it must not run.
 */
export async function superviseSandbox(config: Config, address: DatabaseAddress): Promise<SandboxProcess> {
  const logger = new Logger('Sandbox');
  const secret = sandboxSecret(config.sessionKeys[0] ?? '', config.publicOrigin);
  let child: ChildProcess | undefined;
  let stopping = false;

  const start = async (port: number): Promise<number> => {
    const started = await startSandboxProcess(config, address, secret, port);
    child = started.child;
    child.once('exit', () => {
      child = undefined;
    });
    return started.port;
  };

  const requestedPort = config.paymentSandboxPort ?? SANDBOX_PORT;
  const port = await start(requestedPort).catch(async (error: Error) => {
    if (!(error instanceof PortInUseError)) throw error;
    if (await isOwnSandbox(requestedPort, secret)) return requestedPort;
    if (config.paymentSandboxPort === undefined) return start(0);
    throw new ConfigError(`${error.message}; stop what listens there or set another`);
  });

  const watch = repeatEvery(CHECK_INTERVAL_SECONDS, 'payment sandbox', async () => {
    if (stopping || child || (await isOwnSandbox(port, secret))) return;
    // Several processes may start the sandbox at once. One succeeds; the others find it at the next check.
    await start(port).catch((error: Error) => logger.warn(error.message));
  });
  return {
    port,
    async stop() {
      stopping = true;
      await watch.stop();
      await stopProcess(child);
    },
  };
}

async function startSandboxProcess(config: Config, address: DatabaseAddress, secret: string, port: number) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'sandbox.js')], {
    env: sandboxEnvironment(config, address, secret, port),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // Keeps Ctrl-C from reaching the sandbox. This process stops it; if this process is killed, the closed IPC channel does.
    detached: true,
  });
  let output = '';
  child.stderr?.on('data', (text) => {
    output += text;
  });
  const listening = await new Promise<number>((done, fail) => {
    child.once('message', (message) => done((message as { port: number }).port));
    child.once('error', fail);
    child.once('close', (code) => {
      const line = output.trim();
      if (/is in use$/.test(line)) fail(new PortInUseError(line));
      else
        fail(code === EX_CONFIG ? new ConfigError(line) : new Error(`The payment sandbox ended with ${code}: ${line}`));
    });
  });
  const logger = new Logger('Sandbox');
  child.stderr?.removeAllListeners('data').on('data', (text) => logger.warn(String(text).trimEnd()));
  return { child, port: listening };
}

function sandboxEnvironment(config: Config, address: DatabaseAddress, secret: string, port: number): NodeJS.ProcessEnv {
  const isReachable = config.role !== 'worker' && config.port !== 0;
  return {
    NODE_ENV: config.production ? 'production' : 'development',
    PAYMENT_SANDBOX_PORT: String(port),
    PUBLIC_ORIGIN: config.publicOrigin,
    SANDBOX_WEBHOOK_ORIGIN: isReachable ? `http://localhost:${config.port}` : config.publicOrigin,
    SANDBOX_SECRET: secret,
    DATABASE_URL: typeof address === 'string' ? address : socketUrl(address),
  };
}

const socketUrl = ({ host, port, user, database }: Exclude<DatabaseAddress, string>) =>
  `postgresql://${encodeURIComponent(user)}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;

async function isOwnSandbox(port: number, secret: string): Promise<boolean> {
  const reply = await fetch(`http://127.0.0.1:${port}/v1/checkouts/none`, {
    headers: { authorization: `Bearer ${secret}` },
    signal: AbortSignal.timeout(2_000),
  }).catch(() => undefined);
  await reply?.body?.cancel();
  return reply?.status === 404;
}

async function stopProcess(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null) return;
  const ended = new Promise((done) => child.once('exit', done));
  child.kill();
  await ended;
}
