import { SessionStartResponse } from '@nivida/contract/account/auth';
import { hash } from '@node-rs/argon2';
import { decodeJwt } from 'jose';
import { DataSource } from 'typeorm';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SignInThrottleService } from '../../src/auth/sign-in/sign-in-throttle.service.ts';
import { UserEntity } from '../../src/auth/user.entity.ts';
import { createAccountRow } from '../support/accounts.ts';
import { buyDocuments } from '../support/paid-orders.ts';
import { lockWaiters, startApp, type TestApp } from '../support/start-app.ts';
import { type BrowserResponse, TestBrowser } from '../support/test-browser.ts';
import { findLastMail, readSentMails } from '../support/test-mailbox.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const PASSWORD = 'quiet-river-72-stones';
const WRONG = 'Invalid mobile number or password';
const CHEAP = { memoryCost: 8_192, timeCost: 1, parallelism: 1 };

let app: TestApp;
let passwordHash: string;
let asha: UserEntity;
let unknown = 7_000_001_000;

beforeAll(async () => {
  app = await startApp({ now: NOW });
  passwordHash = await hash(PASSWORD);
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.now = NOW;
  asha = await stored();
});

async function stored(changes: Partial<UserEntity> = {}): Promise<UserEntity> {
  return app.app
    .get(DataSource)
    .getRepository(UserEntity)
    .save(createAccountRow({ passwordHash, ...changes }));
}
/** A number without an account. */
const unknownNumber = () => `+91${++unknown}`;
const after = (seconds: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + seconds * 1_000);
};
const enter = (mobileNo: string, password: string, browser = new TestBrowser(app), rest: object = {}) =>
  browser.send('POST', '/api/auth/login', { mobileNo, password, ...rest });
const guess = (mobileNo: string, browser?: TestBrowser) => enter(mobileNo, 'wrong-password', browser);
/**
 * Counts this many wrong guesses of an unknown browser, with the required wait before each but the first. Only the counter
 * runs: hundreds of password hashes would take a quarter of a minute.
 */
async function failPatiently(mobileNo: string, times: number): Promise<void> {
  const throttle = app.app.get(SignInThrottleService);
  for (let time = 0; time < times; ) {
    const wait = await throttle.countAttempt(mobileNo, '').then(
      () => 0,
      ({ retryAfterSeconds }) => retryAfterSeconds,
    );
    if (wait > 0) after(wait);
    else time += 1;
  }
}
const seen = ({ status, headers, json }: BrowserResponse) => [status, headers['retry-after'], json.message];

describe('a sign-in is refused', () => {
  test.each<[string, unknown, string]>([
    ['without a body', undefined, 'The body holds a field that does not belong there'],
    ['without a number', { password: PASSWORD }, 'Mobile number is required'],
    ['with 9 digits', { mobileNo: '981234567', password: PASSWORD }, 'Invalid mobile number format'],
    ['with a first digit of 5', { mobileNo: '5812345678', password: PASSWORD }, 'Invalid mobile number format'],
    ['with a number as number', { mobileNo: 9_812_345_678, password: PASSWORD }, 'Mobile number is required'],
    [
      'of another country',
      { mobileNo: '9812345678', countryCode: '+1', password: PASSWORD },
      'Invalid mobile number format',
    ],
    ['without a password', { mobileNo: '9812345678' }, 'Password is required'],
    ['with 5 characters', { mobileNo: '9812345678', password: 'abcde' }, 'Password must be at least 6 characters'],
    [
      'with 129 characters',
      { mobileNo: '9812345678', password: 'a'.repeat(129) },
      'Password must be at most 128 characters',
    ],
    [
      'with a field more',
      { mobileNo: '9812345678', password: PASSWORD, role: 'admin' },
      'The body holds a field that does not belong there',
    ],
  ])('%s', async (_name, payload, message) => {
    const { status, json } = await new TestBrowser(app).send('POST', '/api/auth/login', payload);
    expect([status, json.code, json.message]).toEqual([400, 'INVALID', message]);
  });

  test('with a wrong password as for a number without an account: status, headers and body', async () => {
    const readRefusal = async (mobileNo: string) => {
      const { status, headers, json } = await guess(mobileNo);
      // The digest of the body differs, because it contains the request id.
      const { date, etag, 'x-request-id': requestId, 'set-cookie': cookie, ...rest } = headers;
      expect(cookie).toMatch(/^device=/);
      expect(json.requestId).toBe(requestId);
      return { status, headers: rest, json: { ...json, requestId: undefined } };
    };
    const answer = await readRefusal(asha.mobileNo);
    expect(answer).toEqual(await readRefusal(unknownNumber()));
    expect(answer).toMatchObject({ status: 401, json: { code: 'UNAUTHENTICATED', message: WRONG } });
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test('with any password when the account has none', async () => {
    const { mobileNo } = await stored({ passwordHash: null });
    for (const password of [PASSWORD, 'null-null', '\u0000'.repeat(8)])
      expect((await enter(mobileNo, password)).status).toBe(401);
  });
});

describe.each([
  ['with an account', () => asha.mobileNo],
  ['without one', unknownNumber],
])('guessing the password of a number %s', (_name, numberOf) => {
  test('has a longer wait after each failure from the fifth on', async () => {
    const mobileNo = numberOf();
    for (let failure = 1; failure <= 5; failure += 1)
      expect(seen(await guess(mobileNo))).toEqual([401, undefined, WRONG]);
    const WAITS = ['1 second', '2 seconds', '4 seconds', '8 seconds', '16 seconds'];
    for (const [nth, wait] of WAITS.entries()) {
      const seconds = 2 ** nth;
      const message = `Too many attempts. Please try again in ${wait}.`;
      expect(seen(await guess(mobileNo))).toEqual([429, String(seconds), message]);
      after(seconds - 0.5);
      expect((await guess(mobileNo)).headers['retry-after']).toBe('1');
      after(0.5);
      expect((await guess(mobileNo)).status).toBe(401);
    }
    expect(seen(await guess(mobileNo))).toEqual([429, '900', 'Too many attempts. Please try again in 15 minutes.']);
    after(0.7);
    expect(seen(await guess(mobileNo))).toEqual([429, '900', 'Too many attempts. Please try again in 15 minutes.']);
  });

  test('restarts after a quarter of an hour', async () => {
    const mobileNo = numberOf();
    for (let failure = 1; failure <= 4; failure += 1) await guess(mobileNo);
    after(15 * 60);
    for (let failure = 1; failure <= 5; failure += 1) expect((await guess(mobileNo)).status).toBe(401);
    expect((await guess(mobileNo)).status).toBe(429);
  });

  test('counts a quarter of an hour from the first of its failures, and a day from the first of the day', async () => {
    const mobileNo = numberOf();
    const throttle = app.app.get(SignInThrottleService);
    await throttle.countAttempt(mobileNo, '');
    after(14 * 60);
    for (let failure = 2; failure <= 4; failure += 1) expect(await throttle.countAttempt(mobileNo, '')).toBe(0);
    after(60);
    for (let failure = 1; failure <= 4; failure += 1) expect(await throttle.countAttempt(mobileNo, '')).toBe(0);
    await failPatiently(mobileNo, 11);
    // The 20th failure is later than a day after the first.
    app.clock.now = new Date(NOW.getTime() + 86_400_000);
    expect(await throttle.countAttempt(mobileNo, '')).toBe(0);
  });

  test('is limited to 20 guesses a day', async () => {
    const mobileNo = numberOf();
    await failPatiently(mobileNo, 20);
    expect(seen(await guess(mobileNo))).toEqual([
      429,
      '86400',
      'Too many attempts. Please try again in 24 hours. You can also reset your password.',
    ]);
    after(82_800);
    expect(seen(await guess(mobileNo))).toEqual([
      429,
      '3600',
      'Too many attempts. Please try again in 1 hour. You can also reset your password.',
    ]);
    after(1);
    expect(seen(await guess(mobileNo))).toEqual([429, '3599', 'Too many attempts. Please try again in 60 minutes.']);
    after(3_598);
    expect((await guess(mobileNo)).status).toBe(429);
    after(1);
    for (let failure = 1; failure <= 5; failure += 1) expect((await guess(mobileNo)).status).toBe(401);
  });

  test('is limited to 100 guesses in a row at any speed', async () => {
    const mobileNo = numberOf();
    await failPatiently(mobileNo, 99);
    after(86_400);
    expect((await guess(mobileNo)).status).toBe(401);
    for (const days of [0, 1, 365]) {
      after(days * 86_400);
      expect(seen(await guess(mobileNo))).toEqual([
        429,
        '86400',
        'Too many wrong passwords. Reset your password, then sign in with the new one.',
      ]);
    }
  });

  test('by 40 concurrent requests has five of them checked', async () => {
    const mobileNo = numberOf();
    const replies = await Promise.all(Array.from({ length: 40 }, () => guess(mobileNo)));
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(5).fill(401), ...Array(35).fill(429)]);
  });
});

describe('a locked number', () => {
  test('refuses the right password too, and accepts it when the lock ends', async () => {
    await failPatiently(asha.mobileNo, 10);
    expect((await enter(asha.mobileNo, PASSWORD)).status).toBe(429);
    after(15 * 60);
    expect((await enter(asha.mobileNo, PASSWORD)).status).toBe(200);
  });

  test('is the same with and without +91', async () => {
    for (const prefix of ['', '+91', '', '+91', '']) await guess(prefix + asha.mobileNo.slice(3));
    expect((await guess(asha.mobileNo)).status).toBe(429);
    expect((await guess(asha.mobileNo.slice(3))).status).toBe(429);
  });

  test('is open again after its owner has reset the password', async () => {
    await failPatiently(asha.mobileNo, 100);
    await app.app
      .get(DataSource)
      .transaction((manager) => app.app.get(SignInThrottleService).clearAll(manager, asha.mobileNo));
    expect((await enter(asha.mobileNo, PASSWORD)).status).toBe(200);
  });

  test('that opens while a guess is refused asks for a wait of one second', async () => {
    const { dataSource } = app.database;
    await failPatiently(asha.mobileNo, 10);
    // The owner resets the password after the guess was found to be locked.
    const query = async (text: string, parameters: unknown[]) => {
      const rows = await dataSource.query(text, parameters);
      await dataSource.transaction((manager) => app.app.get(SignInThrottleService).clearAll(manager, asha.mobileNo));
      return rows;
    };
    const throttle = new SignInThrottleService(
      Object.assign(Object.create(dataSource), { query }),
      () => app.clock.now,
    );
    await expect(throttle.countAttempt(asha.mobileNo, '')).rejects.toMatchObject({
      code: 'TOO_MANY',
      message: 'Too many attempts. Please try again in 1 second.',
      retryAfterSeconds: 1,
    });
  });

  test('resets its failures when the password is right', async () => {
    for (let round = 0; round < 3; round += 1) {
      for (let failure = 1; failure <= 4; failure += 1) await guess(asha.mobileNo);
      expect((await enter(asha.mobileNo, PASSWORD)).status).toBe(200);
    }
  });

  test('stays open for the browser that signed in to it before, which has its own guesses', async () => {
    const own = new TestBrowser(app);
    await enter(asha.mobileNo, PASSWORD, own);
    await failPatiently(asha.mobileNo, 20);
    expect((await enter(asha.mobileNo, PASSWORD)).status).toBe(429);
    for (let failure = 1; failure <= 4; failure += 1) expect((await guess(asha.mobileNo, own)).status).toBe(401);
    expect((await enter(asha.mobileNo, PASSWORD, own)).status).toBe(200);
    // Strangers stay locked out.
    expect((await enter(asha.mobileNo, PASSWORD)).headers['retry-after']).toBe('86400');
    for (let failure = 1; failure <= 5; failure += 1) expect((await guess(asha.mobileNo, own)).status).toBe(401);
    const { status, headers } = await enter(asha.mobileNo, PASSWORD, own);
    expect([status, headers['retry-after']]).toEqual([429, '1']);
  });

  test('is locked for a browser that signed in to another account, and for one with an invented cookie', async () => {
    const other = new TestBrowser(app);
    await enter((await stored()).mobileNo, PASSWORD, other);
    const forger = new TestBrowser(app);
    forger.cookies.set('device', 'a'.repeat(43));
    await failPatiently(asha.mobileNo, 10);
    for (const browser of [other, forger]) expect((await enter(asha.mobileNo, PASSWORD, browser)).status).toBe(429);
  });

  test('is locked for a browser that signed in half a year ago, and not for one that signed in again since', async () => {
    const [own, again] = [new TestBrowser(app), new TestBrowser(app)];
    for (const browser of [own, again]) await enter(asha.mobileNo, PASSWORD, browser);
    after(100 * 86_400);
    await enter(asha.mobileNo, PASSWORD, again);
    after(80 * 86_400);
    await failPatiently(asha.mobileNo, 10);
    expect((await enter(asha.mobileNo, PASSWORD, own)).status).toBe(429);
    expect((await enter(asha.mobileNo, PASSWORD, again)).status).toBe(200);
  });
});

describe('a network address', () => {
  let proxied: TestApp;
  beforeAll(async () => {
    proxied = await startApp({ now: NOW, database: app.database, env: { TRUST_PROXY: '1' } });
  });
  afterAll(() => proxied.close());

  const from = (address: string) => new TestBrowser(proxied, { 'x-forwarded-for': address });
  const HINT = 'Many people use your network. Another network works at once.';
  const FULL = [429, '900', `Too many attempts. Please try again in 15 minutes. ${HINT}`];

  test('of IPv6 has 20 failures in a quarter of an hour for its whole /64, beside what succeeds', async () => {
    expect((await enter(asha.mobileNo, PASSWORD, from('2001:db8:1:2::'))).status).toBe(200);
    for (let nth = 1; nth <= 20; nth += 1)
      expect((await guess(unknownNumber(), from(`2001:db8:1:2::${nth.toString(16)}`))).status).toBe(401);
    expect(seen(await guess(unknownNumber(), from('2001:DB8:1:2:ffff::1')))).toEqual(FULL);
    expect((await guess(unknownNumber(), from('2001:db8:1:3::1'))).status).toBe(401);
  });

  test('of IPv4, which many share, has 1,000, and one more attempt at any account is refused', async () => {
    expect((await guess((await stored()).mobileNo, from('203.0.113.7'))).status).toBe(401);
    await app.database.dataSource.query(
      "UPDATE rate_limit SET count = 999 WHERE name = 'sign-in-address' AND key = encode(sha256('203.0.113.7'), 'hex')",
    );
    expect((await guess((await stored()).mobileNo, from('203.0.113.7'))).status).toBe(401);
    expect(seen(await guess(unknownNumber(), from('203.0.113.7')))).toEqual(FULL);
    expect(seen(await enter(asha.mobileNo, PASSWORD, from('203.0.113.7')))).toEqual(FULL);
    expect((await guess(unknownNumber(), from('203.0.113.8'))).status).toBe(401);
  });

  test('has 100 failures a day without refused calls, and a known browser is accepted', {
    tags: 'release',
  }, async () => {
    const own = from('2001:db8:30::1');
    await enter(asha.mobileNo, PASSWORD, own);
    for (let quarter = 0; quarter < 5; quarter += 1) {
      proxied.clock.now = new Date(NOW.getTime() + quarter * 900_000);
      for (let nth = 1; nth <= 20; nth += 1)
        expect((await guess(unknownNumber(), from('2001:db8:30::1'))).status).toBe(401);
      if (quarter === 4) break;
      for (let nth = 1; nth <= 2; nth += 1)
        expect(seen(await guess(unknownNumber(), from('2001:db8:30::1')))).toEqual(FULL);
    }
    proxied.clock.now = new Date(NOW.getTime() + 5 * 900_000);
    for (let nth = 1; nth <= 2; nth += 1)
      expect(seen(await enter(asha.mobileNo, PASSWORD, from('2001:db8:30::1')))).toEqual([
        429,
        '81900',
        `Too many attempts. Please try again in 23 hours. ${HINT}`,
      ]);
    expect((await enter(asha.mobileNo, PASSWORD, own)).status).toBe(200);
    proxied.clock.now = new Date(NOW.getTime() + 86_400_000 - 1_000);
    expect((await guess(unknownNumber(), from('2001:db8:30::1'))).headers['retry-after']).toBe('1');
    proxied.clock.now = new Date(NOW.getTime() + 86_400_000);
    expect((await guess(unknownNumber(), from('2001:db8:30::1'))).status).toBe(401);
    // One for each lock of a quarter of an hour, one for that of the day and one for the last second of it.
    const events = await app.database.dataSource.query(
      "SELECT count(*)::int AS locks FROM audit WHERE action = 'sign-in.address-locked' AND detail ->> 'address' = '2001:db8:30::x' AND at >= $1",
      [new Date(NOW.getTime() + 1_000)],
    );
    expect(events).toEqual([{ locks: 5 }]);
    proxied.clock.now = NOW;
  });

  test('of a clock that was an hour ahead is free again when the clock is corrected', async () => {
    proxied.clock.now = new Date(NOW.getTime() + 3_600_000);
    await guess(unknownNumber(), from('2001:db8:40::1'));
    await app.database.dataSource.query(
      "UPDATE rate_limit SET count = 100 WHERE name = 'sign-in-address' AND per_seconds = 86400 AND ends_at = $1",
      [new Date(NOW.getTime() + 3_600_000 + 86_400_000)],
    );
    expect((await guess(unknownNumber(), from('2001:db8:40::1'))).headers['retry-after']).toBe('86400');
    proxied.clock.now = NOW;
    expect((await guess(unknownNumber(), from('2001:db8:40::1'))).status).toBe(401);
  });

  test('by 30 concurrent requests has 20 of them checked', async () => {
    const replies = await Promise.all(Array.from({ length: 30 }, () => guess(unknownNumber(), from('2001:db8:50::1'))));
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(20).fill(401), ...Array(10).fill(429)]);
  });

  test('without failures left accepts a browser that signed in to the number before', async () => {
    const own = from('2001:db8:20::1');
    await enter(asha.mobileNo, PASSWORD, own);
    for (let nth = 1; nth <= 20; nth += 1) await guess(unknownNumber(), from('2001:db8:20::1'));
    expect((await enter(asha.mobileNo, PASSWORD, from('2001:db8:20::1'))).status).toBe(429);
    expect((await enter(asha.mobileNo, PASSWORD, own)).status).toBe(200);
    // It was not counted, so it gives no failure back.
    expect((await guess(unknownNumber(), from('2001:db8:20::1'))).status).toBe(429);
  });

  test('has unlimited successful sign-ins', { tags: 'release' }, async () => {
    for (let nth = 1; nth <= 31; nth += 1)
      expect((await enter(asha.mobileNo, PASSWORD, from('2001:db8:5::1'))).status).toBe(200);
  });

  test('that the client claims in a header is ignored', async () => {
    for (let nth = 1; nth <= 20; nth += 1) await guess(unknownNumber(), from(`198.51.100.${nth}, 2001:db8:6::1`));
    expect((await guess(unknownNumber(), from('198.51.100.99, 2001:db8:6::1'))).status).toBe(429);
  });
});

describe('a sign-in', () => {
  test('returns the token, the user and a cookie that only marks the browser as known', async () => {
    const browser = new TestBrowser(app);
    const { status, json, headers, setCookies } = await enter(asha.mobileNo, PASSWORD, browser);
    expect(status).toBe(200);
    expect(v.is(v.strictObject(SessionStartResponse.entries), json)).toBe(true);
    expect(json.user).toEqual({
      _id: asha.id,
      username: 'Asha Verma',
      email: asha.email,
      mobileNo: asha.mobileNo,
    });
    expect(headers['cache-control']).toBe('no-store');
    expect(setCookies).toEqual([
      expect.stringMatching(/^device=[\w.-]{40,60}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Strict$/),
    ]);
    const own = { authorization: `Bearer ${json.token}` };
    expect((await app.get('/api/tenders/bookmarked', own)).status).toBe(200);
    expect((await new TestBrowser(app).send('GET', '/api/tenders/bookmarked')).status).toBe(401);
    const cookieOnly = await browser.send('GET', '/api/tenders/bookmarked');
    expect(cookieOnly.status).toBe(401);
  });

  test('works at both addresses, with and without +91, by default not remembered', async () => {
    const browser = new TestBrowser(app);
    const body = { mobileNo: asha.mobileNo.slice(3), countryCode: '+91', password: PASSWORD };
    expect((await browser.send('POST', '/auth/login', body)).status).toBe(200);
    expect((await browser.send('POST', '/api/auth/login', { ...body, mobileNo: asha.mobileNo })).status).toBe(200);
    const sessions = await app.database.dataSource.query('SELECT remembered FROM session WHERE user_id = $1', [
      asha.id,
    ]);
    expect(sessions).toEqual([{ remembered: false }, { remembered: false }]);
  });

  test('lasts 12 hours, or 30 days when remembered', async () => {
    const ends = async (rememberMe: boolean) => {
      const { json } = await enter(asha.mobileNo, PASSWORD, new TestBrowser(app), { rememberMe });
      const { exp } = JSON.parse(Buffer.from(json.token.split('.')[1], 'base64url').toString());
      return exp - NOW.getTime() / 1_000;
    };
    expect(await ends(false)).toBe(12 * 3_600);
    expect(await ends(true)).toBe(30 * 86_400);
    const events = await app.database.dataSource.query(
      "SELECT actor_id, detail FROM audit WHERE action = 'session.started' AND subject = $1 ORDER BY id",
      [asha.id],
    );
    expect(events).toEqual([
      { actor_id: asha.id, detail: { way: 'password', remembered: false } },
      { actor_id: asha.id, detail: { way: 'password', remembered: true } },
    ]);
  });

  test('gives the account the documents that were bought with its address before, and those of no other', async () => {
    const { dataSource } = app.database;
    const own = await buyDocuments(dataSource, { buyerEmail: asha.email });
    const other = await buyDocuments(dataSource, { buyerEmail: `other.${asha.email}` });
    expect((await enter(asha.mobileNo, PASSWORD)).status).toBe(200);
    const owners = await dataSource.query('SELECT user_id FROM entitlement WHERE id IN ($1, $2) ORDER BY id', [
      own.entitlement.id,
      other.entitlement.id,
    ]);
    expect(owners).toEqual([{ user_id: asha.id }, { user_id: null }]);
  });

  test('accepts a password in any Unicode composition', async () => {
    const { mobileNo } = await stored({ passwordHash: await hash('caf\u00e9-au-lait-91') });
    expect((await enter(mobileNo, 'cafe\u0301-au-lait-91')).status).toBe(200);
  });

  test('over https has cookies that no subdomain can set', async () => {
    const secure = await startApp({
      now: NOW,
      database: app.database,
      env: { PUBLIC_ORIGIN: 'https://nivida.example' },
    });
    try {
      const browser = new TestBrowser(app);
      await enter(asha.mobileNo, PASSWORD, browser);
      const token = browser.cookies.get('device') ?? '';
      const known = new TestBrowser(secure);
      known.cookies.set('__Host-device', token);
      await failPatiently(asha.mobileNo, 10);
      secure.clock.now = app.clock.now;
      expect((await enter(asha.mobileNo, PASSWORD, new TestBrowser(secure))).status).toBe(429);
      const { status, setCookies } = await enter(asha.mobileNo, PASSWORD, known);
      expect(status).toBe(200);
      expect(setCookies).toEqual([
        `__Host-device=${token}; Max-Age=15552000; Path=/; HttpOnly; Secure; SameSite=Strict`,
      ]);
      const { mobileNo } = await stored();
      expect((await enter(mobileNo, PASSWORD, new TestBrowser(secure))).setCookies).toEqual([
        expect.stringMatching(/^__Host-device=[\w.-]{40,60};/),
      ]);
    } finally {
      await secure.close();
    }
  });

  test('leaves the cookie of a browser, and replaces an invented one', async () => {
    const browser = new TestBrowser(app);
    await enter(asha.mobileNo, PASSWORD, browser);
    const first = browser.cookies.get('device');
    await enter((await stored()).mobileNo, PASSWORD, browser);
    expect(browser.cookies.get('device')).toBe(first);
    browser.cookies.set('device', 'b'.repeat(43));
    await enter(asha.mobileNo, PASSWORD, browser);
    expect(browser.cookies.get('device')).not.toBe('b'.repeat(43));
    const rows = await app.database.dataSource.query('SELECT token_hash FROM known_device');
    expect(JSON.stringify(rows)).not.toContain(first);
  });

  test('does not overwrite a password that is changed while it is hashed again', async () => {
    const { id, mobileNo } = await stored({ passwordHash: await hash(PASSWORD, CHEAP) });
    const { dataSource } = app.database;
    const change = dataSource.createQueryRunner();
    await change.startTransaction();
    await change.query("UPDATE account SET password_hash = 'changed' WHERE id = $1", [id]);
    const answer = enter(mobileNo, PASSWORD);
    await expect.poll(() => lockWaiters({ dataSource })).toHaveLength(1);
    await change.commitTransaction();
    await change.release();
    await answer;
    expect(await dataSource.query('SELECT password_hash FROM account WHERE id = $1', [id])).toEqual([
      { password_hash: 'changed' },
    ]);
  });

  test('rehashes a password that was hashed with less effort', async () => {
    const { id, mobileNo } = await stored({ passwordHash: await hash(PASSWORD, CHEAP) });
    const hashOf = async () =>
      (await app.database.dataSource.query('SELECT password_hash FROM account WHERE id = $1', [id]))[0].password_hash;
    await enter(mobileNo, PASSWORD);
    expect(await hashOf()).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const once = await hashOf();
    expect((await enter(mobileNo, PASSWORD)).status).toBe(200);
    expect(await hashOf()).toBe(once);
  });

  test('does not restore an account that is erased in the meantime', async () => {
    const { id, mobileNo, email } = await stored({ deletedAt: NOW });
    const { dataSource } = app.database;
    const erasure = dataSource.createQueryRunner();
    await erasure.startTransaction();
    await erasure.query("UPDATE account SET mobile_no = 'erased-' || id::text WHERE id = $1", [id]);
    const answer = enter(mobileNo, PASSWORD);
    await expect.poll(() => lockWaiters({ dataSource })).toHaveLength(1);
    await erasure.commitTransaction();
    await erasure.release();
    expect(seen(await answer)).toEqual([401, undefined, WRONG]);
    expect(await dataSource.query('SELECT deleted_at FROM account WHERE id = $1', [id])).toEqual([{ deleted_at: NOW }]);
    expect((await readSentMails(app)).filter(({ to }) => to?.[0]?.address === email)).toEqual([]);
  });

  test('restores a deleted account and notifies its owner', async () => {
    const { id, mobileNo, email } = await stored({ deletedAt: new Date('2026-11-05T11:30:00+05:30') });
    expect((await guess(mobileNo)).status).toBe(401);
    const { json, headers } = await enter(mobileNo, PASSWORD);
    expect((await app.get('/api/tenders/bookmarked', { authorization: `Bearer ${json.token}` })).status).toBe(200);
    expect((await findLastMail(app, email)).subject).toBe('Your Nivida account is open again');
    const events = await app.database.dataSource.query(
      'SELECT action, actor_id, request_id FROM audit WHERE subject = $1 AND actor_id IS NOT NULL ORDER BY id',
      [id],
    );
    const request_id = headers['x-request-id'];
    expect(events).toEqual([
      { action: 'account.restored', actor_id: id, request_id },
      { action: 'session.started', actor_id: id, request_id },
    ]);
  });
});

describe('a clock that was ahead and is corrected', () => {
  test.each([
    ['a minute', 5, 60],
    ['an hour', 10, 3_600],
    ['a year', 20, 365 * 86_400],
  ])('by %s leaves no lock after %i failures', async (_name, failures, seconds) => {
    after(seconds);
    await failPatiently(asha.mobileNo, failures);
    expect((await enter(asha.mobileNo, PASSWORD)).status).toBe(429);
    app.clock.now = NOW;
    expect((await enter(asha.mobileNo, PASSWORD)).status).toBe(200);
  });

  test('knows no browser that signed in by it', async () => {
    const own = new TestBrowser(app);
    after(3_600);
    await enter(asha.mobileNo, PASSWORD, own);
    app.clock.now = NOW;
    await failPatiently(asha.mobileNo, 10);
    expect((await enter(asha.mobileNo, PASSWORD, own)).status).toBe(429);
  });

  test.each([9, 19])('restarts the count of %i failures', async (failures) => {
    after(86_400);
    await failPatiently(asha.mobileNo, failures);
    app.clock.now = NOW;
    for (let failure = 1; failure <= 5; failure += 1) expect((await guess(asha.mobileNo)).status).toBe(401);
    expect((await guess(asha.mobileNo)).headers['retry-after']).toBe('1');
  });

  test('leaves the lock until the password is reset', async () => {
    after(86_400);
    await failPatiently(asha.mobileNo, 100);
    app.clock.now = NOW;
    expect((await enter(asha.mobileNo, PASSWORD)).status).toBe(429);
  });

  test('accepts no session of the future', async () => {
    after(3_600);
    const { json } = await enter(asha.mobileNo, PASSWORD, new TestBrowser(app), { rememberMe: true });
    const own = { authorization: `Bearer ${json.token}` };
    expect((await app.get('/api/me', own)).status).toBe(200);
    app.clock.now = NOW;
    expect((await app.get('/api/me', own)).status).toBe(401);
  });
});

describe('the audit log', () => {
  let proxied: TestApp;
  let nextAddress = 0;
  beforeAll(async () => {
    proxied = await startApp({ now: NOW, database: app.database, env: { TRUST_PROXY: '1' } });
  });
  afterAll(() => proxied.close());

  const newAddress = () => `192.0.2.${++nextAddress}`;
  const from = (address: string) => new TestBrowser(proxied, { 'x-forwarded-for': address });
  const eventsOf = async (subject: string) => {
    const rows: { action: string; detail: object }[] = await app.database.dataSource.query(
      'SELECT action, detail FROM audit WHERE subject = $1 AND actor_id IS NULL ORDER BY id',
      [subject],
    );
    return rows.map(({ action, detail }) => [action, detail]);
  };

  test('contains a failed sign-in with the masked address', async () => {
    await guess(asha.mobileNo, from(newAddress()));
    expect(await eventsOf(asha.id)).toEqual([['sign-in.failed', { way: 'password', address: '192.0.2.x' }]]);
    await guess('9000000123', from('2001:db8:7:2::7'));
    expect(await eventsOf('******0123')).toEqual([['sign-in.failed', { way: 'password', address: '2001:db8:7::x' }]]);
  });

  test('contains a lock of a number once, and no row for a refusal after it', async () => {
    for (let failure = 1; failure <= 10; failure += 1) {
      proxied.clock.now = new Date(NOW.getTime() + failure * 60_000);
      await guess(asha.mobileNo, from(newAddress()));
    }
    for (let nth = 1; nth <= 3; nth += 1) expect((await guess(asha.mobileNo, from(newAddress()))).status).toBe(429);
    const events = await eventsOf(asha.id);
    expect(events.map(([action]) => action)).toEqual([...Array(10).fill('sign-in.failed'), 'sign-in.locked']);
    expect(events.at(-1)).toEqual(['sign-in.locked', { seconds: 900, address: '192.0.2.x' }]);
    proxied.clock.now = NOW;
  });

  test('contains a lock of an address once', async () => {
    for (let nth = 1; nth <= 25; nth += 1) await guess(unknownNumber(), from('2001:db8:79::1'));
    const lock = ['sign-in.address-locked', { address: '2001:db8:79::x' }];
    expect(await eventsOf('2001:db8:79::x')).toEqual([lock]);
    proxied.clock.now = new Date(NOW.getTime() + 15 * 60_000);
    for (let nth = 1; nth <= 22; nth += 1) await guess(unknownNumber(), from('2001:db8:79::1'));
    expect(await eventsOf('2001:db8:79::x')).toEqual([lock, lock]);
    proxied.clock.now = NOW;
  });

  test('contains a refused refresh', async () => {
    const browser = new TestBrowser(app);
    const { json } = await enter(asha.mobileNo, PASSWORD, browser);
    const own = new TestBrowser(proxied, { 'x-forwarded-for': newAddress(), authorization: `Bearer ${json.token}` });
    expect((await own.send('POST', '/api/auth/logout')).status).toBe(200);
    expect((await own.send('POST', '/api/auth/refresh')).status).toBe(401);
    expect(await eventsOf(asha.id)).toEqual([
      ['session.refresh-refused', { session: decodeJwt(json.token).sid, address: '192.0.2.x' }],
    ]);
    const stranger = new TestBrowser(proxied, { 'x-forwarded-for': '198.18.9.1', authorization: 'Bearer stranger' });
    expect((await stranger.send('POST', '/api/auth/refresh')).status).toBe(401);
    await new TestBrowser(proxied, { 'x-forwarded-for': '198.18.8.1' }).send('POST', '/api/auth/refresh');
    expect(await eventsOf('unknown')).toEqual([
      ['session.refresh-refused', { hasToken: true, address: '198.18.9.x' }],
      ['session.refresh-refused', { hasToken: false, address: '198.18.8.x' }],
    ]);
  });

  test('is not filled by one address', async () => {
    for (let nth = 1; nth <= 45; nth += 1)
      await new TestBrowser(proxied, { 'x-forwarded-for': '198.19.1.1' }).send('POST', '/api/auth/refresh');
    const [{ count }] = await app.database.dataSource.query(
      "SELECT count(*)::int AS count FROM audit WHERE detail ->> 'address' = '198.19.1.x'",
    );
    expect(count).toBe(40);
    // events of another kind are written all the same
    for (let nth = 1; nth <= 3; nth += 1) await guess(unknownNumber(), from('198.19.1.1'));
    const [{ rows }] = await app.database.dataSource.query(
      "SELECT count(*)::int AS rows FROM audit WHERE detail ->> 'address' = '198.19.1.x'",
    );
    expect(rows).toBe(43);
  });
});

test('several processes count together', async () => {
  const second = await startApp({ now: NOW, database: app.database });
  try {
    for (let failure = 1; failure <= 5; failure += 1)
      await guess(asha.mobileNo, new TestBrowser(failure % 2 === 0 ? app : second));
    expect((await guess(asha.mobileNo, new TestBrowser(second))).status).toBe(429);
    expect((await guess(asha.mobileNo)).status).toBe(429);
  } finally {
    await second.close();
  }
});
