/** Reads stored details. The server's deltas contain only differences from them. */
import type { DetailRows } from '@nivida/contract/sync/sync';
import type { DetailRow } from '@nivida/contract/sync/sync-wire';
import type { DeviceDatabase, OfflinePack } from '../../data/device/schema.ts';
import { packFileName } from './pack-store.ts';

/** Reads the details of these tenders from a segment index, in the engine's worker. Transfers a buffer. */
export type ReadSegmentDetails = (index: Blob | ArrayBuffer, ids: readonly number[]) => Promise<DetailRow[]>;

function detailRowAt(details: DetailRows, at: number): DetailRow {
  return Object.fromEntries(Object.entries(details).map(([field, values]) => [field, values[at]])) as DetailRow;
}

/**
 * The details of `ids` from a complete pack: first from its changes, then from its segments. The last segment
 * is read first, because it has the newest tenders. Reading stops when all are found. Throws
 * CorruptSegmentIndexError.
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
