/**
 * The epoch of a database, its last change number, and the first cursor from which deltas can start. A restored database
 * continues from older change numbers, so it needs a new epoch. It is recognised by the storage of the tender table, which
 * is new after every restore of a dump and in every cluster.
 */
import { randomBytes } from 'node:crypto';
import { EPOCH_STATE, PRUNE_TOMBSTONES, STORE_EPOCH } from './sync.sql.ts';

/** Runs one statement; a pool, a data source or a query runner. */
export type SqlQuery = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;

/** The state that a cursor is checked against. */
export interface EpochState {
  epoch: string;
  /** The highest visible change number. All lower ones are visible too (`takeChangeLock`). */
  head: number;
  /** Tombstones up to this change number are deleted. */
  floor: number;
}

/** Reads the epoch. Starts a new one in a new or restored database; safe for concurrent calls. */
export async function readEpochState(query: SqlQuery): Promise<EpochState> {
  const [row = {}] = await query(EPOCH_STATE);
  const sync = row.sync as { epoch: string; place: string; floor: number } | null;
  if (sync && sync.place === row.place)
    return { epoch: sync.epoch, head: Math.max(row.head as number, sync.floor), floor: sync.floor };
  // If two processes start an epoch at once, both use that of the first.
  await query(STORE_EPOCH, [
    JSON.stringify({ epoch: randomBytes(9).toString('base64url'), place: row.place, floor: 0 }),
  ]);
  return readEpochState(query);
}

/**
 * Deletes tombstones older than 90 days and stores the last deleted number. Tombstones newer than a manifest are kept,
 * because devices load a delta after the pack.
 */
export async function pruneTombstones(query: SqlQuery, now: Date): Promise<void> {
  await query(PRUNE_TOMBSTONES, [now]);
}
