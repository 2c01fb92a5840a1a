import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { hash } from '@node-rs/argon2';
import { createRemoteJWKSet, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createModule } from '../../src/app/app.module.ts';
import { createServer } from '../../src/app/server.ts';
import { deleteExpiredAuthData } from '../../src/auth/auth-cleanup.job.ts';
import { RecoveryCodesService } from '../../src/auth/passkeys/recovery-codes.service.ts';
import { GOOGLE_KEYS } from '../../src/auth/sign-in/google-identity.service.ts';
import { UserEntity } from '../../src/auth/user.entity.ts';
import { eraseAccounts } from '../../src/users/erase-accounts.job.ts';
import { createAccountRow } from '../support/accounts.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { TestBrowser } from '../support/test-browser.ts';
import { findCode, findLastMail, findLink } from '../support/test-mailbox.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const CLIENT = '123-abc.apps.googleusercontent.com';
const ASHA_AT_GOOGLE = '110169484474386276334';
const FAILED = 'Failed to login with google';

let plain: TestApp;
let app: NestFastifyApplication;
let keyServer: Server;
let ours: CryptoKey;
let others: CryptoKey;
let asha: UserEntity;
let keysAsked = 0;
let origin: string;

beforeAll(async () => {
  const pair = await generateKeyPair('RS256');
  ours = pair.privateKey;
  others = (await generateKeyPair('RS256')).privateKey;
  const keys = JSON.stringify({
    keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }],
  });
  keyServer = createHttpServer(({ url }, reply) => {
    if (url === '/down') return void reply.writeHead(503).end();
    if (url === '/page') return void reply.end('<p>Please log in</p>');
    if (url === '/silent') return;
    keysAsked += 1;
    reply.setHeader('Content-Type', 'application/json').end(keys);
  });
  await new Promise<void>((ready) => keyServer.listen(0, '127.0.0.1', ready));
  origin = `http://127.0.0.1:${(keyServer.address() as AddressInfo).port}`;
  plain = await startApp({ now: NOW });
  app = await withGoogle(createRemoteJWKSet(new URL(`${origin}/certs`)));
  asha = await plain.database.dataSource.getRepository(UserEntity).save(createAccountRow());
});
afterAll(async () => {
  await app.close();
  await plain.close();
  keyServer.closeAllConnections();
  keyServer.close();
});

/** A server with Google's keys at the given address. */
async function withGoogle(keys: ReturnType<typeof createRemoteJWKSet>): Promise<NestFastifyApplication> {
  const config = { ...plain.config, googleClientId: CLIENT };
  const parts = { config, database: plain.database, now: () => plain.clock.now, pagesFolder: '/nowhere' };
  const module = createModule(parts);
  module.providers?.push({ provide: GOOGLE_KEYS, useValue: keys });
  const server = await createServer(module, parts);
  await server.init();
  await server.getHttpAdapter().getInstance().ready();
  return server;
}

/** The cookie and the nonce of the browser. */
let cookie = '';
let nonce = '';
/** Begins a sign-in in a browser. */
async function begin(): Promise<void> {
  const reply = await app.inject({ method: 'POST', url: '/api/auth/google/nonce' });
  const [set] = reply.cookies;
  expect([reply.statusCode, reply.headers['cache-control'], set]).toMatchObject([
    200,
    'no-store',
    { name: 'google_nonce', httpOnly: true, sameSite: 'Strict', maxAge: 600 },
  ]);
  cookie = `${set?.name}=${set?.value}`;
  nonce = reply.json().nonce;
  expect(nonce).not.toBe(set?.value);
}

async function enter(
  token: unknown,
  {
    server = app,
    url = '/api/auth/google',
    remoteAddress = '127.0.0.1',
    headers = { cookie } as Record<string, string>,
  } = {},
) {
  const reply = await server.inject({ method: 'POST', url, payload: { token }, remoteAddress, headers });
  return { status: reply.statusCode, json: reply.json() };
}

const seconds = NOW.getTime() / 1_000;
/** Google's claims about Asha for a new sign-in, with changes. */
async function idToken(changes: object = {}, { key = ours, header = {} }: { key?: CryptoKey; header?: object } = {}) {
  await begin();
  const claims = {
    iss: 'https://accounts.google.com',
    aud: CLIENT,
    sub: ASHA_AT_GOOGLE,
    nonce,
    email: asha.email,
    email_verified: true,
    iat: seconds - 10,
    exp: seconds + 3_600,
    ...changes,
  };
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one', ...header }).sign(key);
}

/** Number of security events about tokens. */
async function failures(): Promise<number> {
  const [{ count }] = await plain.database.dataSource.query(
    `SELECT count(*)::int AS count FROM audit WHERE action = 'sign-in.failed' AND subject = 'google' AND actor_id IS NULL
       AND detail ->> 'way' = 'google'`,
  );
  return count;
}

describe('a token is refused', () => {
  test.each<[string, () => Promise<unknown> | unknown]>([
    ['that is no token', () => 'hello'],
    ['of another key', () => idToken({}, { key: others })],
    ['of an unknown key', () => idToken({}, { header: { kid: 'two' } })],
    ['for another app', () => idToken({ aud: 'another.apps.googleusercontent.com' })],
    ['of another issuer', () => idToken({ iss: 'https://accounts.google.com.evil.example' })],
    ['that has expired', () => idToken({ exp: seconds - 60 })],
    ['without an end', () => idToken({ exp: undefined })],
    ['without an instant of issue', () => idToken({ iat: undefined })],
    ['without a user', () => idToken({ sub: undefined })],
    ['with an empty user', () => idToken({ sub: '' })],
    ['without a nonce', () => idToken({ nonce: undefined })],
    ['for the nonce of another browser', async () => idToken({ nonce: (await idToken()) && nonce })],
    ['that is older than 10 minutes', () => idToken({ iat: seconds - 611 })],
    ['with an address that Google has not verified', () => idToken({ email_verified: false })],
    ['with a word for verified', () => idToken({ email_verified: 'true' })],
    ['without an address', () => idToken({ email: undefined })],
    ['with an empty address', () => idToken({ email: '' })],
    [
      'signed with the public key as a shared secret',
      () =>
        new SignJWT({ email: asha.email, email_verified: true })
          .setProtectedHeader({ alg: 'HS256', kid: 'one' })
          .sign(new TextEncoder().encode('x'.repeat(32))),
    ],
  ])('%s', async (_name, token) => {
    const before = await failures();
    const { status, json } = await enter(await token());
    expect([status, json.code, json.message]).toEqual([400, 'INVALID', FAILED]);
    expect(await failures()).toBe(before + 1);
  });

  test.each([
    ['refuses the connection', () => 'http://127.0.0.1:1/certs', 5_000],
    ['is down', () => `${origin}/down`, 5_000],
    ['sends a page', () => `${origin}/page`, 5_000],
    ['does not answer', () => `${origin}/silent`, 1],
  ])('as a bad gateway when the server of the keys %s', async (_how, address, timeoutDuration) => {
    const broken = await withGoogle(createRemoteJWKSet(new URL(address()), { timeoutDuration }));
    try {
      const before = await failures();
      const { status, json } = await enter(await idToken(), { server: broken });
      expect([status, json.code, json.message]).toEqual([502, 'GATEWAY', FAILED]);
      // It says nothing about the token.
      expect(await failures()).toBe(before);
    } finally {
      await broken.close();
    }
  });

  test('of an address without an account, with the advice to register', async () => {
    const { status, json } = await enter(await idToken({ email: 'unknown@builders.example', sub: 'unknown' }));
    expect([status, json.message]).toEqual([409, 'No account uses this Google address yet. Please register first.']);
  });
});

test('a token needs the cookie of its nonce, and signs in once', async () => {
  const ravi = createAccountRow();
  await plain.database.dataSource.getRepository(UserEntity).insert(ravi);
  const token = await idToken({ email: ravi.email, sub: 'ravi-once' });
  for (const headers of [{ cookie: '' }, { cookie: 'google_nonce=' }, { cookie: `google_nonce=${nonce}` }])
    expect((await enter(token, { headers })).json.message).toBe(FAILED);
  const answers = await Promise.all(Array.from({ length: 4 }, () => enter(token)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400]);
  expect((await enter(token)).status).toBe(400);
  await deleteExpiredAuthData({ dataSource: plain.database.dataSource, now: new Date(NOW.getTime() + 1_200_000) });
  expect(await plain.database.dataSource.query('SELECT * FROM used_nonce')).toEqual([]);
});

describe('an account that has signed in with Google', () => {
  const accounts = () => plain.database.dataSource.getRepository(UserEntity);
  let sub: string;
  let ravi: UserEntity;
  beforeEach(async () => {
    ravi = await accounts().save(createAccountRow());
    sub = `sub-${ravi.id}`;
    expect((await enter(await idToken({ email: ravi.email, sub }))).status).toBe(200);
  });

  test('is found by Google’s identity, with any address or none', async () => {
    for (const claims of [{ email: 'ravi.new@gmail.example' }, { email: undefined }, { email_verified: false }])
      expect((await enter(await idToken({ sub, ...claims }))).json.user?._id).toBe(ravi.id);
    await accounts().update({ id: ravi.id }, { email: 'ravi.moved@works.example' });
    const newOwner = await accounts().save(createAccountRow({ email: ravi.email }));
    expect((await enter(await idToken({ sub, email: newOwner.email }))).json.user._id).toBe(ravi.id);
    const [{ linked }] = await plain.database.dataSource.query(
      "SELECT count(*)::int AS linked FROM audit WHERE action = 'google.linked' AND subject = $1",
      [ravi.id],
    );
    expect(linked).toBe(1);
  });

  test('is not opened by another identity with its address', async () => {
    const { status, json } = await enter(await idToken({ email: ravi.email, sub: `${sub}-other` }));
    expect([status, json.code, json.message]).toEqual([
      409,
      'CONFLICT',
      'This account belongs to another Google sign-in. Sign in with your mobile number and password.',
    ]);
    const [event] = await plain.database.dataSource.query(
      "SELECT detail FROM audit WHERE action = 'sign-in.failed' AND subject = $1",
      [ravi.id],
    );
    expect(event.detail).toMatchObject({ way: 'google', reason: 'other-identity' });
  });

  describe('loses the link', () => {
    const PASSWORD = 'bridge-over-the-beas';
    const NEXT = 'culvert-beside-the-orchard';
    const linkEvents = async () => {
      const rows = await plain.database.dataSource.query(
        "SELECT action FROM audit WHERE subject = $1 AND action LIKE 'google.%' ORDER BY id",
        [ravi.id],
      );
      return rows.map(({ action }: { action: string }) => action);
    };
    let browser: TestBrowser;
    beforeEach(async () => {
      await accounts().update({ id: ravi.id }, { passwordHash: await hash(PASSWORD, { memoryCost: 8, timeCost: 1 }) });
      const { json } = await enter(await idToken({ sub }));
      browser = new TestBrowser(plain, { authorization: `Bearer ${json.token}` });
    });

    test('with its address, so that a new owner of the address can link it', async () => {
      const { id, username, mobileNo } = ravi;
      const email = `moved-${id}@works.example`;
      const change = (changes: object) =>
        browser.send('PUT', `/api/user-info/${id}`, { username, mobileNo, email, ...changes });
      expect((await change({ email: ravi.email, username: 'Ravi' })).status).toBe(200);
      expect(await linkEvents()).toEqual(['google.linked']);
      await browser.send('POST', '/api/auth/otp/generate', { email });
      await browser.send('POST', '/api/auth/otp/verify', { email, otp: findCode(await findLastMail(plain, email)) });
      expect((await change({})).status).toBe(200);
      const owner = await accounts().save(createAccountRow({ email: ravi.email }));
      expect((await enter(await idToken({ sub, email: ravi.email }))).json.user._id).toBe(owner.id);
      expect((await enter(await idToken({ sub: `${sub}-moved`, email }))).json.user._id).toBe(id);
      expect(await linkEvents()).toEqual(['google.linked', 'google.unlinked', 'google.linked']);
    });

    test.each(['a new password', 'a reset of the password'])('with %s', async (way) => {
      if (way === 'a new password') {
        const passwords = { currentPassword: PASSWORD, newPassword: NEXT };
        expect((await browser.send('POST', '/api/auth/change-password', passwords)).status).toBe(200);
      } else {
        await browser.send('POST', '/api/auth/forgot-password', { email: ravi.email });
        const token = new URL(findLink(await findLastMail(plain, ravi.email))).hash.slice(7);
        expect((await browser.send('POST', '/api/auth/reset-password', { token, newPassword: NEXT })).status).toBe(200);
      }
      expect(await linkEvents()).toEqual(['google.linked', 'google.unlinked']);
      expect((await enter(await idToken({ sub, email: 'unknown@builders.example' }))).status).toBe(409);
      expect((await enter(await idToken({ sub: `${sub}-2`, email: ravi.email }))).json.user._id).toBe(ravi.id);
    });
  });

  test('loses the link with its erasure', async () => {
    await accounts().update({ id: ravi.id }, { deletedAt: new Date(NOW.getTime() - 8 * 86_400_000) });
    await eraseAccounts({ dataSource: plain.database.dataSource, now: NOW });
    expect((await enter(await idToken({ sub, email: 'unknown@builders.example' }))).status).toBe(409);
    expect(
      await plain.database.dataSource.query('SELECT 1 FROM provider_identity WHERE user_id = $1', [ravi.id]),
    ).toEqual([]);
  });
});

test('an identity is linked only after the second factor', async () => {
  const { dataSource } = plain.database;
  const ravi = await dataSource.getRepository(UserEntity).save(createAccountRow({ secondFactor: true }));
  await dataSource.query(
    `INSERT INTO passkey (id, user_id, credential_id, public_key, counter, transports, device_type, backed_up, aaguid, name, created_at)
     VALUES (gen_random_uuid(), $1::uuid, $1::text, '', 0, '{}', 'singleDevice', false, '', 'Key', now())`,
    [ravi.id],
  );
  const sub = `sub-${ravi.id}`;
  const linked = () => dataSource.query('SELECT subject FROM provider_identity WHERE user_id = $1', [ravi.id]);
  const { json } = await enter(await idToken({ email: ravi.email, sub }));
  expect(await linked()).toEqual([]);
  const { codes, hashes } = await app.get(RecoveryCodesService).create();
  await dataSource.transaction((manager) =>
    app.get(RecoveryCodesService).store(manager, ravi.id, { codes, hashes }, 'test'),
  );
  const payload = { secondFactorToken: json.secondFactorToken, code: codes[0] };
  const reply = await app.inject({ method: 'POST', url: '/api/auth/passkey/recovery-code', payload });
  expect(reply.statusCode).toBe(200);
  expect(await linked()).toEqual([{ subject: sub }]);
});

describe('a provider', () => {
  test.each(['facebook', 'Google', 'google2', '__proto__', 'constructor'])('"%s" is not there', async (provider) => {
    const { status, json } = await enter(await idToken(), { url: `/api/auth/${provider}` });
    expect([status, json.message]).toEqual([404, 'There is nothing at this address']);
  });

  test('google is offered only when it is configured', async () => {
    expect((await plain.app.inject({ method: 'POST', url: '/api/auth/google/nonce' })).statusCode).toBe(404);
    expect((await enter(await idToken(), { server: plain.app })).status).toBe(404);
  });

  test('does not hide calls with other names', async () => {
    const { status, json } = await enter('x', { url: '/api/auth/login' });
    expect([status, json.message]).toEqual([400, 'Mobile number is required']);
  });
});

test('a Google token signs in the account of its e-mail address, ignoring letter case', async () => {
  for (const url of ['/api/auth/google', '/auth/google']) {
    const { status, json } = await enter(await idToken({ email: asha.email.toUpperCase() }), { url });
    expect(status).toBe(200);
    expect(json.user).toEqual({ _id: asha.id, username: 'Asha Verma', email: asha.email, mobileNo: asha.mobileNo });
    const list = await plain.get('/api/tenders/bookmarked', { authorization: `Bearer ${json.token}` });
    expect(list.status).toBe(200);
  }
  expect((await enter(await idToken({ iss: 'accounts.google.com' }))).status).toBe(200);
  // A clock may be a few seconds ahead.
  expect((await enter(await idToken({ exp: seconds - 4 }))).status).toBe(200);
  const sessions = await plain.database.dataSource.query(
    "SELECT DISTINCT s.remembered, a.detail FROM session s JOIN audit a ON a.actor_id = s.user_id WHERE a.action = 'session.started' AND s.user_id = $1",
    [asha.id],
  );
  expect(sessions).toEqual([{ remembered: false, detail: { way: 'google', remembered: false } }]);
  // Once, and again for the unknown key.
  expect(keysAsked).toBeLessThanOrEqual(2);
});

test('a Google token signs in an account whose stored address has capitals, and restores a deleted one', async () => {
  const accounts = plain.database.dataSource.getRepository(UserEntity);
  const ravi = createAccountRow({ email: 'Ravi.Builder@builders.example', deletedAt: NOW });
  await accounts.insert(ravi);
  const { status, json } = await enter(await idToken({ email: 'ravi.builder@builders.example', sub: 'ravi' }));
  expect([status, json.user?._id]).toEqual([200, ravi.id]);
  expect((await accounts.findOneByOrFail({ id: ravi.id })).deletedAt).toBeNull();
});

test('an IPv6 network may sign in any number of users with Google, and has 20 refused tokens in 15 minutes', async () => {
  const remoteAddress = '2001:db8:7::1';
  const statuses = async (token: () => unknown, count: number) => {
    const found = new Set<number>();
    for (let n = 0; n < count; n += 1) found.add((await enter(await token(), { remoteAddress })).status);
    return [...found];
  };
  expect(await statuses(() => idToken(), 21)).toEqual([200]);
  const unknown = { email: 'unknown@builders.example', sub: 'unknown' };
  expect(await statuses(() => idToken(unknown), 1)).toEqual([409]);
  expect(await statuses(() => 'no token', 19)).toEqual([400]);
  expect(await statuses(() => idToken(), 1)).toEqual([429]);
});
