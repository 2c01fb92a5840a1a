/** Eviction on a full device: packs of other scopes, then opened tenders; never bookmarks or pending changes. */
import type { DeviceDatabase } from './schema.ts';

/** What was evicted, to show it to the user. */
export interface EvictedData {
  scopes: string[];
  tenders: number;
}

/** True for the error of a full device, also when Dexie or a transaction has wrapped it. */
export function isQuotaExceeded(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const inner = 'inner' in error ? error.inner : undefined;
  return error.name === 'QuotaExceededError' || (inner !== error && isQuotaExceeded(inner));
}

async function evictScope(db: DeviceDatabase, protectedScope: string | null): Promise<string | undefined> {
  return db.transaction('rw', db.scopes, db.packs, db.downloads, async () => {
    const candidates = (await db.scopes.toArray()).filter(({ scope }) => scope !== protectedScope);
    const bytes = ({ parts }: (typeof candidates)[number]) => Object.values(parts).reduce((sum, size) => sum + size, 0);
    const largest = candidates.filter((row) => bytes(row) > 0).sort((a, b) => bytes(b) - bytes(a))[0];
    if (!largest) return undefined;
    await db.packs.where({ scope: largest.scope }).delete();
    await db.downloads.where({ scope: largest.scope }).delete();
    await db.scopes.delete(largest.scope);
    return largest.scope;
  });
}

async function evictTenders(db: DeviceDatabase): Promise<number> {
  return db.transaction('rw', db.tenders, db.bookmarks, db.outbox, async () => {
    const rows = [...(await db.bookmarks.toArray()), ...(await db.outbox.toArray())];
    const bookmarkedIds = new Set(rows.flatMap((row) => ('tenderId' in row ? row.tenderId : [])));
    const ids = (await db.tenders.toCollection().primaryKeys()).filter((id) => !bookmarkedIds.has(id));
    await db.tenders.bulkDelete(ids);
    return ids.length;
  });
}

/**
 * Runs `write`. On a full device it evicts scopes other than `protectedScope`, largest first, then opened tenders without
 * a bookmark, and runs `write` again after each. Throws the quota error when nothing is left to evict.
 */
export async function writeWithEviction<T>(
  db: DeviceDatabase,
  protectedScope: string | null,
  write: () => Promise<T>,
): Promise<{ value: T; evicted: EvictedData }> {
  const evicted: EvictedData = { scopes: [], tenders: 0 };
  for (;;) {
    try {
      return { value: await write(), evicted };
    } catch (error) {
      if (!isQuotaExceeded(error)) throw error;
      const scope = await evictScope(db, protectedScope);
      if (scope !== undefined) {
        evicted.scopes.push(scope);
        continue;
      }
      const tenders = await evictTenders(db);
      evicted.tenders += tenders;
      if (tenders === 0) throw error;
    }
  }
}
