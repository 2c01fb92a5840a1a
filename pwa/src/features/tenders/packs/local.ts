/** Searching and reading what is on the device. One engine for each scope that was asked for, kept while the app is open. */
import { INDIA } from '@nivida/contract/sync';
import type { Tender } from '@nivida/contract/tender';
import type { ScopeRow, TenderRow } from '../../../data/db.ts';
import { onDevice } from '../../../data/device.ts';
import { EngineClient } from '../engine/client.ts';
import { CorruptPackError } from '../engine/pack-file.ts';
import { renewPack, startPacks } from './packs.ts';
import { patchTender } from './patches.ts';
import { isComplete, readCopy } from './scopes.ts';
import { searchableScopes, usePacks } from './status.ts';

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

interface Held {
  version: string;
  opened: Promise<OpenedScope | undefined>;
  engine: EngineClient;
}

const held = new Map<string, Held>();

/** Changes when the scope's copy on the device does: then it must be opened anew. */
export function versionOf(row: ScopeRow | undefined): string {
  if (!row?.current) return '';
  const { current, parts } = row;
  const packed = Object.keys(parts).filter((name) => name.startsWith('pack ')).length;
  return `${current.epoch} ${current.cursor} ${packed} ${row.changed} ${JSON.stringify(current.checked)}`;
}

async function load(scope: string, engine: EngineClient): Promise<OpenedScope | undefined> {
  const copy = await onDevice((db) => readCopy(db, scope));
  if (!copy) return undefined;
  const { packs, delta, removed } = copy;
  const { checked } = copy.copy;
  await engine.load({ packs, delta, removed, checked });
  return {
    scope,
    engine,
    checked,
    savedAt: copy.row.savedAt,
    isComplete: isComplete(copy.copy, copy.row.parts),
  };
}

/**
 * The engine of a scope with what the device holds now; undefined when it holds none. A broken pack throws and is
 * fetched anew: the caller asks the server meanwhile.
 */
export function openScope(scope: string): Promise<OpenedScope | undefined> {
  const version = versionOf(usePacks.getState().scopes[scope]?.row);
  const before = held.get(scope);
  if (before?.version === version) return before.opened;
  if (version === '') {
    before?.engine.stop();
    held.delete(scope);
    return Promise.resolve(undefined);
  }
  const engine = before?.engine ?? EngineClient.start();
  const opened = load(scope, engine);
  held.set(scope, { version, opened, engine });
  opened.catch((error: unknown) => {
    // what failed is tried again by the next who asks
    held.delete(scope);
    engine.stop();
    if (error instanceof CorruptPackError) void renewPack(scope).catch(() => undefined);
  });
  return opened;
}

/** The searchable scope that has all of a state's tenders ('' is all states); undefined when the device has none. */
export function scopeFor(state: string | undefined, searchable: readonly string[]): string | undefined {
  if (state !== undefined && searchable.includes(state)) return state;
  return searchable.includes(INDIA) ? INDIA : undefined;
}

async function findInPacks(id: string, now: Date): Promise<TenderRow | undefined> {
  await startPacks();
  for (const scope of searchableScopes(usePacks.getState())) {
    const opened = await openScope(scope).catch(() => undefined);
    const tender = await opened?.engine.tender(Number(id), now).catch(() => null);
    if (opened && tender) return { id, tender: await patchTender(tender), savedAt: opened.savedAt };
  }
  return undefined;
}

/** A tender as this device last knew it, from an opened page or from a pack, whichever is newer. Never throws. */
export async function findOnDevice(id: string, now: Date): Promise<TenderRow | undefined> {
  const [seen, packed] = await Promise.all([
    onDevice((db) => db.tenders.get(id)).catch(() => undefined),
    findInPacks(id, now),
  ]);
  if (!seen || !packed) return seen ?? packed;
  if (seen.tender.version !== packed.tender.version) return seen.tender.version > packed.tender.version ? seen : packed;
  return seen.savedAt >= packed.savedAt ? seen : packed;
}

/** Opened tenders beyond these, the oldest, are forgotten unless they are bookmarked. */
const MOST_SEEN = 200;

/** Keeps a tender that the server has just sent, so that it can be read offline; silent where nothing can be kept. */
export async function keepSeen(tender: Tender, savedAt: number): Promise<void> {
  await onDevice((db) =>
    db.transaction('rw', db.tenders, db.bookmarks, async () => {
      await db.tenders.put({ id: tender._id, tender, savedAt });
      if ((await db.tenders.count()) <= MOST_SEEN) return;
      const bookmarked = new Set((await db.bookmarks.toArray()).map(({ tenderId }) => tenderId));
      const oldestFirst = await db.tenders.orderBy('savedAt').primaryKeys();
      const seen = oldestFirst.filter((id) => !bookmarked.has(id));
      await db.tenders.bulkDelete(seen.slice(0, Math.max(0, seen.length - MOST_SEEN)));
    }),
  ).catch(() => undefined);
}
