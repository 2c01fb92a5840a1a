import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deleteExpiredAuthData } from '../../src/auth/auth-cleanup.job.ts';
import { type LimitedCaller, RateLimitsService } from '../../src/http/limits/rate-limits.service.ts';
import { createSession } from '../support/accounts.ts';
import { buyDocuments } from '../support/paid-orders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { TestBrowser } from '../support/test-browser.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const HOUR = 3_600;

let app: TestApp;
let limits: RateLimitsService;
let made = 0;
/** A new key. */
let key: string;

beforeAll(async () => {
  app = await startApp({ now: NOW });
  limits = app.app.get(RateLimitsService);
});
afterAll(() => app.close());
beforeEach(() => {
  app.clock.now = NOW;
  key = `key${++made}`;
});

const at = (seconds: number) => {
  app.clock.now = new Date(NOW.getTime() + seconds * 1_000);
};
/** 'ok', or the seconds to wait. */
const waitOf = async (counted: Promise<number>) => (await counted) || 'ok';
/** The same of a refused call. */
const errorOf = (counted: Promise<void>) =>
  counted.then(
    () => 'ok',
    ({ code, status, retryAfterSeconds, message }) => {
      expect([code, status]).toEqual(['TOO_MANY', 429]);
      expect(message).toMatch(
        /^Too many attempts\. Please try again in \d+ (second|minute|hour)s?\.( Many people use your network\.|$)/,
      );
      return retryAfterSeconds;
    },
  );

describe('a limit', () => {
  const take = (max: number, perSeconds: number, name = 'test') =>
    waitOf(limits.count(name, key, [{ max, perSeconds }]));

  test('refuses further calls until its time has passed; refused calls do not prolong it', async () => {
    expect(await take(2, 60)).toBe('ok');
    at(10);
    expect(await take(2, 60)).toBe('ok');
    expect(await take(2, 60)).toBe(50);
    at(10.7);
    expect(await take(2, 60)).toBe(50);
    at(59.5);
    expect(await take(2, 60)).toBe(1);
    at(60);
    expect(await take(2, 60)).toBe('ok');
    expect(await take(2, 60)).toBe('ok');
    expect(await take(2, 60)).toBe(60);
  });

  test('of a clock that was ahead ends when the clock is corrected', async () => {
    for (const ahead of [61, HOUR, 365 * 86_400]) {
      const name = `ahead ${ahead}`;
      at(ahead);
      expect(await take(1, 60, name)).toBe('ok');
      expect(await take(1, 60, name)).toBe(60);
      at(0);
      expect(await take(1, 60, name)).toBe('ok');
      expect(await take(1, 60, name)).toBe(60);
    }
  });

  test('of a process whose clock is a second ahead still holds', async () => {
    at(1);
    expect(await take(1, 60)).toBe('ok');
    at(0);
    expect(await take(1, 60)).toBe(61);
  });

  test('counts each key and each name separately', async () => {
    expect(await take(1, 60)).toBe('ok');
    expect(await take(1, 60, 'another')).toBe('ok');
    expect(await waitOf(limits.count('test', `${key}x`, [{ max: 1, perSeconds: 60 }]))).toBe('ok');
    expect(await take(1, 60)).toBe(60);
  });

  test('of several windows does not count a refused call for the longer one', async () => {
    const both = () =>
      waitOf(
        limits.count('test', key, [
          { max: 1, perSeconds: 60 },
          { max: 2, perSeconds: HOUR },
        ]),
      );
    expect(await both()).toBe('ok');
    expect(await both()).toBe(60);
    at(60);
    expect(await both()).toBe('ok');
    at(120);
    expect(await both()).toBe(HOUR - 120);
  });

  test('holds for concurrent calls in several processes', async () => {
    const second = await startApp({ now: NOW, database: app.database });
    try {
      const all = Array.from({ length: 60 }, (_, nth) =>
        waitOf(
          (nth % 2 ? limits : second.app.get(RateLimitsService)).count('test', key, [
            { max: 5, perSeconds: 60 },
            { max: 50, perSeconds: HOUR },
          ]),
        ),
      );
      expect((await Promise.all(all)).filter((answer) => answer === 'ok')).toHaveLength(5);
    } finally {
      await second.close();
    }
  });

  test('stores no readable key', async () => {
    await limits.consume('contact', { email: 'asha@builders.example' });
    const rows = await app.database.dataSource.query('SELECT * FROM rate_limit');
    expect(JSON.stringify(rows)).not.toContain('asha');
  });
});

describe('a limit of an address', () => {
  const network = (share: 1 | 0.02, other = '') => ({
    sender: { device: undefined, address: { key: `${key}${other}`, share } },
  });
  const call = (caller: LimitedCaller) => errorOf(limits.consume('contact', caller));
  /** Leaves room for this many calls. */
  const fill = async (caller: LimitedCaller, left: number) => {
    expect(await call(caller)).toBe('ok');
    const full = caller.sender?.address?.share === 1 ? 1_000 : 20;
    await app.database.dataSource.query(
      `UPDATE rate_limit SET count = $1 WHERE name = 'contact-address' AND key = encode(sha256($2), 'hex')`,
      [full - left, Buffer.from(caller.sender?.address?.key ?? '')],
    );
  };

  test('is that of many persons for IPv4, and a fiftieth for an IPv6 network', async () => {
    for (const share of [1, 0.02] as const) {
      const caller = network(share, String(share));
      await fill(caller, 1);
      expect([await call(caller), await call(caller)]).toEqual(['ok', HOUR]);
    }
  });

  test('is not raised by more refunds than calls', async () => {
    await fill(network(1), 0);
    for (const _refund of [1, 2]) await limits.release('contact', network(1));
    expect([await call(network(1)), await call(network(1)), await call(network(1))]).toEqual(['ok', 'ok', HOUR]);
    expect(await call(network(1, 'x'))).toBe('ok');
    for (const _refund of [1, 2]) await limits.release('contact', network(1, 'x'));
    await fill(network(1, 'x'), 0);
    expect(await call(network(1, 'x'))).toBe(HOUR);
  });

  test('counts neither refunded calls nor callers without an address', async () => {
    await fill(network(1), 1);
    for (let nth = 1; nth <= 3; nth += 1) {
      expect(await call(network(1))).toBe('ok');
      await limits.release('contact', network(1));
      expect(await call({ sender: { device: undefined, address: undefined } })).toBe('ok');
    }
  });
});

test('a device may ask for 30 unknown ids a minute and 200 an hour', async () => {
  const sender = { device: { token: key, isEstablished: true }, address: undefined };
  const taken = async () => {
    const all = await Promise.all(Array.from({ length: 30 }, () => errorOf(limits.consumeUnknownId(sender))));
    return all.filter((answer) => answer === 'ok').length;
  };
  const perMinute: number[] = [];
  for (let minute = 0; minute <= 7; minute += 1) {
    at(minute * 60);
    perMinute.push(await taken());
  }
  expect(perMinute).toEqual([30, 30, 30, 30, 30, 30, 20, 0]);
  at(8 * 60);
  expect(await errorOf(limits.consumeUnknownId(sender))).toBe(HOUR - 8 * 60);
  at(HOUR);
  expect(await taken()).toBe(30);
});

test('an account has 120 bookmark changes and syncs a minute, from all devices together', async () => {
  const { headers } = await createSession(app);
  const browser = new TestBrowser(app, headers);
  const calls = () => [
    browser.send('POST', '/api/bookmarks/sync', { changes: [] }),
    browser.send('GET', '/api/tenders/bookmarked'),
    browser.send('DELETE', '/api/tenders/1/bookmark'),
  ];
  const statuses = (await Promise.all(Array.from({ length: 41 }, calls).flat())).map(({ status }) => status);
  expect(statuses.filter((status) => status === 429)).toHaveLength(3);
  const { status, headers: got, json } = await browser.send('POST', '/api/bookmarks/sync', { changes: [] });
  expect([status, got['retry-after'], json.code]).toEqual([429, '60', 'TOO_MANY']);
  expect(
    (await new TestBrowser(app, (await createSession(app)).headers).send('GET', '/api/tenders/bookmarked')).status,
  ).toBe(200);
});

test('old counts are deleted, current ones stay', async () => {
  const { dataSource } = app.database;
  await limits.count('forget', key, [
    { max: 1, perSeconds: 60 },
    { max: 1, perSeconds: HOUR },
  ]);
  const { user } = await createSession(app, { remembered: true });
  await new TestBrowser(app).send('POST', '/api/auth/login', { mobileNo: user.mobileNo, password: 'wrong-password' });
  const { user: locked } = await createSession(app);
  for (const mobileNo of [locked.mobileNo, '+919700000001']) {
    await new TestBrowser(app).send('POST', '/api/auth/login', { mobileNo, password: 'wrong-password' });
    await dataSource.query(
      `UPDATE sign_in_failure SET locked_until = 'infinity' WHERE mobile_hash = encode(sha256($1), 'hex')`,
      [Buffer.from(mobileNo)],
    );
  }
  const left = async () => {
    const [row] = await dataSource.query(`SELECT
      (SELECT count(*)::int FROM rate_limit WHERE name = 'forget') AS limits,
      (SELECT count(*)::int FROM sign_in_failure) AS failures,
      (SELECT count(*)::int FROM session WHERE user_id = '${user._id}') AS sessions`);
    return row;
  };
  expect(await left()).toEqual({ limits: 2, failures: 3, sessions: 1 });
  at(60);
  await deleteExpiredAuthData({ dataSource, now: app.clock.now });
  expect(await left()).toEqual({ limits: 1, failures: 3, sessions: 1 });
  at(59 * 86_400);
  await deleteExpiredAuthData({ dataSource, now: app.clock.now });
  // The lock of an account stays, that of a number without an account is deleted.
  expect(await left()).toEqual({ limits: 0, failures: 1, sessions: 1 });
  at(60 * 86_400);
  expect(await deleteExpiredAuthData({ dataSource, now: app.clock.now })).toBe(1);
  expect(await left()).toEqual({ limits: 0, failures: 1, sessions: 0 });
});

test('a session is deleted 30 days after its end, and failures of a sign-in 30 days after the last one', async () => {
  const { dataSource } = app.database;
  const { user } = await createSession(app, { remembered: true });
  await dataSource.query('UPDATE session SET revoked_at = $2 WHERE user_id = $1', [
    user._id,
    new Date(NOW.getTime() + HOUR * 1_000),
  ]);
  at(HOUR);
  await new TestBrowser(app).send('POST', '/api/auth/login', { mobileNo: user.mobileNo, password: 'wrong-password' });
  const left = async (seconds: number) => {
    at(seconds);
    await deleteExpiredAuthData({ dataSource, now: app.clock.now });
    const [row] = await dataSource.query(
      `SELECT (SELECT count(*)::int FROM session WHERE user_id = $1) AS sessions,
         (SELECT count(*)::int FROM sign_in_failure WHERE mobile_hash = encode(sha256($2), 'hex')) AS failures`,
      [user._id, Buffer.from(user.mobileNo)],
    );
    return row;
  };
  expect(await left(30 * 86_400 + HOUR - 1)).toEqual({ sessions: 1, failures: 1 });
  expect(await left(30 * 86_400 + HOUR)).toEqual({ sessions: 0, failures: 0 });
});

test('a known browser is forgotten when its 180 days end, and a count of a clock that was ahead is deleted', async () => {
  const { dataSource } = app.database;
  const { user } = await createSession(app);
  for (const [hash, seconds] of Object.entries({ ended: 0, valid: 1 }))
    await dataSource.query('INSERT INTO known_device (token_hash, user_id, expires_at) VALUES ($1, $2, $3)', [
      hash,
      user._id,
      new Date(NOW.getTime() + seconds * 1_000),
    ]);
  // A window of a minute ends at most a minute from now; an hour of tolerance is added.
  for (const [name, seconds] of Object.entries({ ahead: 60 + 3_601, plausible: 60 + 3_600 }))
    await dataSource.query("INSERT INTO rate_limit VALUES ($1, 'key', 60, $2, 1)", [
      name,
      new Date(NOW.getTime() + seconds * 1_000),
    ]);
  at(0);
  await deleteExpiredAuthData({ dataSource, now: app.clock.now });
  expect(await dataSource.query('SELECT token_hash FROM known_device WHERE user_id = $1', [user._id])).toEqual([
    { token_hash: 'valid' },
  ]);
  expect(await dataSource.query("SELECT name FROM rate_limit WHERE name IN ('ahead', 'plausible')")).toEqual([
    { name: 'plausible' },
  ]);
});

test('webhooks and document links are deleted after 400 days, except the link that proves the delivery', async () => {
  const { dataSource } = app.database;
  const nit = 'tender-1';
  const { entitlement } = await buyDocuments(dataSource, { tenderId: 1, nit });
  const [{ id: packageId }] = await dataSource.query(
    `INSERT INTO document_package (nit, version, file_key, sha256, bytes, file_names, fingerprint, is_demonstration, created_at)
     VALUES ($1, 1, 'x', 'x', 100, '{NIT.pdf}', 'x', false, $2) RETURNING id`,
    [nit, NOW],
  );
  const link = (name: string, hours: number, fetches: number) =>
    dataSource.query(
      `INSERT INTO download_link (token_sha256, entitlement_id, nit, tender_id, package_id, created_at, expires_at, fetches)
       VALUES ($1, $2, $3, 1, $4, $5, $5, $6)`,
      [name, entitlement.id, nit, packageId, new Date(NOW.getTime() + hours * HOUR * 1_000), fetches],
    );
  await link('used', 0, 1);
  await link('used later', 1, 1);
  await link('never used', 2, 0);
  await link('newest', 3, 0);
  for (const [event, receivedAt] of Object.entries({ first: NOW, second: new Date(NOW.getTime() + HOUR * 1_000) }))
    await dataSource.query(
      `INSERT INTO webhook_event (provider, event_id, body_sha256, received_at) VALUES ('sandbox', $1, 'x', $2)`,
      [event, receivedAt],
    );
  const left = async () => {
    await deleteExpiredAuthData({ dataSource, now: app.clock.now });
    const links: { name: string }[] = await dataSource.query(
      'SELECT token_sha256 AS name FROM download_link ORDER BY created_at',
    );
    const events: { name: string }[] = await dataSource.query(
      'SELECT event_id AS name FROM webhook_event ORDER BY received_at',
    );
    return [links, events].map((rows) => rows.map(({ name }) => name));
  };
  at(400 * 86_400 - 1);
  expect(await left()).toEqual([
    ['used', 'used later', 'never used', 'newest'],
    ['first', 'second'],
  ]);
  at(400 * 86_400);
  expect(await left()).toEqual([['used later', 'never used', 'newest'], ['second']]);
  at(500 * 86_400);
  expect(await left()).toEqual([['used later', 'newest'], []]);
});
