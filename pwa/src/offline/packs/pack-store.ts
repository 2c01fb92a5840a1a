/**
 * Stores the offline packs in IndexedDB. Each function is one transaction: a tab that is killed leaves the old state or
 * the new one. Invariant: `files` of a scope names exactly its rows in `packFiles`.
 */
import { INDIA_SCOPE, type ManifestResponse, type SegmentFileRef } from '@nivida/contract/sync/sync';
import type { DeviceDatabase, MergedDeltaRow, OfflinePack, PackFileRow, ScopeRow } from '../../data/device/schema.ts';
import type { RebuiltIndex } from '../engine/engine.ts';
import type { MergedDelta } from './merge-deltas.ts';

/** A segment as a manifest names it. */
export type ManifestSegment = ManifestResponse['segments'][number];

/**
 * Names of a segment's stored files. A name contains both hashes, because the details can change while the
 * list stays the same.
 */
export const packFileName = {
  /** Index of all fields. */
  index: ({ list, detail }: ManifestSegment) => `index ${list.hash} ${detail.hash}`,
  /** Index of the list fields only. */
  listIndex: ({ list, detail }: ManifestSegment) => `list-index ${list.hash} ${detail.hash}`,
  /** The list file, until the details are stored. */
  list: ({ list, detail }: ManifestSegment) => `list ${list.hash} ${detail.hash}`,
  delta: 'delta',
} as const;

const packTables = (db: DeviceDatabase) => [db.scopes, db.packFiles, db.downloads] as const;

/** Deletes all stored files and downloads of a scope. */
async function deleteRows(db: DeviceDatabase, scope: string): Promise<void> {
  await db.packFiles.where({ scope }).delete();
  await db.downloads.where({ scope }).delete();
}

/** True when every segment of the pack can be searched. */
export function isPackSearchable(pack: OfflinePack, files: Record<string, number>): boolean {
  return pack.segments.every(
    (segment) => packFileName.index(segment) in files || packFileName.listIndex(segment) in files,
  );
}

/** True when every segment of the pack has its details. */
export function isPackComplete(pack: OfflinePack, files: Record<string, number>): boolean {
  return pack.segments.every((segment) => packFileName.index(segment) in files);
}

/** True while a file of the scope is not yet fetched. */
export function isScopeUnfinished({ current, next, files }: ScopeRow): boolean {
  return next !== null || current === null || !isPackComplete(current, files);
}

/**
 * Size of a pack: tenders and bytes on the wire. `rows` and `bytes` are on the device, the others are the
 * whole pack.
 */
interface PackAmount {
  rows: number;
  bytes: number;
  rowsOfAll: number;
  bytesOfAll: number;
}

/** Bytes on the wire of a file that has arrived in part, in proportion to its uncompressed bytes. */
function receivedBytes({ url, bytes, size }: SegmentFileRef, received: Readonly<Record<string, number>>): number {
  return size === 0 ? 0 : Math.round(bytes * Math.min(1, (received[url.replace(/^\//, '')] ?? 0) / size));
}

/** How much of a pack is on the device. A row counts when its list fields can be searched. */
export function downloadedAmount(
  pack: Pick<OfflinePack, 'segments'>,
  files: Record<string, number>,
  received: Readonly<Record<string, number>> = {},
): PackAmount {
  const amount: PackAmount = { rows: 0, bytes: 0, rowsOfAll: 0, bytesOfAll: 0 };
  const add = (file: SegmentFileRef, isThere: boolean) => {
    amount.bytesOfAll += file.bytes;
    amount.bytes += isThere ? file.bytes : receivedBytes(file, received);
  };
  for (const segment of pack.segments) {
    const isWhole = packFileName.index(segment) in files;
    const hasList = isWhole || packFileName.listIndex(segment) in files || packFileName.list(segment) in files;
    amount.rowsOfAll += segment.rows;
    if (hasList) amount.rows += segment.rows;
    add(segment.list, hasList);
    add(segment.detail, isWhole);
  }
  return amount;
}

export function readScopes(db: DeviceDatabase): Promise<ScopeRow[]> {
  return db.scopes.toArray();
}

/** Adds a scope. An existing scope stays as it is. */
export async function addScopeRow(db: DeviceDatabase, scope: string): Promise<void> {
  await db.transaction('rw', db.scopes, async () => {
    const existing = await db.scopes.get(scope);
    if (!existing)
      await db.scopes.add({ scope, current: null, next: null, files: {}, savedAt: 0, changed: 0, replaces: null });
  });
}

/** Pauses or resumes a scope's downloads. */
export async function setScopePaused(db: DeviceDatabase, scope: string, isPaused: boolean): Promise<void> {
  await db.scopes.where({ scope }).modify({ isPaused });
}

/** Resumes all complete scopes: their last byte arrived before the pause, so there is no download to stop. */
export async function endPausesOfComplete(db: DeviceDatabase): Promise<void> {
  await db.scopes.filter((row) => row.isPaused === true && !isScopeUnfinished(row)).modify({ isPaused: false });
}

/** Deletes the scopes of all states, which All India contains. */
export async function removeStates(db: DeviceDatabase): Promise<void> {
  await db.transaction('rw', packTables(db), async () => {
    const scopes = (await db.scopes.toCollection().primaryKeys()).filter((scope) => scope !== INDIA_SCOPE);
    for (const scope of scopes) await deleteRows(db, scope);
    await db.scopes.bulkDelete(scopes);
  });
}

/** Deletes a scope and all its files. */
export async function removeScope(db: DeviceDatabase, scope: string): Promise<void> {
  await db.transaction('rw', packTables(db), async () => {
    await deleteRows(db, scope);
    await db.scopes.delete(scope);
  });
}

/** Deletes all files of a scope, but keeps the scope: the files are unreadable or of another version. */
export async function deletePackFiles(db: DeviceDatabase, scope: string): Promise<void> {
  await db.transaction('rw', packTables(db), async () => {
    const row = await db.scopes.get(scope);
    if (!row) return;
    await deleteRows(db, scope);
    await db.scopes.put({ ...row, current: null, next: null, files: {}, savedAt: 0, changed: 0 });
  });
}

/** The scope was removed while it was fetched. Its fetched files are discarded. */
export class ScopeRemovedError extends Error {
  override name = 'ScopeRemovedError';
}

/** Changes a scope and its files together. Throws ScopeRemovedError when the scope no longer exists. */
async function changeScope(
  db: DeviceDatabase,
  scope: string,
  work: (row: ScopeRow) => Promise<void> | void,
): Promise<ScopeRow> {
  return db.transaction('rw', packTables(db), async () => {
    const row = await db.scopes.get(scope);
    if (!row) throw new ScopeRemovedError(scope);
    await work(row);
    await db.scopes.put(row);
    return row;
  });
}

function fileSize(row: PackFileRow): number {
  const content = row.kind === 'list' ? row.file : row.index;
  return content instanceof ArrayBuffer ? content.byteLength : content.size;
}

async function putFile(db: DeviceDatabase, row: ScopeRow, file: PackFileRow): Promise<void> {
  await db.packFiles.put(file);
  row.files = { ...row.files, [file.name]: fileSize(file) };
}

async function putIndex(db: DeviceDatabase, row: ScopeRow, name: string, index: ArrayBuffer): Promise<void> {
  const file = { scope: row.scope, name, kind: 'index' } as const;
  // Some browsers store no Blobs in private windows.
  await putFile(db, row, { ...file, index: new Blob([index]) }).catch((error: Error) => {
    if (error.name !== 'DataCloneError') throw error;
    return putFile(db, row, { ...file, index });
  });
}

async function deleteFiles(db: DeviceDatabase, row: ScopeRow, names: readonly string[]): Promise<void> {
  await db.packFiles.bulkDelete(names.map((name) => [row.scope, name]));
  row.files = Object.fromEntries(Object.entries(row.files).filter(([name]) => !names.includes(name)));
}

/** Deletes files that neither the current nor the planned pack names. */
async function deleteUnusedFiles(db: DeviceDatabase, row: ScopeRow): Promise<void> {
  const named = new Set<string>([row.current ? packFileName.delta : '']);
  for (const segment of [...(row.current?.segments ?? []), ...(row.next?.segments ?? [])]) {
    const whole = packFileName.index(segment);
    named.add(whole);
    if (whole in row.files) continue;
    named.add(packFileName.listIndex(segment)).add(packFileName.list(segment));
  }
  const names = Object.keys(row.files).filter((name) => !named.has(name));
  if (names.length > 0) await deleteFiles(db, row, names);
}

/**
 * Deletes partial downloads of files that the planned pack does not name. Partial deltas stay: the plan needs
 * them.
 */
async function deleteUnusedDownloads(db: DeviceDatabase, { segments }: OfflinePack, scope: string): Promise<void> {
  const named = segments.flatMap(({ list, detail }) => [list, detail]).map(({ url }) => url.replace(/^\//, ''));
  await db.downloads
    .where({ scope })
    .filter(({ file }) => !named.includes(file) && !file.includes('/delta'))
    .delete();
}

/** Plans a new pack. Stored files of its segments stay. Files that only an earlier plan named are deleted. */
export function planPack(db: DeviceDatabase, scope: string, manifest: ManifestResponse): Promise<ScopeRow> {
  const { epoch, cursor, rows, segments, checked } = manifest;
  return changeScope(db, scope, async (row) => {
    row.next = { epoch, cursor, rows, segments, checked };
    await deleteUnusedFiles(db, row);
    await deleteUnusedDownloads(db, row.next, scope);
  });
}

/**
 * Stores a segment's list file. Stores the index of its list fields too when the pack is used before it is
 * complete.
 */
export function storeListFile(
  db: DeviceDatabase,
  scope: string,
  segment: ManifestSegment,
  file: ArrayBuffer,
  listIndex: ArrayBuffer | null,
): Promise<ScopeRow> {
  return changeScope(db, scope, async (row) => {
    await putFile(db, row, { scope, name: packFileName.list(segment), kind: 'list', file });
    if (listIndex) await putIndex(db, row, packFileName.listIndex(segment), listIndex);
  });
}

/**
 * Stores a segment's index of all fields. It replaces the segment's list file and its index of list fields.
 */
export function storeSegment(
  db: DeviceDatabase,
  scope: string,
  segment: ManifestSegment,
  index: ArrayBuffer,
): Promise<ScopeRow> {
  return changeScope(db, scope, async (row) => {
    await putIndex(db, row, packFileName.index(segment), index);
    await deleteFiles(db, row, [packFileName.listIndex(segment), packFileName.list(segment)]);
  });
}

/** A segment's list file; undefined when it is not on the device. */
export async function readStoredListFile(
  db: DeviceDatabase,
  scope: string,
  segment: ManifestSegment,
): Promise<ArrayBuffer | undefined> {
  const row = await db.packFiles.get([scope, packFileName.list(segment)]);
  return row?.kind === 'list' ? row.file : undefined;
}

/** All changes since the segments of the current pack; null when none are stored. */
export async function readMergedDelta(db: DeviceDatabase, scope: string): Promise<MergedDeltaRow | null> {
  const row = await db.packFiles.get([scope, packFileName.delta]);
  return row?.kind === 'delta' ? row : null;
}

/** What a pack has after its deltas. */
export interface PackProgressState {
  cursor: string;
  checked: Record<string, string>;
  /** When the server confirmed it (milliseconds since 1970, server clock). */
  savedAt: number;
  /** All changes since the segments, with their index; null when there are none. */
  changes: (MergedDelta & { index: ArrayBuffer }) | null;
}

async function setMergedDelta(
  db: DeviceDatabase,
  row: ScopeRow,
  offlinePack: OfflinePack,
  to: PackProgressState,
): Promise<void> {
  row.current = { ...offlinePack, cursor: to.cursor, checked: { ...offlinePack.checked, ...to.checked } };
  row.savedAt = to.savedAt;
  row.changed = to.changes?.list.id.length ?? 0;
  const { scope } = row;
  if (to.changes) await putFile(db, row, { scope, name: packFileName.delta, kind: 'delta', ...to.changes });
  else await deleteFiles(db, row, [packFileName.delta]);
}

/** Moves the current pack from `cursor` to `to`. Writes nothing when another tab has moved it in the meantime. */
export function storeMergedDelta(
  db: DeviceDatabase,
  scope: string,
  cursor: string,
  to: PackProgressState,
): Promise<ScopeRow> {
  return changeScope(db, scope, async (row) => {
    if (row.current?.cursor === cursor) await setMergedDelta(db, row, row.current, to);
  });
}

/** Marks the current pack as up to date. Writes nothing when another tab has moved it from `cursor` in the meantime. */
export function confirmPack(
  db: DeviceDatabase,
  scope: string,
  cursor: string,
  savedAt: number,
  checked: Record<string, string>,
): Promise<ScopeRow> {
  return changeScope(db, scope, (row) => {
    if (row.current?.cursor !== cursor) return;
    row.current.checked = checked;
    row.savedAt = savedAt;
  });
}

async function makeCurrent(
  db: DeviceDatabase,
  row: ScopeRow,
  planned: OfflinePack,
  to: PackProgressState,
): Promise<void> {
  await setMergedDelta(db, row, planned, to);
  row.next = null;
  await deleteUnusedFiles(db, row);
}

/**
 * Replaces the current pack with the planned one and its changes. Deletes the files of the old pack. Writes
 * nothing when another tab has finished or changed the plan in the meantime.
 */
export function replacePack(
  db: DeviceDatabase,
  scope: string,
  planned: OfflinePack,
  to: PackProgressState,
): Promise<ScopeRow> {
  return changeScope(db, scope, async (row) => {
    const isPlan = row.next?.epoch === planned.epoch && row.next.cursor === planned.cursor;
    if (isPlan) await makeCurrent(db, row, planned, to);
  });
}

/**
 * Activates the first pack of a scope as soon as all its list fields are stored, without the changes since
 * its segments. The pack's age is the time when its segments were last compared with a portal. Does nothing
 * when the scope has a current pack.
 */
export function activateFirstPack(db: DeviceDatabase, scope: string): Promise<ScopeRow> {
  return changeScope(db, scope, async (row) => {
    const { current, next, files } = row;
    // An empty pack has nothing to search and no age.
    if (current || !next || next.rows === 0 || !isPackSearchable(next, files)) return;
    const { cursor, checked } = next;
    const savedAt = Math.max(0, ...Object.values(checked).map(Date.parse));
    await makeCurrent(db, row, next, { cursor, checked, savedAt, changes: null });
  });
}

/** The engine's input: the indexes of the current pack's segments and changes, and the removed tenders. */
export interface StoredPackData {
  indexes: (Blob | ArrayBuffer)[];
  delta: ArrayBuffer | null;
  removed: number[];
  row: ScopeRow;
  pack: OfflinePack;
}

/** Reads the current pack of a scope; undefined when it cannot be searched yet. */
export async function readStoredPack(db: DeviceDatabase, scope: string): Promise<StoredPackData | undefined> {
  return db.transaction('r', packTables(db), async () => {
    const row = await db.scopes.get(scope);
    if (!row?.current || !isPackSearchable(row.current, row.files)) return undefined;
    const { files, current } = row;
    const names = indexNames(current, files);
    const found = await db.packFiles.bulkGet(names.map((name): [string, string] => [scope, name]));
    const indexes = found.flatMap((file) => (file?.kind === 'index' ? [file.index] : []));
    if (indexes.length < names.length) return undefined;
    const delta = await readMergedDelta(db, scope);
    return { indexes, delta: delta?.index ?? null, removed: delta?.removed ?? [], row, pack: current };
  });
}

/** The index to search for each segment: the one with details where it is stored. */
function indexNames({ segments }: OfflinePack, files: Record<string, number>): string[] {
  return segments.map((segment) => {
    const whole = packFileName.index(segment);
    return whole in files ? whole : packFileName.listIndex(segment);
  });
}

/**
 * Replaces indexes of an earlier version by the rebuilt ones. Does nothing when a sync has changed the scope
 * in the meantime.
 */
export async function storeRebuiltIndexes(
  db: DeviceDatabase,
  { row: { scope, changed, files }, pack }: StoredPackData,
  rebuilt: readonly RebuiltIndex[],
): Promise<void> {
  await changeScope(db, scope, async (row) => {
    if (row.changed !== changed || row.current?.cursor !== pack.cursor) return;
    // Uses the file names from when they were read: details may have arrived in the meantime.
    const names = indexNames(pack, files);
    for (const { part, buffer } of rebuilt) {
      const name = part === 'delta' ? packFileName.delta : names[part];
      const before = name === undefined ? undefined : await db.packFiles.get([scope, name]);
      if (before?.kind === 'index') await putIndex(db, row, before.name, buffer);
      else if (before?.kind === 'delta') await putFile(db, row, { ...before, index: buffer });
    }
  });
}
