import { withDatabase } from '../device/database.ts';
import { currentOwner } from '../session.ts';

/** Sends the signed-in user's shared files, if there are any. The code is loaded only then. Throws what has failed. */
export async function syncSharedFiles(): Promise<void> {
  const owner = currentOwner();
  if (owner === '' || (await withDatabase((db) => db.sharedFiles.where('owner').equals(owner).count())) === 0) return;
  const { sendSharedFiles } = await import('./send-shared-files.ts');
  await sendSharedFiles();
}
