import { mergeFilesAtSignIn } from '../../data/bid-documents/files.ts';
import { withDatabase } from '../../data/device/database.ts';
import { currentOwner } from '../../data/session.ts';

/** Gives files added signed out to the signed-in user. */
export async function syncDocumentFiles(): Promise<void> {
  const owner = currentOwner();
  if (owner !== '') await withDatabase((db) => mergeFilesAtSignIn(db, owner));
}
