/**
 * One-time tokens by which the service worker sends bookmarks and saved searches with the app closed: it has no session.
 * The app keeps a few in the settings; a token opens one request and is worth nothing when the session has ended.
 */
import { SendTokensResponse } from '@nivida/contract/sync/outbox';
import { isSendTokensSetting, SEND_TOKENS_KEY, type SendTokensSetting } from '../device/raw-database.ts';
import { readSetting, writeSetting } from '../device/settings.ts';
import { withLock } from '../lock.ts';
import { api } from '../server/api.ts';
import { currentOwner } from '../session.ts';
import { hasBackgroundSync } from './background-sync.ts';

/** With fewer tokens new ones are asked for. */
const MIN_SEND_TOKENS = 5;

async function refillSendTokens(): Promise<void> {
  const owner = currentOwner();
  if (owner === '') return;
  const stored = await readSetting(SEND_TOKENS_KEY);
  if (isSendTokensSetting(stored) && stored.owner === owner && stored.tokens.length >= MIN_SEND_TOKENS) return;
  const { tokens } = await api.post('api/outbox/tokens').json(SendTokensResponse);
  const setting: SendTokensSetting = { owner, tokens };
  // the user may have signed out meanwhile
  if (currentOwner() === owner) await writeSetting(SEND_TOKENS_KEY, setting);
}

/** Asks for tokens when few are left, where the browser has Background Sync. Throws what the call throws. */
export async function refreshSendTokens(): Promise<void> {
  if (!hasBackgroundSync() || globalThis.navigator?.onLine === false) return;
  await withLock('send-tokens', refillSendTokens);
}

/** Forgets the tokens: their user has signed out. */
export function deleteSendTokens(): Promise<void> {
  return writeSetting(SEND_TOKENS_KEY, null);
}
