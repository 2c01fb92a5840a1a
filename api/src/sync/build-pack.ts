/**
 * Builds the pack of a scope. Segments are compressed and stored under their hash, then the manifest that names them. Only
 * segments whose rows have changed are written again. No transaction is open while a segment is read and compressed. So
 * rows may be newer than the manifest's cursor; the delta after the cursor sends them again.
 */
import { createHash } from 'node:crypto';
import { packDetails, packList } from '@nivida/contract/sync/sync-wire';
import { DAY_MS } from '@nivida/contract/time';
import type { DataSource } from 'typeorm';
import { withOwnConnection } from '../database/own-connection.ts';
import { compressBrotli } from '../http/body-cache.ts';
import { type EpochState, readEpochState, type SqlQuery } from './epoch.ts';
import { countScopeChanges, readChangedRanges } from './scope-changes.sql.ts';
import {
  countRangeRows,
  countScopeRows,
  readCheckedTimes,
  readRowsAfter,
  rowsToColumns,
  SCOPES,
  scopeState,
} from './scope-rows.sql.ts';
import { planRanges, rangeStarts, type SegmentRange } from './segment-plan.ts';
import type { StoredSegment, StoredSegmentFile, SyncManifestEntity } from './sync.entity.ts';
import {
  INSERT_SEGMENT,
  LIST_SEGMENTS_AGAIN,
  LOCK_SCOPE,
  MANIFEST,
  MARK_MANIFEST_CURRENT,
  STORED_SEGMENT_BYTES,
  UNLOCK_SCOPE,
  UPSERT_MANIFEST,
} from './sync.sql.ts';

const SCOPE_LOCK = 4_770_003;
/** Rows per statement. Converting them blocks the event loop for some milliseconds. */
const READ_ROWS = 1_000;
/** `compact-sync` does not rebuild a pack with fewer changes than this share before it is a day old. Deltas send the changes. */
const COMPACT_SHARE = 0.02;

/** A manifest as it is stored; the cursor as a number. */
export type ScopeManifest = Omit<SyncManifestEntity, 'cursor'> & { cursor: number };

/** The stored manifest of a scope in this epoch. */
export async function readManifest(
  query: SqlQuery,
  scope: string,
  { epoch }: EpochState,
): Promise<ScopeManifest | undefined> {
  const [manifest] = await query(MANIFEST, [scope, epoch]);
  return manifest as ScopeManifest | undefined;
}

/** How many rows a manifest's segments hold. */
export const manifestRowCount = ({ segments }: Pick<ScopeManifest, 'segments'>): number =>
  segments.reduce((sum, { rows }) => sum + rows, 0);

/** The time of a build and its connection. The connection must not be shared, because it gets a session lock. */
interface BuildContext {
  query: SqlQuery;
  now: Date;
  /** Ends the build between two segments. Compressed segments stay stored and are not compressed again. */
  signal?: AbortSignal | undefined;
}

/** Builds the pack of a scope unless its manifest is newer than `newerThan`. -1: unless it has any manifest. */
export async function buildPack(
  scope: string,
  newerThan: number,
  { dataSource, ...context }: Omit<BuildContext, 'query'> & { dataSource: DataSource },
): Promise<boolean> {
  const read = async (query: SqlQuery) => {
    const epochState = await readEpochState(query);
    const manifest = await readManifest(query, scope, epochState);
    return { epochState, manifest, isDone: manifest !== undefined && manifest.cursor > newerThan };
  };
  if ((await read((text, values) => dataSource.query(text, values))).isDone) return false;
  return withOwnConnection(dataSource, 'nivida-packs', (query) =>
    withScopeLock(scope, { ...context, query }, async () => {
      // Another process may have built it in the meantime.
      const { epochState, manifest, isDone } = await read(query);
      if (!isDone) await writePack(scope, epochState, manifest, { ...context, query });
      return !isDone;
    }),
  );
}

/** Builds the pack of a scope if enough rows have changed or have left it with time. */
export function compactPack(scope: string, context: BuildContext): Promise<boolean> {
  const { query, now } = context;
  return withScopeLock(scope, context, async () => {
    const epochState = await readEpochState(query);
    const manifest = await readManifest(query, scope, epochState);
    if (!(await isCompactionDue(query, scope, epochState, manifest, now))) return false;
    await writePack(scope, epochState, manifest, context);
    return true;
  });
}

/** The running build of this process. Other builds wait for it, so that a processor stays free for requests. */
let lastBuild: Promise<unknown> = Promise.resolve();

/** Lets one process at a time build a scope, and a process build one scope at a time. The lock ends when a process is killed. */
async function withScopeLock<T>(scope: string, { query, signal }: BuildContext, work: () => Promise<T>): Promise<T> {
  const lock = [SCOPE_LOCK, SCOPES.indexOf(scope)];
  const build = lastBuild.then(async () => {
    signal?.throwIfAborted();
    await query(LOCK_SCOPE, lock);
    try {
      return await work();
    } finally {
      await query(UNLOCK_SCOPE, lock).catch(() => {});
    }
  });
  lastBuild = build.catch(() => {});
  return build;
}

/**
 * Whether a pack must be built again. False if the content would be the same; then only the manifest's cursor moves. False
 * for few changes in a pack that is not a day old, and for an empty scope without a manifest.
 */
async function isCompactionDue(
  query: SqlQuery,
  scope: string,
  epochState: EpochState,
  manifest: ScopeManifest | undefined,
  now: Date,
): Promise<boolean> {
  const rows = await countScopeRows(query, scopeState(scope), now);
  if (!manifest) return rows > 0;
  const moved = Math.abs(rows - manifestRowCount(manifest));
  const enough = Math.ceil(rows * COMPACT_SHARE);
  const changes = await countScopeChanges(query, scope, manifest.cursor, epochState.head, Math.max(1, enough));
  if (moved > 0 || changes > 0)
    return moved + changes >= enough || Math.abs(now.getTime() - manifest.builtAt.getTime()) >= DAY_MS;
  // The new cursor keeps this pack usable when old tombstones of other scopes are deleted.
  const checked = await readCheckedTimes(query, scopeState(scope), now);
  await query(MARK_MANIFEST_CURRENT, [scope, epochState.head, checked]);
  return false;
}

async function writePack(
  scope: string,
  { epoch, head }: EpochState,
  manifest: ScopeManifest | undefined,
  { query, now, signal }: BuildContext,
): Promise<void> {
  const state = scopeState(scope);
  // Read before the rows, so that the rows are never older than the comparison.
  const checked = await readCheckedTimes(query, state, now);
  const segments: StoredSegment[] = [];
  for (const range of await readRanges(query, scope, head, manifest, now)) {
    if (range.segment) segments.push({ ...range.segment, upTo: range.upTo });
    else for await (const each of writeRange(query, state, now, range, signal)) segments.push(each);
  }
  const hashes = [...new Set(segments.flatMap(({ list, detail }) => [list.hash, detail.hash]))];
  await query('BEGIN');
  try {
    const [stored] = await query(LIST_SEGMENTS_AGAIN, [hashes]);
    if (stored?.count !== hashes.length) throw new Error(`Segments of ${scope} were removed during the build`);
    await query(UPSERT_MANIFEST, [scope, epoch, head, JSON.stringify(segments), checked, now]);
    await query('COMMIT');
  } catch (error) {
    await query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** The ranges of the new pack. Ranges without changes since the manifest have its segments. */
async function readRanges(
  query: SqlQuery,
  scope: string,
  head: number,
  manifest: ScopeManifest | undefined,
  now: Date,
): Promise<SegmentRange[]> {
  const starts = manifest && rangeStarts(manifest.segments);
  if (!starts) return planRanges([], []);
  const counts = await countRangeRows(query, scopeState(scope), now, starts);
  const changed = await readChangedRanges(query, scope, manifest.cursor, head, starts);
  const states = manifest.segments.map((_, n) => ({ rows: counts.get(n) ?? 0, isChanged: changed.has(n) }));
  return planRanges(manifest.segments, states);
}

/** Writes the segments of one range. */
async function* writeRange(
  query: SqlQuery,
  state: string | null,
  now: Date,
  { after, upTo, maxRows }: SegmentRange,
  signal: AbortSignal | undefined,
): AsyncGenerator<StoredSegment> {
  for (let from = after, isLast = false; !isLast; ) {
    signal?.throwIfAborted();
    const rows: Record<string, unknown>[] = [];
    while (!isLast && rows.length < maxRows) {
      const limit = Math.min(READ_ROWS, maxRows - rows.length);
      const page = await readRowsAfter(query, state, now, { after: from, upTo }, limit);
      rows.push(...page);
      isLast = page.length < limit;
      from = (page.at(-1)?.id as number | undefined) ?? from;
    }
    if (rows.length === 0) return;
    const { list, details } = rowsToColumns(rows);
    yield {
      rows: rows.length,
      upTo: isLast ? upTo : from,
      // Compressed one after the other, because each keeps a processor busy for seconds.
      list: await storeFile(query, packList(list), now),
      detail: await storeFile(query, packDetails(details), now),
    };
  }
}

async function storeFile(query: SqlQuery, packed: unknown, now: Date): Promise<StoredSegmentFile> {
  const content = Buffer.from(JSON.stringify(packed));
  const hash = createHash('sha256').update(content).digest('hex');
  const size = content.length;
  const [stored] = await query(STORED_SEGMENT_BYTES, [hash]);
  if (stored) return { hash, bytes: stored.bytes as number, size };
  const body = await compressBrotli(content);
  await query(INSERT_SEGMENT, [hash, body, now]);
  return { hash, bytes: body.length, size };
}
