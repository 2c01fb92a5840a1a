/** Files that wait to be read, in the device's database. */
import type { OwnReading } from '@nivida/contract/documents/tender-reading';
import { DAY_MS } from '@nivida/contract/time';
import type { DeviceDatabase, SharedFileRow } from '../device/schema.ts';

/** A removal can be undone for as long as the message with "Undo" is shown. */
export const UNDO_REMOVAL_MS = 6_000;
/** A file that is kept with its tender stays in the list for this long. Then its tender's page has it. */
const LISTED_MS = DAY_MS;

/** What is left to do for a file; null for one that waits for the user or is done. */
export function nextFileStep(row: SharedFileRow, now: number): 'read' | 'keep' | 'remove' | null {
  const { file, tenderId, refusal, reading, removedAt } = row;
  if (removedAt !== null) return removedAt + UNDO_REMOVAL_MS <= now ? 'remove' : null;
  if (tenderId === null || refusal !== null) return null;
  if (!reading) return file ? 'read' : null;
  return (reading.tenderId ?? '') === tenderId ? null : 'keep';
}

/** The owner's files that were not removed, the newest first. */
export async function listSharedFiles(db: DeviceDatabase, owner: string): Promise<SharedFileRow[]> {
  const rows = await db.sharedFiles
    .where('owner')
    .anyOf([...new Set([owner, ''])])
    .toArray();
  return rows.filter(({ removedAt }) => removedAt === null).sort((one, other) => other.at - one.at);
}

/** Gives the files that the service worker has stored to the user who sees them. */
export function adoptSharedFiles(db: DeviceDatabase, owner: string): Promise<number> {
  return db.sharedFiles.where('owner').equals('').modify({ owner });
}

/** Changes a file that still exists. */
export function changeSharedFile(db: DeviceDatabase, id: string, change: Partial<SharedFileRow>): Promise<number> {
  return db.sharedFiles.update(id, change);
}

/** Stores what was read; the file itself is not needed any more. False when the user has removed it in the meantime. */
export async function storeOwnReading(db: DeviceDatabase, id: string, reading: OwnReading): Promise<boolean> {
  return (await db.sharedFiles.update(id, { reading, file: null })) > 0;
}

/** Removes readings that the server has forgotten, and files that their tenders' pages have. */
export async function deleteOldSharedFiles(db: DeviceDatabase, owner: string, now: number): Promise<void> {
  const rows = await db.sharedFiles.where('owner').equals(owner).toArray();
  const old = rows.filter((row) => {
    const { reading, at } = row;
    if (!reading || nextFileStep(row, now) === 'remove') return false;
    return reading.expiresAt === null ? at + LISTED_MS < now : Date.parse(reading.expiresAt) <= now;
  });
  await db.sharedFiles.bulkDelete(old.map(({ id }) => id));
}
