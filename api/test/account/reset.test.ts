import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PasswordResetService } from '../../src/auth/passwords/password-reset.service.ts';
import { PasswordsService } from '../../src/auth/passwords/passwords.service.ts';
import { SIGNED_IN_COUNTER, SignInThrottleService } from '../../src/auth/sign-in/sign-in-throttle.service.ts';
import { createSession, type SignedInAccount } from '../support/accounts.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { TestBrowser } from '../support/test-browser.ts';
import { findLastMail, findLink, readSentMails } from '../support/test-mailbox.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const ASKED = { message: 'If an account uses this address, a link for a new password has been sent to it' };
const CHANGED = { message: 'Your password is changed. Please sign in.' };
const UNKNOWN = 'This link does not work. Use the link of the newest mail, or request a new one.';
const EXPIRED = 'This link has expired. Request a new one.';
const USED = 'This link was already used. Sign in with your new password, or request a new link.';
const GOOD = 'monsoon-bridge-2026';

let app: TestApp;
let asha: SignedInAccount;

beforeAll(async () => {
  app = await startApp({ now: NOW, env: { PUBLIC_ORIGIN: 'https://nivida.example' } });
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.now = NOW;
  asha = await createSession(app);
});

const after = (seconds: number) => {
  app.clock.now = new Date(NOW.getTime() + seconds * 1_000);
};
const ask = (email = asha.user.email, headers = {}) =>
  new TestBrowser(app, headers).send('POST', '/api/auth/forgot-password', { email });
const reset = (token: string, newPassword: string = GOOD) =>
  new TestBrowser(app).send('POST', '/api/auth/reset-password', { token, newPassword });
const lastToken = async () => new URL(findLink(await findLastMail(app, asha.user.email))).hash.slice(7);
const canSignIn = async (account = asha) => (await app.get('/api/tenders/bookmarked', account.headers)).status === 200;
const hashOf = async (account = asha): Promise<string | null> =>
  (await app.database.dataSource.query('SELECT password_hash FROM account WHERE id = $1', [account.user._id]))[0]
    .password_hash;
/** A newly mailed link. */
const link = async () => {
  await ask();
  return lastToken();
};

describe('requesting a new password', () => {
  test.each<[string, unknown, string]>([
    ['no address', {}, 'Email is required'],
    ['no domain', { email: 'asha' }, 'Please enter a valid email address'],
    ['two addresses', { email: 'a@works.example,b@works.example' }, 'Please enter a valid email address'],
    ['a header', { email: 'a@works.example\nBcc: b@works.example' }, 'Please enter a valid email address'],
    ['another field', { email: 'a@works.example', link: 'x' }, 'The body holds a field that does not belong there'],
  ])('with %s is refused', async (_name, payload, message) => {
    const { status, json } = await new TestBrowser(app).send('POST', '/api/auth/forgot-password', payload);
    expect([status, json.message]).toEqual([400, message]);
  });

  test('has the same response and time with and without an account, and only the account gets a mail', async () => {
    const shape = async (email: string) => {
      const began = performance.now();
      const { status, json, headers } = await ask(email);
      const took = performance.now() - began;
      const { 'x-request-id': _id, 'set-cookie': _cookie, date: _date, ...rest } = headers;
      expect(took).toBeGreaterThan(240);
      return { status, json, rest };
    };
    const known = await shape(asha.user.email);
    expect(known).toEqual(await shape('nobody@works.example'));
    expect([known.status, known.json]).toEqual([200, ASKED]);
    const sent = (await readSentMails(app)).map(({ to }) => to?.[0]?.address);
    expect(sent).toContain(asha.user.email);
    expect(sent).not.toContain('nobody@works.example');
  });

  test('returns before the link is queued, so slow mail does not reveal an account', async () => {
    const holder = app.database.dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query('LOCK TABLE password_reset IN ACCESS EXCLUSIVE MODE');
    expect((await ask()).status).toBe(200);
    expect((await ask('unknown@works.example')).status).toBe(200);
    await holder.commitTransaction();
    await holder.release();
    expect(findLink(await findLastMail(app, asha.user.email))).toMatch(/#token=/);
  });

  test('has the same response when the link cannot be queued, and the next request mails one', async () => {
    const { dataSource } = app.database;
    await dataSource.query('ALTER TABLE password_reset RENAME TO gone');
    try {
      const { status, json } = await ask();
      expect([status, json]).toEqual([200, ASKED]);
      await app.app.get(PasswordResetService).waitForMails();
    } finally {
      await dataSource.query('ALTER TABLE gone RENAME TO password_reset');
    }
    expect(await link()).toMatch(/^[\w-]{43}$/);
  });

  test('mails the link also when the server is stopped right after the request', async () => {
    const stopping = await startApp({ now: NOW, database: app.database });
    const holder = app.database.dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query('LOCK TABLE password_reset IN ACCESS EXCLUSIVE MODE');
    const body = { email: asha.user.email };
    const { status } = await new TestBrowser(stopping).send('POST', '/api/auth/forgot-password', body);
    let isStopped = false;
    const stopped = stopping.close().then(() => {
      isStopped = true;
    });
    for (let call = 0; call < 20; call += 1) await app.get('/api/health');
    const isWaiting = !isStopped;
    await holder.commitTransaction();
    await holder.release();
    await stopped;
    expect([status, isWaiting]).toEqual([200, true]);
    expect(findLink(await findLastMail(app, asha.user.email))).toMatch(/#token=/);
  });

  test('mails a link of the configured host, not of the request, with the token after #', async () => {
    await ask(asha.user.email, { host: 'evil.example', 'x-forwarded-host': 'evil.example' });
    const mail = await findLastMail(app, asha.user.email);
    expect(mail.subject).toBe('Choose a new password for Nivida');
    expect(findLink(mail)).toMatch(/^https:\/\/nivida\.example\/reset-password#token=[\w-]{43}$/);
    expect(`${mail.text}${mail.html}`).not.toContain('evil.example');
  });

  test('mails the link to the stored address, typed in any letter case', async () => {
    await ask(asha.user.email.toUpperCase());
    expect(findLink(await findLastMail(app, asha.user.email))).toMatch(/#token=/);
    asha = await createSession(app, { email: 'Asha.Verma@hills.example' });
    await ask('asha.verma@hills.example');
    expect(findLink(await findLastMail(app, 'Asha.Verma@hills.example'))).toMatch(/#token=/);
  });

  test('stores no readable token', async () => {
    const token = await link();
    const dump = await app.database.dataSource.query(
      'SELECT * FROM password_reset p JOIN account a ON a.id = p.user_id WHERE a.id = $1',
      [asha.user._id],
    );
    expect(dump).toHaveLength(1);
    expect(JSON.stringify(dump)).not.toContain(token);
  });

  test('is refused after 3 times within an hour, with or without an account', async () => {
    for (const email of [asha.user.email, 'stranger@works.example']) {
      for (let time = 0; time < 3; time++) expect((await ask(email)).status).toBe(200);
      const { status, headers, json } = await ask(email.replace(/^./, (letter) => letter.toUpperCase()));
      expect([status, headers['retry-after'], json.message]).toEqual([
        429,
        '3600',
        'Too many attempts. Please try again in 1 hour.',
      ]);
    }
    after(3_600);
    expect((await ask()).status).toBe(200);
  });
});

describe('a new password is refused', () => {
  test.each<[string, unknown, string]>([
    ['no token', {}, 'token'],
    ['an empty token', { token: '' }, 'token'],
    ['a cut token', { token: 'a'.repeat(42) }, 'token'],
    ['a longer token', { token: 'a'.repeat(44) }, 'token'],
    ['a token with a line break', { token: `${'a'.repeat(42)}\n` }, 'token'],
    ['another field', { token: 'a'.repeat(43), userId: '1' }, 'userId'],
  ])('with %s', async (_name, payload, field) => {
    const body = { newPassword: GOOD, ...(payload as object) };
    const { status, json } = await new TestBrowser(app).send('POST', '/api/auth/reset-password', body);
    expect([status, json.code]).toEqual([400, 'INVALID']);
    expect(Object.keys(json.fields)).toEqual([field]);
  });

  test('with a token that was never mailed', async () => {
    const { status, json } = await reset('a'.repeat(43));
    expect([status, json.code, json.message]).toEqual([400, 'INVALID', UNKNOWN]);
    const events = await app.database.dataSource.query(
      "SELECT detail FROM audit WHERE action = 'reset.refused' AND subject = 'unknown'",
    );
    expect(events).toEqual([{ detail: { reason: UNKNOWN, address: '127.0.0.x' } }]);
  });

  test('half an hour after the mail', async () => {
    const token = await link();
    after(1_800);
    expect((await reset(token)).json.message).toBe(EXPIRED);
    after(1_799);
    expect((await reset(token)).json).toEqual(CHANGED);
  });

  test('by a link of a clock that was ahead, when the clock is corrected', async () => {
    after(3_600);
    const token = await link();
    after(0);
    expect((await reset(token)).json.message).toBe(EXPIRED);
    const [event] = await app.database.dataSource.query(
      "SELECT detail FROM audit WHERE action = 'reset.refused' AND subject = $1",
      [asha.user._id],
    );
    expect(event).toEqual({ detail: { reason: EXPIRED, address: '127.0.0.x' } });
  });

  test('by any link but the newest', async () => {
    const first = await link();
    const second = await link();
    expect((await reset(first)).json.message).toBe(UNKNOWN);
    expect((await reset(second)).json).toEqual(CHANGED);
  });

  test.each([
    ['short', '1234567', 'Password must be at least 8 characters'],
    ['long', 'a'.repeat(129), 'Password must be at most 128 characters'],
    ['easy to guess', 'Zorawar@2024', 'This password is easy to guess. Please use three or four unrelated words'],
    ['common', 'password123', 'This password is too common. Please choose another'],
    ['name and company', 'asha-verma-builders', 'Please choose a password without your name, number or company'],
  ])('that is too %s, and the link stays valid', async (_name, password, message) => {
    const token = await link();
    const { status, json } = await reset(token, password);
    expect([status, json.fields]).toEqual([400, { newPassword: message }]);
    expect(await canSignIn()).toBe(true);
    expect((await reset(token)).json).toEqual(CHANGED);
  });

  test('with a name, a company, an e-mail or a mobile number of the owner', async () => {
    asha = await createSession(app, {
      username: 'Zorawar',
      companyName: 'Trilochan',
      email: 'hillside@works.example',
      mobileNo: '+919812345678',
    });
    const token = await link();
    for (const password of ['zorawar-k71', 'trilochan-k71', 'hillside-k71', '98123-abcdqx']) {
      const message = 'Please choose a password without your name, number or company';
      expect((await reset(token, password)).json.fields, password).toEqual({ newPassword: message });
    }
  });
});

describe('a new password', () => {
  test('is set once, also by 30 concurrent requests with the link', async () => {
    const token = await link();
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => reset(token, `monsoon-bridge-number-${n}`)));
    const winner = answers.findIndex(({ status }) => status === 200);
    expect(answers[winner]?.json).toEqual(CHANGED);
    const refused = answers.filter((_, n) => n !== winner).map(({ status, json }) => [status, json.message]);
    expect(refused).toEqual(Array(29).fill([400, USED]));
    const passwords = app.app.get(PasswordsService);
    expect(await passwords.verify(await hashOf(), `monsoon-bridge-number-${winner}`)).toBe(true);
    expect((await reset(token)).json.message).toBe(USED);
    const changed = (await readSentMails(app)).filter(
      ({ subject, to }) => subject === 'Your Nivida password was changed' && to?.[0]?.address === asha.user.email,
    );
    expect(changed).toHaveLength(1);
  });

  test('is set again by the link of a later request', async () => {
    expect((await reset(await link())).json).toEqual(CHANGED);
    expect((await reset(await link(), 'gravel-kettle-orbit-7')).json).toEqual(CHANGED);
    expect(await app.app.get(PasswordsService).verify(await hashOf(), 'gravel-kettle-orbit-7')).toBe(true);
  });

  test('ends all sessions of the account and of no other', async () => {
    const other = await createSession(app);
    await reset(await link());
    expect(await canSignIn()).toBe(false);
    expect(await canSignIn(other)).toBe(true);
  });

  test('removes the locks of the number', async () => {
    const guard = app.app.get(SignInThrottleService);
    const { mobileNo } = asha.user;
    for (const counter of ['', SIGNED_IN_COUNTER]) {
      for (let time = 0; time < 5; time++) await guard.countAttempt(mobileNo, counter);
      await expect(guard.countAttempt(mobileNo, counter)).rejects.toThrow('Too many attempts');
    }
    await reset(await link());
    for (const counter of ['', SIGNED_IN_COUNTER]) await guard.countAttempt(mobileNo, counter);
  });

  test('voids pending changes of the e-mail', async () => {
    const pending = async () =>
      (await app.database.dataSource.query('SELECT email FROM email_proof WHERE user_id = $1', [asha.user._id])).length;
    const { mobileNo, _id } = asha.user;
    const thief = new TestBrowser(app, asha.headers);
    await thief.send('PUT', `/api/user-info/${_id}`, { username: 'Asha', email: 'thief@works.example', mobileNo });
    expect(await pending()).toBe(1);
    await reset(await link());
    expect(await pending()).toBe(0);
  });

  test('is audited without a secret', async () => {
    const asked = await ask();
    const { headers } = await reset(await lastToken());
    const rows = await app.database.dataSource.query('SELECT * FROM audit WHERE subject = $1 ORDER BY id', [
      asha.user._id,
    ]);
    expect(rows).toMatchObject([
      {
        ...{ action: 'password.reset-asked', actor_id: null, detail: {}, at: NOW },
        request_id: asked.headers['x-request-id'],
      },
      { action: 'password.reset', actor_id: asha.user._id, detail: {}, request_id: headers['x-request-id'] },
    ]);
  });
});
