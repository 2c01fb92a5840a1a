/**
 * Searches and reads the offline packs. Each scope has one engine, which lives while the app is open. Several
 * scopes can share one engine; their key is the scopes with spaces between.
 */

import { INDIA_SCOPE } from '@nivida/contract/sync/sync';
import type { Tender } from '@nivida/contract/tenders/tender';
import { currentTime } from '../../data/clock.ts';
import { hasDatabase, whenDatabaseIsWanted, withDatabase } from '../../data/device/database.ts';
import type { ScopeRow, TenderRow } from '../../data/device/schema.ts';
import { SAVED_TENDER_TABLES, savedTenderIds } from '../../data/device/storage-quota.ts';
import { isNewerRow, newerTender } from '../../data/tenders/tender-rows.ts';
import { EngineClient } from '../engine/engine-client.ts';
import { CorruptSegmentIndexError } from '../segments/segment-index-file.ts';
import { searchableScopes, usePacks } from './pack-status.ts';
import { isPackComplete, readStoredPack, storeRebuiltIndexes } from './pack-store.ts';
import { refetchPack, startPacks } from './packs.ts';
import { tenderWithPushedChange } from './with-pushed-changes.ts';

/** One or more offline packs, opened for searching. */
interface OpenedScope {
  scope: string;
  engine: EngineClient;
  /** When the server last confirmed the pack; for several packs the oldest time (milliseconds since 1970). */
  savedAt: number;
  /** When each portal was last compared (ISO 8601). */
  checked: Record<string, string>;
  /** False while words match list fields only. */
  isComplete: boolean;
}

interface LoadedEngine {
  version: string;
  opened: Promise<OpenedScope | undefined>;
  engine: EngineClient;
}

const loadedEngines = new Map<string, LoadedEngine>();

/** Changes with the scope's pack. A new value means that the engine must load the pack again. */
export function packVersion(row: ScopeRow | undefined): string {
  if (!row?.current) return '';
  const { current, files } = row;
  const packed = Object.keys(files).filter((name) => name.startsWith('index ')).length;
  return `${current.epoch} ${current.cursor} ${packed} ${row.changed} ${JSON.stringify(current.checked)}`;
}

/** The key of several scopes for `openScopeEngine`. */
export const joinScopes = (scopes: readonly string[]): string => scopes.join(' ');

async function loadEngine(scope: string, engine: EngineClient): Promise<OpenedScope | undefined> {
  const storedPack = await withDatabase((db) => readStoredPack(db, scope));
  if (!storedPack) return undefined;
  const { indexes, delta, removed } = storedPack;
  const { checked } = storedPack.pack;
  const { rebuilt } = await engine.load({ indexes, delta, removed, checked });
  // Without this the next start would rebuild them again.
  if (rebuilt.length > 0)
    await withDatabase((db) => storeRebuiltIndexes(db, storedPack, rebuilt)).catch(() => undefined);
  return {
    scope,
    engine,
    checked,
    savedAt: storedPack.row.savedAt,
    isComplete: isPackComplete(storedPack.pack, storedPack.row.files),
  };
}

/**
 * Opens several packs in one engine, so that their tenders are in one order. A tender is in the pack of one
 * state only.
 */
async function loadEngineOfAll(scopes: readonly string[], engine: EngineClient): Promise<OpenedScope | undefined> {
  const read = await Promise.all(scopes.map((scope) => withDatabase((db) => readStoredPack(db, scope))));
  const stored = read.filter((pack) => pack !== undefined);
  if (stored.length === 0) return undefined;
  const checked = Object.assign({}, ...stored.map(({ pack }) => pack.checked));
  await engine.load({
    indexes: stored.flatMap(({ indexes, delta }) => (delta ? [...indexes, delta] : indexes)),
    delta: null,
    removed: stored.flatMap(({ removed }) => removed),
    checked,
  });
  return {
    scope: joinScopes(scopes),
    engine,
    checked,
    savedAt: Math.min(...stored.map(({ row }) => row.savedAt)),
    isComplete: stored.every(({ pack, row }) => isPackComplete(pack, row.files)),
  };
}

/**
 * The engine of the current pack of a scope, or of several scopes (`joinScopes`). Undefined when there is no
 * pack. Rejects when a pack is unreadable: the caller asks the server. An unreadable pack of a single scope
 * is fetched again.
 */
export function openScopeEngine(scope: string): Promise<OpenedScope | undefined> {
  const scopes = scope.split(' ');
  const rows = usePacks.getState().scopes;
  const version = scopes.map((each) => packVersion(rows[each]?.row)).join('\n');
  const before = loadedEngines.get(scope);
  if (before?.version === version) return before.opened;
  if (version.trim() === '') {
    before?.engine.stop();
    loadedEngines.delete(scope);
    return Promise.resolve(undefined);
  }
  const engine = before?.engine ?? EngineClient.start();
  const opened = scopes.length === 1 ? loadEngine(scope, engine) : loadEngineOfAll(scopes, engine);
  loadedEngines.set(scope, { version, opened, engine });
  opened.catch((error: unknown) => {
    // The next caller tries again.
    loadedEngines.delete(scope);
    engine.stop();
    if (error instanceof CorruptSegmentIndexError && scopes.length === 1)
      void refetchPack(scope).catch(() => undefined);
  });
  return opened;
}

/**
 * The searchable scope that has all tenders of a state (undefined: of all states). Undefined when there is
 * none.
 */
export function searchableScopeFor(state: string | undefined, searchable: readonly string[]): string | undefined {
  if (state !== undefined && searchable.includes(state)) return state;
  return searchable.includes(INDIA_SCOPE) ? INDIA_SCOPE : undefined;
}

async function findTenderInPacks(id: string, now: Date): Promise<TenderRow | undefined> {
  await startPacks();
  for (const scope of searchableScopes(usePacks.getState())) {
    const opened = await openScopeEngine(scope).catch(() => undefined);
    const tender = await opened?.engine.tender(Number(id), now).catch(() => null);
    if (opened && tender) return { id, tender: await tenderWithPushedChange(tender), savedAt: opened.savedAt };
  }
  return undefined;
}

const openedTender = async (id: string) =>
  (await hasDatabase()) ? withDatabase((db) => db.tenders.get(id)) : undefined;

/** The newest version of a tender on this device, from an opened page or from a pack. Never throws. */
export async function findTenderOnDevice(id: string, now = currentTime()): Promise<TenderRow | undefined> {
  const [seen, packed] = await Promise.all([openedTender(id).catch(() => undefined), findTenderInPacks(id, now)]);
  return seen && packed ? newerTender(seen, packed) : (seen ?? packed);
}

/** Above this number the oldest opened tenders are deleted. Tenders of bookmarks and bids stay. */
const MAX_OPENED_TENDERS = 200;

/** Stores a tender that the server has just sent, for reading offline. Never throws. */
export async function storeOpenedTender(tender: Tender, savedAt: number): Promise<void> {
  await whenDatabaseIsWanted();
  await withDatabase((db) =>
    db.transaction('rw', ['tenders', ...SAVED_TENDER_TABLES], async () => {
      const stored = await db.tenders.get(tender._id);
      if (stored && isNewerRow(stored, tender, savedAt)) return;
      await db.tenders.put({ id: tender._id, tender, savedAt });
      if ((await db.tenders.count()) <= MAX_OPENED_TENDERS) return;
      const saved = await savedTenderIds(db);
      const oldestFirst = await db.tenders.orderBy('savedAt').primaryKeys();
      const openedTenders = oldestFirst.filter((id) => !saved.has(id));
      await db.tenders.bulkDelete(openedTenders.slice(0, Math.max(0, openedTenders.length - MAX_OPENED_TENDERS)));
    }),
  ).catch(() => undefined);
}
