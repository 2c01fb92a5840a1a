import { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OtpService } from '../../src/auth/otp/otp.service.ts';
import { createSession } from '../support/accounts.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { TestBrowser } from '../support/test-browser.ts';
import { findCode, findLastMail, readSentMails } from '../support/test-mailbox.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const SENT = { message: 'If the address can receive mail, a code has been sent' };
const UNKNOWN = 'There is no code for this address in this browser. Request a new one.';
const EXPIRED = 'The code has expired. Request a new one.';
const USED = 'This code was already used. Request a new one.';
const LOCKED = 'Too many wrong codes. Request a new one.';

let app: TestApp;
let browser: TestBrowser;
/** A new e-mail address. */
let email: string;
let made = 0;

beforeAll(async () => {
  app = await startApp({ now: NOW });
});
afterAll(() => app.close());
beforeEach(() => {
  app.clock.now = NOW;
  browser = new TestBrowser(app);
  email = `bidder${++made}@works.example`;
});

const after = (seconds: number) => {
  app.clock.now = new Date(NOW.getTime() + seconds * 1_000);
};
const ask = (address = email, from = browser) => from.send('POST', '/api/auth/otp/generate', { email: address });
const enter = (otp: string, address = email, from = browser) =>
  from.send('POST', '/api/auth/otp/verify', { email: address, otp });
const codeFor = async (address = email) => findCode(await findLastMail(app, address));
const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

describe('a code is refused', () => {
  test.each<[string, unknown, string]>([
    ['no body', undefined, 'The body holds a field that does not belong there'],
    ['no address', {}, 'Email is required'],
    ['an empty address', { email: ' ' }, 'Email is required'],
    ['a number', { email: 7 }, 'Email is required'],
    ['a list', { email: ['a@works.example'] }, 'Email is required'],
    ['no domain', { email: 'bidder' }, 'Please enter a valid email address'],
    ['two addresses', { email: 'a@works.example,b@works.example' }, 'Please enter a valid email address'],
    ['a name', { email: 'Asha <a@works.example>' }, 'Please enter a valid email address'],
    ['a header', { email: 'a@works.example\r\nBcc: b@works.example' }, 'Please enter a valid email address'],
    ['a control character', { email: 'a\u0000@works.example' }, 'Please enter a valid email address'],
    ['255 characters', { email: `${'a'.repeat(241)}@works.example` }, 'Please enter a valid email address'],
    ['another field', { email: 'a@works.example', code: '1' }, 'The body holds a field that does not belong there'],
  ])('to %s', async (_name, payload, message) => {
    const { status, json } = await browser.send('POST', '/api/auth/otp/generate', payload);
    expect([status, json.code, json.message]).toEqual([400, 'INVALID', message]);
  });

  test('within a minute after another, ignoring letter case, with the time to wait', async () => {
    expect((await ask()).status).toBe(200);
    after(15);
    const { status, json, headers } = await ask(email.toUpperCase(), new TestBrowser(app));
    expect([status, json.code, json.message]).toEqual([
      429,
      'TOO_MANY',
      'Too many attempts. Please try again in 45 seconds.',
    ]);
    expect(headers['retry-after']).toBe('45');
    after(60);
    expect((await ask()).status).toBe(200);
  });

  test('after 5 within an hour and 10 within a day, without the refused ones', async () => {
    const hour = 3_600;
    const askAnew = () => ask(email, new TestBrowser(app));
    for (let time = 0; time < 5; time++) {
      after(time * 60);
      expect((await askAnew()).status).toBe(200);
      expect((await askAnew()).status).toBe(429);
    }
    after(400);
    expect((await askAnew()).status).toBe(429);
    for (let time = 0; time < 5; time++) {
      after(hour + time * 60);
      expect((await askAnew()).status).toBe(200);
    }
    after(2 * hour + 300);
    expect((await askAnew()).status).toBe(429);
    after(24 * hour + 300);
    expect((await askAnew()).status).toBe(200);
  });

  test('only to who asks too often: a stranger elsewhere, or many of them, do not shut out the owner of a mailbox', async () => {
    const behindProxy = await startApp({ now: NOW, database: app.database, env: { TRUST_PROXY: '1' } });
    const at = (minutes: number) => {
      behindProxy.clock.now = new Date(NOW.getTime() + minutes * 60_000);
    };
    const browserIn = (address: string) => new TestBrowser(behindProxy, { 'x-forwarded-for': address });
    const statusOf = async (from: TestBrowser) => (await ask(email, from)).status;
    try {
      // The owner's browser has its cookie for hours.
      const own = browserIn('203.0.113.7');
      at(-180);
      await ask('other@works.example', own);
      const flood = async (address: string, from: number) => {
        for (let nth = 0; nth < 5; nth += 1) {
          at(from + nth);
          expect(await statusOf(browserIn(address))).toBe(200);
        }
        at(from + 5);
        expect(await statusOf(browserIn(address))).toBe(429);
      };
      await flood('198.51.100.1', 0);
      expect(await statusOf(browserIn('203.0.113.7'))).toBe(200);
      for (const last of [2, 3, 4, 5]) {
        at(10 + last);
        expect(await statusOf(browserIn(`198.51.100.${last}`))).toBe(200);
      }
      // The mailbox has had 10 of them: it is not flooded from many networks.
      at(20);
      expect(await statusOf(browserIn('198.51.100.6'))).toBe(429);
      expect(await statusOf(own)).toBe(200);
      // A code that was mailed works meanwhile.
      expect((await enter(await codeFor(), email, own)).status).toBe(200);
    } finally {
      await behindProxy.close();
    }
  });

  test('to an IPv6 network after 60 within an hour', async () => {
    const behindProxy = await startApp({ now: NOW, database: app.database, env: { TRUST_PROXY: '1' } });
    try {
      const asks = (address: string, n: number) =>
        new TestBrowser(behindProxy, { 'x-forwarded-for': address }).send('POST', '/api/auth/otp/generate', {
          email: `many${n}@works.example`,
        });
      for (let n = 0; n < 60; n++) expect((await asks('2001:db8:0:7::1', n)).status).toBe(200);
      const { status, headers } = await asks('2001:db8:0:7::2', 60);
      expect([status, headers['retry-after']]).toEqual([429, '3600']);
      // The mailbox was counted for that network only.
      expect((await asks('2001:db8:0:7::2', 60)).headers['retry-after']).toBe('60');
      expect((await asks('203.0.113.8', 60)).status).toBe(200);
    } finally {
      await behindProxy.close();
    }
  });
});

describe('requesting a code', () => {
  test('sets a cookie that no script reads and no other site sends', async () => {
    const { status, json, setCookies, headers } = await ask();
    expect([status, json, headers['cache-control']]).toEqual([200, SENT, 'no-store']);
    expect(setCookies).toEqual([
      expect.stringMatching(/^device=[\w.-]{40,60}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Strict$/),
      expect.stringMatching(/^otp_ctx=[\w-]{43}; Max-Age=2400; Path=\/; HttpOnly; SameSite=Strict$/),
    ]);
    const overHttps = await startApp({
      now: NOW,
      database: app.database,
      env: { PUBLIC_ORIGIN: 'https://nivida.example' },
    });
    try {
      const [, cookie] = (await ask(`https-${email}`, new TestBrowser(overHttps))).setCookies;
      expect(cookie).toMatch(/^__Host-otp_ctx=[\w-]{43}; Max-Age=2400; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
    } finally {
      await overHttps.close();
    }
  });

  test('has the same response for an address with an account, whose owner gets another mail', async () => {
    const { user } = await createSession(app);
    const shape = async (address: string) => {
      const { status, json, headers, setCookies } = await ask(address, new TestBrowser(app));
      const { 'x-request-id': _id, 'set-cookie': _cookie, date: _date, ...rest } = headers;
      return { status, json, rest, cookies: setCookies.map((cookie) => cookie.replace(/=[^;]+/, '=…')) };
    };
    const inOtherCase = user.email.replace('asha', 'Asha');
    expect(await shape(inOtherCase)).toEqual(await shape(email));
    const mail = await findLastMail(app, inOtherCase);
    expect(mail.subject).toBe('You already have a Nivida account');
    expect(mail.text).not.toMatch(/\d{6}/);
    expect((await findLastMail(app, email)).subject).toBe('Your code for Nivida');
  });

  test('of an account whose address has capitals gets the mail about the account, typed in small letters', async () => {
    const { user } = await createSession(app, { email: `Asha.${email}` });
    const typed = user.email.toLowerCase();
    await ask(typed);
    expect((await findLastMail(app, typed)).subject).toBe('You already have a Nivida account');
  });

  test('makes guesses for an address with an account fail like any other', async () => {
    const { user } = await createSession(app);
    await ask(user.email);
    expect((await enter('000000', user.email)).json.message).toMatch(/^The code is wrong\. 4 tries left$/);
  });

  test('again voids the earlier code', async () => {
    await ask();
    const first = await codeFor();
    const before = new TestBrowser(app);
    before.cookies.set('otp_ctx', browser.cookies.get('otp_ctx') ?? '');
    after(60);
    await ask();
    const second = await codeFor();
    expect((await enter(first, email, before)).json.message).toBe(UNKNOWN);
    if (first !== second) expect((await enter(first)).json.message).toBe('The code is wrong. 4 tries left');
    expect((await enter(second)).status).toBe(200);
  });

  test('stores no readable code', async () => {
    await ask();
    const code = await codeFor();
    const rows = await app.database.dataSource.query('SELECT * FROM email_proof WHERE email = $1', [email]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(`"${code}"`);
    expect(rows[0].code_hash).toHaveLength(32);
  });
});

describe('an entered code', () => {
  test.each<[string, unknown, string]>([
    ['missing', undefined, 'Please enter the OTP'],
    ['empty', '', 'Please enter the OTP'],
    ['a number', 123456, 'Please enter the OTP'],
    ['too short', '12345', 'The OTP has 6 digits'],
    ['too long', '1234567', 'The OTP has 6 digits'],
    ['of letters', 'abcdef', 'The OTP has 6 digits'],
    ['of other digits', '①②③④⑤⑥', 'The OTP has 6 digits'],
    ['with a line break inside', '123\n456', 'The OTP has 6 digits'],
  ])('%s is refused and does not count as an attempt', async (_name, otp, message) => {
    await ask();
    const { status, json } = await browser.send('POST', '/api/auth/otp/verify', { email, otp });
    expect([status, json.fields]).toEqual([400, { otp: message }]);
    expect((await enter(otherThan(await codeFor()))).json.message).toBe('The code is wrong. 4 tries left');
  });

  test('that is wrong returns the remaining attempts; after five the right one is refused too', async () => {
    await ask();
    const code = await codeFor();
    const answers = [];
    for (let time = 0; time < 6; time++) answers.push(await enter(otherThan(code)));
    answers.push(await enter(code));
    expect(answers.map(({ status, json }) => [status, json.code, json.fields.otp])).toEqual([
      [400, 'INVALID', 'The code is wrong. 4 tries left'],
      [400, 'INVALID', 'The code is wrong. 3 tries left'],
      [400, 'INVALID', 'The code is wrong. 2 tries left'],
      [400, 'INVALID', 'The code is wrong. 1 try left'],
      [400, 'INVALID', 'The code is wrong. Request a new one.'],
      [429, 'TOO_MANY', LOCKED],
      [429, 'TOO_MANY', LOCKED],
    ]);
    after(60);
    await ask();
    expect((await enter(await codeFor())).status).toBe(200);
  });

  test('guessed by 60 concurrent requests is checked 5 times', async () => {
    await ask();
    const wrong = otherThan(await codeFor());
    const answers = await Promise.all(Array.from({ length: 60 }, () => enter(wrong)));
    const messages = answers.map(({ json }) => json.message);
    expect(messages.filter((message) => message.startsWith('The code is wrong.'))).toHaveLength(5);
    expect(messages.filter((message) => message === LOCKED)).toHaveLength(55);
  });

  test('that is right counts once, also in 60 concurrent requests', async () => {
    await ask();
    const code = await codeFor();
    const answers = await Promise.all(Array.from({ length: 60 }, () => enter(code)));
    const won = answers.filter(({ status }) => status === 200);
    expect(won.map(({ json }) => json)).toEqual([{ message: 'Email verified successfully!' }]);
    const { status, json } = await enter(code);
    expect([status, json.message]).toEqual([400, USED]);
  });

  test('that is right at the fifth attempt is verified, and then it is used, not locked', async () => {
    await ask();
    const code = await codeFor();
    for (let time = 0; time < 4; time++) await enter(otherThan(code));
    expect((await enter(code)).json).toEqual({ message: 'Email verified successfully!' });
    expect((await enter(code)).json.message).toBe(USED);
  });

  test('is valid for 10 minutes', async () => {
    await ask();
    const code = await codeFor();
    after(599);
    expect((await enter(otherThan(code))).json.message).toBe('The code is wrong. 4 tries left');
    after(600);
    const { status, json } = await enter(code);
    expect([status, json.message]).toEqual([400, EXPIRED]);
  });

  test('of a clock that was ahead has expired when the clock is corrected', async () => {
    after(3_600);
    await ask();
    const code = await codeFor();
    after(0);
    expect((await enter(code)).json.message).toBe(EXPIRED);
    expect((await ask()).status).toBe(200);
  });

  test('that is refused is in the audit log, with address and e-mail masked', async () => {
    const proxied = await startApp({ now: NOW, database: app.database, env: { TRUST_PROXY: '1' } });
    try {
      const from = new TestBrowser(proxied, { 'x-forwarded-for': '203.0.113.9' });
      await ask('refused@codes.example', from);
      const code = await codeFor('refused@codes.example');
      await enter(otherThan(code), 'refused@codes.example', from);
      const rows = await app.database.dataSource.query(
        "SELECT action, actor_id, detail FROM audit WHERE subject = 'r***@codes.example'",
      );
      const detail = { reason: 'The code is wrong. 4 tries left', address: '203.0.113.x' };
      expect(rows).toEqual([{ action: 'code.refused', actor_id: null, detail }]);
    } finally {
      await proxied.close();
    }
  });

  test('is valid in the browser that requested it, for the address that it was sent to', async () => {
    await ask();
    const code = await codeFor();
    const stranger = new TestBrowser(app);
    expect((await enter(code, email, stranger)).json.message).toBe(UNKNOWN);
    await ask(`other-${email}`, stranger);
    expect((await enter(code, email, stranger)).json.message).toBe(UNKNOWN);
    expect((await enter(code, `third-${email}`)).json.message).toBe(UNKNOWN);
    expect((await enter(code, email.toUpperCase())).status).toBe(200);
  });
});

describe('a verified address', () => {
  const consume = (context = browser.cookies.get('otp_ctx'), address = email) =>
    app.app.get(DataSource).transaction((manager) => app.app.get(OtpService).consume(manager, context, address));

  beforeEach(async () => {
    await ask();
    expect(await consume()).toBe(false);
    expect((await enter(await codeFor())).status).toBe(200);
  });

  test('is used once, by one of ten concurrent requests', async () => {
    const used = await Promise.all(Array.from({ length: 10 }, () => consume()));
    expect(used.filter(Boolean)).toHaveLength(1);
    expect(await consume()).toBe(false);
  });

  test('is valid only in the browser that verified it, and only for itself', async () => {
    const stranger = new TestBrowser(app);
    await ask(`other-${email}`, stranger);
    expect(await consume(stranger.cookies.get('otp_ctx'))).toBe(false);
    expect(await consume('')).toBe(false);
    expect(await consume(browser.cookies.get('otp_ctx'), `other-${email}`)).toBe(false);
    expect(await consume(browser.cookies.get('otp_ctx'), email.toUpperCase())).toBe(true);
  });

  test('stays verified when the call that uses it fails', async () => {
    const failing = app.app.get(DataSource).transaction(async (manager) => {
      expect(await app.app.get(OtpService).consume(manager, browser.cookies.get('otp_ctx'), email)).toBe(true);
      throw new Error('the rest failed');
    });
    await expect(failing).rejects.toThrow('the rest failed');
    expect(await consume()).toBe(true);
  });

  test('of a clock that was ahead is not valid when the clock is corrected', async () => {
    app.clock.now = new Date(NOW.getTime() + 86_400_000);
    await ask();
    expect((await enter(await codeFor())).status).toBe(200);
    const isVerified = () => app.app.get(OtpService).isVerified(browser.cookies.get('otp_ctx'), email);
    expect(await isVerified()).toBe(true);
    app.clock.now = NOW;
    expect(await isVerified()).toBe(false);
  });

  test('is valid for 30 minutes', async () => {
    after(1_800);
    expect(await consume()).toBe(false);
    after(1_799);
    expect(await consume()).toBe(true);
  });
});

test('codes have six digits and differ', async () => {
  const addresses = Array.from({ length: 20 }, (_, n) => `sample${n}-${email}`);
  for (const address of addresses) await ask(address, new TestBrowser(app));
  const codes = (await readSentMails(app)).filter(({ to }) => addresses.includes(to?.[0]?.address ?? '')).map(findCode);
  expect(codes).toHaveLength(20);
  expect(new Set(codes).size).toBeGreaterThan(15);
});
