/**
 * `sync-size`: bytes on the wire of the packs and daily deltas of two real portals, as of 15 December 2025. The deltas are
 * those for a device that asks once a day while the next weeks' tenders are published, with `details=1`, which the app
 * sends once it stores all details. Bytes are those of the bodies, without headers. Also the bytes that ranked search adds
 * on the server and on the device, and the awards of the offices beside the packs. Needs the files of ../shared/data; takes a few minutes.
 */
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packOffices } from '@nivida/contract/awards/award-pack';
import { fromIndianTime, indianDay } from '@nivida/contract/format';
import { packDetails, packList, readDelta, readDetails, readList } from '@nivida/contract/sync/sync-wire';
import { computeAwardStatistics } from '../src/awards/award-statistics.job.ts';
import { compressBrotli } from '../src/http/body-cache.ts';
import { importFile } from '../src/ingest/import.ts';
import { compressWith } from '../src/pages/earlier-files.ts';
import { readDeltaPage } from '../src/sync/delta.ts';
import { readEpochState, type SqlQuery } from '../src/sync/epoch.ts';
import { readRowsAfter, rowsToColumns, type ScopeRows } from '../src/sync/scope-rows.sql.ts';
import { publishDueDrafts } from '../src/tenders/publish-drafts.job.ts';
import { BenchmarkMetrics, log, median } from './measure/metrics.ts';
import { deviceSearchBytes, serverSearchBytes } from './measure/search-bytes.ts';
import { type BenchDatabase, inWorkspace, type Workspace } from './measure/workspace.ts';

// Both the sources and the built benchmark are two folders below the project.
const DATA = resolve(import.meta.dirname, '../../../shared/data');
const PINCODES = join(DATA, 'geo/pincode_district_state.csv');
/** `beforeRanking`: bytes per tender of both files with all tenders, by the last version without ranked search. */
const PORTALS = [
  {
    name: 'himachal',
    file: 'hptenders-2025-06-onward.csv.gz',
    portal: 'hptenders',
    state: 'Himachal Pradesh',
    beforeRanking: 81.8,
  },
  {
    name: 'assam',
    file: 'assamtenders-2025-06-onward.csv.gz',
    portal: 'assamtenders',
    state: 'Assam',
    beforeRanking: 76.5,
  },
];
const REBASE = '2025-12-15';
const OFFICES_OF_STATE = 'SELECT statistics FROM office_statistics WHERE state = $1';
const SEGMENT_ROWS = 5_000;
const DAYS = 90;
const DAY_MS = 86_400_000;
const YEARS_MS = 5 * 365 * DAY_MS;

async function run(workspace: Workspace): Promise<void> {
  const figures = new BenchmarkMetrics('sync-size');
  const database = await workspace.createDatabase('tenders');
  const now = new Date();
  await importPortals(workspace, database, now);
  const packBytes = new Map<string, number>();
  for (const { name, state } of PORTALS) {
    const { list, both, rows } = await measurePack(toQuery(database), state, now);
    packBytes.set(state, both * rows);
    figures.record(`${name}_rows`, rows);
    figures.check(`${name}_list_bytes_per_tender`, list, 'most', 65);
    figures.check(`${name}_both_bytes_per_tender`, both, 'most', 120);
  }
  await measureDays(figures, database, now);
  await publishDueDrafts({ dataSource: database.dataSource, now: new Date(now.getTime() + YEARS_MS) });
  for (const { name, state, beforeRanking } of PORTALS) {
    // Long ago no tender had closed yet: the scope is the whole file.
    const { list, both, rows } = await measurePack(toQuery(database), state, new Date(now.getTime() - YEARS_MS));
    figures.record(`${name}_file_rows`, rows);
    figures.record(`${name}_file_list_bytes_per_tender`, list);
    figures.record(`${name}_file_both_bytes_per_tender`, both);
    figures.check(`${name}_file_percent_of_unranked`, (100 * both) / beforeRanking, 'most', 105);
    await measureRenewal(figures, name, toQuery(database), state);
  }
  await measureSearch(figures, database);
  await measureAwards(figures, workspace, database, { now, packBytes });
  figures.finish('worst');
  await database.dataSource.destroy();
}

/**
 * Bytes per tender of a segment of which half the tenders were in the segment before, whole and as the difference from it
 * (docs/decisions/0037). A device with fewer changes takes a delta.
 */
async function measureRenewal(figures: BenchmarkMetrics, name: string, query: SqlQuery, state: string): Promise<void> {
  const { value: rows = [] } = await segments(query, state, new Date(Date.now() - YEARS_MS)).next();
  const third = Math.floor(rows.length / 3);
  const [before, after] = [rows.slice(0, 2 * third), rows.slice(third, 3 * third)].map((part) => {
    const { list, details } = rowsToColumns(part);
    return [packList(list), packDetails(details)].map((file) => Buffer.from(JSON.stringify(file)));
  });
  const sums = { whole: 0, difference: 0 };
  for (const [at, file] of (after ?? []).entries()) {
    sums.whole += (await compressBrotli(file)).length;
    sums.difference += (await compressWith(before?.[at] ?? Buffer.alloc(0), file)).length;
  }
  figures.record(`${name}_renewed_bytes_per_tender`, sums.whole / (2 * third));
  figures.record(`${name}_renewed_difference_bytes_per_tender`, sums.difference / (2 * third));
}

/** The awards of the offices beside the pack of the state. */
async function measureAwards(
  figures: BenchmarkMetrics,
  workspace: Workspace,
  { dataSource }: BenchDatabase,
  { now, packBytes }: { now: Date; packBytes: ReadonlyMap<string, number> },
): Promise<void> {
  const options = { format: 'awards', portal: undefined, state: undefined, rebase: undefined } as const;
  for (const { portal } of PORTALS)
    await importFile(
      { ...options, file: join(DATA, `awards/${portal}-awards.csv.gz`), dryRun: false, rejects: undefined },
      { dataSource, dataDir: workspace.folder, now, log },
    );
  await computeAwardStatistics({ dataSource, now });
  for (const { name, state } of PORTALS) {
    const rows: { statistics: Parameters<typeof packOffices>[0][number] }[] = await dataSource.query(OFFICES_OF_STATE, [
      state,
    ]);
    const { length: bytes } = await compressBrotli(JSON.stringify(packOffices(rows.map((row) => row.statistics))));
    figures.record(`${name}_awards_bytes`, bytes);
    const percent = (100 * bytes) / (packBytes.get(state) ?? 0);
    figures.check(`${name}_awards_percent_of_pack`, percent, 'most', 10);
  }
}

/** Bytes per tender that ranked search adds on the server and on the device, with all tenders of both files. */
async function measureSearch(figures: BenchmarkMetrics, database: BenchDatabase): Promise<void> {
  for (const { name, state } of PORTALS) {
    const sums = { rows: 0, now: 0, before: 0, whole: 0 };
    for await (const page of segments(toQuery(database), state, new Date(Date.now() - YEARS_MS))) {
      const { now, before, whole } = deviceSearchBytes(rowsToColumns(page));
      sums.rows += page.length;
      sums.now += now;
      sums.before += before;
      sums.whole += whole;
    }
    figures.record(`${name}_device_bytes_per_tender`, sums.whole / sums.rows);
    figures.record(`${name}_device_search_bytes_per_tender`, sums.now / sums.rows);
    figures.check(`${name}_device_ranking_bytes_per_tender`, (sums.now - sums.before) / sums.rows, 'most', 12);
  }
  const server = await serverSearchBytes(database.dataSource);
  figures.record('server_bytes_per_tender', server.now);
  figures.record('server_plain_bytes_per_tender', server.before);
  figures.check('server_ranking_bytes_per_tender', server.now - server.before, 'most', 200);
}

/** The rows of a scope, as many at a time as a segment has. */
async function* segments(query: SqlQuery, state: string, now: Date) {
  for (let after = 0; ; ) {
    const page = await readRowsAfter(query, state, now, { after, upTo: null }, SEGMENT_ROWS);
    if (page.length === 0) return;
    after = page.at(-1)?.id as number;
    yield page;
  }
}

const toQuery =
  ({ dataSource }: BenchDatabase): SqlQuery =>
  (text, values) =>
    dataSource.query(text, values);

async function importPortals(workspace: Workspace, { dataSource }: BenchDatabase, now: Date): Promise<void> {
  const context = { dataSource, dataDir: workspace.folder, now, log };
  const request = { format: 'auto' as const, dryRun: false, rejects: undefined };
  await importFile(
    { ...request, file: PINCODES, format: 'pincodes', portal: undefined, state: undefined, rebase: undefined },
    context,
  );
  for (const { file, portal, state } of PORTALS)
    await importFile({ ...request, file: join(DATA, file), portal, state, rebase: REBASE }, context);
}

/** Bytes per tender of the list files and of both files. Checks first that they decode to the input. */
async function measurePack(query: SqlQuery, state: string, now: Date) {
  let rows = 0;
  let list = 0;
  let detail = 0;
  for await (const page of segments(query, state, now)) {
    const columns = rowsToColumns(page);
    rows += page.length;
    list += await compressedSize(packList(columns.list), (file) => assert.deepEqual(readList(file), columns.list));
    detail += await compressedSize(packDetails(columns.details), (file) =>
      assert.deepEqual(readDetails(file), columns.details),
    );
  }
  return { rows, list: list / rows, both: (list + detail) / rows };
}

async function compressedSize(packed: unknown, check: (file: unknown) => void): Promise<number> {
  const text = JSON.stringify(packed);
  check(JSON.parse(text));
  return (await compressBrotli(text)).length;
}

/** Publishes the drafts of Himachal day by day, as they were published, and gets each day's delta. */
async function measureDays(figures: BenchmarkMetrics, database: BenchDatabase, start: Date): Promise<void> {
  const query = toQuery(database);
  const storedRows = new Map<number, DetailRow>();
  const scope = 'himachal-pradesh';
  const hold = ({ details }: Pick<ScopeRows, 'details'>) => {
    for (const [row, id] of details.id.entries()) storedRows.set(id, detailRow(details, row));
  };
  const rows = await readRowsAfter(query, 'Himachal Pradesh', start, { after: 0, upTo: null }, 1_000_000);
  hold(rowsToColumns(rows));
  const sizes: { complete: number; plain: number; rows: number }[] = [];
  let cursor = { epoch: 'e', changeNo: (await readEpochState(query)).head, stamp: '0' };
  for (let day = 0; day < DAYS; day++) {
    const now = new Date(endOfDay(start) + day * DAY_MS);
    await publishDueDrafts({ dataSource: database.dataSource, now });
    const { head } = await readEpochState(query);
    const request = { scope, cursor, head, checked: { hptenders: now.toISOString() }, now };
    const complete = JSON.stringify(await readDeltaPage(query, { ...request, isComplete: true }));
    const plain = JSON.stringify(await readDeltaPage(query, { ...request, isComplete: false }));
    const delta = readDelta(JSON.parse(complete), (id) => storedRows.get(id));
    assert.deepEqual(delta, readDelta(JSON.parse(plain)));
    assert.equal(delta.more, false);
    hold(delta);
    cursor = { ...cursor, changeNo: head };
    // On days without a new tender nothing is sent.
    if (delta.list.id.length > 0)
      sizes.push({
        complete: (await compressBrotli(complete)).length,
        plain: (await compressBrotli(plain)).length,
        rows: delta.list.id.length,
      });
  }
  figures.record('days', sizes.length);
  figures.record('day_rows', median(sizes.map((each) => each.rows)));
  figures.check('day_bytes', median(sizes.map(({ complete }) => complete)), 'most', 6_000);
  figures.record('day_bytes_without_stored_details', median(sizes.map(({ plain }) => plain)));
  figures.record('day_bytes_max', Math.max(...sizes.map(({ complete }) => complete)));
}

type DetailRow = { [F in keyof ScopeRows['details']]: ScopeRows['details'][F][number] };
const detailRow = (details: ScopeRows['details'], row: number) =>
  Object.fromEntries(Object.entries(details).map(([field, values]) => [field, values[row]])) as DetailRow;
const endOfDay = (instant: Date) => fromIndianTime(1970, 1, 1 + indianDay(instant) + 1).getTime() - 1;

if (existsSync(PINCODES)) await inWorkspace(run);
else {
  log(`The real tenders are not at ${DATA}`);
  process.exitCode = 1;
}
