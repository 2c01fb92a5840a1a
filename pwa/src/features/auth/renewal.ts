/** Renewal of a remembered session: one tab renews its token when the token is a day old. */
import { HOUR_MS } from '@nivida/contract/time';
import { currentTime } from '../../data/clock.ts';
import { withLock } from '../../data/lock.ts';
import { currentSession, reloadSession, replaceToken, type Session } from '../../data/session.ts';
import { renewToken } from './auth-api.ts';

/** A session that is not remembered lasts 12 hours and is not renewed. */
const SHORT_SESSION_MS = 12 * HOUR_MS;
const RENEW_AFTER_MS = 24 * HOUR_MS;

/** True for a remembered session whose token is older than a day at `now`. */
export function isRenewalDue({ issuedAt, expiresAt }: Session, now: Date): boolean {
  if (!issuedAt || !expiresAt) return false;
  const lasts = expiresAt.getTime() - issuedAt.getTime();
  return lasts > SHORT_SESSION_MS && now.getTime() - issuedAt.getTime() > RENEW_AFTER_MS;
}

function dueSession(): Session | null {
  const session = currentSession();
  return session && isRenewalDue(session, currentTime()) ? session : null;
}

async function renewDueSession(): Promise<void> {
  // Another tab may have renewed the token while this one waited for the lock.
  reloadSession();
  const session = dueSession();
  if (session) replaceToken(session.token, await renewToken());
}

/**
 * Renews the session's token when it is due and there is a network. After a failure the token stays valid and the next
 * sync tries again. Never throws.
 */
export async function renewSession(): Promise<void> {
  if (!dueSession() || globalThis.navigator?.onLine === false) return;
  // Without locks two tabs may both renew. The server accepts the older token for one more minute.
  await withLock('session', renewDueSession).catch(() => undefined);
}
