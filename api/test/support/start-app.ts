/** A server on its own database, with a clock that the test controls. */
import { randomBytes } from 'node:crypto';
import 'reflect-metadata';
import type { Provider } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Client } from 'pg';
import { inject } from 'vitest';
import { createModule } from '../../src/app/app.module.ts';
import { createServer } from '../../src/app/server.ts';
import { type Config, readConfig } from '../../src/base/config.ts';
import type { Log } from '../../src/base/log.ts';
import { createDataSource } from '../../src/schema/data-source.ts';
import type { Database } from '../../src/schema/database.ts';
import { TEMPLATE_DATABASE } from './global-setup.ts';

/** Session key of test apps without their own keys. */
export const TEST_SESSION_KEY = 'key-of-the-tests-0123456789-abcdef';
const OTP_PEPPER = 'pepper-of-the-tests-0123456789-abcdef';

/**
 * A copy of the template, which is a migrated database without rows by default. `close` ends its connections and leaves it to
 * the end of the run: ext4 creates files slowly for seconds after a database was dropped.
 */
export async function createTestDatabase(template = TEMPLATE_DATABASE): Promise<Database> {
  const server = inject('postgres');
  const name = `test_${randomBytes(6).toString('hex')}`;
  // Without fsync a copy of the files is faster than a copy through the log.
  await asAdmin((client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`));
  const address = { ...server, database: name };
  const dataSource = createDataSource(address);
  await dataSource.initialize();
  return {
    address,
    dataSource,
    async close() {
      await dataSource.destroy();
      await asAdmin((client) =>
        client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]),
      );
    },
  };
}

/** Connects to the server of the test run. */
export async function asAdmin(work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ ...inject('postgres'), database: 'postgres' });
  await client.connect();
  await work(client).finally(() => client.end());
}

/**
 * Deletes the rows that `TRUNCATE ... CASCADE` of the tables would remove. A truncation creates the files of each table and index
 * again, which costs more than ten times as much processor time here.
 */
export async function emptyTables({ dataSource }: Pick<Database, 'dataSource'>, tables: string[]): Promise<void> {
  const emptied: { name: string }[] = await dataSource.query(
    `WITH RECURSIVE emptied AS (
       SELECT unnest($1::regclass[])::oid AS id
       UNION SELECT conrelid FROM pg_constraint JOIN emptied ON confrelid = emptied.id WHERE contype = 'f'
     ) SELECT id::regclass AS name FROM emptied`,
    [tables],
  );
  await dataSource.transaction(async (work) => {
    // Without triggers, so that the order of the tables is free.
    await work.query('SET LOCAL session_replication_role = replica');
    await work.query(emptied.map(({ name }) => `DELETE FROM ${name}`).join(';'));
  });
}

/** One row for each connection of the database that waits for a lock. */
export const lockWaiters = ({ dataSource }: Pick<Database, 'dataSource'>): Promise<unknown[]> =>
  dataSource.query("SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'");

/** A response as a client receives it. */
export interface ApiResponse {
  status: number;
  headers: Record<string, string>;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any answer
  json: any;
}

/** A running app. `clock.now` is its current instant. */
export interface TestApp {
  app: NestFastifyApplication;
  config: Config;
  database: Database;
  clock: { now: Date };
  get(url: string, headers?: Record<string, string>): Promise<ApiResponse>;
  close(): Promise<void>;
}

/** Starts the app on `database`, or on a new one that is dropped with it. */
export async function startApp(options: {
  now: Date;
  database?: Database;
  env?: NodeJS.ProcessEnv;
  pagesFolder?: string;
  log?: Log;
  /** Providers that replace the app's. */
  providers?: Provider[];
}): Promise<TestApp> {
  const database = options.database ?? (await createTestDatabase());
  const clock = { now: options.now };
  const config: Config = readConfig({ PORT: '0', SESSION_KEYS: TEST_SESSION_KEY, OTP_PEPPER, ...options.env });
  const parts = {
    config,
    database,
    now: () => clock.now,
    pagesFolder: options.pagesFolder ?? '/nowhere',
    log: options.log,
  };
  const module = createModule(parts);
  module.providers?.push(...(options.providers ?? []));
  const app = await createServer(module, parts);
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  return {
    app,
    config,
    database,
    clock,
    async get(url, headers = {}) {
      const reply = await app.inject({ method: 'GET', url, headers });
      const isJson = String(reply.headers['content-type'] ?? '').includes('json');
      const json = isJson && reply.body ? JSON.parse(reply.body) : undefined;
      return { status: reply.statusCode, headers: reply.headers as Record<string, string>, text: reply.body, json };
    },
    async close() {
      await app.close();
      if (!options.database) await database.close();
    },
  };
}
