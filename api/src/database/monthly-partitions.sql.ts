/** Tables with a partition for each month, which is made ahead and dropped whole. SQL: partitions are PostgreSQL's own. */
import { DAY_MS } from '@nivida/contract/time';
import type { DataSource, EntityManager } from 'typeorm';
import { batchedDelete, runInBatches } from './delete-in-batches.sql.ts';

/** The tables, each with the column of its months, in the order in which other transactions lock them. */
export const MONTHLY_TABLES = { notice: 'event_at', push_delivery: 'event_at', push_receipt: 'day' } as const;

/** Months after the present one that have partitions. */
const MONTHS_AHEAD = 3;
/** With fewer, the job that makes them has not run for weeks. */
export const MIN_MONTHS_AHEAD = 2;
/** A month is dropped this long after its end. */
const RETENTION_MS = 60 * DAY_MS;

/** How long a statement waits for the tables. All that use them wait behind it, so it is less than the time of a deadlock check. */
const LOCK_TIMEOUT_MS = 500;
const MAX_ATTEMPTS = 5;
const LOCK_NOT_AVAILABLE = '55P03';

/** Runs a statement and returns its rows. */
type Query = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;

/** Months of UTC since the year 0. */
const monthOf = (instant: Date): number => instant.getUTCFullYear() * 12 + instant.getUTCMonth();
const startOf = (month: number): string => new Date(Date.UTC(Math.floor(month / 12), month % 12)).toISOString();
const nameOf = (table: string, month: number): string =>
  `${table}_${startOf(month).slice(0, 'yyyy-mm'.length).replace('-', '_')}`;

/** Partitions of months; `month` is '2026_11'. */
const MONTH_PARTITIONS = `
  SELECT t.relname AS table, c.relname AS name, right(c.relname, 7) AS month
  FROM pg_partitioned_table p JOIN pg_class t ON t.oid = p.partrelid
    JOIN pg_inherits i ON i.inhparent = t.oid JOIN pg_class c ON c.oid = i.inhrelid
  WHERE t.relnamespace = current_schema()::regnamespace AND c.relname ~ '_[0-9]{4}_[0-9]{2}$'
  ORDER BY c.relname`;

/** Months after the present one with a partition, by table. $1: now. */
export const MONTHS_AHEAD_OF_TABLES = `
  SELECT t.relname AS table, count(m.name) AS value
  FROM pg_partitioned_table p JOIN pg_class t ON t.oid = p.partrelid
    LEFT JOIN (${MONTH_PARTITIONS}) m
      ON m.table = t.relname AND m.month > to_char($1::timestamptz AT TIME ZONE 'UTC', 'YYYY_MM')
  WHERE t.relnamespace = current_schema()::regnamespace GROUP BY t.relname ORDER BY t.relname`;

/**
 * Makes the missing months from the oldest that is kept to the last ahead, in the caller's transaction. Rows that came before
 * their month, in the default partition, move into it. Returns the number of partitions.
 */
export async function makeMonths(query: Query, now: Date): Promise<number> {
  const first = monthOf(new Date(now.getTime() - RETENTION_MS));
  const months = Array.from({ length: monthOf(now) + MONTHS_AHEAD - first + 1 }, (_, nth) => first + nth);
  const existing = new Set((await query(MONTH_PARTITIONS)).map(({ name }) => name));
  let made = 0;
  for (const table of Object.keys(MONTHLY_TABLES)) {
    const missing = months.filter((month) => !existing.has(nameOf(table, month)));
    if (missing.length > 0) await addPartitions(query, table, missing);
    made += missing.length;
  }
  return made;
}

async function addPartitions(query: Query, table: string, months: number[]): Promise<void> {
  await query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  const [first] = await query(`SELECT FROM ${table}_default LIMIT 1`);
  if (first) {
    // A notice that only moves keeps its deliveries. A TRUNCATE would take the rows from a backup that runs.
    await query(`ALTER TABLE ${table}_default DISABLE TRIGGER USER`);
    await query(`CREATE TEMP TABLE moved_row ON COMMIT DROP AS SELECT * FROM ${table}_default`);
    await query(`DELETE FROM ${table}_default`);
  }
  for (const month of months)
    await query(
      `CREATE TABLE IF NOT EXISTS ${nameOf(table, month)} PARTITION OF ${table}
       FOR VALUES FROM ('${startOf(month)}') TO ('${startOf(month + 1)}')`,
    );
  if (first) {
    await query(`INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM moved_row`);
    await query('DROP TABLE moved_row');
    await query(`ALTER TABLE ${table}_default ENABLE TRIGGER USER`);
  }
}

/** Makes months in a transaction of its own. Throws when the tables stay in use. */
export const makeMissingMonths = (dataSource: DataSource, now: Date): Promise<number> =>
  whenUnlocked(dataSource, (manager) => makeMonths((text, values) => manager.query(text, values), now));

/** Drops the months that ended 60 days ago, one transaction for each, and older rows that no month had. Returns the number of partitions and rows. */
export async function dropOldMonths(dataSource: DataSource, now: Date): Promise<number> {
  const before = new Date(now.getTime() - RETENTION_MS);
  const old = nameOf('', monthOf(before)).slice(1);
  const partitions: { table: string; name: string; month: string }[] = await dataSource.query(MONTH_PARTITIONS);
  const due = Map.groupBy(
    partitions.filter(({ table, month }) => table in MONTHLY_TABLES && month < old),
    ({ month }) => month,
  );
  let removed = 0;
  for (const names of due.values()) {
    await whenUnlocked(dataSource, (manager) =>
      manager.query(`DROP TABLE IF EXISTS ${names.map(({ name }) => name).join(', ')}`),
    );
    removed += names.length;
  }
  // By partition, because the place of a row is its own in each of them.
  for (const [table, column] of Object.entries(MONTHLY_TABLES))
    removed += await runInBatches(dataSource, batchedDelete(`${table}_default`, `t.${column} < $1`), [before]);
  return removed;
}

async function whenUnlocked<Result>(
  dataSource: DataSource,
  work: (manager: EntityManager) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await dataSource.transaction(async (manager) => {
        await manager.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
        return work(manager);
      });
    } catch (error) {
      const { driverError } = error as { driverError?: { code?: string } };
      if (driverError?.code !== LOCK_NOT_AVAILABLE || attempt === MAX_ATTEMPTS) throw error;
    }
}
