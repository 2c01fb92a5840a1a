/** Removes a user's data from the device at the sign-out. */

import { plural, t } from '@lingui/core/macro';
import { deleteReadWarningsOf } from '../../data/bid-documents/expiry-read.ts';
import { deleteBackupSetting } from '../../data/bid-documents/file-backup-setting.ts';
import { deleteFilesOf, storedHashes } from '../../data/bid-documents/files.ts';
import { deleteAccountData } from '../../data/device/account-lists.ts';
import { withDatabase } from '../../data/device/database.ts';
import { deleteTabDrafts } from '../../data/device/tab-drafts.ts';
import { deleteFirmListOf, deleteFirmsOf } from '../../data/firms/firm-rows.ts';
import { deleteJointBidsOf } from '../../data/joint-bids.ts';
import { deleteRefusedRequests } from '../../data/outbox/outbox.ts';
import { deleteSendTokens } from '../../data/outbox/send-tokens.ts';
import { deleteRecordsAtSignOut, deleteRecordsOf } from '../../data/records/record-rows.ts';
import { currentOwner, endSignOut, type SignOut, unfinishedSignOuts } from '../../data/session.ts';
import { countWaitingMessages, deleteSupportAtSignOut, deleteSupportOf } from '../../data/support/support-rows.ts';
import { writeAccountLanguage } from '../../data/texts/account-language.ts';
import { deleteListAtSignOut } from '../../features/added-list/added-list.ts';
import { deleteAlertsOf } from '../../features/alerts/sync-alerts.ts';
import { signOutOnServer } from '../../features/auth/sign-out.ts';
import { deleteOfficesAtSignOut } from '../../features/awards/follow/followed-offices.ts';
import { deleteBookmarksAtSignOut } from '../../features/bookmarks/bookmarks.ts';
import { deleteRequestsOf } from '../../features/documents/requests.ts';
import { deletePendingOrderOf } from '../../features/orders/payment/pending-order.ts';
import { deleteInterests } from '../../features/profile/interests.ts';
import { lastFilters } from '../../features/results/filters/last-filters.ts';
import { recentSearches } from '../../features/search/recent-searches.ts';
import { deleteSearchesAtSignOut } from '../../features/searches/searches.ts';
import { showToast } from '../../ui/feedback/toast.ts';

/** Removes the user's data from the device. */
async function deleteUserData(owner: string): Promise<void> {
  deleteTabDrafts((each) => each === owner);
  if (currentOwner() === '') writeAccountLanguage(undefined);
  // A browser without storage has nothing to remove.
  await withDatabase((db) => deleteBookmarksAtSignOut(db, owner)).catch(() => undefined);
  await deleteAlertsOf(owner);
  await deleteSendTokens(owner);
  await deleteInterests(owner);
  await withDatabase((db) => deleteSearchesAtSignOut(db, owner)).catch(() => undefined);
  await withDatabase((db) => deleteListAtSignOut(db, owner)).catch(() => undefined);
  await withDatabase((db) => deleteOfficesAtSignOut(db, owner)).catch(() => undefined);
  await withDatabase((db) => deleteRecordsAtSignOut(db, owner)).catch(() => undefined);
  await withDatabase((db) => deleteFirmListOf(db, owner)).catch(() => undefined);
  await withDatabase((db) => deleteAccountData(db, owner)).catch(() => undefined);
  await withDatabase((db) => deleteRefusedRequests(db, owner)).catch(() => undefined);
  await withDatabase((db) => deleteSupportAtSignOut(db, owner)).catch(() => undefined);
  recentSearches.deleteOf(owner);
  lastFilters.deleteOf(owner);
  await deletePendingOrderOf(owner);
  await deleteRequestsOf(owner);
}

/**
 * Removes data that only this device has, which a sign-out otherwise leaves: unsent records and messages, files of
 * documents, and partners of joint bids. Returns false when it failed.
 */
async function deleteDeviceOnlyData(owner: string): Promise<boolean> {
  try {
    await withDatabase((db) =>
      Promise.all([
        deleteRecordsOf(db, owner),
        deleteFirmsOf(db, owner),
        deleteFilesOf(db, owner),
        deleteReadWarningsOf(db, owner),
        deleteBackupSetting(db, owner),
        deleteJointBidsOf(db, owner),
        deleteSupportOf(db, owner),
      ]),
    );
    return true;
  } catch {
    return false;
  }
}

/** Offers to remove the files that stay for the user's next sign-in, because others may use the phone. */
async function offerToDeleteFiles(owner: string): Promise<void> {
  const files = await withDatabase((db) => storedHashes(db, owner)).catch(() => new Set());
  if (files.size === 0) return;
  showToast({
    text: plural(files.size, {
      one: '# photo or PDF stays on this phone for your next sign-in. Other users of this phone do not see them in Nivida.',
      other:
        '# photos and PDFs stay on this phone for your next sign-in. Other users of this phone do not see them in Nivida.',
    }),
    action: {
      label: t`Delete them`,
      run: () => void withDatabase((db) => deleteFilesOf(db, owner)).catch(() => undefined),
    },
    passing: true,
  });
}

/** Says that messages to support wait for the next sign-in. */
async function tellWaitingMessages(owner: string): Promise<void> {
  const count = await withDatabase((db) => countWaitingMessages(db, owner)).catch(() => 0);
  if (count === 0) return;
  showToast({
    text: plural(count, {
      one: '# message to support is not sent yet. It is sent when you sign in again.',
      other: '# messages to support are not sent yet. They are sent when you sign in again.',
    }),
  });
}

async function finishSignOut({ token, owner, isAccountDeleted }: SignOut): Promise<void> {
  const ended = signOutOnServer(token);
  let isFinished = true;
  // The user may have signed in again in the meantime.
  if (owner !== currentOwner()) {
    await deleteUserData(owner);
    if (isAccountDeleted) isFinished = await deleteDeviceOnlyData(owner);
    else {
      await offerToDeleteFiles(owner);
      await tellWaitingMessages(owner);
    }
  }
  await ended;
  // When it is not finished, the next start repeats it.
  if (isFinished) endSignOut(token);
}

/**
 * Ends the sessions on the server, if it can be reached, and removes their users' data from the device.
 * Called after a sign-out, and at the start for a sign-out whose tab was closed too early. Never throws.
 */
export async function finishSignOuts(): Promise<void> {
  for (const signOut of unfinishedSignOuts()) await finishSignOut(signOut);
}
