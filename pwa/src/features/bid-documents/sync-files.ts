import { isBackupOn } from '../../data/bid-documents/file-backup-setting.ts';
import { mergeFilesAtSignIn } from '../../data/bid-documents/files.ts';
import { withDatabase } from '../../data/device/database.ts';
import { currentOwner } from '../../data/session.ts';

/** Gives files added signed out to the signed-in user, and sends new ones to the backup while it is on. */
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
