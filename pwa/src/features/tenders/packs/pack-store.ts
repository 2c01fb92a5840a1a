/**
 * What the device holds of its scopes. Each function is one transaction, so that a tab that is killed at any point
 * leaves the copy before or the copy after, never a mixture. Over 200 lines: these writes keep one invariant together,
 * that `parts` of a scope names exactly its rows in `packs`.
 */
import type { ManifestResponse, SegmentFileRef } from '@nivida/contract/sync/sync';
import type {
  DeviceDatabase,
  MergedDeltaRow,
  OfflinePack,
  PackPartRow,
  ScopeRow,
} from '../../../data/device/schema.ts';
import type { MergedDelta } from './merge-deltas.ts';

/** A segment as a manifest names it. */
export type ManifestSegment = ManifestResponse['segments'][number];

/** Names of a segment's parts. It is known by both files: the details of the same list may change. */
export const partName = {
  /** Pack of everything. */
  pack: ({ list, detail }: ManifestSegment) => `pack ${list.hash} ${detail.hash}`,
  /** Pack of the list fields only. */
  words: ({ list, detail }: ManifestSegment) => `words ${list.hash} ${detail.hash}`,
  /** The list file, while its details are missing. */
  list: ({ list, detail }: ManifestSegment) => `list ${list.hash} ${detail.hash}`,
  delta: 'delta',
} as const;

const packTables = (db: DeviceDatabase) => [db.scopes, db.packs] as const;

/** True when every segment of the copy can be searched. */
export function isPackSearchable(pack: OfflinePack, parts: Record<string, number>): boolean {
  return pack.segments.every((segment) => partName.pack(segment) in parts || partName.words(segment) in parts);
}

/** True when every segment of the copy has its details. */
export function isPackComplete(pack: OfflinePack, parts: Record<string, number>): boolean {
  return pack.segments.every((segment) => partName.pack(segment) in parts);
}

/** Tenders and bytes on the wire: of the copy, and of what of it is on the device. */
export interface DownloadedAmount {
  rows: number;
  bytes: number;
  rowsOfAll: number;
  bytesOfAll: number;
}

/** How much of a copy is there, for a line of progress; a row counts when its list fields can be searched. */
export function downloadedAmount(pack: Pick<OfflinePack, 'segments'>, parts: Record<string, number>): DownloadedAmount {
  const amount: DownloadedAmount = { rows: 0, bytes: 0, rowsOfAll: 0, bytesOfAll: 0 };
  const add = (file: SegmentFileRef, isThere: boolean) => {
    amount.bytesOfAll += file.bytes;
    if (isThere) amount.bytes += file.bytes;
  };
  for (const segment of pack.segments) {
    const isWhole = partName.pack(segment) in parts;
    const hasList = isWhole || partName.words(segment) in parts || partName.list(segment) in parts;
    amount.rowsOfAll += segment.rows;
    if (hasList) amount.rows += segment.rows;
    add(segment.list, hasList);
    add(segment.detail, isWhole);
  }
  return amount;
}

/** All scopes of this device. */
export function readScopes(db: DeviceDatabase): Promise<ScopeRow[]> {
  return db.scopes.toArray();
}

/** Notes that this device is to keep a scope, in place of `replaces`; one that it keeps already is left as it is. */
export async function addScopeRow(db: DeviceDatabase, scope: string, replaces: string | null): Promise<void> {
  await db.transaction('rw', db.scopes, async () => {
    const existing = await db.scopes.get(scope);
    if (!existing)
      await db.scopes.add({ scope, current: null, next: null, parts: {}, savedAt: 0, changed: 0, replaces });
  });
}

/** Forgets a scope and everything of it. */
export async function removeScope(db: DeviceDatabase, scope: string): Promise<void> {
  await db.transaction('rw', packTables(db), async () => {
    await db.packs.where({ scope }).delete();
    await db.scopes.delete(scope);
  });
}

/** Drops all parts of a scope, which stays wanted: they are unreadable, by a bad disk or by another version's hand. */
export async function deletePackParts(db: DeviceDatabase, scope: string): Promise<void> {
  await db.transaction('rw', packTables(db), async () => {
    const row = await db.scopes.get(scope);
    if (!row) return;
    await db.packs.where({ scope }).delete();
    await db.scopes.put({ ...row, current: null, next: null, parts: {}, savedAt: 0, changed: 0 });
  });
}

/** The scope that was removed while it was being fetched: what has come for it is dropped. */
export class ScopeRemovedError extends Error {
  override name = 'ScopeRemovedError';
}

/** Changes a scope and its parts together; throws ScopeRemovedError when it is no longer kept. */
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

function partSize(part: PackPartRow): number {
  return part.kind === 'list' ? part.file.byteLength : part.pack.byteLength;
}

async function putPart(db: DeviceDatabase, row: ScopeRow, part: PackPartRow): Promise<void> {
  await db.packs.put(part);
  row.parts = { ...row.parts, [part.part]: partSize(part) };
}

async function deleteParts(db: DeviceDatabase, row: ScopeRow, names: readonly string[]): Promise<void> {
  await db.packs.bulkDelete(names.map((part) => [row.scope, part]));
  row.parts = Object.fromEntries(Object.entries(row.parts).filter(([name]) => !names.includes(name)));
}

/** Drops what neither copy names. */
async function deleteUnusedParts(db: DeviceDatabase, row: ScopeRow): Promise<void> {
  const named = new Set<string>([row.current ? partName.delta : '']);
  for (const segment of [...(row.current?.segments ?? []), ...(row.next?.segments ?? [])]) {
    const whole = partName.pack(segment);
    named.add(whole);
    if (whole in row.parts) continue;
    named.add(partName.words(segment)).add(partName.list(segment));
  }
  const names = Object.keys(row.parts).filter((name) => !named.has(name));
  if (names.length > 0) await deleteParts(db, row, names);
}

/** Plans another copy; what is there of its segments stays, what only an earlier plan named is dropped. */
export function planPack(db: DeviceDatabase, scope: string, manifest: ManifestResponse): Promise<ScopeRow> {
  const { epoch, cursor, rows, segments, checked } = manifest;
  return changeScope(db, scope, async (row) => {
    row.next = { epoch, cursor, rows, segments, checked };
    await deleteUnusedParts(db, row);
  });
}

/** Keeps a segment's list file, with the pack of its list fields when the copy is to be used before it is complete. */
export function storeListFile(
  db: DeviceDatabase,
  scope: string,
  segment: ManifestSegment,
  file: ArrayBuffer,
  listSegment: ArrayBuffer | null,
): Promise<ScopeRow> {
  return changeScope(db, scope, async (row) => {
    await putPart(db, row, { scope, part: partName.list(segment), kind: 'list', file });
    if (listSegment) await putPart(db, row, { scope, part: partName.words(segment), kind: 'base', pack: listSegment });
  });
}

/** Keeps a segment's pack of everything, which takes the place of its list file and its pack of list fields. */
export function storeSegment(
  db: DeviceDatabase,
  scope: string,
  segment: ManifestSegment,
  pack: ArrayBuffer,
): Promise<ScopeRow> {
  return changeScope(db, scope, async (row) => {
    await putPart(db, row, { scope, part: partName.pack(segment), kind: 'base', pack });
    await deleteParts(db, row, [partName.words(segment), partName.list(segment)]);
  });
}

/** A segment's list file; undefined when it is not on the device. */
export async function readStoredListFile(
  db: DeviceDatabase,
  scope: string,
  segment: ManifestSegment,
): Promise<ArrayBuffer | undefined> {
  const part = await db.packs.get([scope, partName.list(segment)]);
  return part?.kind === 'list' ? part.file : undefined;
}

/** The changes that the device holds beside the segments of the current copy, or null. */
export async function readMergedDelta(db: DeviceDatabase, scope: string): Promise<MergedDeltaRow | null> {
  const part = await db.packs.get([scope, partName.delta]);
  return part?.kind === 'delta' ? part : null;
}

/** How far a copy has come with the changes since its segments. */
export interface PackProgressState {
  cursor: string;
  checked: Record<string, string>;
  /** When the server confirmed it (milliseconds since 1970, its clock). */
  savedAt: number;
  /** All changes since the segments and their pack; null when there are none. */
  changes: (MergedDelta & { pack: ArrayBuffer }) | null;
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
  if (to.changes) await putPart(db, row, { scope, part: partName.delta, kind: 'delta', ...to.changes });
  else await deleteParts(db, row, [partName.delta]);
}

/** Moves the current copy on to `to`, unless it has moved on from `cursor` meanwhile: then nothing is written. */
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

/** Notes that the current copy is up to date, unless it has moved on from `cursor` meanwhile. */
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
  await deleteUnusedParts(db, row);
  if (row.replaces === null) return;
  await db.packs.where({ scope: row.replaces }).delete();
  await db.scopes.delete(row.replaces);
  row.replaces = null;
}

/**
 * Puts the planned copy in the place of the current one, with the changes since its segments, and drops what only the
 * old one named; so goes the scope that this one replaces. Nothing is written when another tab has finished or changed
 * the plan meanwhile.
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
 * Puts a planned copy in the place of none when all of its list fields are there, without the changes since its
 * segments: it is then as old as their last comparison with a portal. Leaves any other scope as it is.
 */
export function activateFirstPack(db: DeviceDatabase, scope: string): Promise<ScopeRow> {
  return changeScope(db, scope, async (row) => {
    const { current, next, parts } = row;
    // without a tender there is nothing to search, and no age
    if (current || !next || next.rows === 0 || !isPackSearchable(next, parts)) return;
    const { cursor, checked } = next;
    const savedAt = Math.max(0, ...Object.values(checked).map(Date.parse));
    await makeCurrent(db, row, next, { cursor, checked, savedAt, changes: null });
  });
}

/** What the engine opens: the packs of the current copy's segments and of its changes, and the removed tenders. */
export interface StoredPackData {
  packs: ArrayBuffer[];
  delta: ArrayBuffer | null;
  removed: number[];
  row: ScopeRow;
  pack: OfflinePack;
}

/** Reads the current copy of a scope; undefined when it cannot be searched (yet). */
export async function readStoredPack(db: DeviceDatabase, scope: string): Promise<StoredPackData | undefined> {
  return db.transaction('r', packTables(db), async () => {
    const row = await db.scopes.get(scope);
    if (!row?.current || !isPackSearchable(row.current, row.parts)) return undefined;
    const { parts, current } = row;
    const names = current.segments.map((segment) =>
      partName.pack(segment) in parts ? partName.pack(segment) : partName.words(segment),
    );
    const found = await db.packs.bulkGet(names.map((part): [string, string] => [scope, part]));
    const packs = found.flatMap((part) => (part?.kind === 'base' ? [part.pack] : []));
    if (packs.length < names.length) return undefined;
    const delta = await readMergedDelta(db, scope);
    return { packs, delta: delta?.pack ?? null, removed: delta?.removed ?? [], row, pack: current };
  });
}
