import { act } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeTestPages, openTestHook } from '../ui/test-page.tsx';
import {
  beginSignOut,
  clearSession,
  currentOwner,
  currentSession,
  endRefusedSession,
  endSignOut,
  ofPresentOwner,
  onOwnerChange,
  onSessionRefused,
  reloadSession,
  replaceToken,
  replaceUser,
  SessionNotStoredError,
  startSession,
  unfinishedSignOuts,
  useOwner,
  useSession,
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
afterEach(async () => {
  await closeTestPages();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the stored session', () => {
  test('counts while its token is not expired, without a call', () => {
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

  test('ends in the moment in which its token expires', () => {
    const exp = inSeconds(60);
    store(tokenWith({ exp }), JSON.stringify(user));
    vi.useFakeTimers({ toFake: ['Date'], now: exp * 1000 - 1 });
    expect(currentOwner()).toBe('7');
    vi.setSystemTime(exp * 1000);
    expect(currentOwner()).toBe('');
  });

  test('with a token without an expiry counts until the server rejects it', () => {
    for (const token of ['opaque', tokenWith({ exp: 'soon' })]) {
      store(token, JSON.stringify(user));
      expect(currentSession()?.expiresAt).toBeNull();
      expect(currentOwner()).toBe('7');
    }
  });

  test.each([
    ['half a text', '{"_id":"7"'],
    ['null', 'null'],
    ['a list', '[]'],
    ['a user without an id', '{"username":"Asha","email":"a@b.in","mobileNo":"+919876543210"}'],
    ['an empty id', '{"_id":"","username":"Asha","email":"a@b.in","mobileNo":"+919876543210"}'],
    ['a user without a name', '{"_id":"7","email":"a@b.in","mobileNo":"+919876543210"}'],
    ['a user without an e-mail', '{"_id":"7","username":"Asha","mobileNo":"+919876543210"}'],
    ['a user without a number', '{"_id":"7","username":"Asha","email":"a@b.in"}'],
    ['an id that is a number', '{"_id":7,"username":"Asha","email":"a@b.in","mobileNo":"+919876543210"}'],
  ])('with %s for its user is cleared, and nothing else', (_what, text) => {
    localStorage.setItem('bookmarkedTenders', '["1"]');
    store(tokenWith({ exp: inSeconds(60) }), text);
    expect(currentSession()).toBeNull();
    expect(localStorage.getItem('token')).toBeNull();
    expect(localStorage.getItem('user')).toBeNull();
    expect(localStorage.getItem('bookmarkedTenders')).toBe('["1"]');
  });

  test('with only one of its two keys does not count, and the key stays for the other tab that is still writing', () => {
    localStorage.setItem('token', 'opaque');
    reloadSession();
    expect(currentSession()).toBeNull();
    expect(localStorage.getItem('token')).toBe('opaque');
  });
});

test('a sign-in and a sign-out in another tab apply here', () => {
  const owners: string[] = [];
  const stop = onOwnerChange((owner) => owners.push(owner));
  localStorage.setItem('token', 'opaque');
  localStorage.setItem('user', JSON.stringify(user));
  window.dispatchEvent(new StorageEvent('storage', { key: 'user' }));
  localStorage.setItem('token', 'renewed');
  window.dispatchEvent(new StorageEvent('storage', { key: 'token' }));
  expect(currentSession()?.token).toBe('renewed');
  localStorage.clear();
  window.dispatchEvent(new StorageEvent('storage', { key: null }));
  stop();
  expect(owners).toEqual(['7', '']);
});

test('renewed tokens and changed data of the same user are no change of the user', () => {
  const owners: string[] = [];
  store(tokenWith({ exp: inSeconds(60) }), JSON.stringify(user));
  const stop = onOwnerChange((owner) => owners.push(owner));
  replaceToken(localStorage.getItem('token') ?? '', tokenWith({ exp: inSeconds(90) }));
  replaceUser({ ...user, username: 'Asha Verma' });
  reloadSession();
  expect(owners).toEqual([]);
  store(tokenWith({ exp: inSeconds(60) }), JSON.stringify({ ...user, _id: '8' }));
  stop();
  clearSession();
  expect(owners).toEqual(['8']);
});

test('signing out removes the two keys and not the bookmarks', () => {
  localStorage.setItem('bookmarkedTenders', '["1"]');
  store('opaque', JSON.stringify(user));
  clearSession();
  expect(currentSession()).toBeNull();
  expect({ ...localStorage }).toEqual({ bookmarkedTenders: '["1"]' });
});

test('each sign-out is noted until it is finished, and the end of one leaves the others', () => {
  const session = (token: string, _id: string) => ({ token, user: { ...user, _id }, issuedAt: null, expiresAt: null });
  store('first', JSON.stringify(user));
  beginSignOut(session('first', '7'), true);
  // The screens of this tab are those of the user until home is shown.
  expect(currentOwner()).toBe('7');
  expect({ ...localStorage }).toEqual({ 'sign-outs': '[{"token":"first","owner":"7","isAccountDeleted":true}]' });
  beginSignOut(session('second', '8'), false);
  beginSignOut(session('third', '7'), false);
  endSignOut('second');
  expect(unfinishedSignOuts()).toEqual([
    { token: 'first', owner: '7', isAccountDeleted: true },
    { token: 'third', owner: '7', isAccountDeleted: false },
  ]);
  endSignOut('first');
  endSignOut('third');
  expect({ ...localStorage }).toEqual({});
});

test('a sign-out ends the session also where browser storage is full', () => {
  const items = new Map(Object.entries({ token: 'opaque', user: JSON.stringify(user) }));
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    removeItem: (key: string) => items.delete(key),
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  });
  reloadSession();
  const session = currentSession();
  if (session) beginSignOut(session, false);
  reloadSession();
  vi.unstubAllGlobals();
  expect([session?.user._id, currentOwner(), items.size]).toEqual(['7', '', 0]);
});

test.each(['{"token":"a"}', '[{"token":7,"owner":"7"},{"token":"a"},{"token":"a","owner":7},null]', 'half'])(
  '%s is no noted sign-out',
  (text) => {
    localStorage.setItem('sign-outs', text);
    expect(unfinishedSignOuts()).toEqual([]);
  },
);

test('a sign-out that cannot be noted ends the session all the same', () => {
  const items = new Map([['token', 'first']]);
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    removeItem: (key: string) => items.delete(key),
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  });
  beginSignOut({ token: 'first', user, issuedAt: null, expiresAt: null }, false);
  expect([...items.keys()]).toEqual([]);
});

test('an Undo does nothing after another user has signed in', () => {
  store(tokenWith({ exp: inSeconds(3_600) }), JSON.stringify(user));
  let undone = 0;
  const undo = ofPresentOwner(() => {
    undone += 1;
  });
  store(tokenWith({ exp: inSeconds(3_600) }), JSON.stringify({ ...user, _id: '8' }));
  undo();
  expect(undone).toBe(0);
  store(tokenWith({ exp: inSeconds(3_600) }), JSON.stringify(user));
  undo();
  expect(undone).toBe(1);
});

test('a rejected token ends its own session, and not a newer one', () => {
  let refusals = 0;
  const stop = onSessionRefused(() => {
    refusals += 1;
  });
  store('newer', JSON.stringify(user));
  endRefusedSession('older');
  expect(currentOwner()).toBe('7');
  endRefusedSession('newer');
  expect(currentOwner()).toBe('');
  expect({ ...localStorage }).toEqual({});
  stop();
  expect(refusals).toBe(1);
});

test('a token rejected in a suspended tab does not end the session that another tab has renewed', () => {
  store('older', JSON.stringify(user));
  localStorage.setItem('token', 'newer');
  endRefusedSession('older');
  expect(currentSession()?.token).toBe('newer');
  expect(localStorage.getItem('token')).toBe('newer');
});

describe('signing in', () => {
  test('stores token and user, and returns the dates of the token', () => {
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

  test('stores nothing when browser storage refuses', () => {
    const items = new Map<string, string>();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => items.get(key) ?? null,
      removeItem: (key: string) => items.delete(key),
      setItem: (key: string, value: string) => {
        if (key === 'user') throw new DOMException('full', 'QuotaExceededError');
        items.set(key, value);
      },
    });
    expect(() => startSession('abc', user)).toThrow(SessionNotStoredError);
    expect(currentSession()).toBeNull();
    expect(items.size).toBe(0);
  });
});

test('a renewed token replaces only its own predecessor', () => {
  store('older', JSON.stringify(user));
  replaceToken('older', 'newer');
  expect(currentSession()?.token).toBe('newer');
  replaceToken('older', 'late');
  expect(currentSession()?.token).toBe('newer');
  clearSession();
  replaceToken('newer', 'late');
  expect(currentSession()).toBeNull();
});

test('changed user data is stored, but never over another user', () => {
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

test('a screen is that of the signed-in user until the minute in which the session expires', async () => {
  const START = Date.parse('2026-04-15T06:00:00Z');
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: START });
  store(tokenWith({ exp: START / 1000 + 90 }), JSON.stringify(user));
  const { last } = await openTestHook(() => [useSession()?.user.username ?? 'Signed out', useOwner()]);
  expect(last()).toEqual(['Asha', '7']);
  const passMinute = () => act(async () => void (await vi.advanceTimersByTimeAsync(60_000)));
  await passMinute();
  expect(last()).toEqual(['Asha', '7']);
  await passMinute();
  expect(last()).toEqual(['Signed out', '']);
  await act(async () => store('opaque', JSON.stringify({ ...user, _id: '8' })));
  expect(last()).toEqual(['Asha', '8']);
  await act(async () => store(tokenWith({ exp: inSeconds(-60) }), JSON.stringify(user)));
  expect(last()).toEqual(['Signed out', '']);
  await act(async () => store('opaque', JSON.stringify(user)));
  await act(async () => clearSession());
  expect(last()).toEqual(['Signed out', '']);
});
