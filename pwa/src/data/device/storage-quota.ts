/**
 * Makes room on a full device: removes packs of other scopes, then opened tenders. Bookmarks, bids and
 * pending changes are never removed.
 */
import { currentTime } from '../clock.ts';
import { readInstantSetting, writeInstantSetting } from './instant-settings.ts';
import type { DeviceDatabase } from './schema.ts';

/** What was removed to make room. It is shown to the user. */
export interface EvictedData {
  scopes: string[];
  tenders: number;
}

/** True for the error of a full device, even when Dexie or a transaction has wrapped it. */
export function isQuotaExceeded(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const inner = 'inner' in error ? error.inner : undefined;
  return error.name === 'QuotaExceededError' || (inner !== error && isQuotaExceeded(inner));
}

async function evictScope(db: DeviceDatabase, protectedScope: string | null): Promise<string | undefined> {
  return db.transaction('rw', db.scopes, db.packFiles, db.downloads, async () => {
    const candidates = (await db.scopes.toArray()).filter(({ scope }) => scope !== protectedScope);
    const bytes = ({ files }: (typeof candidates)[number]) => Object.values(files).reduce((sum, size) => sum + size, 0);
    const largest = candidates.filter((row) => bytes(row) > 0).sort((a, b) => bytes(b) - bytes(a))[0];
    if (!largest) return undefined;
    await db.packFiles.where({ scope: largest.scope }).delete();
    await db.downloads.where({ scope: largest.scope }).delete();
    await db.scopes.delete(largest.scope);
    return largest.scope;
  });
}

/** The tables that `savedTenderIds` reads. */
export const SAVED_TENDER_TABLES = ['bookmarks', 'outbox', 'records'] as const;

/**
 * The ids of tenders that are never removed to make room: tenders of bookmarks, pending changes and bids, of
 * all owners.
 */
export async function savedTenderIds(db: DeviceDatabase): Promise<Set<string>> {
  const rows = [...(await db.bookmarks.toArray()), ...(await db.outbox.toArray())];
  const ids = new Set(rows.flatMap((row) => ('tenderId' in row ? row.tenderId : [])));
  for (const owner of await db.records.orderBy('owner').uniqueKeys()) {
    // Reads the index only.
    const bids = db.records.where('[owner+kind+fields.tenderId]').between([owner, 'bid', ''], [owner, 'bid', '\uffff']);
    for (const key of await bids.keys()) ids.add((key as unknown as [string, string, string])[2]);
  }
  return ids;
}

async function evictTenders(db: DeviceDatabase): Promise<number> {
  return db.transaction('rw', ['tenders', ...SAVED_TENDER_TABLES], async () => {
    const saved = await savedTenderIds(db);
    const ids = (await db.tenders.toCollection().primaryKeys()).filter((id) => !saved.has(id));
    await db.tenders.bulkDelete(ids);
    return ids.length;
  });
}

let report: (evicted: EvictedData) => void = () => undefined;

/**
 * Sets the function that is called when a write of this page has removed data, even when the write failed in
 * the end.
 */
export function onEvicted(listener: (evicted: EvictedData) => void): void {
  report = listener;
}

/**
 * Runs `write`, and repeats it while the device is full. `evictNext` removes some data and records it; it
 * returns false when nothing is left to remove.
 */
async function writeEvicting<T>(
  write: () => Promise<T>,
  evictNext: (evicted: EvictedData) => Promise<boolean>,
): Promise<T> {
  const evicted: EvictedData = { scopes: [], tenders: 0 };
  try {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (!isQuotaExceeded(error) || !(await evictNext(evicted))) throw error;
      }
    }
  } finally {
    if (evicted.scopes.length > 0 || evicted.tenders > 0) report(evicted);
  }
}

async function evictNextTenders(db: DeviceDatabase, evicted: EvictedData): Promise<boolean> {
  const tenders = await evictTenders(db);
  evicted.tenders += tenders;
  return tenders > 0;
}

/**
 * Runs `write` for the user. On a full device it removes scopes other than `protectedScope`, largest first,
 * then opened tenders that are not saved. It runs `write` again after each removal. Throws the quota error
 * when nothing is left to remove.
 */
export function writeWithEviction<T>(
  db: DeviceDatabase,
  protectedScope: string | null,
  write: () => Promise<T>,
): Promise<T> {
  return writeEvicting(write, async (evicted) => {
    const scope = await evictScope(db, protectedScope);
    if (scope === undefined) return evictNextTenders(db, evicted);
    evicted.scopes.push(scope);
    return true;
  });
}

/** How a write makes room on a full device: `writeForUser` or `writeInBackground`. */
export type DeviceWriter = <T>(db: DeviceDatabase, write: () => Promise<T>) => Promise<T>;

/** `writeWithEviction` for data that belongs to no scope. */
export const writeForUser: DeviceWriter = (db, write) => writeWithEviction(db, null, write);

/**
 * Runs `write` for a sync. On a full device it removes opened tenders that are not saved, but never an
 * offline pack. Throws the quota error when that is not enough.
 */
export function writeInBackground<T>(db: DeviceDatabase, write: () => Promise<T>): Promise<T> {
  return writeEvicting(write, (evicted) => evictNextTenders(db, evicted));
}

/**
 * A background download that found the device full: its version, the time (milliseconds, app's clock), and
 * the storage at that time.
 */
interface FullNote {
  version: string | null;
  at: number;
  /** Bytes; null where the browser does not report them. */
  used: number | null;
  free: number | null;
}

/**
 * Setting with the notes, by the name of the download. It is in browser storage, because the database is
 * full.
 */
const FULL_KEY = 'downloads over quota';

const fullNotes = () => (readInstantSetting(FULL_KEY) ?? {}) as Record<string, FullNote | undefined>;

function setFullNote(download: string, note: FullNote | undefined): void {
  const { [download]: before, ...others } = fullNotes();
  if (note === undefined && before === undefined) return;
  writeInstantSetting(FULL_KEY, note ? { ...others, [download]: note } : others);
}

async function storageNow(): Promise<Pick<FullNote, 'used' | 'free'>> {
  const estimate = await navigator.storage?.estimate?.().catch(() => undefined);
  if (estimate?.usage === undefined || estimate.quota === undefined) return { used: null, free: null };
  return { used: estimate.usage, free: estimate.quota - estimate.usage };
}

/** The browser itself changes the storage by less than this. */
const ROOM_BYTES = 1_000_000;

async function isStillFull({ at, used, free }: FullNote, waitMs: number): Promise<boolean> {
  if (currentTime().getTime() - at >= waitMs) return false;
  const present = await storageNow();
  if (used === null || free === null || present.used === null || present.free === null) return true;
  return used - present.used < ROOM_BYTES && present.free - free < ROOM_BYTES;
}

/**
 * Runs a download that ends with a write. If the device was full at the last attempt, the same version is
 * skipped for `waitMs`, unless room was made since: otherwise each sync would transfer the file and fail to
 * store it. Throws the errors of `run`.
 */
export async function downloadUnlessFull(
  { download, version, waitMs }: { download: string; version: string | null; waitMs: number },
  run: () => Promise<void>,
): Promise<void> {
  const note = fullNotes()[download];
  if (note?.version === version && (await isStillFull(note, waitMs))) return;
  try {
    await run();
    setFullNote(download, undefined);
  } catch (error) {
    if (isQuotaExceeded(error))
      setFullNote(download, { version, at: currentTime().getTime(), ...(await storageNow()) });
    throw error;
  }
}

/** Name of the download of a state's past works. A screen requests it; the sync of the awards runs it. */
export const worksDownload = (state: string): string => `past works of ${state}`;

/**
 * Lets a download run again that found the device full. Call it when the user requests the download again.
 */
export const forgetFull = (download: string): void => setFullNote(download, undefined);
