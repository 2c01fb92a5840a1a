import { Client } from 'pg';
import type { DataSource } from 'typeorm';

/** Runs one statement and returns its rows. */
export type ConnectionQuery = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;

/** Runs `work` on a connection outside the pool, so that a long job takes none from requests. Session locks end with it. */
export async function withOwnConnection<T>(
  dataSource: DataSource,
  work: (query: ConnectionQuery) => Promise<T>,
): Promise<T> {
  const { master } = dataSource.driver as unknown as { master: { options: object } };
  const client = new Client({ ...master.options, application_name: 'nivida-packs' });
  // A lost connection fails the running statement with the same error.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(async (text, values) => (await client.query(text, values)).rows);
  } finally {
    await client.end().catch(() => {});
  }
}
