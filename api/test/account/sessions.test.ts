import { SessionListResponse } from '@nivida/contract/account/auth';
import { hash } from '@node-rs/argon2';
import { decodeJwt } from 'jose';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SessionsService } from '../../src/auth/sessions/sessions.service.ts';
import { createAccountRow, createSession, type SignedInAccount } from '../support/accounts.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { TestBrowser } from '../support/test-browser.ts';
import { findLastMail, findLink } from '../support/test-mailbox.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const PASSWORD = 'quiet-river-72-stones';
const NEXT = 'green-valley-19-bricks';
const HOUR = 3_600;
const DAY = 24 * HOUR;

let app: TestApp;
let passwordHash: string;
let asha: SignedInAccount;

beforeAll(async () => {
  app = await startApp({ now: NOW });
  passwordHash = await hash(PASSWORD);
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.now = NOW;
  asha = await createSession(app, { passwordHash });
});

const at = (seconds: number) => {
  app.clock.now = new Date(NOW.getTime() + seconds * 1_000);
};
const by = (token: string) => new TestBrowser(app, { authorization: `Bearer ${token}` });
const isSignedIn = async (token: string) => (await by(token).send('GET', '/api/sessions')).status === 200;
const sessionsOf = async (token: string) => {
  const { status, json, headers } = await by(token).send('GET', '/api/sessions');
  expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
  return v.parse(v.strictObject(SessionListResponse.entries), json).sessions;
};
/** Another session of Asha's. */
async function anotherSession(rememberMe = false): Promise<string> {
  const { json } = await new TestBrowser(app, { 'user-agent': 'Firefox on Linux' }).send('POST', '/api/auth/login', {
    mobileNo: asha.user.mobileNo,
    password: PASSWORD,
    rememberMe,
  });
  return json.token;
}

describe('without a session', () => {
  test.each([
    ['GET', '/api/sessions'],
    ['DELETE', '/api/sessions'],
    ['DELETE', '/api/sessions/5b0f54d0-8f6c-4d8e-9d0a-0a8a3f0d6a11'],
    ['POST', '/api/auth/refresh'],
    ['POST', '/api/auth/logout'],
    ['POST', '/api/auth/change-password'],
  ] as const)('%s %s is refused', async (method, url) => {
    const { status, json } = await new TestBrowser(app).send(method, url);
    expect([status, json.message]).toEqual([401, 'Please sign in']);
  });
});

describe('the sessions', () => {
  test('are listed with their devices, the last used first', async () => {
    at(1.5 * HOUR);
    expect(await isSignedIn(asha.token)).toBe(true);
    at(2 * HOUR);
    const other = await anotherSession(true);
    const first = {
      id: decodeJwt(asha.token).sid,
      userAgent: 'Chrome on Android',
      signedInAt: '2026-11-10T06:00:00.000Z',
      lastUsedAt: '2026-11-10T07:30:00.000Z',
      expiresAt: '2026-11-10T18:00:00.000Z',
      isCurrent: false,
    };
    const second = {
      id: decodeJwt(other).sid,
      userAgent: 'Firefox on Linux',
      signedInAt: '2026-11-10T08:00:00.000Z',
      lastUsedAt: '2026-11-10T08:00:00.000Z',
      expiresAt: '2026-12-10T08:00:00.000Z',
      isCurrent: true,
    };
    expect(await sessionsOf(other)).toEqual([second, first]);
    at(2.9 * HOUR);
    expect(await isSignedIn(asha.token)).toBe(true);
    expect(await sessionsOf(other)).toEqual([{ ...first, lastUsedAt: '2026-11-10T08:54:00.000Z' }, second]);
    at(2.9 * HOUR);
    const third = await anotherSession();
    const ids = (await sessionsOf(third)).map(({ id }) => id);
    // Of two that were last used at one instant the newer one is first.
    expect(ids).toEqual([decodeJwt(third).sid, first.id, second.id]);
  });

  test('are listed with at most 300 characters of their device', async () => {
    const { json } = await new TestBrowser(app, { 'user-agent': 'x'.repeat(301) }).send('POST', '/api/auth/login', {
      mobileNo: asha.user.mobileNo,
      password: PASSWORD,
    });
    const lengths = (await sessionsOf(json.token)).map(({ userAgent }) => userAgent.length);
    expect(lengths).toContain(300);
  });

  test('of another user cannot be ended; the response is that for an unknown id', async () => {
    const ravi = await createSession(app);
    const ids = [decodeJwt(ravi.token).sid, '5b0f54d0-8f6c-4d8e-9d0a-0a8a3f0d6a11', 'x', "' OR true --", '1'];
    for (const id of ids) {
      const { status, json } = await by(asha.token).send('DELETE', `/api/sessions/${encodeURIComponent(String(id))}`);
      expect([status, json.code, json.message]).toEqual([404, 'NOT_FOUND', 'Session not found']);
    }
    expect(await isSignedIn(ravi.token)).toBe(true);
  });

  test('can be ended one by one, at once and for good', async () => {
    const other = await anotherSession();
    const id = decodeJwt(other).sid;
    const { status, json } = await by(asha.token).send('DELETE', `/api/sessions/${id}`);
    expect([status, json]).toEqual([200, { message: 'The session is signed out' }]);
    expect(await isSignedIn(other)).toBe(false);
    expect(await sessionsOf(asha.token)).toHaveLength(1);
    expect((await by(asha.token).send('DELETE', `/api/sessions/${id}`)).status).toBe(404);
  });

  test('can all be ended except the caller’s, without effect on other accounts', async () => {
    const ravi = await createSession(app);
    const others = [await anotherSession(), await anotherSession()];
    const { status, json } = await by(asha.token).send('DELETE', '/api/sessions');
    expect([status, json]).toEqual([200, { message: 'All other sessions are signed out' }]);
    for (const other of others) expect(await isSignedIn(other)).toBe(false);
    expect(await isSignedIn(asha.token)).toBe(true);
    expect(await isSignedIn(ravi.token)).toBe(true);
  });

  test('are at most ten: the oldest ends', async () => {
    const tokens = [asha.token];
    for (let nth = 1; nth <= 10; nth += 1) {
      at(nth);
      tokens.push(await anotherSession());
    }
    expect(await isSignedIn(tokens[0] as string)).toBe(false);
    expect(await sessionsOf(tokens[1] as string)).toHaveLength(10);
  });

  test('that a clock ahead has begun do not end a new one', async () => {
    at(60);
    for (let nth = 0; nth < 10; nth += 1) await anotherSession();
    at(0);
    expect(await isSignedIn(await anotherSession())).toBe(true);
  });

  test('that were signed out do not count among the ten', async () => {
    for (let nth = 1; nth <= 9; nth += 1) {
      at(nth);
      const ended = await anotherSession();
      if (nth <= 2) expect((await by(ended).send('POST', '/api/auth/logout')).status).toBe(200);
    }
    for (let nth = 10; nth <= 11; nth += 1) {
      at(nth);
      await anotherSession();
    }
    expect(await sessionsOf(asha.token)).toHaveLength(10);
  });

  test('that have expired do not count among the ten and are not listed', async () => {
    await by(asha.token).send('POST', '/api/auth/logout');
    const remembered = await anotherSession(true);
    for (let nth = 1; nth <= 9; nth += 1) {
      at(nth);
      await anotherSession();
    }
    at(13 * 3_600);
    await anotherSession();
    expect(await isSignedIn(remembered)).toBe(true);
    const { json } = await by(remembered).send('GET', '/api/sessions');
    expect(json.sessions.map(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toEqual([false, true]);
    const [expired] = await app.database.dataSource.query(
      'SELECT id FROM session WHERE user_id = $1 AND expires_at < $2 AND revoked_at IS NULL LIMIT 1',
      [asha.user._id, app.clock.now],
    );
    expect((await by(remembered).send('DELETE', `/api/sessions/${expired.id}`)).status).toBe(404);
  });

  test('are at most ten when many begin at once', async () => {
    at(1);
    const user = createAccountRow({ id: asha.user._id });
    const start = () => app.app.get(SessionsService).start(user, false, 'Chrome on Android');
    const tokens = await Promise.all(Array.from({ length: 15 }, start));
    const alive = await Promise.all(tokens.map(isSignedIn));
    expect(alive.filter(Boolean)).toHaveLength(10);
  });
});

test('signing out ends the session on the server', async () => {
  const other = await anotherSession();
  const { status, json } = await by(asha.token).send('POST', '/api/auth/logout');
  expect([status, json]).toEqual([200, { message: 'You are signed out' }]);
  expect(await isSignedIn(asha.token)).toBe(false);
  expect((await by(asha.token).send('POST', '/api/auth/refresh')).status).toBe(401);
  expect(await isSignedIn(other)).toBe(true);
  // Nor is it renewed for a request that was let in before.
  const ended = { id: asha.user._id, sessionId: String(decodeJwt(asha.token).sid), signedInAt: NOW };
  await expect(app.app.get(SessionsService).renew(ended)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});

test('signing out again after a lost response has the same response and ends nothing else', async () => {
  const other = await anotherSession();
  for (const _ of [1, 2]) expect((await by(asha.token).send('POST', '/api/auth/logout')).status).toBe(200);
  expect((await by(`${asha.token.slice(0, -4)}AAAA`).send('POST', '/api/auth/logout')).status).toBe(401);
  expect(await isSignedIn(other)).toBe(true);
});

describe('a renewed token', () => {
  const renew = async (token: string): Promise<string> => {
    const { status, json } = await by(token).send('POST', '/api/auth/refresh');
    expect(status, json.message).toBe(200);
    return json.token;
  };
  const endOf = (token: string) => (decodeJwt(token).exp as number) - NOW.getTime() / 1_000;

  test('replaces the earlier one, which is valid for another minute', async () => {
    const other = await anotherSession();
    at(HOUR);
    const next = await renew(asha.token);
    const [session] = await sessionsOf(next);
    expect(session?.lastUsedAt).toBe('2026-11-10T07:00:00.000Z');
    expect(decodeJwt(next).jti).not.toBe(decodeJwt(asha.token).jti);
    at(HOUR + 59);
    expect(await isSignedIn(asha.token)).toBe(true);
    at(HOUR + 60);
    expect(await isSignedIn(asha.token)).toBe(false);
    expect(await isSignedIn(next)).toBe(true);
    expect(await isSignedIn(other)).toBe(true);
  });

  test('ends after 12 hours with the session', async () => {
    at(11 * HOUR);
    const next = await renew(asha.token);
    expect(endOf(next)).toBe(12 * HOUR);
    at(12 * HOUR);
    expect(await isSignedIn(next)).toBe(false);
  });

  test('of a remembered session ends 30 days later, and 180 days after signing in at the latest', async () => {
    let token = await anotherSession(true);
    for (let day = 20; day <= 160; day += 20) {
      at(day * DAY);
      token = await renew(token);
      expect(endOf(token)).toBe(Math.min(day + 30, 180) * DAY);
    }
    at(180 * DAY - 1);
    expect(await isSignedIn(token)).toBe(true);
    at(180 * DAY);
    expect((await by(token).send('POST', '/api/auth/refresh')).status).toBe(401);
  });

  test('is valid beside others that tabs get at the same time', async () => {
    at(HOUR);
    const tokens = await Promise.all(Array.from({ length: 8 }, () => renew(asha.token)));
    expect(new Set(tokens.map((token) => decodeJwt(token).jti)).size).toBe(1);
    at(HOUR + 30);
    tokens.push(await renew(asha.token), await renew(tokens[0] as string));
    at(HOUR + 3_000);
    for (const token of tokens) expect(await isSignedIn(token)).toBe(true);
  });
});

describe('a change of the password', () => {
  const change = (currentPassword: string, newPassword: string, token = asha.token) =>
    by(token).send('POST', '/api/auth/change-password', { currentPassword, newPassword });
  const canEnter = async (password: string) => {
    const body = { mobileNo: asha.user.mobileNo, password };
    return (await new TestBrowser(app).send('POST', '/api/auth/login', body)).status === 200;
  };

  test.each([
    ['a wrong current one', 'wrong-password', NEXT, { currentPassword: 'The current password is wrong' }],
    ['no current one', '', NEXT, { currentPassword: 'Password is required' }],
    ['a short one', PASSWORD, 'short', { newPassword: 'Password must be at least 8 characters' }],
    [
      'a word with a number',
      PASSWORD,
      'Zorawar@2024',
      { newPassword: 'This password is easy to guess. Please use three or four unrelated words' },
    ],
    ['a common one', PASSWORD, 'password1', { newPassword: 'This password is too common. Please choose another' }],
    [
      "the owner's name",
      PASSWORD,
      'AshaVerma1',
      { newPassword: 'Please choose a password without your name, number or company' },
    ],
    [
      "the owner's company",
      PASSWORD,
      'vermabuilders26',
      { newPassword: 'Please choose a password without your name, number or company' },
    ],
    ['the same', PASSWORD, PASSWORD, { newPassword: 'Please choose a password that is not your current one' }],
  ])('with %s is refused and changes nothing', async (_name, current, next, fields) => {
    const other = await anotherSession();
    const { status, json } = await change(current, next);
    expect([status, json.code, json.fields]).toEqual([400, 'INVALID', fields]);
    expect(await canEnter(PASSWORD)).toBe(true);
    expect(await isSignedIn(other)).toBe(true);
  });

  test('allows five guesses of the current one, which strangers cannot use up', async () => {
    for (let nth = 1; nth <= 12; nth += 1)
      await new TestBrowser(app).send('POST', '/api/auth/login', {
        mobileNo: asha.user.mobileNo,
        password: 'stranger',
      });
    for (let nth = 1; nth <= 5; nth += 1) expect((await change('wrong-password', NEXT)).status).toBe(400);
    const { status, headers } = await change(PASSWORD, NEXT);
    expect([status, headers['retry-after']]).toEqual([429, '1']);
    at(1);
    expect((await change(PASSWORD, NEXT)).status).toBe(200);
    const events = await app.database.dataSource.query(
      "SELECT detail FROM audit WHERE action = 'password-check.failed' AND subject = $1",
      [asha.user._id],
    );
    expect(events).toEqual(Array(5).fill({ detail: { for: 'change', address: '127.0.0.x' } }));
  });

  test('to a name, a company, an e-mail or a mobile number of the owner is refused', async () => {
    asha = await createSession(app, {
      passwordHash,
      username: 'Zorawar',
      companyName: 'Trilochan',
      email: 'hillside@works.example',
      mobileNo: '+919812345678',
    });
    for (const next of ['zorawar-k71', 'trilochan-k71', 'hillside-k71', '98123-abcdqx']) {
      const { status, json } = await change(PASSWORD, next);
      const message = 'Please choose a password without your name, number or company';
      expect([status, json.fields], next).toEqual([400, { newPassword: message }]);
    }
  });

  test('with the right password forgets the wrong guesses', async () => {
    for (const [current, next] of [
      [PASSWORD, NEXT],
      [NEXT, PASSWORD],
    ] as const) {
      for (let nth = 1; nth <= 4; nth += 1) expect((await change('wrong-password', next)).status).toBe(400);
      expect((await change(current, next)).status).toBe(200);
    }
  });

  test('ends all sessions but this one, and mails the owner', async () => {
    const others = [await anotherSession(), await anotherSession(true)];
    const { status, json, headers } = await change(PASSWORD, NEXT);
    expect([status, json.message]).toEqual([200, 'Your password is changed. All other sessions are signed out.']);
    for (const other of others) expect(await isSignedIn(other)).toBe(false);
    expect(await isSignedIn(asha.token)).toBe(true);
    expect(await canEnter(PASSWORD)).toBe(false);
    expect(await canEnter(NEXT)).toBe(true);
    expect((await findLastMail(app, asha.user.email)).subject).toContain('password');
    const events = await app.database.dataSource.query(
      "SELECT actor_id, request_id FROM audit WHERE action = 'password.changed' AND subject = $1",
      [asha.user._id],
    );
    expect(events).toEqual([{ actor_id: asha.user._id, request_id: headers['x-request-id'] }]);
  });

  test('voids links for a new password and pending changes of the e-mail', async () => {
    const { _id, username, mobileNo, email } = asha.user;
    await new TestBrowser(app).send('POST', '/api/auth/forgot-password', { email });
    const token = new URL(findLink(await findLastMail(app, email))).hash.slice(7);
    const pending = await by(asha.token).send('PUT', `/api/user-info/${_id}`, {
      username,
      mobileNo,
      email: `next-${email}`,
    });
    expect(pending.json.pendingEmail).toBe(`next-${email}`);
    expect((await change(PASSWORD, NEXT)).status).toBe(200);
    const body = { token, newPassword: 'another-quiet-river-9' };
    expect((await new TestBrowser(app).send('POST', '/api/auth/reset-password', body)).status).toBe(400);
    const left = await app.database.dataSource.query('SELECT 1 FROM email_proof WHERE user_id = $1', [_id]);
    expect(left).toEqual([]);
  });
});
