/** One real PostgreSQL for the whole test run; every test file makes databases of its own in it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type EmbeddedPostgresConnection, openEmbeddedPostgres } from '../src/database/embedded-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: EmbeddedPostgresConnection;
  }
}

/** Starts the server and tells the tests where it is; stops and removes it after the run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'nivida-test-'));
  const server = await openEmbeddedPostgres(folder);
  project.provide('postgres', server.connection);
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
