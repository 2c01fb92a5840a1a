/** Restores a backup into an empty database, completely or not at all. */
import { type Client, escapeIdentifier } from 'pg';
import { makeMonths } from '../database/monthly-partitions.sql.ts';
import {
  type BackupArchive,
  fileEntryName,
  hashStream,
  InvalidBackupError,
  RowHashingStream,
  tableEntryName,
} from './archive.ts';
import {
  BEGIN_NEW_EPOCH,
  copyTableInStatement,
  copyTableOut,
  holdsRowsStatement,
  lastMigrationName,
  RAISE_INVOICE_NO,
  readTables,
  SET_SEQUENCE,
  SKIP_WAITING_DELIVERIES,
  setSessionFormat,
} from './backup.sql.ts';
import type { StoredFiles } from './backup.ts';
import { copyIn } from './postgres-copy.ts';

const LOCK_TIMEOUT = '10s';
/** The only table that is not empty after the migrations. */
const MIGRATION_FILLED_TABLE = 'setting';

/** The database cannot take the backup; nothing was changed. */
export class RestoreError extends Error {
  override name = 'RestoreError';
}

/** The last assigned invoice number of a series. */
export interface LastInvoice {
  series: string;
  /** '26-27' */
  financialYear: string;
  no: number;
}

/**
 * Restores all rows, files and sequences in one transaction, and compares each table with the backup before the commit.
 * The database must have the schema of the backup, and its user must own the tables. Invoice numbers continue after
 * `lastInvoices` where these are higher than in the backup. Throws InvalidBackupError or RestoreError.
 */
export async function restoreBackup(
  archive: BackupArchive,
  client: Client,
  files: StoredFiles,
  lastInvoices: readonly LastInvoice[],
): Promise<void> {
  const { manifest: contents } = archive;
  const migration = await lastMigrationName(client);
  if (migration !== contents.migration)
    throw new RestoreError(
      `The database has the schema ${migration} and the backup has ${contents.migration}: another program has migrated the database. Stop it first`,
    );
  const written: string[] = [];
  await setSessionFormat(client);
  await client.query('BEGIN');
  try {
    await lockAndClearTables(client);
    await makeMonths(async (text, values) => (await client.query(text, values)).rows, new Date(contents.madeAt));
    await copyTables(archive, client);
    for (const { name, lastValue, isCalled } of contents.sequences)
      await client.query(SET_SEQUENCE, [escapeIdentifier(name), lastValue, isCalled]);
    await continueAfterBackup(client, lastInvoices);
    for (const { key } of contents.files) {
      if (await files.has(key)) continue;
      written.push(key);
      await files.write(key, await archive.read(fileEntryName(key)));
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    for (const key of written) await files.remove(key).catch(() => {});
    throw error;
  }
  await client.query('ANALYZE');
}

/**
 * Prepares a database that its own tools have put back to an earlier instant: devices load their packs again, deliveries that
 * waited then are not sent, and invoice numbers continue after `lastInvoices`. Throws RestoreError while it is in use.
 */
export async function finishRecovery(client: Client, lastInvoices: readonly LastInvoice[]): Promise<void> {
  await client.query('BEGIN');
  try {
    await lockTables(client);
    await client.query(BEGIN_NEW_EPOCH);
    await continueAfterBackup(client, lastInvoices);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** Deliveries that waited at the time of the backup have been sent in the meantime or are outdated. */
async function continueAfterBackup(client: Client, lastInvoices: readonly LastInvoice[]): Promise<void> {
  await client.query(SKIP_WAITING_DELIVERIES);
  for (const { series, financialYear, no } of lastInvoices)
    await client.query(RAISE_INVOICE_NO, [series, financialYear, no]);
}

/** Throws RestoreError for a database that has rows or is in use; changes nothing. */
export async function assertEmpty(client: Client): Promise<void> {
  await client.query('BEGIN');
  await lockAndAssertEmpty(client).finally(() => client.query('ROLLBACK'));
}

async function lockAndClearTables(client: Client): Promise<void> {
  await lockAndAssertEmpty(client);
  // Truncating the tender table starts a new epoch (sync/epoch.ts), even in the database that the backup was made of.
  await client.query(`TRUNCATE tender, ${MIGRATION_FILLED_TABLE} CASCADE`);
}

/** Locks all tables until the end of the transaction and returns their names. Throws RestoreError while they are in use. */
async function lockTables(client: Client): Promise<string[]> {
  const tables = (await readTables(client)).map(({ name }) => name);
  const names = tables.map(escapeIdentifier);
  await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
  await client.query(`LOCK TABLE ${names.join(', ')} IN ACCESS EXCLUSIVE MODE`).catch(() => {
    throw new RestoreError('The database is in use: stop every server of it first');
  });
  return tables;
}

/** Locks all tables until the end of the transaction; throws RestoreError when one holds rows. */
async function lockAndAssertEmpty(client: Client): Promise<void> {
  const tables = await lockTables(client);
  for (const name of tables) {
    if (name === MIGRATION_FILLED_TABLE) continue;
    const { rows } = await client.query(holdsRowsStatement(name));
    if (rows[0].holds)
      throw new RestoreError(
        `The database is not empty: ${name} holds rows. Restore into a new one, or replace it with npm run restore -- FILE --replace`,
      );
  }
}

async function copyTables(archive: BackupArchive, client: Client): Promise<void> {
  const known = new Map((await readTables(client)).map((table) => [table.name, table]));
  const { tables } = archive.manifest;
  for (const table of tables) {
    // Names become part of statements: only columns of this database are allowed.
    const columns = known.get(table.name)?.columns;
    if (!columns || columns.join() !== table.columns.join())
      throw new InvalidBackupError(`The backup has a table ${table.name} that this database does not know`);
    const bytes = await archive.read(tableEntryName(table.name));
    await copyIn(client, copyTableInStatement(table), bytes);
    const taken = await hashStream(copyTableOut(client, table), new RowHashingStream());
    if (taken.rows !== table.rows || taken.rowsDigest() !== table.rowsSha256)
      throw new RestoreError(
        `The rows of ${table.name} in the database differ from the backup (${taken.rows} of ${table.rows} rows). The file is not damaged: try another database server of the same or a newer version`,
      );
  }
}
