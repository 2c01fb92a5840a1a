/** Ends a session on the server. Not in `auth-api.ts`, because the outbox imports the device's database. */

import { addToOutbox } from '../../data/outbox/outbox.ts';
import { api } from '../../data/server/api.ts';

const LOGOUT_PATH = '/api/auth/logout';

/**
 * Ends a session on the server. Without a connection the outbox stores the session's token for this one call.
 * Never throws.
 */
export async function signOutOnServer(token: string): Promise<void> {
  const authorization = `Bearer ${token}`;
  try {
    await addToOutbox({ kind: 'sign-out', path: LOGOUT_PATH, body: {}, needs: 'authorization', authorization });
  } catch {
    // Without storage the call is made directly, with `keepalive`, because the page may be closing.
    await api.post(LOGOUT_PATH.slice(1), { headers: { authorization }, keepalive: true }).catch(() => undefined);
  }
}
