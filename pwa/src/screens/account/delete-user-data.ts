/** Removal of a user's data from the device at sign-out. */

import { deleteAccountData } from '../../data/device/account-lists.ts';
import { withDatabase } from '../../data/device/database.ts';
import { deleteTabDrafts } from '../../data/device/tab-drafts.ts';
import { deleteRefusedRequests } from '../../data/outbox/outbox.ts';
import { deleteSendTokens } from '../../data/outbox/send-tokens.ts';
import { currentOwner, endSignOut, type SignOut, unfinishedSignOuts } from '../../data/session.ts';
import { deleteAlertsOf } from '../../features/alerts/sync-alerts.ts';
import { signOutOnServer } from '../../features/auth/sign-out.ts';
import { deleteBookmarksAtSignOut } from '../../features/bookmarks/bookmarks.ts';
import { deleteRequestsOf } from '../../features/documents/requests.ts';
import { deletePendingOrderOf } from '../../features/orders/payment/pending-order.ts';
import { deleteInterests } from '../../features/profile/interests.ts';
import { deleteSearchesAtSignOut } from '../../features/searches/searches.ts';
import { deleteLastFiltersOf } from '../../features/tenders/filters/last-filters.ts';
import { deleteRecentSearchesOf } from '../../features/tenders/search/recent-searches.ts';

/** Removes what is the user's from the device. */
async function deleteUserData(owner: string): Promise<void> {
  deleteTabDrafts((each) => each === owner);
  // a browser that stores nothing has nothing to remove
  await withDatabase((db) => deleteBookmarksAtSignOut(db, owner)).catch(() => undefined);
  await deleteAlertsOf(owner);
  await deleteSendTokens();
  await deleteInterests();
  await withDatabase((db) => deleteSearchesAtSignOut(db, owner)).catch(() => undefined);
  await withDatabase((db) => deleteAccountData(db, owner)).catch(() => undefined);
  await withDatabase((db) => deleteRefusedRequests(db, owner)).catch(() => undefined);
  await deleteRecentSearchesOf(owner);
  await deleteLastFiltersOf(owner);
  await deletePendingOrderOf(owner);
  await deleteRequestsOf(owner);
}

async function finishSignOut({ token, owner }: SignOut): Promise<void> {
  const ended = signOutOnServer(token);
  // the user may be signed in again by now
  if (owner !== currentOwner()) await deleteUserData(owner);
  await ended;
  endSignOut(token);
}

/**
 * Ends the sessions on the server, if it can be reached, and removes their users' data from the device: after a sign-out,
 * and at the start for a sign-out whose tab was closed too early. Never throws.
 */
export async function finishSignOuts(): Promise<void> {
  for (const signOut of unfinishedSignOuts()) await finishSignOut(signOut);
}
