/** The reference for the ingest: parsed rows, inserted by multi-row statements. */
import { Client } from 'pg';
import type { EmbeddedPostgresConnection } from '../../../src/database/embedded-postgres.ts';
import type { StoredRow } from '../../../src/ingest/stored-row.ts';
import { isArchivedAt } from '../../../src/tenders/archive-tenders.job.ts';

/** The batch size of the ingest; a statement takes at most 65,535 values. */
const BATCH_ROWS = 500;

/** Inserts all rows into the tender table; its trigger writes the rows of open tenders. */
export async function insertPlainly(address: EmbeddedPostgresConnection, rows: StoredRow[]): Promise<void> {
  const client = new Client(address);
  await client.connect();
  try {
    const now = new Date();
    for (let at = 0; at < rows.length; at += BATCH_ROWS) {
      const batch = rows.slice(at, at + BATCH_ROWS);
      await client.query(insertStatement(batch, at + 1, now));
    }
  } finally {
    await client.end();
  }
}

function insertStatement(batch: StoredRow[], firstChange: number, now: Date) {
  const columns = [...Object.keys(batch[0] ?? {}), 'origin', 'change_no', 'archived', 'fetched_at', 'updated_at'];
  const values: unknown[] = [];
  const tuples = batch.map((row, index) => {
    const start = values.length;
    for (const value of Object.values(row)) values.push(isJson(value) ? JSON.stringify(value) : value);
    // an archived tender has no second row, as in an import
    values.push('portal', firstChange + index, isArchivedAt(row.closes_at, now), now, now);
    return `(${columns.map((_, column) => `$${start + column + 1}`).join(',')})`;
  });
  const text = `INSERT INTO tender (${columns.join(', ')}) VALUES ${tuples.join(', ')}`;
  // The statement is built once for all full batches.
  return { name: `insert ${batch.length}`, text, values };
}

// `pg` would convert the value to a PostgreSQL array.
function isJson(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !(value instanceof Date);
}
