/** The session check, on the list of bookmarks. */
import { createHash, randomUUID } from 'node:crypto';
import { base64url, decodeJwt, decodeProtectedHeader, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSession, type SignedInAccount } from '../support/accounts.ts';
import { startApp, TEST_SESSION_KEY, type TestApp } from '../support/start-app.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const OTHER_KEY = 'another-key-of-32-bytes-or-more-0123';
const PATH = '/api/tenders/bookmarked';

let app: TestApp;
let asha: SignedInAccount;

beforeAll(async () => {
  app = await startApp({ now: NOW });
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.now = NOW;
  asha = await createSession(app);
});

const statusOf = async (headers: Record<string, string>, server = app) => (await server.get(PATH, headers)).status;
const nameOf = (key: string) => createHash('sha256').update(key).digest('hex').slice(0, 16);
const later = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);
/** Asha's header after a change of her session. */
async function changed(sql: string): Promise<SignedInAccount['headers']> {
  await app.database.dataSource.query(`UPDATE session SET ${sql} WHERE id = $1`, [decodeJwt(asha.token).sid]);
  return asha.headers;
}

/** Asha's token with other claims or header, signed with `key`. */
function forge(claims: object, header: object = {}, key = TEST_SESSION_KEY): Promise<string> {
  return new SignJWT({ ...decodeJwt(asha.token), ...claims })
    .setProtectedHeader({ alg: 'HS256', ...decodeProtectedHeader(asha.token), ...header })
    .sign(new TextEncoder().encode(key));
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const parts = () => asha.token.split('.') as [string, string, string];

describe('every caller without a valid session gets the same response', () => {
  const REFUSED: [string, () => Promise<Record<string, string>> | Record<string, string>][] = [
    ['no header', () => ({})],
    ['an empty header', () => ({ authorization: '' })],
    ['no token', () => ({ authorization: 'Bearer' })],
    ['another scheme', () => ({ authorization: `Basic ${asha.token}` })],
    ['a bare token', () => ({ authorization: asha.token })],
    ['two tokens', () => ({ authorization: `Bearer ${asha.token} ${asha.token}` })],
    ['a token as cookie', () => ({ cookie: `token=${asha.token}` })],
    ['a word', () => bearer('hello')],
    ['dots', () => bearer('..')],
    ['a cut token', () => bearer(asha.token.slice(0, -1))],
    ['no signature', () => bearer(`${parts()[0]}.${parts()[1]}.`)],
    ['10,000 characters', () => bearer('a'.repeat(10_000))],
    ['changed claims', () => bearer([parts()[0], base64url.encode('{"sub":"x"}'), parts()[2]].join('.'))],
    ['no algorithm', () => bearer(new UnsecuredJWT(decodeJwt(asha.token)).encode())],
    ['another algorithm', async () => bearer(await forge({}, { alg: 'HS512' }))],
    ['another key', async () => bearer(await forge({}, {}, OTHER_KEY))],
    ['another key by its name', async () => bearer(await forge({}, { kid: nameOf(OTHER_KEY) }, OTHER_KEY))],
    ['no name of a key', async () => bearer(await forge({}, { kid: undefined }))],
    ['another type', async () => bearer(await forge({}, { typ: 'JWT' }))],
    [
      'a key in the header',
      async () => bearer(await forge({}, { jwk: { kty: 'oct', k: 'AAAA' }, kid: 'mine' }, OTHER_KEY)),
    ],
    ['another audience', async () => bearer(await forge({ aud: 'tender-admin' }))],
    ['another issuer', async () => bearer(await forge({ iss: 'https://evil.example' }))],
    ['past its end', async () => bearer(await forge({ exp: NOW.getTime() / 1000 - 60 }))],
    ['before its begin', async () => bearer(await forge({ nbf: NOW.getTime() / 1000 + 60 }))],
    ['without an end', async () => bearer(await forge({ exp: undefined }))],
    ['without a begin', async () => bearer(await forge({ nbf: undefined }))],
    ['without an instant of issue', async () => bearer(await forge({ iat: undefined }))],
    ['without a user', async () => bearer(await forge({ sub: undefined }))],
    ['without a name', async () => bearer(await forge({ name: undefined }))],
    ['a user that is no id', async () => bearer(await forge({ sub: "' OR true --" }))],
    ['a token id that is none', async () => bearer(await forge({ jti: "' OR true --" }))],
    ['a session that is no id', async () => bearer(await forge({ sid: "' OR true --" }))],
    ['an unknown session', async () => bearer(await forge({ sid: randomUUID() }))],
    ['the session of another user', async () => bearer(await forge({ sub: (await createSession(app)).user._id }))],
    ['a replaced token', async () => bearer(await forge({ jti: randomUUID() }))],
    ['a revoked session', () => changed("revoked_at = '2026-11-10T05:59:00Z'")],
    ['a session past its end', () => changed("expires_at = '2026-11-10T06:00:00Z'")],
    ['a session that a clock ahead has begun', () => changed("created_at = '2026-11-10T06:00:06Z'")],
    ['a session that lasts longer than any', () => changed("expires_at = '2026-12-10T06:00:06Z'")],
    [
      'a token that a clock ahead has replaced',
      () => changed(`previous_token_id = token_id, token_id = gen_random_uuid(), renewed_at = '2026-11-10T06:00:06Z'`),
    ],
    ['a deleted account', async () => (await createSession(app, { deletedAt: NOW })).headers],
  ];

  test.each(REFUSED)('%s', async (_name, headers) => {
    const { status, json, headers: got } = await app.get(PATH, await headers());
    expect(status).toBe(401);
    expect(json).toEqual({ code: 'UNAUTHENTICATED', message: 'Please sign in', requestId: expect.any(String) });
    expect(got['cache-control']).toBe('no-store');
  });

  test('while the unchanged token is accepted', async () => {
    expect(await statusOf(asha.headers)).toBe(200);
    expect(await statusOf(bearer(await forge({})))).toBe(200);
    expect(await statusOf({ authorization: `bearer ${asha.token}` })).toBe(200);
  });

  test.each([
    ['GET', '/tenders/bookmarked'],
    ['POST', '/api/tenders/1/bookmark'],
    ['POST', '/tenders/1/bookmark'],
    ['DELETE', '/api/tenders/1/bookmark'],
    ['POST', '/api/bookmarks/sync'],
  ] as const)('also at %s %s, before anything is read of the request', async (method, url) => {
    const reply = await app.app.inject({ method, url, payload: method === 'POST' ? { wrong: true } : undefined });
    expect(reply.statusCode).toBe(401);
    expect(reply.json()).toMatchObject({ code: 'UNAUTHENTICATED', message: 'Please sign in' });
  });
});

describe('a session', () => {
  test('lasts 12 hours', async () => {
    app.clock.now = later(11.99);
    expect(await statusOf(asha.headers)).toBe(200);
    app.clock.now = later(12);
    expect(await statusOf(asha.headers)).toBe(401);
  });

  test('lasts 30 days when remembered', async () => {
    const { headers } = await createSession(app, { remembered: true });
    app.clock.now = later(30 * 24 - 0.01);
    expect(await statusOf(headers)).toBe(200);
    app.clock.now = later(30 * 24);
    expect(await statusOf(headers)).toBe(401);
  });

  test('that was renewed accepts its earlier token for a minute', async () => {
    const { jti, sid } = decodeJwt<{ jti: string }>(asha.token);
    const next = randomUUID();
    await changed(`previous_token_id = '${jti}', token_id = '${next}', renewed_at = '${NOW.toISOString()}'`);
    app.clock.now = new Date(NOW.getTime() + 59_000);
    expect(await statusOf(asha.headers)).toBe(200);
    app.clock.now = new Date(NOW.getTime() + 60_000);
    expect(await statusOf(asha.headers)).toBe(401);
    expect(await statusOf(bearer(await forge({ sid, jti: next })))).toBe(200);
  });

  test('stores its last use to the hour', async () => {
    const other = await createSession(app);
    const lastUse = async ({ user } = asha) =>
      (await app.database.dataSource.query('SELECT last_used_at FROM session WHERE user_id = $1', [user._id]))[0]
        .last_used_at;
    app.clock.now = later(0.9);
    await statusOf(asha.headers);
    expect(await lastUse()).toEqual(NOW);
    app.clock.now = later(1);
    await statusOf(asha.headers);
    expect(await lastUse()).toEqual(NOW);
    app.clock.now = later(1.1);
    await statusOf(asha.headers);
    expect(await lastUse()).toEqual(later(1.1));
    expect(await lastUse(other)).toEqual(NOW);
  });

  test('has no address, number or company in its token', () => {
    const loggedText = parts()
      .slice(0, 2)
      .map((part) => new TextDecoder().decode(base64url.decode(part)))
      .join();
    expect(loggedText).toContain('Asha Verma');
    for (const secret of [asha.user.email, asha.user.mobileNo, asha.user.mobileNo.slice(3), 'Verma Builders'])
      expect(loggedText).not.toContain(secret);
  });
});

describe('several processes', () => {
  test.each([
    ['begun a session', "created_at = '2026-11-10T06:00:05Z', expires_at = '2026-12-10T06:00:05Z'"],
    [
      'replaced a token',
      `previous_token_id = token_id, token_id = gen_random_uuid(), renewed_at = '2026-11-10T06:00:05Z'`,
    ],
  ])('know each other’s sessions when one whose clock is five seconds ahead has %s', async (_what, sql) => {
    expect(await statusOf(await changed(sql))).toBe(200);
  });

  test('share sessions and their ends', async () => {
    const second = await startApp({ now: NOW, database: app.database });
    try {
      expect(await statusOf(asha.headers, second)).toBe(200);
      await changed("revoked_at = '2026-11-10T05:59:00Z'");
      expect(await statusOf(asha.headers)).toBe(401);
      expect(await statusOf(asha.headers, second)).toBe(401);
    } finally {
      await second.close();
    }
  });

  test('accept each other’s tokens while the key is rotated', async () => {
    const second = await startApp({
      now: NOW,
      database: app.database,
      env: { SESSION_KEYS: `${OTHER_KEY},${TEST_SESSION_KEY}` },
    });
    try {
      expect(await statusOf(asha.headers, second)).toBe(200);
      const { headers } = await createSession(second);
      expect(await statusOf(headers, second)).toBe(200);
      expect(await statusOf(headers)).toBe(401);
    } finally {
      await second.close();
    }
  });
});

test('log no part of a token, also in errors', async () => {
  const broken = await startApp({ now: NOW });
  const logged: string[] = [];
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((chunk) => logged.push(String(chunk)) > 0);
  try {
    const { headers, token } = await createSession(broken);
    await statusOf(bearer(`${token}x`), broken);
    await broken.database.dataSource.query('ALTER TABLE session RENAME TO gone');
    const { status, json } = await broken.get(PATH, headers);
    expect([status, json.message]).toEqual([500, 'Server error occurred']);
    expect(logged.join('')).toContain('relation "session" does not exist');
    for (const part of token.split('.')) expect(logged.join('')).not.toContain(part);
  } finally {
    vi.restoreAllMocks();
    await broken.close();
  }
});
