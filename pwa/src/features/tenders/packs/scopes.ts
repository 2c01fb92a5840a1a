/**
 * What the device holds of its scopes. Each function is one transaction, so that a tab that is killed at any point
 * leaves the copy before or the copy after, never a mixture. Over 200 lines: these writes keep one invariant together,
 * that `parts` of a scope names exactly its rows in `packs`.
 */
import type { Manifest, SegmentFile } from '@nivida/contract/sync';
import type { CopyRow, DeltaPackRow, DeviceDatabase, PartRow, ScopeRow } from '../../../data/db.ts';
import type { Changes } from './merge.ts';

/** A segment as a manifest names it. */
export type Segment = Manifest['segments'][number];

/** Names of a segment's parts. It is known by both files: the details of the same list may change. */
export const nameOf = {
  /** Pack of everything. */
  pack: ({ list, detail }: Segment) => `pack ${list.hash} ${detail.hash}`,
  /** Pack of the list fields only. */
  words: ({ list, detail }: Segment) => `words ${list.hash} ${detail.hash}`,
  /** The list file, while its details are missing. */
  list: ({ list, detail }: Segment) => `list ${list.hash} ${detail.hash}`,
  delta: 'delta',
} as const;

const tables = (db: DeviceDatabase) => [db.scopes, db.packs] as const;

/** True when every segment of the copy can be searched. */
export function isSearchable(copy: CopyRow, parts: Record<string, number>): boolean {
  return copy.segments.every((segment) => nameOf.pack(segment) in parts || nameOf.words(segment) in parts);
}

/** True when every segment of the copy has its details. */
export function isComplete(copy: CopyRow, parts: Record<string, number>): boolean {
  return copy.segments.every((segment) => nameOf.pack(segment) in parts);
}

/** Tenders and bytes on the wire: of the copy, and of what of it is on the device. */
export interface Amount {
  rows: number;
  bytes: number;
  rowsOfAll: number;
  bytesOfAll: number;
}

/** How much of a copy is there, for a line of progress; a row counts when its list fields can be searched. */
export function amountOf(copy: Pick<CopyRow, 'segments'>, parts: Record<string, number>): Amount {
  const amount: Amount = { rows: 0, bytes: 0, rowsOfAll: 0, bytesOfAll: 0 };
  const add = (file: SegmentFile, isThere: boolean) => {
    amount.bytesOfAll += file.bytes;
    if (isThere) amount.bytes += file.bytes;
  };
  for (const segment of copy.segments) {
    const isWhole = nameOf.pack(segment) in parts;
    const hasList = isWhole || nameOf.words(segment) in parts || nameOf.list(segment) in parts;
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
export async function wantScope(db: DeviceDatabase, scope: string, replaces: string | null): Promise<void> {
  await db.transaction('rw', db.scopes, async () => {
    const kept = await db.scopes.get(scope);
    if (!kept) await db.scopes.add({ scope, current: null, next: null, parts: {}, savedAt: 0, changed: 0, replaces });
  });
}

/** Forgets a scope and everything of it. */
export async function removeScope(db: DeviceDatabase, scope: string): Promise<void> {
  await db.transaction('rw', tables(db), async () => {
    await db.packs.where({ scope }).delete();
    await db.scopes.delete(scope);
  });
}

/** Drops all parts of a scope, which stays wanted: they are unreadable, by a bad disk or by another version's hand. */
export async function dropParts(db: DeviceDatabase, scope: string): Promise<void> {
  await db.transaction('rw', tables(db), async () => {
    const row = await db.scopes.get(scope);
    if (!row) return;
    await db.packs.where({ scope }).delete();
    await db.scopes.put({ ...row, current: null, next: null, parts: {}, savedAt: 0, changed: 0 });
  });
}

/** The scope that was removed while it was being fetched: what has come for it is dropped. */
export class ScopeRemoved extends Error {
  override name = 'ScopeRemoved';
}

/** Changes a scope and its parts together; throws ScopeRemoved when it is no longer kept. */
async function change(
  db: DeviceDatabase,
  scope: string,
  work: (row: ScopeRow) => Promise<void> | void,
): Promise<ScopeRow> {
  return db.transaction('rw', tables(db), async () => {
    const row = await db.scopes.get(scope);
    if (!row) throw new ScopeRemoved(scope);
    await work(row);
    await db.scopes.put(row);
    return row;
  });
}

function sizeOf(part: PartRow): number {
  return part.kind === 'list' ? part.file.byteLength : part.pack.byteLength;
}

async function put(db: DeviceDatabase, row: ScopeRow, part: PartRow): Promise<void> {
  await db.packs.put(part);
  row.parts = { ...row.parts, [part.part]: sizeOf(part) };
}

async function drop(db: DeviceDatabase, row: ScopeRow, names: readonly string[]): Promise<void> {
  await db.packs.bulkDelete(names.map((part) => [row.scope, part]));
  row.parts = Object.fromEntries(Object.entries(row.parts).filter(([name]) => !names.includes(name)));
}

/** Drops what neither copy names. */
async function dropUnnamed(db: DeviceDatabase, row: ScopeRow): Promise<void> {
  const named = new Set<string>([row.current ? nameOf.delta : '']);
  for (const segment of [...(row.current?.segments ?? []), ...(row.next?.segments ?? [])]) {
    const whole = nameOf.pack(segment);
    named.add(whole);
    if (whole in row.parts) continue;
    named.add(nameOf.words(segment)).add(nameOf.list(segment));
  }
  const names = Object.keys(row.parts).filter((name) => !named.has(name));
  if (names.length > 0) await drop(db, row, names);
}

/** Plans another copy; what is there of its segments stays, what only an earlier plan named is dropped. */
export function planCopy(db: DeviceDatabase, scope: string, manifest: Manifest): Promise<ScopeRow> {
  const { epoch, cursor, rows, segments, checked } = manifest;
  return change(db, scope, async (row) => {
    row.next = { epoch, cursor, rows, segments, checked };
    await dropUnnamed(db, row);
  });
}

/** Keeps a segment's list file, with the pack of its list fields when the copy is to be used before it is complete. */
export function keepList(
  db: DeviceDatabase,
  scope: string,
  segment: Segment,
  file: ArrayBuffer,
  words: ArrayBuffer | null,
): Promise<ScopeRow> {
  return change(db, scope, async (row) => {
    await put(db, row, { scope, part: nameOf.list(segment), kind: 'list', file });
    if (words) await put(db, row, { scope, part: nameOf.words(segment), kind: 'base', pack: words });
  });
}

/** Keeps a segment's pack of everything, which takes the place of its list file and its pack of list fields. */
export function keepPack(db: DeviceDatabase, scope: string, segment: Segment, pack: ArrayBuffer): Promise<ScopeRow> {
  return change(db, scope, async (row) => {
    await put(db, row, { scope, part: nameOf.pack(segment), kind: 'base', pack });
    await drop(db, row, [nameOf.words(segment), nameOf.list(segment)]);
  });
}

/** A segment's list file; undefined when it is not on the device. */
export async function readListFile(
  db: DeviceDatabase,
  scope: string,
  segment: Segment,
): Promise<ArrayBuffer | undefined> {
  const part = await db.packs.get([scope, nameOf.list(segment)]);
  return part?.kind === 'list' ? part.file : undefined;
}

/** The changes that the device holds beside the segments of the current copy, or null. */
export async function readChanges(db: DeviceDatabase, scope: string): Promise<DeltaPackRow | null> {
  const part = await db.packs.get([scope, nameOf.delta]);
  return part?.kind === 'delta' ? part : null;
}

/** How far a copy has come with the changes since its segments. */
export interface Progressed {
  cursor: string;
  checked: Record<string, string>;
  /** When the server confirmed it (milliseconds since 1970, its clock). */
  savedAt: number;
  /** All changes since the segments and their pack; null when there are none. */
  changes: (Changes & { pack: ArrayBuffer }) | null;
}

async function setChanges(db: DeviceDatabase, row: ScopeRow, copy: CopyRow, to: Progressed): Promise<void> {
  row.current = { ...copy, cursor: to.cursor, checked: { ...copy.checked, ...to.checked } };
  row.savedAt = to.savedAt;
  row.changed = to.changes?.list.id.length ?? 0;
  const { scope } = row;
  if (to.changes) await put(db, row, { scope, part: nameOf.delta, kind: 'delta', ...to.changes });
  else await drop(db, row, [nameOf.delta]);
}

/** Moves the current copy on to `to`, unless it has moved on from `cursor` meanwhile: then nothing is written. */
export function keepChanges(db: DeviceDatabase, scope: string, cursor: string, to: Progressed): Promise<ScopeRow> {
  return change(db, scope, async (row) => {
    if (row.current?.cursor === cursor) await setChanges(db, row, row.current, to);
  });
}

/** Notes that the current copy is up to date, unless it has moved on from `cursor` meanwhile. */
export function confirmCopy(
  db: DeviceDatabase,
  scope: string,
  cursor: string,
  savedAt: number,
  checked: Record<string, string>,
): Promise<ScopeRow> {
  return change(db, scope, (row) => {
    if (row.current?.cursor !== cursor) return;
    row.current.checked = checked;
    row.savedAt = savedAt;
  });
}

async function putInPlace(db: DeviceDatabase, row: ScopeRow, planned: CopyRow, to: Progressed): Promise<void> {
  await setChanges(db, row, planned, to);
  row.next = null;
  await dropUnnamed(db, row);
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
export function replaceCopy(db: DeviceDatabase, scope: string, planned: CopyRow, to: Progressed): Promise<ScopeRow> {
  return change(db, scope, async (row) => {
    const isPlan = row.next?.epoch === planned.epoch && row.next.cursor === planned.cursor;
    if (isPlan) await putInPlace(db, row, planned, to);
  });
}

/**
 * Puts a planned copy in the place of none when all of its list fields are there, without the changes since its
 * segments: it is then as old as their last comparison with a portal. Leaves any other scope as it is.
 */
export function startFirstCopy(db: DeviceDatabase, scope: string): Promise<ScopeRow> {
  return change(db, scope, async (row) => {
    const { current, next, parts } = row;
    // without a tender there is nothing to search, and no age
    if (current || !next || next.rows === 0 || !isSearchable(next, parts)) return;
    const { cursor, checked } = next;
    const savedAt = Math.max(0, ...Object.values(checked).map(Date.parse));
    await putInPlace(db, row, next, { cursor, checked, savedAt, changes: null });
  });
}

/** What the engine opens: the packs of the current copy's segments and of its changes, and the removed tenders. */
export interface OpenedCopy {
  packs: ArrayBuffer[];
  delta: ArrayBuffer | null;
  removed: number[];
  row: ScopeRow;
  copy: CopyRow;
}

/** Reads the current copy of a scope; undefined when it cannot be searched (yet). */
export async function readCopy(db: DeviceDatabase, scope: string): Promise<OpenedCopy | undefined> {
  return db.transaction('r', tables(db), async () => {
    const row = await db.scopes.get(scope);
    if (!row?.current || !isSearchable(row.current, row.parts)) return undefined;
    const { parts, current } = row;
    const names = current.segments.map((segment) =>
      nameOf.pack(segment) in parts ? nameOf.pack(segment) : nameOf.words(segment),
    );
    const found = await db.packs.bulkGet(names.map((part): [string, string] => [scope, part]));
    const packs = found.flatMap((part) => (part?.kind === 'base' ? [part.pack] : []));
    if (packs.length < names.length) return undefined;
    const delta = await readChanges(db, scope);
    return { packs, delta: delta?.pack ?? null, removed: delta?.removed ?? [], row, copy: current };
  });
}
