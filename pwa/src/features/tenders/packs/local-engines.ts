/** Searching and reading what is on the device. One engine for each scope that was asked for, kept while the app is open. */
import { INDIA_SCOPE } from '@nivida/contract/sync/sync';
import type { Tender } from '@nivida/contract/tenders/tender';
import { withDatabase } from '../../../data/device/database.ts';
import type { ScopeRow, TenderRow } from '../../../data/device/schema.ts';
import { EngineClient } from '../engine/engine-client.ts';
import { CorruptSegmentIndexError } from '../segments/segment-index-file.ts';
import { applyPushedChangesToTender } from './apply-pushed-changes.ts';
import { searchableScopes, usePacks } from './pack-status.ts';
import { isPackComplete, readStoredPack } from './pack-store.ts';
import { refetchPack, startPacks } from './packs.ts';

/** A copy opened for searching. */
export interface OpenedScope {
  scope: string;
  engine: EngineClient;
  /** When the server last confirmed it (milliseconds since 1970). */
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

/** Changes when the scope's copy on the device does: then it must be opened anew. */
export function packVersion(row: ScopeRow | undefined): string {
  if (!row?.current) return '';
  const { current, parts } = row;
  const packed = Object.keys(parts).filter((name) => name.startsWith('pack ')).length;
  return `${current.epoch} ${current.cursor} ${packed} ${row.changed} ${JSON.stringify(current.checked)}`;
}

async function loadEngine(scope: string, engine: EngineClient): Promise<OpenedScope | undefined> {
  const storedPack = await withDatabase((db) => readStoredPack(db, scope));
  if (!storedPack) return undefined;
  const { packs, delta, removed } = storedPack;
  const { checked } = storedPack.pack;
  await engine.load({ packs, delta, removed, checked });
  return {
    scope,
    engine,
    checked,
    savedAt: storedPack.row.savedAt,
    isComplete: isPackComplete(storedPack.pack, storedPack.row.parts),
  };
}

/**
 * The engine of a scope with what the device holds now; undefined when it holds none. A broken pack throws and is
 * fetched anew: the caller asks the server meanwhile.
 */
export function openScopeEngine(scope: string): Promise<OpenedScope | undefined> {
  const version = packVersion(usePacks.getState().scopes[scope]?.row);
  const before = loadedEngines.get(scope);
  if (before?.version === version) return before.opened;
  if (version === '') {
    before?.engine.stop();
    loadedEngines.delete(scope);
    return Promise.resolve(undefined);
  }
  const engine = before?.engine ?? EngineClient.start();
  const opened = loadEngine(scope, engine);
  loadedEngines.set(scope, { version, opened, engine });
  opened.catch((error: unknown) => {
    // what failed is tried again by the next who asks
    loadedEngines.delete(scope);
    engine.stop();
    if (error instanceof CorruptSegmentIndexError) void refetchPack(scope).catch(() => undefined);
  });
  return opened;
}

/** The searchable scope that has all of a state's tenders ('' is all states); undefined when the device has none. */
export function searchableScopeFor(state: string | undefined, searchable: readonly string[]): string | undefined {
  if (state !== undefined && searchable.includes(state)) return state;
  return searchable.includes(INDIA_SCOPE) ? INDIA_SCOPE : undefined;
}

async function findTenderInPacks(id: string, now: Date): Promise<TenderRow | undefined> {
  await startPacks();
  for (const scope of searchableScopes(usePacks.getState())) {
    const opened = await openScopeEngine(scope).catch(() => undefined);
    const tender = await opened?.engine.tender(Number(id), now).catch(() => null);
    if (opened && tender) return { id, tender: await applyPushedChangesToTender(tender), savedAt: opened.savedAt };
  }
  return undefined;
}

/** A tender as this device last knew it, from an opened page or from a pack, whichever is newer. Never throws. */
export async function findTenderOnDevice(id: string, now: Date): Promise<TenderRow | undefined> {
  const [seen, packed] = await Promise.all([
    withDatabase((db) => db.tenders.get(id)).catch(() => undefined),
    findTenderInPacks(id, now),
  ]);
  if (!seen || !packed) return seen ?? packed;
  if (seen.tender.version !== packed.tender.version) return seen.tender.version > packed.tender.version ? seen : packed;
  return seen.savedAt >= packed.savedAt ? seen : packed;
}

/** Opened tenders beyond these, the oldest, are forgotten unless they are bookmarked. */
const MAX_OPENED_TENDERS = 200;

/** Keeps a tender that the server has just sent, so that it can be read offline; silent where nothing can be kept. */
export async function storeOpenedTender(tender: Tender, savedAt: number): Promise<void> {
  await withDatabase((db) =>
    db.transaction('rw', db.tenders, db.bookmarks, async () => {
      await db.tenders.put({ id: tender._id, tender, savedAt });
      if ((await db.tenders.count()) <= MAX_OPENED_TENDERS) return;
      const bookmarked = new Set((await db.bookmarks.toArray()).map(({ tenderId }) => tenderId));
      const oldestFirst = await db.tenders.orderBy('savedAt').primaryKeys();
      const openedTenders = oldestFirst.filter((id) => !bookmarked.has(id));
      await db.tenders.bulkDelete(openedTenders.slice(0, Math.max(0, openedTenders.length - MAX_OPENED_TENDERS)));
    }),
  ).catch(() => undefined);
}
