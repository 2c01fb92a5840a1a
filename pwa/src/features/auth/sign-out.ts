/** The end of a session on the server. Its file is apart from `calls.ts`: the outbox brings the device's database. */
import { api } from '../../data/api.ts';
import { queueRequest } from '../../data/outbox.ts';

const PATH = '/api/auth/logout';

/**
 * Ends a session on the server, also when there is no signal: until it is sent, the outbox keeps the session's token for
 * this call alone. Never throws.
 */
export async function endSession(token: string): Promise<void> {
  const authorization = `Bearer ${token}`;
  try {
    await queueRequest({ kind: 'sign-out', path: PATH, body: {}, needs: 'authorization', authorization });
  } catch {
    // a browser that keeps nothing; the page may be closing
    await api.post(PATH.slice(1), { headers: { authorization }, keepalive: true }).catch(() => undefined);
  }
}
