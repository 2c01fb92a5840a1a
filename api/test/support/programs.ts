/** The built programs of `api/dist`, started as an operator starts them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { DatabaseAddress } from '../../src/schema/data-source.ts';

const DIST = resolve(import.meta.dirname, '../../dist');

/** A running program; `waitForOutput` waits until it has printed a text. */
export interface RunningProgram {
  child: ChildProcess;
  ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
  waitForOutput(text: string): Promise<void>;
}

/** Starts `main.js` or `cli.js` with these settings added to those of this process. */
export function startProgram(program: string, args: string[], env: NodeJS.ProcessEnv): RunningProgram {
  const child = spawn(process.execPath, [join(DIST, program), ...args], {
    env: { ...process.env, DATABASE_URL: '', NODE_ENV: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((done) =>
    child.on('close', (code) => done({ code, stdout, stderr })),
  );
  return {
    child,
    ended,
    async waitForOutput(text) {
      while (!`${stdout}${stderr}`.includes(text)) {
        if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode} before "${text}": ${stderr}`);
        await wait(20);
      }
    },
  };
}

/** A free TCP port. */
export async function findFreePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return String(port);
}

/** An address as DATABASE_URL. */
export function toDatabaseUrl(address: DatabaseAddress): string {
  if (typeof address === 'string') return address;
  const { host, port, user, database } = address;
  return `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}
