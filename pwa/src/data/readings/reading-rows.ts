/** What was read in official documents, in the device's database. */
import { readingVersion } from '@nivida/contract/documents/tender-reading';
import { DAY_MS } from '@nivida/contract/time';
import type { DeviceDatabase, ReadingRow } from '../device/schema.ts';
import { SAVED_TENDER_TABLES, savedTenderIds } from '../device/storage-quota.ts';

/** A reading of a tender without bookmark and bid stays this long. */
const OPENED_FOR_MS = 14 * DAY_MS;
/** After this time a reading is fetched again: a purchase on another device does not change its version. */
const FRESH_FOR_MS = DAY_MS;

/** Stores a reading, unless one that was sent later is stored. One transaction. */
export function storeReading(db: DeviceDatabase, row: ReadingRow): Promise<void> {
  return db.transaction('rw', db.readings, async () => {
    const stored = await db.readings.get([row.owner, row.tenderId]);
    if (!stored || stored.savedAt <= row.savedAt) await db.readings.put(row);
  });
}

type ReadingKey = [owner: string, tenderId: string, savedAt: number, version: string];

const storedKeys = async (db: DeviceDatabase) =>
  (await db.readings.orderBy('[owner+tenderId+savedAt+version]').keys()) as unknown as ReadingKey[];

/** Removes the readings of tenders that have neither bookmark nor bid and were opened long before `now`. */
export function deleteOldReadings(db: DeviceDatabase, now: number): Promise<void> {
  return db.transaction('rw', ['readings', ...SAVED_TENDER_TABLES], async () => {
    const saved = await savedTenderIds(db);
    const old = (await storedKeys(db)).filter(([, id, savedAt]) => !saved.has(id) && now - savedAt > OPENED_FOR_MS);
    await db.readings.bulkDelete(old.map(([owner, id]) => [owner, id]));
  });
}

/** Ids of the tenders with a bookmark or a bid. */
export const tendersToRead = async (db: DeviceDatabase): Promise<string[]> => [...(await savedTenderIds(db))];

/**
 * The tenders whose reading an owner has not, or not in the server's version (`versions`, by id). The one that waits longest
 * is first.
 */
export async function readingsToFetch(
  db: DeviceDatabase,
  owner: string,
  ids: readonly string[],
  versions: Readonly<Record<string, string>>,
  now: number,
): Promise<string[]> {
  const own = (await storedKeys(db)).filter(([of]) => of === owner);
  const stored = new Map(own.map(([, id, savedAt, version]) => [id, { savedAt, version }]));
  return ids
    .map((id) => ({ id, savedAt: 0, version: '', ...stored.get(id) }))
    .filter(({ id, savedAt, version }) => now - savedAt > FRESH_FOR_MS || version !== (versions[id] ?? NO_FILES))
    .sort((one, other) => one.savedAt - other.savedAt)
    .map(({ id }) => id);
}

/** The version of a tender without official files. */
const NO_FILES = readingVersion({ files: 0, readAt: null, lines: 0, checked: 0 });
