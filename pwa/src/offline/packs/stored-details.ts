/** Reads stored details, from which the server's deltas give differences. */
import type { DetailRows } from '@nivida/contract/sync/sync';
import type { DetailRow } from '@nivida/contract/sync/sync-wire';
import type { DeviceDatabase, OfflinePack } from '../../data/device/schema.ts';
import { packFileName } from './pack-store.ts';

/** Reads the details that a segment index has of the tenders, in the engine's worker. Transfers a buffer. */
export type ReadSegmentDetails = (index: Blob | ArrayBuffer, ids: readonly number[]) => Promise<DetailRow[]>;

function detailRowAt(details: DetailRows, at: number): DetailRow {
  return Object.fromEntries(Object.entries(details).map(([field, values]) => [field, values[at]])) as DetailRow;
}

/**
 * The details that a complete pack has of `ids`, from its changes first, then from its segments. Reading starts with the
 * last segment, which has the newest tenders, and stops when all are found. Throws CorruptSegmentIndexError.
 */
export async function readStoredDetails(
  db: DeviceDatabase,
  { scope, pack, changed }: { scope: string; pack: OfflinePack; changed: DetailRows | null },
  readSegmentDetails: ReadSegmentDetails,
  ids: readonly number[],
): Promise<Map<number, DetailRow>> {
  const found = new Map<number, DetailRow>();
  for (const [at, id] of (changed?.id ?? []).entries())
    if (changed && ids.includes(id)) found.set(id, detailRowAt(changed, at));
  for (const segment of pack.segments.toReversed()) {
    const missing = ids.filter((id) => !found.has(id));
    if (missing.length === 0) break;
    const stored = await db.packFiles.get([scope, packFileName.index(segment)]);
    if (stored?.kind !== 'index') continue;
    for (const row of await readSegmentDetails(stored.index, missing)) found.set(row.id, row);
  }
  return found;
}
