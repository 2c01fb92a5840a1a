/**
 * The life of a database: its epoch, how far its change numbers have come, and from where deltas can be given. A restored
 * copy goes on with older numbers, so a device's cursor would mean other changes: it must get another epoch. It is known
 * by where the tender table lies, which is new after every restore of a dump, and in every cluster.
 */
import { randomBytes } from 'node:crypto';

/** Runs one statement; a pool, a data source or a query runner. */
export type SqlQuery = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;

/** What a cursor is judged by. */
export interface EpochState {
  epoch: string;
  /** The highest change number that can be seen; everything up to it can be seen, too (change-lock.ts). */
  head: number;
  /** Tombstones up to this one are gone. */
  floor: number;
}

const SETTING_KEY = 'sync';

const EPOCH_STATE = `SELECT
  greatest((SELECT max(change_no) FROM tender), (SELECT max(change_no) FROM tender_history), 0)::float8 AS head,
  (SELECT value FROM setting WHERE key = '${SETTING_KEY}') AS sync,
  concat_ws('-', (SELECT system_identifier FROM pg_control_system()),
    (SELECT oid FROM pg_database WHERE datname = current_database()), pg_relation_filenode('tender')) AS place`;

/** Reads the life, beginning a new one where there is none or where the database is a copy. Safe when many do so at once. */
export async function readEpochState(query: SqlQuery): Promise<EpochState> {
  const [row = {}] = await query(EPOCH_STATE);
  const sync = row.sync as { epoch: string; place: string; floor: number } | null;
  if (sync && sync.place === row.place)
    return { epoch: sync.epoch, head: Math.max(row.head as number, sync.floor), floor: sync.floor };
  // Whoever comes second finds the place in order and takes the epoch of the first.
  await query(
    `INSERT INTO setting AS s VALUES ('${SETTING_KEY}', $1) ON CONFLICT (key) DO UPDATE SET value = excluded.value
     WHERE s.value->>'place' <> excluded.value->>'place'`,
    [JSON.stringify({ epoch: randomBytes(9).toString('base64url'), place: row.place, floor: 0 })],
  );
  return readEpochState(query);
}

const TOMBSTONE_RETENTION_DAYS = 90;

/**
 * Removes tombstones older than 90 days and remembers up to where. Those that a manifest does not hold yet stay, so that
 * a fresh pack can always be followed by a delta.
 */
export async function pruneTombstones(query: SqlQuery, now: Date): Promise<void> {
  await query(
    `WITH gone AS (
       DELETE FROM tender_history WHERE kind = 'removed' AND at < $1::timestamptz - interval '${TOMBSTONE_RETENTION_DAYS} days'
         AND change_no <= (SELECT min(cursor) FROM sync_manifest) RETURNING change_no)
     UPDATE setting SET value = jsonb_set(value, '{floor}',
       to_jsonb(greatest((value->>'floor')::bigint, (SELECT max(change_no) FROM gone))))
     WHERE key = '${SETTING_KEY}' AND EXISTS (SELECT FROM gone)`,
    [now],
  );
}
