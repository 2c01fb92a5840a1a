/** The end of a session on the server. Its file is apart from `calls.ts`: the outbox brings the device's database. */

import { addToOutbox } from '../../data/outbox/outbox.ts';
import { api } from '../../data/server/api.ts';

const LOGOUT_PATH = '/api/auth/logout';

/**
 * Ends a session on the server, also when there is no signal: until it is sent, the outbox keeps the session's token for
 * this call alone. Never throws.
 */
export async function signOutOnServer(token: string): Promise<void> {
  const authorization = `Bearer ${token}`;
  try {
    await addToOutbox({ kind: 'sign-out', path: LOGOUT_PATH, body: {}, needs: 'authorization', authorization });
  } catch {
    // a browser that keeps nothing; the page may be closing
    await api.post(LOGOUT_PATH.slice(1), { headers: { authorization }, keepalive: true }).catch(() => undefined);
  }
}
