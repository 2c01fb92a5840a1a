import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  clearSession,
  currentOwner,
  currentSession,
  endRefusedSession,
  onOwnerChange,
  onSessionRefused,
  reloadSession,
  replaceToken,
  replaceUser,
  SessionNotStoredError,
  startSession,
} from './session.ts';

const user = { _id: '7', username: 'Asha', email: 'asha@example.in', mobileNo: '+919876543210' };
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

function tokenWith(claims: object): string {
  const part = (value: object) => btoa(JSON.stringify(value)).replaceAll('=', '');
  return `${part({ alg: 'HS256' })}.${part(claims)}.signature`;
}

function store(token: string, text: string): void {
  localStorage.setItem('token', token);
  localStorage.setItem('user', text);
  reloadSession();
}

beforeEach(() => {
  localStorage.clear();
  reloadSession();
});
afterEach(() => {
  localStorage.clear();
  reloadSession();
});

describe('the stored session', () => {
  test('counts while its token is not expired, without asking anybody', () => {
    store(tokenWith({ exp: inSeconds(60) }), JSON.stringify(user));
    expect(currentSession()?.user).toEqual(user);
    expect(currentOwner()).toBe('7');
  });

  test('does not count once its token is expired, and stays stored', () => {
    const token = tokenWith({ exp: inSeconds(-1) });
    store(token, JSON.stringify(user));
    expect(currentSession()).toBeNull();
    expect(currentOwner()).toBe('');
    expect(localStorage.getItem('token')).toBe(token);
  });

  test('of a token that does not say when it expires, counts until the server refuses it', () => {
    store('opaque', JSON.stringify(user));
    expect(currentSession()?.expiresAt).toBeNull();
    expect(currentOwner()).toBe('7');
  });

  test.each([
    ['half a text', '{"_id":"7"'],
    ['null', 'null'],
    ['a list', '[]'],
    ['a user without an id', '{"username":"Asha","email":"a@b.in","mobileNo":"+919876543210"}'],
    ['an id that is a number', '{"_id":7,"username":"Asha","email":"a@b.in","mobileNo":"+919876543210"}'],
  ])('with %s for its user is cleared, and nothing else is', (_what, text) => {
    localStorage.setItem('bookmarkedTenders', '["1"]');
    store(tokenWith({ exp: inSeconds(60) }), text);
    expect(currentSession()).toBeNull();
    expect(localStorage.getItem('token')).toBeNull();
    expect(localStorage.getItem('user')).toBeNull();
    expect(localStorage.getItem('bookmarkedTenders')).toBe('["1"]');
  });

  test('with one of its two keys is none, and the key stays: another tab is about to write the second', () => {
    localStorage.setItem('token', 'opaque');
    reloadSession();
    expect(currentSession()).toBeNull();
    expect(localStorage.getItem('token')).toBe('opaque');
  });
});

test('a sign-in and a sign-out in another tab count here', () => {
  const owners: string[] = [];
  const stop = onOwnerChange((owner) => owners.push(owner));
  localStorage.setItem('token', 'opaque');
  localStorage.setItem('user', JSON.stringify(user));
  window.dispatchEvent(new StorageEvent('storage', { key: 'user' }));
  localStorage.clear();
  window.dispatchEvent(new StorageEvent('storage', { key: null }));
  stop();
  expect(owners).toEqual(['7', '']);
});

test('signing out removes the two keys and leaves the bookmarks', () => {
  localStorage.setItem('bookmarkedTenders', '["1"]');
  store('opaque', JSON.stringify(user));
  clearSession();
  expect(currentSession()).toBeNull();
  expect({ ...localStorage }).toEqual({ bookmarkedTenders: '["1"]' });
});

test('a refused token ends its session, and not the one that has taken its place', () => {
  let refusals = 0;
  const stop = onSessionRefused(() => {
    refusals += 1;
  });
  store('newer', JSON.stringify(user));
  endRefusedSession('older');
  expect(currentOwner()).toBe('7');
  endRefusedSession('newer');
  expect(currentOwner()).toBe('');
  expect(localStorage.getItem('token')).toBeNull();
  stop();
  expect(refusals).toBe(1);
});

test('a token that was refused to a tab which has slept leaves the one that another tab has renewed', () => {
  store('older', JSON.stringify(user));
  localStorage.setItem('token', 'newer');
  endRefusedSession('older');
  expect(currentSession()?.token).toBe('newer');
  expect(localStorage.getItem('token')).toBe('newer');
});

describe('signing in', () => {
  test('keeps token and user, and says from when until when the token counts', () => {
    const [iat, exp] = [inSeconds(-60), inSeconds(60)];
    startSession(tokenWith({ iat, exp }), user);
    expect(currentSession()).toEqual({
      token: localStorage.getItem('token'),
      user,
      issuedAt: new Date(iat * 1000),
      expiresAt: new Date(exp * 1000),
    });
    expect(localStorage.getItem('user')).toBe(JSON.stringify(user));
  });

  test('fails as a whole when the browser keeps nothing', () => {
    const kept = new Map<string, string>();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      removeItem: (key: string) => kept.delete(key),
      setItem: (key: string, value: string) => {
        if (key === 'user') throw new DOMException('full', 'QuotaExceededError');
        kept.set(key, value);
      },
    });
    expect(() => startSession('abc', user)).toThrow(SessionNotStoredError);
    vi.unstubAllGlobals();
    expect(currentSession()).toBeNull();
    expect(kept.size).toBe(0);
  });
});

test('a renewed token takes the place of its own predecessor only', () => {
  store('older', JSON.stringify(user));
  replaceToken('older', 'newer');
  expect(currentSession()?.token).toBe('newer');
  replaceToken('older', 'late');
  expect(currentSession()?.token).toBe('newer');
  clearSession();
  replaceToken('newer', 'late');
  expect(currentSession()).toBeNull();
});

test('what the server now knows about the user is stored, and not in the place of somebody else', () => {
  store('token', JSON.stringify(user));
  const changed = { ...user, username: 'Asha Verma' };
  replaceUser(changed);
  expect(currentSession()).toMatchObject({ token: 'token', user: changed });
  expect(JSON.parse(localStorage.getItem('user') ?? '')).toEqual(changed);
  replaceUser({ ...changed, _id: '8' });
  expect(currentOwner()).toBe('7');
  clearSession();
  replaceUser(changed);
  expect(currentSession()).toBeNull();
});
