/** Restores a backup into a second schema of a database, and replaces the first one when the restore is complete. */
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { createDataSource, type DatabaseAddress, migrate, toPgOptions } from '../schema/data-source.ts';
import {
  COUNT_OTHER_SESSIONS,
  createSchemaStatement,
  dropSchemaStatement,
  LAST_INVOICES,
  replaceSchemaStatement,
} from './backup.sql.ts';
import { type LastInvoice, RestoreError } from './restore.ts';

/** Restores into empty tables of `schema`. Invoice numbers continue after `issued`, the last ones of the replaced database. */
export type RestoreBeside = (dataSource: DataSource, schema: string, issued: LastInvoice[]) => Promise<void>;

/**
 * Runs `restore` in a schema of its own, then replaces the tables of the database in one transaction. Until then nothing
 * of them changes, so a failed restore leaves them as they were. Throws RestoreError while the database is in use.
 */
export async function replaceDatabase(address: DatabaseAddress, restore: RestoreBeside): Promise<void> {
  const client = new Client(toPgOptions(address));
  const schema = `nivida_restore_${randomBytes(6).toString('hex')}`;
  await client.connect();
  try {
    const {
      rows: [used],
    } = await client.query<{ sessions: number }>(COUNT_OTHER_SESSIONS);
    if (used && used.sessions > 0) throw new RestoreError('The database is in use: stop every server of it first');
    const issued = await readLastInvoices(client);
    await client.query(createSchemaStatement(schema));
    try {
      const dataSource = createDataSource(address, 2, schema);
      try {
        await dataSource.initialize();
        await migrate(dataSource);
        await restore(dataSource, schema, issued);
      } finally {
        if (dataSource.isInitialized) await dataSource.destroy();
      }
      await client.query(replaceSchemaStatement(schema));
    } catch (error) {
      await client.query('ROLLBACK');
      await client.query(dropSchemaStatement(schema));
      throw error;
    }
  } finally {
    await client.end();
  }
}

/** The last invoice numbers; empty when the tables cannot be read. */
async function readLastInvoices(client: Client): Promise<LastInvoice[]> {
  return client.query<LastInvoice>(LAST_INVOICES).then(
    ({ rows }) => rows,
    () => [],
  );
}
