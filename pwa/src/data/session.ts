/** The session on this device: SPEC's `token` and `user` in browser storage. */
import type { User } from '@nivida/contract/account/user';
import { jwtDecode } from 'jwt-decode';
import { create } from 'zustand';
import { currentTime, useNow } from './clock.ts';
import { browserStorage } from './device/browser-storage.ts';

/**
 * A stored session. A date is null when the token does not contain it. Without `expiresAt` only the server
 * ends the session.
 */
export interface Session {
  token: string;
  user: User;
  issuedAt: Date | null;
  expiresAt: Date | null;
}

/** Thrown when browser storage refuses a session: it is full or forbidden. */
export class SessionNotStoredError extends Error {
  override name = 'SessionNotStoredError';
}

interface SessionState {
  session: Session | null;
  /** Number of times the server has rejected this tab's token since the tab was opened. */
  refusals: number;
}

const USER_FIELDS = ['_id', 'username', 'email', 'mobileNo'] as const;

/** Validated without the schema library, which is too large for code that runs before the first paint. */
function isUser(value: unknown): value is User {
  if (typeof value !== 'object' || value === null) return false;
  const fields: Partial<Record<string, unknown>> = { ...value };
  return USER_FIELDS.every((name) => typeof fields[name] === 'string') && fields._id !== '';
}

function readUser(text: string): User | null {
  try {
    const user: unknown = JSON.parse(text);
    return isUser(user) ? user : null;
  } catch {
    return null;
  }
}

function readTokenDates(token: string): Pick<Session, 'issuedAt' | 'expiresAt'> {
  const toDate = (seconds: unknown) => (typeof seconds === 'number' ? new Date(seconds * 1000) : null);
  try {
    const { iat, exp } = jwtDecode(token);
    return { issuedAt: toDate(iat), expiresAt: toDate(exp) };
  } catch {
    return { issuedAt: null, expiresAt: null };
  }
}

function removeStoredSession(): void {
  browserStorage()?.removeItem('token');
  browserStorage()?.removeItem('user');
}

/**
 * The stored session, even if it has expired. A corrupt user clears both keys. If only one key is stored,
 * another tab is still writing.
 */
function readSession(): Session | null {
  const token = browserStorage()?.getItem('token');
  const text = browserStorage()?.getItem('user');
  if (!token || !text) return null;
  const user = readUser(text);
  if (!user) {
    removeStoredSession();
    return null;
  }
  return { token, user, ...readTokenDates(token) };
}

// The initial state is the server snapshot: on the server and during hydration there is no session.
const useSessionState = create<SessionState>(() => ({ session: null, refusals: 0 }));
useSessionState.setState({ session: readSession() });

// Storage events come only from other tabs. A null key means that everything was cleared.
globalThis.window?.addEventListener('storage', ({ key }) => {
  if (key === null || key === 'token' || key === 'user') reloadSession();
});

/** Reads the session from browser storage again, after a sign-in or sign-out in this or another tab. */
export function reloadSession(): void {
  useSessionState.setState({ session: readSession() });
}

/** Signs in, in this and the other tabs. Throws SessionNotStoredError. */
export function startSession(token: string, user: User): void {
  try {
    localStorage.setItem('token', token);
    localStorage.setItem('user', JSON.stringify(user));
  } catch (cause) {
    removeStoredSession();
    throw new SessionNotStoredError('This browser does not store the sign-in.', { cause });
  } finally {
    reloadSession();
  }
}

/** Replaces `previousToken` with a renewed token, unless the session has changed in the meantime. */
export function replaceToken(previousToken: string, token: string): void {
  if (browserStorage()?.getItem('token') === previousToken) browserStorage()?.setItem('token', token);
  reloadSession();
}

function sessionUnlessExpired(session: Session | null, now: Date): Session | null {
  return session?.expiresAt && session.expiresAt <= now ? null : session;
}

/**
 * The current session. Null when signed out, or when expired by the corrected clock. Valid offline too (R18).
 */
export function currentSession(): Session | null {
  return sessionUnlessExpired(useSessionState.getState().session, currentTime());
}

/** The owner of new rows on the device: the user's id, or '' when signed out. */
export function currentOwner(): string {
  return currentSession()?.user._id ?? '';
}

/**
 * Wraps `work` for a later call. The call does nothing if the current user has signed out or another user has
 * signed in.
 */
export function ofPresentOwner(work: () => void): () => void {
  const owner = currentOwner();
  return () => {
    if (currentOwner() === owner) work();
  };
}

/** The session for a screen; null from the minute in which it expires. */
export function useSession(): Session | null {
  const session = useSessionState((stored) => stored.session);
  return sessionUnlessExpired(session, useNow());
}

/** `currentOwner` for a screen. */
export function useOwner(): string {
  return useSession()?.user._id ?? '';
}

/** Stores new data of the signed-in user from the server. Does nothing when another user has signed in. */
export function replaceUser(user: User): void {
  const { session } = useSessionState.getState();
  if (session?.user._id !== user._id) return;
  browserStorage()?.setItem('user', JSON.stringify(user));
  useSessionState.setState({ session: { ...session, user } });
}

/** A sign-out on this device: the ended session's token and its user's id. */
export interface SignOut {
  token: string;
  owner: string;
  /** The user has deleted the account, so data that only this device has is removed too. */
  isAccountDeleted?: boolean;
}

const SIGN_OUTS_KEY = 'sign-outs';

const isSignOut = (value: unknown): value is SignOut =>
  typeof value === 'object' &&
  value !== null &&
  'token' in value &&
  typeof value.token === 'string' &&
  'owner' in value &&
  typeof value.owner === 'string';

/** Sign-outs to complete: their tab was closed before the server was told and the user's data was deleted. */
export function unfinishedSignOuts(): SignOut[] {
  try {
    const stored: unknown = JSON.parse(browserStorage()?.getItem(SIGN_OUTS_KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isSignOut) : [];
  } catch {
    return [];
  }
}

function storeSignOuts(signOuts: SignOut[]): void {
  try {
    if (signOuts.length === 0) browserStorage()?.removeItem(SIGN_OUTS_KEY);
    else browserStorage()?.setItem(SIGN_OUTS_KEY, JSON.stringify(signOuts));
  } catch {
    // The storage is full. The sign-out is then lost when the tab closes.
  }
}

/**
 * Removes the stored session and records its sign-out, so that it is completed even if the tab closes. In
 * this tab the session lasts until `clearSession`.
 */
export function beginSignOut({ token, user }: Session, isAccountDeleted: boolean): void {
  removeStoredSession();
  storeSignOuts([...unfinishedSignOuts(), { token, owner: user._id, isAccountDeleted }]);
}

/** Removes the record of a completed sign-out. */
export function endSignOut(token: string): void {
  storeSignOuts(unfinishedSignOuts().filter((each) => each.token !== token));
}

/** Signs out in this and the other tabs. Removes only `token` and `user`. */
export function clearSession(): void {
  removeStoredSession();
  useSessionState.setState({ session: null });
}

/** Ends the session whose token the server rejected, unless a newer token is stored (R5). */
export function endRefusedSession(token: string): void {
  // A suspended tab does not know a token that another tab has renewed.
  reloadSession();
  const { session, refusals } = useSessionState.getState();
  if (session?.token !== token) return;
  removeStoredSession();
  useSessionState.setState({ session: null, refusals: refusals + 1 });
}

/**
 * Calls `onChange` after each change of the user's id; '' means signed out. Returns the unsubscribe function.
 */
export function onOwnerChange(onChange: (owner: string) => void): () => void {
  return useSessionState.subscribe(({ session }, before) => {
    const owner = session?.user._id ?? '';
    if (owner !== (before.session?.user._id ?? '')) onChange(owner);
  });
}

/** Calls `onRefused` when the server has ended this tab's session. Returns the unsubscribe function. */
export function onSessionRefused(onRefused: () => void): () => void {
  return useSessionState.subscribe(({ refusals }, before) => {
    if (refusals > before.refusals) onRefused();
  });
}
