/** Deletes old rows in bounded batches. SQL: a DELETE with a limit. */
import type { DataSource } from 'typeorm';

/** A larger batch would hold its locks, and those of referring rows, for too long. */
export const BATCH_ROWS = 5_000;

/** Deletes one batch of the rows `t` of a table that meet the condition. Locked rows are skipped. */
export const batchedDelete = (table: string, condition: string): string => `
  DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
    SELECT t.ctid FROM ${table} t WHERE ${condition} LIMIT ${BATCH_ROWS} FOR UPDATE OF t SKIP LOCKED))`;

/** Changes one batch of the rows `t` of a table that meet the condition. */
export const batchedUpdate = (table: string, assignments: string, condition: string): string => `
  UPDATE ${table} SET ${assignments} WHERE ctid = ANY (ARRAY(
    SELECT t.ctid FROM ${table} t WHERE ${condition} LIMIT ${BATCH_ROWS} FOR UPDATE OF t SKIP LOCKED))`;

/** Repeats a batched statement, each time in a transaction of its own, until no row is left. Returns the number of rows. */
export async function runInBatches(
  dataSource: Pick<DataSource, 'query'>,
  statement: string,
  values: unknown[],
): Promise<number> {
  for (let rows = 0; ; ) {
    const [, count] = await dataSource.query<[unknown, number]>(statement, values);
    rows += count;
    if (count < BATCH_ROWS) return rows;
  }
}
