// @vitest-environment-options { "url": "http://localhost/" }
import { locks } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { clearSession, currentSession, startSession } from '../../data/session.ts';
import { isRenewalDue, renewSession } from './renewal.ts';

const HOUR = 3_600_000;
const NOW = new Date('2026-11-21T10:00:00+05:30');
const user = { _id: '7', username: 'Asha', email: 'asha@example.in', mobileNo: '+919876543210' };

describe('a session is renewed', () => {
  test.each([
    ['remembered, a day old', 25, 30 * 24, true],
    ['remembered, of today', 23, 30 * 24, false],
    ['remembered, exactly a day old', 24, 30 * 24, false],
    ['remembered, a minute more than a day old', 24 + 1 / 60, 30 * 24, true],
    ['a little longer than 12 hours', 25, 12.01, true],
    ['not remembered', 25, 12, false],
  ])('%s', (_what, ageHours, lastsHours, due) => {
    const issuedAt = new Date(NOW.getTime() - ageHours * HOUR);
    const expiresAt = new Date(issuedAt.getTime() + lastsHours * HOUR);
    expect(isRenewalDue({ token: 'abc', user, issuedAt, expiresAt }, NOW)).toBe(due);
  });

  test('not when the age of its token is unknown', () => {
    expect(isRenewalDue({ token: 'abc', user, issuedAt: null, expiresAt: null }, NOW)).toBe(false);
  });
});

describe('renewing', () => {
  let asked: (string | null)[];
  let called: string[];
  let answer: () => Response | Promise<Response>;

  /** A token of a remembered session; `ageHours` old. */
  function token(ageHours: number, name: string): string {
    const iat = Math.floor(Date.now() / 1000) - ageHours * 3600;
    const part = (value: object) => btoa(JSON.stringify(value)).replaceAll('=', '');
    return `${part({ alg: 'HS256' })}.${part({ iat, exp: iat + 30 * 24 * 3600, name })}.signature`;
  }

  const old = token(30, 'old');
  const fresh = token(0, 'fresh');

  beforeEach(() => {
    asked = [];
    called = [];
    answer = () => Response.json({ token: fresh });
    Object.defineProperty(navigator, 'locks', { value: locks, configurable: true });
    vi.stubGlobal('fetch', async (request: Request) => {
      asked.push(request.headers.get('authorization'));
      called.push(`${request.method} ${new URL(request.url).pathname}`);
      return answer();
    });
    startSession(old, user);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    clearSession();
  });

  test('replaces the old token', async () => {
    await renewSession();
    expect(asked).toEqual([`Bearer ${old}`]);
    expect(called).toEqual(['POST /api/auth/refresh']);
    expect(localStorage.getItem('token')).toBe(fresh);
    expect(currentSession()?.user).toEqual(user);
  });

  test('is requested once for several calls at a time', async () => {
    await Promise.all([renewSession(), renewSession(), renewSession()]);
    expect(asked).toHaveLength(1);
  });

  test('leaves a token that another tab has renewed', async () => {
    localStorage.setItem('token', fresh);
    await renewSession();
    expect(asked).toEqual([]);
    expect(currentSession()?.token).toBe(fresh);
  });

  test('waits for a network', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    await renewSession();
    vi.restoreAllMocks();
    expect(asked).toEqual([]);
    expect(currentSession()?.token).toBe(old);
  });

  test.each<[string, () => Response]>([
    [
      'no network',
      () => {
        throw new TypeError('Failed to fetch');
      },
    ],
    ['a server that is down', () => new Response('', { status: 503 })],
    ['the page of a captive portal', () => new Response('<p>Wi-Fi</p>')],
  ])('with %s changes nothing', async (_what, answered) => {
    answer = answered;
    await renewSession();
    expect(currentSession()?.token).toBe(old);
  });

  test('ends the session that the server has ended', async () => {
    answer = () =>
      Response.json({ code: 'UNAUTHENTICATED', message: 'Please sign in', requestId: 'r' }, { status: 401 });
    await renewSession();
    expect(currentSession()).toBeNull();
  });

  test('does not restore a session after a sign-out', async () => {
    answer = () => {
      clearSession();
      return Response.json({ token: fresh });
    };
    await renewSession();
    expect(currentSession()).toBeNull();
    expect(localStorage.getItem('token')).toBeNull();
  });
});
