/**
 * One-time tokens. The service worker has no session, so it sends bookmarks, saved searches and followed
 * offices with them. The app stores a few tokens in the settings. A token authorizes one request and ends
 * with the session.
 */
import { SendTokensResponse } from '@nivida/contract/sync/outbox';
import { clearSetting, readSetting, writeSetting } from '../device/settings.ts';
import { isSendTokensSetting, SEND_TOKENS_KEY, type SendTokensSetting } from '../device/worker-database.ts';
import { withLock } from '../lock.ts';
import { apiOf } from '../server/api.ts';
import { currentOwner } from '../session.ts';
import { hasBackgroundSync } from './background-sync.ts';

/** The app requests new tokens when fewer are left. */
const MIN_SEND_TOKENS = 5;

async function refillSendTokens(): Promise<void> {
  const owner = currentOwner();
  if (owner === '') return;
  const stored = await readSetting(SEND_TOKENS_KEY);
  if (isSendTokensSetting(stored) && stored.owner === owner && stored.tokens.length >= MIN_SEND_TOKENS) return;
  const { tokens } = await apiOf(owner).post('api/outbox/tokens').json(SendTokensResponse);
  const setting: SendTokensSetting = { owner, tokens };
  // The user may have signed out in the meantime.
  if (currentOwner() === owner) await writeSetting(SEND_TOKENS_KEY, setting);
}

/** Requests tokens when few are left, in a browser with Background Sync. Throws the errors of the call. */
export async function refreshSendTokens(): Promise<void> {
  if (!hasBackgroundSync() || globalThis.navigator?.onLine === false) return;
  await withLock('send-tokens', refillSendTokens);
}

/** Removes the tokens of a user who has signed out. Tokens of the next user stay. */
export function deleteSendTokens(owner: string): Promise<void> {
  return clearSetting(SEND_TOKENS_KEY, (stored) => !isSendTokensSetting(stored) || stored.owner === owner);
}
