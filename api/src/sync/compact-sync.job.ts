/**
 * Builds the segments of a scope: all rows of one snapshot, packed, compressed once and stored under their hash, then the
 * manifest that names them. The old manifest is valid until that last step.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { packDetails, packList } from '@nivida/contract/sync/sync-wire';
import type { DataSource, QueryRunner } from 'typeorm';
import { type EpochState, pruneTombstones, readEpochState, type SqlQuery } from './epoch.ts';
import { countScopeChanges } from './scope-changes.sql.ts';
import {
  countScopeRows,
  readCheckedTimes,
  readRowsAfter,
  rowsToColumns,
  SCOPES,
  scopeState,
} from './scope-rows.sql.ts';
import type { StoredSegment, StoredSegmentFile, SyncManifestEntity } from './sync.entity.ts';
import {
  DELETE_UNUSED_SEGMENTS,
  LOCK_SCOPE,
  MANIFEST,
  MARK_MANIFEST_CURRENT,
  MARK_UNUSED_SEGMENTS,
  UNLOCK_SCOPE,
  UPSERT_MANIFEST,
  UPSERT_SEGMENT,
} from './sync.sql.ts';

const SCOPE_LOCK = 4_770_003;
const SEGMENT_ROWS = 5_000;

const brotliCompressAsync = promisify(brotliCompress);

/** Brotli in the thread pool, which does not block the server. */
export function compressBrotli(
  content: string | Buffer,
  quality: number = constants.BROTLI_MAX_QUALITY,
): Promise<Buffer> {
  const bytes = Buffer.from(content);
  return brotliCompressAsync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
}

/** A manifest as it is stored; the cursor as a number. */
export type ScopeManifest = Omit<SyncManifestEntity, 'cursor' | 'builtAt'> & { cursor: number };

/** The stored manifest of a scope in this epoch. */
export async function readManifest(
  query: SqlQuery,
  scope: string,
  { epoch }: EpochState,
): Promise<ScopeManifest | undefined> {
  const text = MANIFEST;
  const [manifest] = await query(text, [scope, epoch]);
  return manifest as ScopeManifest | undefined;
}

/** How many rows a manifest's segments hold. */
export const manifestRowCount = ({ segments }: Pick<ScopeManifest, 'segments'>): number =>
  segments.reduce((sum, { rows }) => sum + rows, 0);

/**
 * The `compact-sync` job: builds new segments for each scope whose content changed, also by the clock, then deletes unused
 * segments and old tombstones. Returns the number of scopes built.
 */
export async function compactScopes({ dataSource, now }: { dataSource: DataSource; now: Date }): Promise<number> {
  const query: SqlQuery = (text, values) => dataSource.query(text, values);
  let built = 0;
  for (const scope of SCOPES) {
    const isBuilt = await withScopeLock(dataSource, scope, async (runner) => {
      if (await isCurrent(runner, scope, now)) return false;
      await buildSegments(runner, scope, now);
      return true;
    });
    if (isBuilt) built++;
  }
  await deleteUnusedSegments(query, now);
  await pruneTombstones(query, now);
  return built;
}

/** Builds the segments of a scope unless another process has just done so: a manifest as new as `newerThan` is enough. */
export async function buildScope(dataSource: DataSource, scope: string, now: Date, newerThan: number): Promise<void> {
  await withScopeLock(dataSource, scope, async (runner) => {
    const query = toQuery(runner);
    const manifest = await readManifest(query, scope, await readEpochState(query));
    if (!manifest || manifest.cursor <= newerThan) await buildSegments(runner, scope, now);
  });
}

const toQuery =
  (runner: QueryRunner): SqlQuery =>
  (text, values) =>
    runner.query(text, values);

/** One process at a time builds a scope; the lock falls with the connection when a process is killed. */
async function withScopeLock<T>(
  dataSource: DataSource,
  scope: string,
  work: (runner: QueryRunner) => Promise<T>,
): Promise<T> {
  const runner = dataSource.createQueryRunner();
  const lock = [SCOPE_LOCK, SCOPES.indexOf(scope)];
  try {
    await runner.query(LOCK_SCOPE, lock);
    try {
      return await work(runner);
    } finally {
      await runner.query(UNLOCK_SCOPE, lock);
    }
  } finally {
    await runner.release();
  }
}

/** True when a new build would hold the same; the manifest's cursor is then moved on. Empty scopes need none. */
async function isCurrent(runner: QueryRunner, scope: string, now: Date): Promise<boolean> {
  const query = toQuery(runner);
  const epochState = await readEpochState(query);
  const manifest = await readManifest(query, scope, epochState);
  const rows = await countScopeRows(query, scopeState(scope), now);
  if (rows !== (manifest ? manifestRowCount(manifest) : 0)) return false;
  if (!manifest) return true;
  if ((await countScopeChanges(query, scope, manifest.cursor, epochState.head, 1)) > 0) return false;
  // Tombstones of other scopes can then be deleted without making this pack too old.
  const checked = await readCheckedTimes(query, scopeState(scope), now);
  await query(MARK_MANIFEST_CURRENT, [scope, epochState.head, checked]);
  return true;
}

/** A file that is compressed but not yet stored. */
interface BuiltFile extends StoredSegmentFile {
  body: Buffer;
}

async function buildSegments(runner: QueryRunner, scope: string, now: Date): Promise<void> {
  const query = toQuery(runner);
  const { epoch } = await readEpochState(query);
  const files: BuiltFile[] = [];
  const segments: StoredSegment[] = [];
  // One snapshot: rows and cursor belong together.
  const snapshot = await inTransaction(runner, 'REPEATABLE READ', async () => {
    const { head } = await readEpochState(query);
    for (let after = 0, isLast = false; !isLast; ) {
      const rows = await readRowsAfter(query, scopeState(scope), now, after, SEGMENT_ROWS);
      isLast = rows.length < SEGMENT_ROWS;
      if (rows.length === 0) break;
      after = rows.at(-1)?.id as number;
      const { list, details } = rowsToColumns(rows);
      const [listFile, detailFile] = await Promise.all([
        toBuiltFile(packList(list)),
        toBuiltFile(packDetails(details)),
      ]);
      files.push(listFile, detailFile);
      segments.push({
        rows: rows.length,
        list: toStoredSegmentFile(listFile),
        detail: toStoredSegmentFile(detailFile),
      });
    }
    return { cursor: head, checked: await readCheckedTimes(query, scopeState(scope), now) };
  });
  await inTransaction(runner, 'READ COMMITTED', () =>
    storeManifest(query, { scope, epoch, segments, ...snapshot }, files, now),
  );
}

/** As the runner's own transactions, but a failure leaves none open on a connection that others get next. */
async function inTransaction<T>(
  runner: QueryRunner,
  isolation: 'REPEATABLE READ' | 'READ COMMITTED',
  work: () => Promise<T>,
): Promise<T> {
  await runner.startTransaction(isolation);
  try {
    const result = await work();
    await runner.commitTransaction();
    return result;
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}

const toStoredSegmentFile = ({ body: _body, ...file }: BuiltFile): StoredSegmentFile => file;

async function toBuiltFile(packed: unknown): Promise<BuiltFile> {
  const content = Buffer.from(JSON.stringify(packed));
  const body = await compressBrotli(content);
  const hash = createHash('sha256').update(content).digest('hex');
  return { hash, bytes: body.length, size: content.length, body };
}

async function storeManifest(query: SqlQuery, manifest: ScopeManifest, files: BuiltFile[], now: Date): Promise<void> {
  for (const { hash, body } of files) await query(UPSERT_SEGMENT, [hash, body, now]);
  await query(UPSERT_MANIFEST, [
    manifest.scope,
    manifest.epoch,
    manifest.cursor,
    JSON.stringify(manifest.segments),
    manifest.checked,
    now,
  ]);
}

/** Segments without a manifest stay for two days, for devices in the middle of a download. */
async function deleteUnusedSegments(query: SqlQuery, now: Date): Promise<void> {
  await query(MARK_UNUSED_SEGMENTS, [now]);
  await query(DELETE_UNUSED_SEGMENTS, [now]);
}
