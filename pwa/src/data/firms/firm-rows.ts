/** The user's firms on the device: their list for offline use, and what happens when the user is not a member any more. */
import type { Firm } from '@nivida/contract/firms/firms';
import { deleteBackupSetting } from '../bid-documents/file-backup-setting.ts';
import { deleteFilesOf } from '../bid-documents/files.ts';
import { browserStorage } from '../device/browser-storage.ts';
import type { DeviceDatabase } from '../device/schema.ts';
import { pendingChanges } from '../outbox/pending-changes.ts';
import { firmListKey, firmOwner, type LostFirm, readFirms } from './firm-list.ts';
import { chooseSpace, currentRecordOwner, firmOf, userOf } from './space.ts';

const lostKey = (userId: string): string => `lost firms of ${userId}`;

/** Firms that the user has lost and whose note is not closed. */
export async function readLostFirms(db: DeviceDatabase, userId: string): Promise<LostFirm[]> {
  return ((await db.settings.get(lostKey(userId)))?.value as LostFirm[] | undefined) ?? [];
}

/** Closes the note about a lost firm. */
export async function closeLostFirm(db: DeviceDatabase, userId: string, firmId: string): Promise<void> {
  const value = (await readLostFirms(db, userId)).filter(({ id }) => id !== firmId);
  await db.settings.put({ key: lostKey(userId), value });
}

/** Owners of firms with rows on the device, also of firms that are in the list no longer. */
async function storedFirmOwners(db: DeviceDatabase, userId: string): Promise<string[]> {
  const stored = [
    ...(await db.records.orderBy('owner').uniqueKeys()),
    ...(await db.outbox.orderBy('owner').uniqueKeys()),
    ...(await db.documentFiles.orderBy('owner').uniqueKeys()),
  ] as string[];
  return [...new Set(stored)].filter((owner) => userOf(owner) === userId && firmOf(owner) !== undefined);
}

/** Stores the server's list, and deletes the data of firms that are not in it. Returns the firms that were lost. */
export async function storeFirms(db: DeviceDatabase, userId: string, firms: readonly Firm[]): Promise<LostFirm[]> {
  const lost = await keepFirmsOnly(
    db,
    userId,
    firms.map(({ id }) => id),
  );
  await db.settings.put({ key: firmListKey(userId), value: firms });
  return lost;
}

/** Deletes the data of all firms but these. Returns the firms that were lost. */
export async function keepFirmsOnly(db: DeviceDatabase, userId: string, ids: readonly string[]): Promise<LostFirm[]> {
  const known = (await readFirms(db, userId)).map(({ id }) => firmOwner(userId, id));
  const gone = new Set([...known, ...(await storedFirmOwners(db, userId))]);
  const lost: LostFirm[] = [];
  for (const owner of gone) if (!ids.includes(firmOf(owner) ?? '')) lost.push(await loseFirm(db, owner));
  return lost;
}

/**
 * The user is not a member of a firm any more: deletes its records, unsent changes included, its files and its entry in
 * the list. A note says so until it is closed.
 */
export async function loseFirm(db: DeviceDatabase, owner: string): Promise<LostFirm> {
  const userId = userOf(owner);
  const id = firmOf(owner) ?? '';
  const firms = await readFirms(db, userId);
  const name = firms.find((firm) => firm.id === id)?.name ?? '';
  const unsent = (await pendingChanges(db, owner, 'record')).length;
  const { deleteRecordsOf } = await import('../records/record-rows.ts');
  await deleteRecordsOf(db, owner);
  await deleteFilesOf(db, owner);
  await deleteBackupSetting(db, owner);
  deleteUnsavedMarks(owner);
  await db.settings.put({ key: firmListKey(userId), value: firms.filter((firm) => firm.id !== id) });
  const lost = await noteLostFirm(db, userId, { id, name, unsent });
  if (currentRecordOwner() === owner) chooseSpace(undefined);
  return lost;
}

/** Two answers of the server may end a firm at once, and the second finds nothing of it any more: what the first found stays. */
function noteLostFirm(db: DeviceDatabase, userId: string, { id, name, unsent }: LostFirm): Promise<LostFirm> {
  return db.transaction('rw', db.settings, async () => {
    const notes = await readLostFirms(db, userId);
    const earlier = notes.find((each) => each.id === id);
    const lost = { id, name: name || (earlier?.name ?? ''), unsent: Math.max(unsent, earlier?.unsent ?? 0) };
    const others = notes.filter((each) => each.id !== id);
    await db.settings.put({ key: lostKey(userId), value: [...others, lost] });
    return lost;
  });
}

/** Marks of checklists that were not in the database yet: see `unsaved-marks.ts`. */
function deleteUnsavedMarks(owner: string): void {
  const storage = browserStorage();
  if (!storage) return;
  const names = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
  const start = `unsaved-check ${JSON.stringify([owner]).slice(0, -1)},`;
  for (const name of names) if (name.startsWith(start)) storage.removeItem(name);
}

/** Removes the list and the notes of a user who signs out; the next sign-in receives the list again. */
export async function deleteFirmListOf(db: DeviceDatabase, userId: string): Promise<void> {
  await db.settings.bulkDelete([firmListKey(userId), lostKey(userId)]);
}

/** Deletes all data of a user's firms when the account is deleted. */
export async function deleteFirmsOf(db: DeviceDatabase, userId: string): Promise<void> {
  const { deleteRecordsOf } = await import('../records/record-rows.ts');
  for (const owner of await storedFirmOwners(db, userId)) {
    await deleteRecordsOf(db, owner);
    await deleteFilesOf(db, owner);
    await deleteBackupSetting(db, owner);
  }
  await deleteFirmListOf(db, userId);
}
