import { isDeleted } from '@nivida/contract/bids/merge-records';
import { isBackupOn } from '../../data/bid-documents/file-backup-setting.ts';
import { mergeFilesAtSignIn, removeDeletedFiles, storedHashes } from '../../data/bid-documents/files.ts';
import { currentTime } from '../../data/clock.ts';
import { withDatabase } from '../../data/device/database.ts';
import { recordOwnersOf } from '../../data/firms/firm-list.ts';
import { firmOf } from '../../data/firms/space.ts';
import { refusalOf } from '../../data/server/api.ts';
import { currentOwner } from '../../data/session.ts';

/**
 * Gives the files that were added signed out to the signed-in user. Sends new files to the backups that are on; those of
 * firms always are.
 */
export async function syncDocumentFiles(): Promise<void> {
  const owner = currentOwner();
  if (owner === '') return;
  await withDatabase((db) => mergeFilesAtSignIn(db, owner));
  await withDatabase(async (db) => {
    for (const each of await recordOwnersOf(db, owner)) {
      // Without a file there is nothing to send, so no firm is asked in vain.
      const isOn = firmOf(each) === undefined ? await isBackupOn(db, each) : (await storedHashes(db, each)).size > 0;
      if (!isOn) continue;
      const { backUpFiles } = await import('../../data/bid-documents/file-backup.ts');
      try {
        await backUpFiles(db, each);
      } catch (error) {
        // A firm without a plan takes no files; the other owners' files are sent.
        if (firmOf(each) === undefined || !refusalOf(error)) throw error;
      }
    }
  });
}

/** Removes the files of the user and of the user's firms whose documents were deleted at least a day ago. Never throws. */
export async function removeFilesOfDeletedDocuments(): Promise<void> {
  const user = currentOwner();
  const now = currentTime().getTime();
  await withDatabase(async (db) => {
    for (const owner of await recordOwnersOf(db, user)) await removeDeletedFiles(db, owner, isDeleted, now);
  }).catch(() => undefined);
}
