/** What follows when a user signs out by hand, beside the session's end on this device. */
import { onDevice } from '../data/device.ts';
import { forgetDrafts } from '../data/drafts.ts';
import { clearRefused } from '../data/outbox.ts';
import { clearOwned } from '../data/owned.ts';
import { forgetSendTokens } from '../data/send-tokens.ts';
import type { Session } from '../data/session.ts';
import { forgetAlerts } from '../features/alerts/refresh.ts';
import { endSession } from '../features/auth/sign-out.ts';
import { clearAtSignOut } from '../features/bookmarks/bookmarks.ts';
import { forgetRequestsOf } from '../features/documents/requests.ts';
import { forgetPendingOf } from '../features/orders/pending.ts';
import { forgetInterests } from '../features/profile/interests.ts';
import { clearAtSignOut as clearSearchesAtSignOut } from '../features/searches/searches.ts';
import { forgetSearchesOf } from '../features/tenders/recent.ts';

/** Ends the session on the server, if it can be reached, and removes what is the user's from the device. Never throws. */
export async function forgetUser({ token, user }: Session): Promise<void> {
  forgetDrafts((owner) => owner === user._id);
  void endSession(token);
  await forgetAlerts(user._id);
  // a browser that keeps nothing has nothing to remove
  await onDevice((db) => clearAtSignOut(db, user._id)).catch(() => undefined);
  await forgetSendTokens();
  await forgetInterests();
  await onDevice((db) => clearSearchesAtSignOut(db, user._id)).catch(() => undefined);
  await onDevice((db) => clearOwned(db, user._id)).catch(() => undefined);
  await onDevice((db) => clearRefused(db, user._id)).catch(() => undefined);
  await forgetSearchesOf(user._id);
  await forgetPendingOf(user._id);
  await forgetRequestsOf(user._id);
}
