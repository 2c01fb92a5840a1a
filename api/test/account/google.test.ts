import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createRemoteJWKSet, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createModule } from '../../src/app/app.module.ts';
import { createServer } from '../../src/app/server.ts';
import { GOOGLE_KEYS } from '../../src/auth/sign-in/google-identity.service.ts';
import { UserEntity } from '../../src/auth/user.entity.ts';
import { createAccountRow } from '../support/accounts.ts';
import { startApp, type TestApp } from '../support/start-app.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const CLIENT = '123-abc.apps.googleusercontent.com';
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

async function enter(token: unknown, { server = app, url = '/api/auth/google', remoteAddress = '127.0.0.1' } = {}) {
  const reply = await server.inject({ method: 'POST', url, payload: { token }, remoteAddress });
  return { status: reply.statusCode, json: reply.json() };
}

const seconds = NOW.getTime() / 1_000;
/** Google's claims about Asha, with changes. */
function idToken(changes: object = {}, { key = ours, header = {} }: { key?: CryptoKey; header?: object } = {}) {
  const claims = {
    iss: 'https://accounts.google.com',
    aud: CLIENT,
    sub: '110169484474386276334',
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
    const { status, json } = await enter(await idToken({ email: 'unknown@builders.example' }));
    expect([status, json.message]).toEqual([409, 'No account uses this Google address yet. Please register first.']);
  });
});

describe('a provider', () => {
  test.each(['facebook', 'Google', 'google2', '__proto__', 'constructor'])('"%s" is not there', async (provider) => {
    const { status, json } = await enter(await idToken(), { url: `/api/auth/${provider}` });
    expect([status, json.message]).toEqual([404, 'There is nothing at this address']);
  });

  test('google is offered only when it is configured', async () => {
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
  const { status, json } = await enter(await idToken({ email: 'ravi.builder@builders.example' }));
  expect([status, json.user?._id]).toEqual([200, ravi.id]);
  expect((await accounts.findOneByOrFail({ id: ravi.id })).deletedAt).toBeNull();
});

test('an IPv6 network may sign in any number of users with Google, and has 20 refused tokens in 15 minutes', async () => {
  const remoteAddress = '2001:db8:7::1';
  const statuses = async (token: string, count: number) => {
    const found = new Set<number>();
    for (let n = 0; n < count; n += 1) found.add((await enter(token, { remoteAddress })).status);
    return [...found];
  };
  expect(await statuses(await idToken(), 21)).toEqual([200]);
  expect(await statuses(await idToken({ email: 'unknown@builders.example' }), 1)).toEqual([409]);
  expect(await statuses('no token', 19)).toEqual([400]);
  expect(await statuses(await idToken(), 1)).toEqual([429]);
});
