/** Removal of a user's data from the device at sign-out. */

import { deleteAccountData } from '../../data/device/account-lists.ts';
import { withDatabase } from '../../data/device/database.ts';
import { deleteTabDrafts } from '../../data/device/tab-drafts.ts';
import { deleteRefusedRequests } from '../../data/outbox/outbox.ts';
import { deleteSendTokens } from '../../data/outbox/send-tokens.ts';
import type { Session } from '../../data/session.ts';
import { deleteAlertsOf } from '../../features/alerts/sync-alerts.ts';
import { signOutOnServer } from '../../features/auth/sign-out.ts';
import { deleteBookmarksAtSignOut } from '../../features/bookmarks/bookmarks.ts';
import { deleteRequestsOf } from '../../features/documents/requests.ts';
import { deletePendingOrderOf } from '../../features/orders/payment/pending-order.ts';
import { deleteInterests } from '../../features/profile/interests.ts';
import { deleteSearchesAtSignOut } from '../../features/searches/searches.ts';
import { deleteLastFiltersOf } from '../../features/tenders/filters/last-filters.ts';
import { deleteRecentSearchesOf } from '../../features/tenders/search/recent-searches.ts';

/** Ends the session on the server, if it can be reached, and removes what is the user's from the device. Never throws. */
export async function deleteUserData({ token, user }: Session): Promise<void> {
  deleteTabDrafts((owner) => owner === user._id);
  void signOutOnServer(token);
  // a browser that stores nothing has nothing to remove
  await withDatabase((db) => deleteBookmarksAtSignOut(db, user._id)).catch(() => undefined);
  await deleteAlertsOf(user._id);
  await deleteSendTokens();
  await deleteInterests();
  await withDatabase((db) => deleteSearchesAtSignOut(db, user._id)).catch(() => undefined);
  await withDatabase((db) => deleteAccountData(db, user._id)).catch(() => undefined);
  await withDatabase((db) => deleteRefusedRequests(db, user._id)).catch(() => undefined);
  await deleteRecentSearchesOf(user._id);
  await deleteLastFiltersOf(user._id);
  await deletePendingOrderOf(user._id);
  await deleteRequestsOf(user._id);
}
