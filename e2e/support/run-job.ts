import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The environment of a command for the journeys' server. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const { E2E_PORT, E2E_ORIGIN, E2E_SANDBOX_PORT, E2E_DATA_DIR, E2E_SESSION_KEY } = process.env;
  return {
    ...process.env,
    PORT: E2E_PORT,
    PUBLIC_ORIGIN: E2E_ORIGIN,
    PAYMENT_SANDBOX_PORT: E2E_SANDBOX_PORT,
    DATA_DIR: E2E_DATA_DIR,
    SESSION_KEYS: E2E_SESSION_KEY,
  };
}

/** Runs a job of the journeys' server once, as if it were `at`. Returns when the job has ended. */
export async function runJobCommand(name: string, at: Date): Promise<void> {
  await run(process.execPath, ['api/dist/cli.js', 'job', name, '--now', at.toISOString()], {
    cwd: join(import.meta.dirname, '../..'),
    env: serverEnvironment(),
  });
}
