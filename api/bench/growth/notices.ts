/**
 * Notices by month (`PARTS=notices`): the list and the count of the bell at a million and at `NOTICES` (default 10,000,000; full
 * 100,000,000), each with months and, up to the default, without, in turns. A user is read twice: at full size the first read
 * waits for the disk. Then what it takes to remove old months. A notice has one delivery. The full size takes half an hour and
 * 60 GB of disk.
 */
import { createHash } from 'node:crypto';
import { DAY_MS, MINUTE_MS } from '@nivida/contract/time';
import type { DataSource, QueryRunner } from 'typeorm';
import { BATCH_ROWS, batchedDelete } from '../../src/database/delete-in-batches.sql.ts';
import { dropOldMonths, makeMissingMonths } from '../../src/database/monthly-partitions.sql.ts';
import { NOTICES_PAGE, UNREAD_COUNT } from '../../src/push/notices/notices.sql.ts';
import { type BenchmarkMetrics, log, percentile } from '../measure/metrics.ts';
import type { BenchDatabase, Workspace } from '../measure/workspace.ts';

const FEW = 1_000_000;
const FULL = 100_000_000;
/** Two databases of the full size would need twice the disk. */
const MAX_WITHOUT_MONTHS = 10 * FEW;
const MANY = Number(process.env.NOTICES ?? MAX_WITHOUT_MONTHS);
const TENDERS = 2_000;
/** As many as a user gets in the days that are kept. */
const NOTICES_OF_A_USER = 60;
const KEPT_DAYS = 60;
const ROUNDS = 5;
const READS_OF_A_ROUND = 1_000;
const MAX_RATIO = 1.2;
const DELETED_BATCHES = 20;

/** Each user that is chosen at random is read twice. */
const READS = ['first', 'again'] as const;
type Read = (typeof READS)[number];

/** One table of notices; `times` are milliseconds by round. */
interface Filled {
  rows: number;
  database: BenchDatabase;
  times: Record<Read, number[][]>;
}

/** Measures reads and removal, and removes its databases. */
export async function measureNotices(figures: BenchmarkMetrics, workspace: Workspace): Promise<void> {
  if (MANY < FULL) log(`${MANY} notices; skipped: ${FULL} (NOTICES=${FULL})`);
  const now = new Date();
  const fill = async (name: string, rows: number, hasMonths: boolean): Promise<Filled> => {
    log(`filling ${rows.toLocaleString('en-IN')} notices ${hasMonths ? 'with' : 'without'} months`);
    const database = await workspace.copyTenders(name, TENDERS);
    await fillNotices(database.dataSource, rows, hasMonths, now);
    return { rows, database, times: { first: [], again: [] } };
  };
  const few = await fill('notices_few', FEW, true);
  const many = await fill('notices_many', MANY, true);
  const whole = [await fill('notices_few_whole', FEW, false)];
  if (MANY <= MAX_WITHOUT_MONTHS) whole.push(await fill('notices_many_whole', MANY, false));
  const [fewWhole, manyWhole] = whole as [Filled, Filled?];
  const all = [few, many, ...whole];
  figures.record('notices', MANY);
  for (let round = 0; round < ROUNDS; round += 1) await readInTurns(all, now);
  for (const read of READS)
    for (const share of [0.5, 0.99]) {
      const name = `bell_${read}_p${share * 100}`;
      // The least of the rounds is the one that other work disturbed least.
      const least = ({ times }: Filled) => Math.min(...times[read].map((each) => percentile(each, share)));
      figures.record(`${name}_ms_at_a_million`, least(few));
      figures.record(`${name}_ms`, least(many));
      const ratio = least(many) / least(few);
      // At full size pages of a user who was not read before come from the disk.
      if (read === 'first' && !manyWhole) figures.record(`${name}_ratio`, ratio);
      else figures.check(`${name}_ratio`, ratio, 'most', MAX_RATIO);
      if (!manyWhole) continue;
      figures.record(`${name}_ratio_without_months`, least(manyWhole) / least(fewWhole));
      figures.record(`${name}_with_months_against_without`, least(many) / least(manyWhole));
    }
  const dropped = await measureDrop(many.database.dataSource, now);
  const deleted = await measureDeletes((manyWhole ?? fewWhole).database.dataSource);
  figures.record('dropped_rows', dropped.rows);
  figures.record('drop_ms', dropped.ms);
  figures.record('dropped_rows_per_minute', (dropped.rows / dropped.ms) * MINUTE_MS);
  figures.record('deleted_rows_per_minute', (deleted.rows / deleted.ms) * MINUTE_MS);
  figures.check('drop_against_deletes', dropped.rows / dropped.ms / (deleted.rows / deleted.ms), 'least', 10);
  for (const { database } of all) await database.drop();
}

/** Each recipient gets a notice in turn, so those of one are spread over the whole table, as time spreads them. */
async function fillNotices(dataSource: DataSource, rows: number, hasMonths: boolean, now: Date): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    if (hasMonths) await makeMissingMonths(dataSource, now);
    else for (const table of ['push_delivery', 'notice']) await runner.query(withoutMonths(table));
    // Neither accounts nor devices: foreign keys are not checked. Indexes are built over all rows.
    await runner.query("SET session_replication_role = replica; SET maintenance_work_mem = '512MB'");
    const indexes: { name: string; definition: string }[] = await runner.query(
      `SELECT indexname AS name, replace(indexdef, ' ON ONLY ', ' ON ') AS definition FROM pg_indexes
       WHERE schemaname = 'public' AND tablename IN ('notice', 'push_delivery') AND indexname NOT LIKE '%_pkey'`,
    );
    for (const { name } of indexes) await runner.query(`DROP INDEX ${name}`);
    await insertNotices(runner, rows, now);
    for (const { definition } of indexes) await runner.query(definition);
    if (!hasMonths) {
      await runner.query('CREATE INDEX notice_created ON notice (created_at)');
      await runner.query(
        'ALTER TABLE push_delivery ADD FOREIGN KEY (notice_id) REFERENCES notice (id) ON DELETE CASCADE',
      );
    }
    await runner.query('VACUUM ANALYZE notice, push_delivery');
    await runner.query('CHECKPOINT');
    await runner.query('RESET session_replication_role');
  } finally {
    await runner.release();
  }
}

/** Puts one table of the same columns, indexes and uniqueness in the place of the months. */
const withoutMonths = (table: string): string => `
  CREATE TABLE whole (LIKE ${table} INCLUDING DEFAULTS INCLUDING IDENTITY INCLUDING INDEXES);
  DROP TABLE ${table};
  ALTER TABLE whole RENAME TO ${table};
  ALTER TABLE ${table} DROP CONSTRAINT whole_pkey, ADD PRIMARY KEY (id)`;

async function insertNotices(runner: QueryRunner, rows: number, now: Date): Promise<void> {
  await runner.query(
    `INSERT INTO notice (recipient, tender_id, kind, version, state, created_at, event_at, read_at)
     SELECT md5((n % $2)::text)::uuid, 1 + (n / $2 + n % $2) % $3, 'changed', n / $2, 'due', at, at,
       CASE WHEN n % 5 > 0 THEN at END
     FROM generate_series(0, $1::bigint - 1) n, LATERAL (SELECT $4::timestamptz - ($1 - n) * ($5::interval / $1) AS at) t`,
    [rows, usersOf(rows), TENDERS, now, `${KEPT_DAYS} days`],
  );
  await runner.query(
    `INSERT INTO push_delivery (notice_id, subscription_id, host, state, send_at, sent_at, event_at)
     SELECT id, recipient, 'push.example', 'sent', created_at, created_at, event_at FROM notice`,
  );
}

const usersOf = (rows: number): number => Math.ceil(rows / NOTICES_OF_A_USER);

/** The two statements of `GET /api/notices`, for any users. */
async function readInTurns(all: Filled[], now: Date): Promise<void> {
  const runners = all.map(({ database }) => database.dataSource.createQueryRunner());
  for (const { times } of all) for (const read of READS) times[read].push([]);
  const range = [new Date(now.getTime() - 30 * DAY_MS), new Date(now.getTime() + 2 * DAY_MS)];
  for (let nth = 0; nth < READS_OF_A_ROUND; nth += 1)
    for (const [at, { rows, times }] of all.entries()) {
      const user = Math.floor(Math.random() * usersOf(rows));
      const recipient = createHash('md5').update(String(user)).digest('hex');
      for (const read of READS) {
        const started = performance.now();
        const page = await runners[at]?.query(NOTICES_PAGE, [recipient, ...range, null]);
        await runners[at]?.query(UNREAD_COUNT, [recipient, ...range]);
        times[read].at(-1)?.push(performance.now() - started);
        if (page.length === 0) throw new Error('a user has no notice');
      }
    }
  for (const runner of runners) await runner.release();
}

/** Drops the months before the present one, with their deliveries. */
async function measureDrop(dataSource: DataSource, now: Date): Promise<{ rows: number; ms: number }> {
  // The job keeps a month for 60 days after its end.
  const due = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()) + 60 * DAY_MS);
  const count = async () => {
    const [{ rows }] = await dataSource.query(
      'SELECT (SELECT count(*) FROM notice)::float8 + (SELECT count(*) FROM push_delivery)::float8 AS rows',
    );
    return rows;
  };
  const before = await count();
  const started = performance.now();
  await dropOldMonths(dataSource, due);
  const ms = performance.now() - started;
  return { rows: before - (await count()), ms };
}

/** Deletes batches of the oldest notices, one after the other, with their deliveries. */
async function measureDeletes(dataSource: DataSource): Promise<{ rows: number; ms: number }> {
  const started = performance.now();
  for (let batch = 0; batch < DELETED_BATCHES; batch += 1)
    await dataSource.query(batchedDelete('notice', 't.created_at < $1'), [new Date()]);
  return { rows: 2 * BATCH_ROWS * DELETED_BATCHES, ms: performance.now() - started };
}
