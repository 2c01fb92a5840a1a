import { isDeleted } from '@nivida/contract/bids/merge-records';
import { isBackupOn } from '../../data/bid-documents/file-backup-setting.ts';
import { mergeFilesAtSignIn, removeDeletedFiles } from '../../data/bid-documents/files.ts';
import { currentTime } from '../../data/clock.ts';
import { withDatabase } from '../../data/device/database.ts';
import { currentOwner } from '../../data/session.ts';

/**
 * Gives the files that were added signed out to the signed-in user. Sends new files to the backup while it is
 * on.
 */
export async function syncDocumentFiles(): Promise<void> {
  const owner = currentOwner();
  if (owner === '') return;
  await withDatabase((db) => mergeFilesAtSignIn(db, owner));
  await withDatabase(async (db) => {
    if (!(await isBackupOn(db, owner))) return;
    const { backUpFiles } = await import('../../data/bid-documents/file-backup.ts');
    await backUpFiles(db, owner);
  });
}

/** Removes the current owner's files whose documents were deleted at least a day ago. Never throws. */
export async function removeFilesOfDeletedDocuments(): Promise<void> {
  const owner = currentOwner();
  const now = currentTime().getTime();
  await withDatabase((db) => removeDeletedFiles(db, owner, isDeleted, now)).catch(() => undefined);
}
