import { Client, type ClientConfig } from 'pg';
import type { DataSource } from 'typeorm';

/** Runs one statement and returns its rows. */
export type ConnectionQuery = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;

const directOptions = new WeakMap<DataSource, ClientConfig>();

/** Makes `withOwnConnection` connect by other options than the pool, because a pooler by transaction has no sessions. */
export function setDirectConnection(dataSource: DataSource, options: ClientConfig): void {
  directOptions.set(dataSource, options);
}

/**
 * Runs `work` on a connection of its own: outside the pool, so that a long job takes none from requests, and past a pooler
 * (DATABASE_URL_DIRECT). Session locks end with it, even when the process is killed. `name` is its application name.
 */
export async function withOwnConnection<T>(
  dataSource: DataSource,
  name: string,
  work: (query: ConnectionQuery) => Promise<T>,
): Promise<T> {
  const { master } = dataSource.driver as unknown as { master: { options: ClientConfig } };
  const options = directOptions.get(dataSource) ?? master.options;
  const client = new Client({ ...options, application_name: name, keepAlive: true });
  // A lost connection fails the running statement with the same error.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(async (text, values) => (await client.query(text, values)).rows);
  } finally {
    await client.end().catch(() => {});
  }
}
