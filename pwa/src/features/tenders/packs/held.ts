/** The details that the device holds, by which the server tells new ones: they are only in packs and in the changes. */
import type { DetailRows } from '@nivida/contract/sync';
import type { DetailRow } from '@nivida/contract/sync-wire';
import type { CopyRow, DeviceDatabase } from '../../../data/db.ts';
import { nameOf } from './scopes.ts';

/** Reads the details of those of some tenders that a pack has, in the engine's worker; the pack is given away. */
export type ReadPack = (pack: ArrayBuffer, ids: readonly number[]) => Promise<DetailRow[]>;

function detailsAt(details: DetailRows, at: number): DetailRow {
  return Object.fromEntries(Object.entries(details).map(([field, values]) => [field, values[at]])) as DetailRow;
}

/**
 * The details of those of `ids` that a complete copy holds: what has changed since its segments before these. Segments
 * are read only until all are found, from the last one, where the newest tenders are: new ones resemble those most.
 * Throws CorruptPackError.
 */
export async function readHeld(
  db: DeviceDatabase,
  { scope, copy, changed }: { scope: string; copy: CopyRow; changed: DetailRows | null },
  readPack: ReadPack,
  ids: readonly number[],
): Promise<Map<number, DetailRow>> {
  const held = new Map<number, DetailRow>();
  for (const [at, id] of (changed?.id ?? []).entries())
    if (changed && ids.includes(id)) held.set(id, detailsAt(changed, at));
  for (const segment of copy.segments.toReversed()) {
    const missing = ids.filter((id) => !held.has(id));
    if (missing.length === 0) break;
    const part = await db.packs.get([scope, nameOf.pack(segment)]);
    if (part?.kind !== 'base') continue;
    for (const row of await readPack(part.pack, missing)) held.set(row.id, row);
  }
  return held;
}
