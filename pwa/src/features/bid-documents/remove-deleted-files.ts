import { isDeleted } from '@nivida/contract/bids/merge-records';
import { removeDeletedFiles } from '../../data/bid-documents/files.ts';
import { currentTime } from '../../data/clock.ts';
import { withDatabase } from '../../data/device/database.ts';
import { currentOwner } from '../../data/session.ts';

/** Removes the current owner's files of documents that were deleted at least a day ago. Never throws. */
export async function removeFilesOfDeletedDocuments(): Promise<void> {
  const owner = currentOwner();
  const now = currentTime().getTime();
  await withDatabase((db) => removeDeletedFiles(db, owner, isDeleted, now)).catch(() => undefined);
}
