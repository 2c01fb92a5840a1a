/** Sign-in by passkey, the second factor and recovery codes. */
import { MINUTE_MS } from '@nivida/contract/time';
import { hash } from '@node-rs/argon2';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { StaffEntity } from '../../src/auth/staff/staff.entity.ts';
import { eraseAccounts } from '../../src/users/erase-accounts.job.ts';
import { createAccountRow, createSession, type SignedInAccount } from '../support/accounts.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { TestBrowser } from '../support/test-browser.ts';
import { findLastMail } from '../support/test-mailbox.ts';
import { type Lies, SoftwarePasskey } from './software-passkey.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const ORIGIN = 'https://nivida.example';
const PASSWORD = 'quiet-river-72-stones';
const WRONG = 'This passkey was not accepted. Try again, or sign in with your password.';

let app: TestApp;
let passwordHash: string;
let asha: SignedInAccount;
let browser: TestBrowser;
let passkey: SoftwarePasskey;

beforeAll(async () => {
  app = await startApp({ now: NOW, env: { PUBLIC_ORIGIN: ORIGIN } });
  passwordHash = await hash(PASSWORD);
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.now = NOW;
  asha = await createSession(app, { passwordHash });
  browser = new TestBrowser(app, asha.headers);
  passkey = await addPasskey();
});

const query = (text: string, values: unknown[]) => app.database.dataSource.query(text, values);
const after = (ms: number) => {
  app.clock.now = new Date(NOW.getTime() + ms);
};
const lastEvent = async (subject = asha.user._id) =>
  (await query('SELECT action, detail FROM audit WHERE subject = $1 ORDER BY id DESC LIMIT 1', [subject]))[0];

async function addPasskey(): Promise<SoftwarePasskey> {
  const created = new SoftwarePasskey(ORIGIN);
  const { json } = await browser.send('POST', '/api/passkeys/registration/begin');
  const body = { passkey: created.create(json.options), name: 'Phone' };
  expect((await browser.send('POST', '/api/passkeys/registration/finish', body)).status).toBe(201);
  return created;
}

const begin = async (visitor: TestBrowser, secondFactorToken?: string) =>
  (await visitor.send('POST', '/api/auth/passkey/begin', { secondFactorToken })).json.options;

/** Signs in by a passkey in a new browser. */
async function enter(shown = passkey, lies: Lies = {}, secondFactorToken?: string, visitor = new TestBrowser(app)) {
  const options = await begin(visitor, secondFactorToken);
  const body = { passkey: shown.show(options, lies), secondFactorToken };
  return visitor.send('POST', '/api/auth/passkey/finish', body);
}

const byPassword = (visitor = new TestBrowser(app), rememberMe = false) =>
  visitor.send('POST', '/api/auth/login', { mobileNo: asha.user.mobileNo, password: PASSWORD, rememberMe });
const setSecondFactor = (isOn: boolean) => browser.send('PUT', '/api/passkeys/second-factor', { isOn });
const useCode = (secondFactorToken: string, code: string, visitor = new TestBrowser(app)) =>
  visitor.send('POST', '/api/auth/passkey/recovery-code', { secondFactorToken, code });

describe('signing in by a passkey', () => {
  test('needs no mobile number and starts a session in which the passkey was shown', async () => {
    const visitor = new TestBrowser(app);
    const options = await begin(visitor);
    expect(options).toMatchObject({ rpId: 'nivida.example', userVerification: 'required' });
    expect(options).not.toHaveProperty('allowCredentials');
    const { status, json, headers } = await enter(passkey, {}, undefined, visitor);
    expect([status, json.user, headers['cache-control']]).toEqual([200, asha.user, 'no-store']);
    const [session] = await query('SELECT * FROM session WHERE id = $1', [decodeJwt(json.token).sid]);
    expect(session).toMatchObject({ passkey_at: NOW, is_passkey_here: true, remembered: false });
    expect(await lastEvent()).toMatchObject({ action: 'session.started', detail: { way: 'passkey' } });
  });

  test('restores a deleted account before it is erased', async () => {
    await browser.send('DELETE', '/api/me', { password: PASSWORD });
    expect((await enter()).status).toBe(200);
    expect((await findLastMail(app, asha.user.email)).subject).toBe('Your Nivida account is open again');
  });

  test.each<[string, Lies, string]>([
    ['another origin', { origin: 'https://evil.example' }, 'not-valid'],
    ['another site', { rpId: 'evil.example' }, 'not-valid'],
    ['another challenge', { challenge: Buffer.alloc(32, 7).toString('base64url') }, 'challenge'],
    ['no verified user', { isVerified: false }, 'not-valid'],
    ['a changed signature', { isTampered: true }, 'not-valid'],
    ['the name of another account', { userHandle: Buffer.from('other').toString('base64url') }, 'other-account'],
  ])('is refused with %s', async (_what, lies, reason) => {
    const { status, json } = await enter(passkey, lies);
    expect([status, json.message]).toEqual([401, WRONG]);
    expect(await lastEvent('passkey')).toMatchObject({ action: 'sign-in.failed', detail: { way: 'passkey', reason } });
  });

  test('an unknown passkey gets the same answer', async () => {
    const { status, json } = await enter(new SoftwarePasskey(ORIGIN), { userHandle: null });
    expect([status, json.message]).toEqual([401, WRONG]);
  });

  test('is refused when the counter goes back, the challenge is old or was answered', async () => {
    expect((await enter()).status).toBe(200);
    expect((await enter(passkey, { counter: 1 })).status).toBe(401);
    const visitor = new TestBrowser(app);
    const finish = (shown: object) => visitor.send('POST', '/api/auth/passkey/finish', { passkey: shown });
    const late = passkey.show(await begin(visitor));
    after(5 * MINUTE_MS + 1);
    expect((await finish(late)).status).toBe(401);
    const shown = passkey.show(await begin(visitor));
    expect((await finish(shown)).status).toBe(200);
    expect((await finish(shown)).status).toBe(401);
  });

  test('the answer to a confirmation signs no one in', async () => {
    const { json } = await browser.send('POST', '/api/passkeys/confirm/begin');
    const shown = passkey.show(json.options);
    expect((await new TestBrowser(app).send('POST', '/api/auth/passkey/finish', { passkey: shown })).status).toBe(401);
  });

  test('wrong answers of one browser end in a wait', async () => {
    const visitor = new TestBrowser(app);
    const statuses: number[] = [];
    for (let each = 0; each < 21; each += 1)
      statuses.push((await enter(passkey, { isTampered: true }, undefined, visitor)).status);
    expect(statuses.slice(0, 20).every((status) => status === 401)).toBe(true);
    expect(statuses[20]).toBe(429);
  });
});

describe('the second factor', () => {
  test('is needed after the password when its owner wants it', async () => {
    expect((await byPassword()).json).toHaveProperty('token');
    const { json } = await setSecondFactor(true);
    expect(json.codes).toHaveLength(10);
    const visitor = new TestBrowser(app);
    const { status, json: first } = await byPassword(visitor, true);
    expect([status, Object.keys(first)]).toEqual([200, ['secondFactorToken']]);
    expect((await begin(visitor, first.secondFactorToken)).allowCredentials).toMatchObject([{ id: passkey.id }]);
    const second = await enter(passkey, {}, first.secondFactorToken, visitor);
    expect([second.status, second.json.user]).toEqual([200, asha.user]);
    const detail = { way: 'password', remembered: true, secondFactor: 'passkey' };
    expect(await lastEvent()).toMatchObject({ action: 'session.started', detail });
    expect((await enter(passkey, {}, undefined, visitor)).status).toBe(200);
    await setSecondFactor(false);
    expect((await byPassword()).json).toHaveProperty('token');
  });

  test('takes no passkey of another account, no old token and no token twice', async () => {
    await setSecondFactor(true);
    const others = new SoftwarePasskey(ORIGIN);
    const { secondFactorToken } = (await byPassword()).json;
    expect((await enter(others, { userHandle: null }, secondFactorToken)).status).toBe(401);
    const options = await begin(new TestBrowser(app));
    const shown = { passkey: passkey.show(options), secondFactorToken };
    expect((await new TestBrowser(app).send('POST', '/api/auth/passkey/finish', shown)).status).toBe(401);
    expect((await enter(passkey, {}, secondFactorToken)).status).toBe(200);
    const again = await new TestBrowser(app).send('POST', '/api/auth/passkey/begin', { secondFactorToken });
    expect([again.status, again.json.code]).toEqual([401, 'UNAUTHENTICATED']);
    const old = (await byPassword()).json.secondFactorToken;
    after(10 * MINUTE_MS);
    expect(
      (await new TestBrowser(app).send('POST', '/api/auth/passkey/begin', { secondFactorToken: old })).status,
    ).toBe(401);
  });

  test('needs a passkey, and keeps the last one', async () => {
    const [row] = (await browser.send('GET', '/api/passkeys')).json.passkeys;
    await setSecondFactor(true);
    const remove = () => browser.send('DELETE', `/api/passkeys/${row.id}`);
    expect((await remove()).json.message).toContain('This is your last passkey');
    await setSecondFactor(false);
    expect((await remove()).status).toBe(200);
    expect((await setSecondFactor(true)).json).toMatchObject({ code: 'CONFLICT', message: 'Add a passkey first' });
  });

  test('is not switched off by the password alone', async () => {
    await setSecondFactor(true);
    after(16 * MINUTE_MS);
    await browser.send('POST', '/api/passkeys/confirm/password', { password: PASSWORD });
    expect((await setSecondFactor(false)).json.code).toBe('PASSKEY_NEEDED');
    const { json } = await browser.send('POST', '/api/passkeys/confirm/begin');
    await browser.send('POST', '/api/passkeys/confirm/finish', { passkey: passkey.show(json.options) });
    expect((await setSecondFactor(false)).status).toBe(200);
  });

  test('is needed to change mobile number, e-mail or password a quarter of an hour after the sign-in', async () => {
    await setSecondFactor(true);
    after(15 * MINUTE_MS + 1);
    const { mobileNo, email, username } = asha.user;
    const changed = { mobileNo: createAccountRow().mobileNo, email, username };
    const changeProfile = (profile: object) => browser.send('PUT', `/api/user-info/${asha.user._id}`, profile);
    const changePassword = () =>
      browser.send('POST', '/api/auth/change-password', {
        currentPassword: PASSWORD,
        newPassword: 'calm-hills-81-slate',
      });
    const needsPasskey = { code: 'PASSKEY_NEEDED', message: 'Please confirm first that it is you' };
    const moved = { mobileNo, username, email: 'asha.moved@works.example' };
    // The password alone is not enough.
    for (const profile of [changed, { ...changed, password: PASSWORD }, moved])
      expect((await changeProfile(profile)).json).toMatchObject(needsPasskey);
    expect((await changePassword()).json).toMatchObject(needsPasskey);
    expect((await changeProfile({ mobileNo, email, username: 'Asha V' })).status).toBe(200);
    const { json } = await browser.send('POST', '/api/passkeys/confirm/begin');
    await browser.send('POST', '/api/passkeys/confirm/finish', { passkey: passkey.show(json.options) });
    expect((await changeProfile(changed)).json.user).toMatchObject({ mobileNo: changed.mobileNo });
    expect((await changeProfile({ ...moved, mobileNo: changed.mobileNo })).json.pendingEmail).toBe(moved.email);
    expect((await changePassword()).status).toBe(200);
  });

  test('is always needed for a member of staff who has a passkey', async () => {
    const { dataSource } = app.database;
    const userId = asha.user._id;
    await dataSource.getRepository(StaffEntity).insert({ userId, role: 'support', grantedAt: NOW, grantedBy: 'test' });
    expect((await byPassword()).json).toHaveProperty('secondFactorToken');
    expect((await browser.send('GET', '/api/passkeys')).json).toMatchObject({
      secondFactor: true,
      isSecondFactorRequired: true,
    });
    expect((await setSecondFactor(false)).json.code).toBe('CONFLICT');
  });
});

describe('a recovery code', () => {
  let codes: string[];
  let secondFactorToken: string;
  beforeEach(async () => {
    codes = (await setSecondFactor(true)).json.codes;
    secondFactorToken = (await byPassword()).json.secondFactorToken;
  });

  test('takes the place of the passkey once, opens no desk, and mails the owner', async () => {
    const [code = ''] = codes;
    const { status, json } = await useCode(secondFactorToken, ` ${code.toLowerCase().replaceAll('-', ' ')} `);
    expect([status, json.user]).toEqual([200, asha.user]);
    const [session] = await query('SELECT passkey_at FROM session WHERE id = $1', [decodeJwt(json.token).sid]);
    expect(session.passkey_at).toBeNull();
    const mail = await findLastMail(app, asha.user.email);
    expect([mail.subject, mail.text?.includes('9 codes are left.')]).toEqual([
      'A recovery code was used for your Nivida account',
      true,
    ]);
    const next = (await byPassword()).json.secondFactorToken;
    expect((await useCode(next, code)).status).toBe(401);
    expect(await lastEvent()).toMatchObject({ action: 'code.refused', detail: { for: 'recovery' } });
  });

  test('that is used in five browsers at once signs in once', async () => {
    const tokens = [];
    for (let each = 0; each < 5; each += 1) tokens.push((await byPassword()).json.secondFactorToken);
    const answers = await Promise.all(tokens.map((token) => useCode(token, codes[3] ?? '')));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401, 401]);
  });

  test('is refused after five wrong ones, also a right one', async () => {
    for (let each = 0; each < 5; each += 1)
      expect((await useCode(secondFactorToken, '0-AAAAA-AAAAA')).status).toBe(401);
    expect((await useCode(secondFactorToken, codes[0] ?? '')).json.message).toContain('took too long');
  });

  test('of another account or of an earlier set is refused', async () => {
    const { json } = await browser.send('POST', '/api/passkeys/recovery-codes');
    expect(new Set([...codes, ...json.codes]).size).toBe(20);
    expect((await useCode(secondFactorToken, codes[0] ?? '')).status).toBe(401);
    expect((await useCode(secondFactorToken, json.codes[0])).status).toBe(200);
  });

  test('is stored as a hash only', async () => {
    const rows = await query('SELECT code_hash FROM recovery_code WHERE user_id = $1', [asha.user._id]);
    expect(rows.every(({ code_hash }: { code_hash: string }) => code_hash.startsWith('$argon2id$'))).toBe(true);
  });
});

test('passkeys are exported with names and dates, and go with the account', async () => {
  await setSecondFactor(true);
  const { json } = await browser.send('GET', '/api/me/export');
  expect(json.passkeys).toEqual([{ name: 'Phone', createdAt: NOW.toISOString(), lastUsedAt: null }]);
  expect(json.account).toMatchObject({ secondFactor: true });
  expect(JSON.stringify(json)).not.toContain(passkey.id);
  await browser.send('DELETE', '/api/me', { password: PASSWORD });
  await eraseAccounts({ dataSource: app.database.dataSource, now: new Date(NOW.getTime() + 8 * 1_440 * MINUTE_MS) });
  for (const table of ['passkey', 'recovery_code', 'pending_sign_in', 'passkey_challenge'])
    expect(await query(`SELECT 1 FROM ${table} WHERE user_id = $1`, [asha.user._id])).toEqual([]);
});
