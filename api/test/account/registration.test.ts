import { createHmac } from 'node:crypto';
import { SessionStartResponse } from '@nivida/contract/account/auth';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/start-app.ts';
import { TestBrowser } from '../support/test-browser.ts';
import { findCode, findLastMail } from '../support/test-mailbox.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const PASSWORD = 'quiet-river-72-stones';
const UNVERIFIED = 'Please verify your email with OTP first';

let app: TestApp;
let browser: TestBrowser;
/** The wizard's request for a person without an account. */
let form: Record<string, unknown> & { email: string; mobileNo: string };
let made = 0;

beforeAll(async () => {
  app = await startApp({ now: NOW });
});
afterAll(() => app.close());
beforeEach(() => {
  app.clock.now = NOW;
  browser = new TestBrowser(app, { 'x-terms-version': '2026-11-21' });
  form = newForm();
});

function newForm() {
  made += 1;
  return {
    name: 'Asha Verma',
    email: `new${made}@builders.example`,
    mobileNo: `+91${9_500_000_000 + made}`,
    countryCode: '+91',
    password: PASSWORD,
    companyName: 'Verma Builders',
    companyType: 'private',
    state: 'Himachal Pradesh',
    districts: ['Shimla', 'Solan'],
    departments: ['PWD'],
    address: 'The Mall, Shimla',
    minPrice: 0,
    maxPrice: null,
  };
}

/** Verifies an address in a browser with the code of its mail. */
async function verify(email = form.email, from = browser): Promise<void> {
  await from.send('POST', '/api/auth/otp/generate', { email });
  const otp = findCode(await findLastMail(app, email));
  expect((await from.send('POST', '/api/auth/otp/verify', { email, otp })).status).toBe(200);
}
const register = (changes: object = {}, from = browser) =>
  from.send('POST', '/api/auth/register', { ...form, ...changes });
const query = (sql: string, ...values: unknown[]) => app.database.dataSource.query(sql, values);
const accountsOf = (mobileNo: string) => query('SELECT * FROM account WHERE mobile_no = $1', mobileNo);

describe('a registration is refused', () => {
  const none = undefined;
  test.each<[string, object, string, string]>([
    ['no name', { name: ' ' }, 'name', 'Name is required'],
    ['a long name', { name: 'a'.repeat(101) }, 'name', 'At most 100 characters'],
    ['a name of two lines', { name: 'A\r\nBcc: x' }, 'name', 'Line breaks and control characters are not allowed'],
    ['no email', { email: none }, 'email', 'Email is required'],
    ['half an email', { email: 'asha@' }, 'email', 'Please enter a valid email address'],
    ['no mobile', { mobileNo: none }, 'mobileNo', 'Mobile number is required'],
    ['a short mobile', { mobileNo: '98123' }, 'mobileNo', 'Invalid mobile number format'],
    ['a mobile that begins with 5', { mobileNo: '+915812345678' }, 'mobileNo', 'Invalid mobile number format'],
    ['another country', { countryCode: '+44' }, 'countryCode', 'Invalid mobile number format'],
    ['no password', { password: none }, 'password', 'Password is required'],
    ['7 characters', { password: 'abc-123' }, 'password', 'Password must be at least 8 characters'],
    ['129 characters', { password: 'a'.repeat(129) }, 'password', 'Password must be at most 128 characters'],
    [
      'a common word with a number',
      { password: 'Pass@123' },
      'password',
      'This password is too common. Please choose another',
    ],
    [
      'digits in a row',
      { password: '9876543210' },
      'password',
      'This password is easy to guess. Please use three or four unrelated words',
    ],
    ['a common password', { password: 'password1' }, 'password', 'This password is too common. Please choose another'],
    [
      'the company as password',
      { password: 'vermabuilders26' },
      'password',
      'Please choose a password without your name, number or company',
    ],
    [
      'a company of one word as password',
      { companyName: 'Trilochan', password: 'trilochan-k71' },
      'password',
      'Please choose a password without your name, number or company',
    ],
    [
      'the e-mail as password',
      { email: 'kinnaurroads@works.example', password: 'kinnaurroads1' },
      'password',
      'Please choose a password without your name, number or company',
    ],
    [
      'the name as password',
      { name: 'Zorawar', password: 'zorawar-k71' },
      'password',
      'Please choose a password without your name, number or company',
    ],
    [
      'the mobile number as password',
      { mobileNo: '+919812345678', password: '98123-abcdqx' },
      'password',
      'Please choose a password without your name, number or company',
    ],
    ['no company', { companyName: '' }, 'companyName', 'Company name is required'],
    ['an unknown kind of company', { companyType: 'llp' }, 'companyType', 'Company type is required'],
    ['no state', { state: '' }, 'state', 'State is required'],
    ['an unknown state', { state: 'Atlantis' }, 'state', 'Please choose a state from the list'],
    ['no district', { districts: [] }, 'districts', 'At least one district is required'],
    [
      'a district of another state',
      { districts: ['Shimla', 'Pune'] },
      'districts',
      'Please choose districts of Himachal Pradesh from the list',
    ],
    ['no department', { departments: [] }, 'departments', 'At least one department is required'],
    [
      'an unknown department',
      { departments: ['PWD', '<b>x</b>'] },
      'departments',
      'Please choose departments of Himachal Pradesh from the list',
    ],
    ['a long address', { address: 'a'.repeat(501) }, 'address', 'At most 500 characters'],
    [
      'prices the wrong way round',
      { minPrice: 5_00_000, maxPrice: 1_00_000 },
      'maxPrice',
      'The highest price must not be below the lowest',
    ],
  ])('with %s', async (_name, changes, field, message) => {
    const { status, json } = await register(changes);
    expect([status, json.code, json.fields]).toEqual([400, 'INVALID', { [field]: message }]);
    expect(await accountsOf(form.mobileNo)).toEqual([]);
  });

  test.each(['_id', 'role', 'emailVerified', 'plan', 'agreeToTerms', 'confirmPassword', 'deletedAt', 'passwordHash'])(
    'with a field "%s", which does not belong there',
    async (field) => {
      await verify();
      const { status, json } = await register({ [field]: 'x' });
      expect([status, json.message]).toEqual([400, 'The body holds a field that does not belong there']);
    },
  );

  test('before the email is verified', async () => {
    const { status, json } = await register();
    expect([status, json.fields]).toEqual([400, { email: UNVERIFIED }]);
  });

  test('in another browser than the one that verified the email', async () => {
    await verify();
    expect((await register({}, new TestBrowser(app))).json.message).toBe(UNVERIFIED);
    expect((await register()).status).toBe(201);
  });

  test('for another email than the verified one', async () => {
    await verify();
    expect((await register({ email: `another-${form.email}` })).json.message).toBe(UNVERIFIED);
  });

  test('half an hour after the email was verified', async () => {
    await verify();
    app.clock.now = new Date(NOW.getTime() + 30 * 60_000);
    expect((await register()).json.message).toBe(UNVERIFIED);
  });

  test('a second time with the same proof', async () => {
    await verify();
    expect((await register()).status).toBe(201);
    expect((await register({ mobileNo: newForm().mobileNo })).json.message).toBe(UNVERIFIED);
  });

  test('with a mobile number that has an account, which does not use up the proof', async () => {
    await verify();
    await register();
    const first = form;
    form = newForm();
    await verify();
    const { status, json } = await register({ mobileNo: first.mobileNo });
    expect([status, json.code, json.message]).toEqual([
      409,
      'CONFLICT',
      'An account with this mobile number already exists',
    ]);
    expect(json.fields).toEqual({ mobileNo: 'An account with this mobile number already exists' });
    expect((await register()).status).toBe(201);
  });

  test('with an email that got an account after it was verified, ignoring letter case', async () => {
    await verify();
    await query(
      `INSERT INTO account (id, username, email, mobile_no, company_name, company_type, state, districts, departments, created_at)
       VALUES (gen_random_uuid(), 'Ravi', upper($1), $2, 'Ravi', 'private', 'Delhi', '{}', '{}', now())`,
      form.email,
      newForm().mobileNo,
    );
    const { status, json } = await register();
    expect([status, json.message]).toEqual([409, 'An account with this email already exists']);
    expect(json.fields).toEqual({ email: 'An account with this email already exists' });
  });

  test('after five attempts within an hour, in any letter case, which could reveal the numbers with accounts', async () => {
    await verify();
    const taken = form.mobileNo;
    await register();
    form = newForm();
    await verify();
    const { email } = form;
    for (const same of [email, email, email.toUpperCase(), email.replace('new', 'New'), email])
      expect((await register({ mobileNo: taken, email: same })).status).toBe(409);
    const { status, headers } = await register({ mobileNo: taken, email: email.replace('b', 'B') });
    expect([status, headers['retry-after']]).toEqual([429, '3600']);
  });
});

describe('of several concurrent registrations', () => {
  test('with one mobile number: one succeeds, the others are refused with the reason', async () => {
    const { mobileNo } = form;
    const rivals = Array.from({ length: 4 }, () => ({ from: new TestBrowser(app), body: { ...newForm(), mobileNo } }));
    for (const { from, body } of rivals) await verify(body.email, from);
    const replies = await Promise.all(rivals.map(({ from, body }) => register(body, from)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expect(await accountsOf(mobileNo)).toHaveLength(1);
  });

  test('with one proof: one succeeds', async () => {
    await verify();
    const replies = await Promise.all([register(), register(), register({ mobileNo: newForm().mobileNo })]);
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(replies.filter(({ status }) => status >= 500)).toEqual([]);
  });
});

describe('a network address', () => {
  test('may register often with IPv4, which many share, and 60 times an hour with an IPv6 /64', async () => {
    const proxied = await startApp({ now: NOW, database: app.database, env: { TRUST_PROXY: '1' } });
    try {
      const statusesFrom = async (address: string, times: number) => {
        const from = new TestBrowser(proxied, { 'x-forwarded-for': address });
        const replies = await Promise.all(Array.from({ length: times }, () => register({}, from)));
        return replies.filter(({ status }) => status === 429).length;
      };
      expect(await statusesFrom('203.0.113.9', 63)).toBe(0);
      expect(await statusesFrom('2001:db8::9', 63)).toBe(3);
    } finally {
      await proxied.close();
    }
  });
});

describe('a registration', () => {
  test('creates the account with the entered values, and signs it in for 12 hours', async () => {
    await verify();
    const { status, json, headers, setCookies } = await register({
      name: '  Asha Verma ',
      mobileNo: form.mobileNo.slice(3),
      minPrice: 50_000.5,
      maxPrice: 1_00_00_000,
    });
    expect(status).toBe(201);
    expect(headers['cache-control']).toBe('no-store');
    expect(v.is(v.strictObject(SessionStartResponse.entries), json)).toBe(true);
    expect(setCookies).toContainEqual(expect.stringMatching(/^device=[\w.-]{40,60};.*HttpOnly; SameSite=Strict$/));
    const [row] = await accountsOf(form.mobileNo);
    expect(json.user).toEqual({ _id: row.id, username: 'Asha Verma', email: form.email, mobileNo: form.mobileNo });
    expect(row).toMatchObject({
      company_name: 'Verma Builders',
      company_type: 'private',
      state: 'Himachal Pradesh',
      districts: ['Shimla', 'Solan'],
      departments: ['PWD'],
      address: 'The Mall, Shimla',
      min_price: '50000.50',
      max_price: '10000000.00',
      created_at: NOW,
      deleted_at: null,
      password_hash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/),
    });
    const [session] = await query('SELECT remembered, expires_at FROM session WHERE user_id = $1', row.id);
    expect(session).toEqual({ remembered: false, expires_at: new Date('2026-11-10T23:30:00+05:30') });
    const started = await query(
      "SELECT actor_id, detail FROM audit WHERE action = 'session.started' AND subject = $1",
      row.id,
    );
    expect(started).toEqual([{ actor_id: row.id, detail: { way: 'registration', remembered: false } }]);
    const { status: entered } = await new TestBrowser(app).send('POST', '/api/auth/login', {
      mobileNo: form.mobileNo,
      password: PASSWORD,
    });
    expect(entered).toBe(200);
  });

  test('ends a sign-in lock of its number from before the account existed', async () => {
    const signIn = () =>
      new TestBrowser(app).send('POST', '/api/auth/login', { mobileNo: form.mobileNo, password: PASSWORD });
    for (let failure = 1; failure <= 5; failure += 1) expect((await signIn()).status).toBe(401);
    expect((await signIn()).status).toBe(429);
    await verify();
    expect((await register()).status).toBe(201);
    expect((await signIn()).status).toBe(200);
  });

  test('stores a lowest price that equals the highest', async () => {
    await verify();
    expect((await register({ minPrice: 5_00_000, maxPrice: 5_00_000 })).status).toBe(201);
    const [row] = await accountsOf(form.mobileNo);
    expect(row).toMatchObject({ min_price: '500000.00', max_price: '500000.00' });
  });

  test('stores places by their listed names, each once, and fills in missing ones', async () => {
    await verify();
    const { countryCode, address, minPrice, maxPrice, ...least } = form;
    form = { ...least, state: 'hp', districts: ['sirmour', 'Sirmaur', 'KANGRA'], departments: ['pwd'] } as typeof form;
    expect((await register()).status).toBe(201);
    const [row] = await accountsOf(form.mobileNo);
    expect(row).toMatchObject({
      state: 'Himachal Pradesh',
      districts: ['Sirmaur', 'Kangra'],
      departments: ['PWD'],
      address: '',
      min_price: '0.00',
      max_price: null,
    });
  });

  test.each([
    ['2026-11-21', '2026-11-21'],
    [undefined, 'not stated'],
    ['<script>', 'not stated'],
    ['2026-11-21<script>', 'not stated'],
    ['version 2026-11-21', 'not stated'],
  ])('with the terms version %s stores "%s"', async (header, stored) => {
    const from = new TestBrowser(app, header === undefined ? {} : { 'x-terms-version': header });
    await verify(form.email, from);
    const { json } = await register({}, from);
    const consents = await query(
      'SELECT purpose, terms_version, address_hash, given_at FROM consent WHERE user_id = $1',
      json.user._id,
    );
    const address_hash = createHmac('sha256', app.config.otpPepper).update('consent 127.0.0.1').digest();
    expect(consents).toEqual([{ purpose: 'account', terms_version: stored, address_hash, given_at: NOW }]);
  });

  test('works at the address without /api too', async () => {
    await verify();
    expect((await browser.send('POST', '/auth/register', form)).status).toBe(201);
  });
});
