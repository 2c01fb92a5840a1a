/**
 * `ingest`: the import rate of a portal's file, compared with plain batched INSERTs of the same parsed rows, and the memory
 * that a file of 1,000,000 rows takes by the count of its own process. An unchanged file's share of the write-ahead log is
 * measured between two checkpoints. Takes some minutes; `PARTS=rate,log,memory` runs only these parts.
 */
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openSource } from '../../src/ingest/files/source-file.ts';
import { readGepnic } from '../../src/ingest/gepnic/gepnic-csv.ts';
import { importFile } from '../../src/ingest/import.ts';
import { contentHash, prepareRow, type StoredRow } from '../../src/ingest/stored-row.ts';
import { BenchmarkMetrics, log, median, runParts } from '../measure/metrics.ts';
import { insertPlainly } from '../measure/plain/inserts.ts';
import { SOURCE, writeTendersCsv } from '../measure/tenders-csv.ts';
import { type BenchDatabase, inWorkspace, type Workspace } from '../measure/workspace.ts';

const ROUNDS = 3;
const ROUND_ROWS = 30_000;
const LARGE_ROWS = 1_000_000;
const UNCHANGED_ROWS = 12_000;
/** The last line of the command's output is then its own peak of resident memory in kB. */
const REPORT_PEAK = `--import=data:text/javascript,${encodeURIComponent(
  'import{writeSync}from"node:fs";process.once("exit",()=>writeSync(1,"\\n"+process.resourceUsage().maxRSS+"\\n"))',
)}`;

async function run(workspace: Workspace): Promise<void> {
  const figures = new BenchmarkMetrics('ingest');
  await runParts({
    rate: () => compareRates(figures, workspace),
    log: () => measureUnchanged(figures, workspace),
    memory: () => measureMemory(figures, workspace),
  });
  figures.finish();
}

async function compareRates(figures: BenchmarkMetrics, workspace: Workspace): Promise<void> {
  const rounds: { ours: number; plain: number }[] = [];
  // The first round warms both up and does not count.
  for (let round = 0; round <= ROUNDS; round++) {
    log(round === 0 ? 'warming up' : `comparing with plain INSERTs, round ${round} of ${ROUNDS}`);
    const file = join(workspace.folder, 'notices.csv');
    await writeTendersCsv(file, ROUND_ROWS, round);
    const rows = await parsedRows(file);
    assert.equal(rows.length, ROUND_ROWS);
    const ours = () => rowsPerSecond(workspace, (database) => importOnce(workspace, database, file));
    const plain = () => rowsPerSecond(workspace, ({ address }) => insertPlainly(address, rows));
    const measured =
      round % 2 === 0 ? { ours: await ours(), plain: await plain() } : { plain: await plain(), ours: await ours() };
    if (round > 0) rounds.push(measured);
  }
  figures.record('this_rows_per_second', median(rounds.map(({ ours }) => ours)));
  figures.record('plain_rows_per_second', median(rounds.map(({ plain }) => plain)));
  // Both run in each round, so that other load affects both.
  figures.check('rate_ratio', median(rounds.map(({ ours, plain }) => ours / plain)), 'least', 0.6);
}

async function parsedRows(file: string): Promise<StoredRow[]> {
  const rows: StoredRow[] = [];
  for await (const read of readGepnic(await openSource(file), SOURCE))
    if ('tender' in read) rows.push(prepareRow(read.tender, contentHash(read.tender), 0, new Map()).row);
  return rows;
}

/** Rows per second of `store`, which fills an empty database with the rows of a round. */
async function rowsPerSecond(
  workspace: Workspace,
  store: (database: BenchDatabase) => Promise<unknown>,
): Promise<number> {
  const database = await workspace.createDatabase('round');
  // Checkpoints of the previous database must not slow this one.
  await database.dataSource.query('CHECKPOINT');
  const started = performance.now();
  await store(database);
  const seconds = (performance.now() - started) / 1_000;
  const [{ stored }] = await database.dataSource.query('SELECT count(*)::int AS stored FROM tender');
  assert.equal(stored, ROUND_ROWS);
  await database.drop();
  return ROUND_ROWS / seconds;
}

async function importOnce(workspace: Workspace, { dataSource }: BenchDatabase, file: string): Promise<void> {
  await importFile(
    { file, format: 'auto', ...SOURCE, rebase: undefined, dryRun: false, rejects: undefined },
    { dataSource, dataDir: workspace.folder, now: new Date(), log: () => {} },
  );
}

/** The write-ahead log of a first import, and of the same file again. Nothing else writes to this server. */
async function measureUnchanged(figures: BenchmarkMetrics, workspace: Workspace): Promise<void> {
  log('importing an unchanged file');
  const file = join(workspace.folder, 'unchanged.csv');
  await writeTendersCsv(file, UNCHANGED_ROWS, 0);
  const database = await workspace.createDatabase('unchanged');
  const { dataSource } = database;
  const walBytes = async () => {
    // The first write to a page after a checkpoint logs the whole page.
    await dataSource.query('CHECKPOINT');
    const [{ lsn }] = await dataSource.query('SELECT pg_current_wal_lsn()::text AS lsn');
    await importOnce(workspace, database, file);
    const [{ bytes }] = await dataSource.query(
      'SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), $1::pg_lsn)::float8 AS bytes',
      [lsn],
    );
    return bytes as number;
  };
  const first = await walBytes();
  // Autovacuum follows the first import, and would log its pages during one of the later ones.
  await dataSource.query('VACUUM (ANALYZE)');
  // The second import adds the rows that the later ones only update.
  const again = [await walBytes(), await walBytes(), await walBytes()];
  figures.record('first_wal_mb', first / 1e6);
  for (const bytes of again) figures.record('unchanged_wal_mb', bytes / 1e6);
  figures.check('unchanged_wal_ratio', Math.max(...again) / first, 'most', 0.05);
  await database.drop();
}

/** Runs the import command on a file of the size of a whole country. */
async function measureMemory(figures: BenchmarkMetrics, workspace: Workspace): Promise<void> {
  log(`writing a file of ${LARGE_ROWS.toLocaleString('en-IN')} rows`);
  const file = join(workspace.folder, 'large.csv');
  await writeTendersCsv(file, LARGE_ROWS, 0);
  const started = performance.now();
  const child = workspace.start(
    join(import.meta.dirname, 'cli.js'),
    ['import', file, '--portal', SOURCE.portal, '--state', SOURCE.state, '--json'],
    // The folder's server runs already, so the command's memory does not include it.
    { DATA_DIR: workspace.folder, NODE_OPTIONS: REPORT_PEAK },
  );
  const ended = once(child, 'exit');
  const printed = text(child.stdout as NodeJS.ReadableStream);
  const [code] = await ended;
  assert.equal(code, 0, `the import ended with code ${code}`);
  const [counts = '', peakKb] = (await printed).trim().split(/\n+/).slice(-2);
  assert.equal(JSON.parse(counts).new, LARGE_ROWS);
  figures.record('large_rows_per_second', LARGE_ROWS / ((performance.now() - started) / 1_000));
  figures.check('peak_rss_mb', Number(peakKb) / 1_024, 'most', 350);
  await rm(file);
}

await inWorkspace(run);
