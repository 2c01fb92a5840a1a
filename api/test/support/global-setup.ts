/** One real PostgreSQL for the whole test run. Each test file creates its databases in it as copies of a migrated one. */
import { spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { type EmbeddedPostgresConnection, openEmbeddedPostgres } from '../../src/database/embedded-postgres.ts';
import { createDataSource, migrate } from '../../src/schema/data-source.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: EmbeddedPostgresConnection;
  }
}

/** The name of the migrated database. */
export const TEMPLATE_DATABASE = 'test_template';

/** Starts the server and passes its address to the tests; stops and removes it after the run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'nivida-test-'));
  const server = await openEmbeddedPostgres(folder);
  const client = new Client(server.connection);
  await client.connect();
  // Tests need no durability, and a hundred databases no vacuum. Most of their database time is the creation of databases.
  for (const setting of ['fsync', 'full_page_writes', 'autovacuum'])
    await client.query(`ALTER SYSTEM SET ${setting} = off`);
  await client.query('SELECT pg_reload_conf()');
  await client.query(`CREATE DATABASE ${TEMPLATE_DATABASE}`);
  await client.end();
  const template = await createDataSource({ ...server.connection, database: TEMPLATE_DATABASE }).initialize();
  await migrate(template);
  await template.destroy();
  project.provide('postgres', server.connection);
  return async () => {
    await server.stop();
    // A hundred databases have many files; nothing has to wait until they are deleted.
    spawn('rm', ['-rf', folder], { detached: true, stdio: 'ignore' }).unref();
  };
}
