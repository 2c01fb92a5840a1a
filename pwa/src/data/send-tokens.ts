/**
 * One-time tokens by which the service worker sends bookmarks and saved searches with the app closed: it has no session.
 * The app keeps a few in the settings; a token opens one request and is worth nothing when the session has ended.
 */
import { SendTokens } from '@nivida/contract/outbox';
import { api } from './api.ts';
import { hasBackgroundSync } from './background-sync.ts';
import { currentOwner } from './session.ts';
import { readSetting, writeSetting } from './settings.ts';
import { isSendTokens, SEND_TOKENS, type SendTokensSetting } from './stores.ts';

/** With fewer tokens new ones are asked for. */
const MIN_TOKENS = 5;

async function refill(): Promise<void> {
  const owner = currentOwner();
  if (owner === '') return;
  const held = await readSetting(SEND_TOKENS);
  if (isSendTokens(held) && held.owner === owner && held.tokens.length >= MIN_TOKENS) return;
  const { tokens } = await api.post('api/outbox/tokens').json(SendTokens);
  const setting: SendTokensSetting = { owner, tokens };
  // the user may have signed out meanwhile
  if (currentOwner() === owner) await writeSetting(SEND_TOKENS, setting);
}

/** Asks for tokens when few are left, where the browser has Background Sync. Throws what the call throws. */
export async function keepSendTokens(): Promise<void> {
  if (!hasBackgroundSync() || globalThis.navigator?.onLine === false) return;
  const locks: LockManager | undefined = globalThis.navigator?.locks;
  await (locks ? locks.request('send-tokens', refill) : refill());
}

/** Forgets the tokens: their user has signed out. */
export function forgetSendTokens(): Promise<void> {
  return writeSetting(SEND_TOKENS, null);
}
