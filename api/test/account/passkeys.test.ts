/** Passkeys of a signed-in user: adding, confirming, renaming, removing, and every refusal. */
import { MINUTE_MS } from '@nivida/contract/time';
import { hash } from '@node-rs/argon2';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deleteExpiredAuthData } from '../../src/auth/auth-cleanup.job.ts';
import { createStaffSession } from '../desk/staff-session.ts';
import { createSession, type SignedInAccount } from '../support/accounts.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { TestBrowser } from '../support/test-browser.ts';
import { findLastMail } from '../support/test-mailbox.ts';
import { type Lies, SoftwarePasskey } from './software-passkey.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const ORIGIN = 'https://nivida.example';
const PASSWORD = 'quiet-river-72-stones';

let app: TestApp;
let passwordHash: string;
let asha: SignedInAccount;
let browser: TestBrowser;

beforeAll(async () => {
  app = await startApp({ now: NOW, env: { PUBLIC_ORIGIN: ORIGIN } });
  passwordHash = await hash(PASSWORD);
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.now = NOW;
  asha = await createSession(app, { passwordHash });
  browser = by(asha);
});

const by = ({ headers }: SignedInAccount) => new TestBrowser(app, headers);
const after = (ms: number) => {
  app.clock.now = new Date(NOW.getTime() + ms);
};
const query = (text: string, values: unknown[]) => app.database.dataSource.query(text, values);
const list = async (who = browser) => (await who.send('GET', '/api/passkeys')).json;
const eventsOf = async (account: SignedInAccount): Promise<{ action: string; detail: object }[]> =>
  query('SELECT action, detail FROM audit WHERE subject = $1 ORDER BY id', [account.user._id]);
const passkeyAt = async (account: SignedInAccount) => {
  const [row] = await query('SELECT passkey_at FROM session WHERE id = $1', [decodeJwt(account.token).sid]);
  return row.passkey_at;
};

async function register(passkey: SoftwarePasskey, who = browser, lies: Lies = {}, name = 'Phone') {
  const { json } = await who.send('POST', '/api/passkeys/registration/begin');
  const created = passkey.create(json.options, lies);
  return who.send('POST', '/api/passkeys/registration/finish', { passkey: created, name });
}

/** A passkey of the account, or one that it does not have. */
async function addPasskey(who = browser, isSynced = false): Promise<SoftwarePasskey & { rowId: string }> {
  const passkey = new SoftwarePasskey(ORIGIN, isSynced);
  const { status, json } = await register(passkey, who);
  expect(status).toBe(201);
  return Object.assign(passkey, { rowId: json.id });
}

async function confirm(passkey: SoftwarePasskey, lies: Lies = {}, who = browser) {
  const { json } = await who.send('POST', '/api/passkeys/confirm/begin');
  return who.send('POST', '/api/passkeys/confirm/finish', { passkey: passkey.show(json.options, lies) });
}

describe('adding a passkey', () => {
  test('asks for one that is found without a number and verifies the user', async () => {
    const { status, json, headers } = await browser.send('POST', '/api/passkeys/registration/begin');
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(json.options).toMatchObject({
      rp: { id: 'nivida.example', name: 'Nivida' },
      user: { name: asha.user.mobileNo, displayName: 'Asha Verma' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [],
    });
  });

  test('stores and lists it, records it and mails the owner', async () => {
    const { json: passkey } = await register(new SoftwarePasskey(ORIGIN, true), browser, {}, 'Asha’s phone');
    const expected = { name: 'Asha’s phone', createdAt: NOW.toISOString(), lastUsedAt: null };
    expect(passkey).toEqual({ id: passkey.id, ...expected, isSynced: true, isThisDevice: true });
    expect(await list()).toMatchObject({ passkeys: [passkey], secondFactor: false, recoveryCodesLeft: 0 });
    expect((await eventsOf(asha)).map(({ action }) => action)).toEqual(['passkey.added']);
    const mail = await findLastMail(app, asha.user.email);
    expect(mail.subject).toBe('A passkey was added to your Nivida account');
    expect(mail.text).toContain('Asha’s phone');
  });

  test('names those that the device must not add again', async () => {
    const passkey = await addPasskey();
    const { json } = await browser.send('POST', '/api/passkeys/registration/begin');
    expect(json.options.excludeCredentials).toMatchObject([{ id: passkey.id, transports: ['internal'] }]);
    expect((await register(passkey)).json).toMatchObject({
      code: 'CONFLICT',
      message: 'This passkey is already in your account',
    });
  });

  test('needs a recent sign-in, the password or a passkey', async () => {
    after(16 * MINUTE_MS);
    const begin = () => browser.send('POST', '/api/passkeys/registration/begin');
    expect((await begin()).json.code).toBe('PASSKEY_NEEDED');
    expect(await list()).toMatchObject({ isConfirmed: false, canConfirmByPassword: true });
    const wrong = await browser.send('POST', '/api/passkeys/confirm/password', { password: 'not-the-password' });
    expect([wrong.status, Object.keys(wrong.json.fields)]).toEqual([400, ['password']]);
    expect((await begin()).json.code).toBe('PASSKEY_NEEDED');
    await browser.send('POST', '/api/passkeys/confirm/password', { password: PASSWORD });
    expect((await begin()).status).toBe(200);
    expect(await passkeyAt(asha)).toBeNull();
  });

  test.each<[string, Lies]>([
    ['another origin', { origin: 'https://nivida.example.evil.example' }],
    ['another site', { rpId: 'evil.example' }],
    ['no verified user', { isVerified: false }],
    ['another challenge', { challenge: Buffer.alloc(32, 7).toString('base64url') }],
  ])('is refused with %s', async (_what, lies) => {
    const { status, json } = await register(new SoftwarePasskey(ORIGIN), browser, lies);
    expect([status, json.message]).toEqual([400, 'The passkey was not accepted. Please try again.']);
    expect((await list()).passkeys).toEqual([]);
    expect((await eventsOf(asha)).map(({ action }) => action)).toEqual(['sign-in.passkey-refused']);
  });

  test('is refused with the challenge of another session, an old one and one that was answered', async () => {
    const passkey = new SoftwarePasskey(ORIGIN);
    const finish = (created: object, who = browser) =>
      who.send('POST', '/api/passkeys/registration/finish', { passkey: created, name: 'Phone' });
    const { json: others } = await by(await createSession(app)).send('POST', '/api/passkeys/registration/begin');
    expect((await finish(passkey.create(others.options))).status).toBe(400);
    const { json } = await browser.send('POST', '/api/passkeys/registration/begin');
    const created = passkey.create(json.options);
    after(5 * MINUTE_MS + 1);
    expect((await finish(created)).status).toBe(400);
    const again = (await browser.send('POST', '/api/passkeys/registration/begin')).json;
    const second = passkey.create(again.options);
    expect((await finish(second)).status).toBe(201);
    expect((await finish(second)).status).toBe(400);
  });

  test('ends at 20', async () => {
    for (let each = 0; each < 20; each += 1)
      await query(
        `INSERT INTO passkey (id, user_id, credential_id, public_key, counter, transports, device_type, backed_up, aaguid, name, created_at)
         VALUES (gen_random_uuid(), $1, $2, '', 0, '{}', 'singleDevice', false, '', 'Key', now())`,
        [asha.user._id, `${asha.user._id}-${each}`],
      );
    const { status, json } = await register(new SoftwarePasskey(ORIGIN));
    expect([status, json.message]).toEqual([409, 'At most 20 passkeys. Remove one first.']);
  });
});

describe('confirming by a passkey', () => {
  test('is noted in this session only, and opens the desk', async () => {
    const staff = await createStaffSession(app, 'support', null);
    const who = by(staff);
    const passkey = await addPasskey(who);
    expect((await app.get('/api/desk/me', staff.headers)).json.isOpen).toBe(false);
    expect((await confirm(passkey, {}, who)).status).toBe(200);
    expect(await passkeyAt(staff)).toEqual(NOW);
    expect((await app.get('/api/desk/me', staff.headers)).json.isOpen).toBe(true);
    expect((await list(who)).passkeys).toMatchObject([{ lastUsedAt: NOW.toISOString() }]);
  });

  test('needs a passkey in the account', async () => {
    const { status, json } = await browser.send('POST', '/api/passkeys/confirm/begin');
    expect([status, json.code]).toEqual([409, 'CONFLICT']);
  });

  test('a passkey of a phone beside this device is not shown as this device', async () => {
    const passkey = await addPasskey();
    await confirm(passkey, { attachment: 'cross-platform' });
    expect((await list()).passkeys).toMatchObject([{ isThisDevice: false }]);
  });

  test.each<[string, Lies, string]>([
    ['another origin', { origin: 'http://nivida.example' }, 'not-valid'],
    ['another site', { rpId: 'evil.example' }, 'not-valid'],
    ['another challenge', { challenge: Buffer.alloc(32, 7).toString('base64url') }, 'challenge'],
    ['no verified user', { isVerified: false }, 'not-valid'],
    ['a changed signature', { isTampered: true }, 'not-valid'],
    ['a counter that went back', { counter: 0 }, 'counter'],
    ['the name of another account', { userHandle: Buffer.from('someone').toString('base64url') }, 'other-account'],
  ])('is refused with %s', async (_what, lies, reason) => {
    const passkey = await addPasskey();
    expect((await confirm(passkey)).status).toBe(200);
    await query('UPDATE session SET passkey_at = NULL WHERE user_id = $1', [asha.user._id]);
    const { status, json } = await confirm(passkey, lies);
    expect([status, json.message]).toEqual([400, 'The passkey was not accepted. Please try again.']);
    expect(await passkeyAt(asha)).toBeNull();
    expect((await eventsOf(asha)).at(-1)).toMatchObject({
      action: 'sign-in.passkey-refused',
      detail: { for: 'confirmation', reason },
    });
  });

  test('is refused with a passkey of another account, in the words for an unknown one', async () => {
    await addPasskey();
    const others = await addPasskey(by(await createSession(app)));
    const refused = await confirm(others, { userHandle: null });
    const unknown = await confirm(new SoftwarePasskey(ORIGIN));
    expect([refused.status, refused.json.message]).toEqual([unknown.status, unknown.json.message]);
    expect(await passkeyAt(asha)).toBeNull();
  });

  test('is refused when a challenge is answered again, late, for another purpose or from another session', async () => {
    const passkey = await addPasskey(browser, true);
    const begin = async (who = browser) => (await who.send('POST', '/api/passkeys/confirm/begin')).json.options;
    const finish = (shown: object) => browser.send('POST', '/api/passkeys/confirm/finish', { passkey: shown });
    const shown = passkey.show(await begin());
    expect((await finish(shown)).status).toBe(200);
    expect((await finish(shown)).status).toBe(400);
    const late = passkey.show(await begin());
    after(5 * MINUTE_MS + 1);
    expect((await finish(late)).status).toBe(400);
    const other = (await browser.send('POST', '/api/passkeys/registration/begin')).json.options;
    expect((await finish(passkey.show({ ...other, rpId: 'nivida.example' }))).status).toBe(400);
    const { json } = await new TestBrowser(app).send('POST', '/api/auth/login', {
      mobileNo: asha.user.mobileNo,
      password: PASSWORD,
    });
    const second = new TestBrowser(app, { authorization: `Bearer ${json.token}` });
    expect((await finish(passkey.show(await begin(second)))).status).toBe(400);
  });

  test('a challenge that is answered twice at once confirms once', async () => {
    const passkey = await addPasskey(browser, true);
    const { json } = await browser.send('POST', '/api/passkeys/confirm/begin');
    const shown = passkey.show(json.options);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => browser.send('POST', '/api/passkeys/confirm/finish', { passkey: shown })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400]);
  });
});

describe('renaming and removing', () => {
  test('a passkey gets another name; the passkey of another account does not', async () => {
    const passkey = await addPasskey();
    const rename = (who: TestBrowser, name: string) => who.send('PUT', `/api/passkeys/${passkey.rowId}`, { name });
    expect((await rename(browser, ' Work laptop ')).status).toBe(200);
    expect((await rename(browser, '')).json.fields).toEqual({ name: 'Give the passkey a name' });
    expect((await rename(by(await createSession(app)), 'Mine')).status).toBe(404);
    expect((await list()).passkeys).toMatchObject([{ name: 'Work laptop' }]);
  });

  test('a removed passkey confirms nothing, its desk is closed, and the owner gets a mail', async () => {
    const [first, second] = [await addPasskey(), await addPasskey()];
    await confirm(first);
    const remove = (who: TestBrowser) => who.send('DELETE', `/api/passkeys/${first.rowId}`);
    expect((await remove(by(await createSession(app)))).status).toBe(404);
    expect((await remove(browser)).status).toBe(200);
    expect(await passkeyAt(asha)).toBeNull();
    expect((await confirm(first)).status).toBe(400);
    expect((await confirm(second)).status).toBe(200);
    expect((await findLastMail(app, asha.user.email)).subject).toBe('A passkey was removed from your Nivida account');
    expect((await eventsOf(asha)).map(({ action }) => action)).toContain('passkey.removed');
  });

  test('needs a recent confirmation', async () => {
    const passkey = await addPasskey();
    after(16 * MINUTE_MS);
    expect((await browser.send('DELETE', `/api/passkeys/${passkey.rowId}`)).json.code).toBe('PASSKEY_NEEDED');
  });

  test('the last passkey of a member of staff stays', async () => {
    const staff = await createStaffSession(app, 'support', null);
    const who = by(staff);
    const first = await addPasskey(who);
    const remove = () => who.send('DELETE', `/api/passkeys/${first.rowId}`);
    expect((await remove()).json).toMatchObject({
      code: 'CONFLICT',
      message: 'The desk needs a passkey. Add another one before you remove this one.',
    });
    await addPasskey(who);
    expect((await remove()).status).toBe(200);
  });
});

test.each([
  ['GET', '/api/passkeys'],
  ['POST', '/api/passkeys/registration/begin'],
  ['POST', '/api/passkeys/registration/finish'],
  ['POST', '/api/passkeys/confirm/begin'],
  ['POST', '/api/passkeys/confirm/finish'],
  ['POST', '/api/passkeys/confirm/password'],
  ['PUT', '/api/passkeys/5b0f54d0-8f6c-4d8e-9d0a-0a8a3f0d6a11'],
  ['DELETE', '/api/passkeys/5b0f54d0-8f6c-4d8e-9d0a-0a8a3f0d6a11'],
] as const)('%s %s is refused without a session', async (method, url) => {
  const { status, json } = await new TestBrowser(app).send(method, url);
  expect([status, json.message]).toEqual([401, 'Please sign in']);
});

test('challenges are removed after their end', async () => {
  await browser.send('POST', '/api/passkeys/registration/begin');
  const count = async () =>
    (await query('SELECT count(*)::int AS n FROM passkey_challenge WHERE user_id = $1', [asha.user._id]))[0].n;
  const { dataSource } = app.database;
  await deleteExpiredAuthData({ dataSource, now: NOW });
  expect(await count()).toBe(1);
  await deleteExpiredAuthData({ dataSource, now: new Date(NOW.getTime() + 5 * MINUTE_MS) });
  expect(await count()).toBe(0);
});
