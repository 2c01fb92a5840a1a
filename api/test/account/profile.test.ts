import { randomUUID } from 'node:crypto';
import { MeResponse, UserInfoResponse } from '@nivida/contract/account/user';
import { hash } from '@node-rs/argon2';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { UserEntity } from '../../src/auth/user.entity.ts';
import { OrderEntity } from '../../src/orders/order.entity.ts';
import { createAccountRow, createSession, type SignedInAccount } from '../support/accounts.ts';
import { buyDocuments } from '../support/paid-orders.ts';
import { lockWaiters, startApp, type TestApp } from '../support/start-app.ts';
import { TestBrowser } from '../support/test-browser.ts';
import { findCode, findLastMail, readSentMails } from '../support/test-mailbox.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const PASSWORD = 'bridge-over-the-beas';
const FOREIGN_FIELD = 'The body holds a field that does not belong there';

let app: TestApp;
let asha: SignedInAccount;
let browser: TestBrowser;
let made = 0;

beforeAll(async () => {
  app = await startApp({ now: NOW });
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.now = NOW;
  asha = await createSession(app);
  browser = new TestBrowser(app, asha.headers);
});

const after = (minutes: number) => {
  app.clock.now = new Date(NOW.getTime() + minutes * 60_000);
};
/** The current profile with changes. */
const profile = (changes: Record<string, unknown> = {}) => {
  const { username, email, mobileNo } = asha.user;
  return { username, email, mobileNo, ...changes };
};
const put = (changes: Record<string, unknown> = {}, id = asha.user._id, from = browser) =>
  from.send('PUT', `/api/user-info/${id}`, profile(changes));
/** A successful change, checked against the contract. */
async function change(changes: Record<string, unknown>): Promise<UserInfoResponse> {
  const { status, json, headers } = await put(changes);
  expect([status, headers['cache-control']], JSON.stringify(json)).toEqual([200, 'no-store']);
  return v.parse(v.strictObject(UserInfoResponse.entries), json);
}
const stored = async () =>
  (
    await app.database.dataSource.query('SELECT username, email, mobile_no FROM account WHERE id = $1', [asha.user._id])
  )[0];
const freshEmail = () => `new${++made}@works.example`;
const freshMobile = () => createAccountRow().mobileNo;
const verify = async (email: string, from = browser) =>
  from.send('POST', '/api/auth/otp/verify', { email, otp: findCode(await findLastMail(app, email)) });

describe('a change of the profile is refused', () => {
  test('without a session', async () => {
    const { status, json } = await put({ username: 'Ravi' }, asha.user._id, new TestBrowser(app));
    expect([status, json.message]).toEqual([401, 'Please sign in']);
  });

  test('of another account, with the same response for existing and unknown ids', async () => {
    const ravi = await createSession(app);
    const answers = [];
    for (const id of [ravi.user._id, randomUUID(), 'me', '1', "' OR true --", asha.user._id.toUpperCase()])
      answers.push(await put({ username: 'Taken over' }, encodeURIComponent(id)));
    expect(answers.map(({ status, json }) => [status, json])).toEqual(
      Array(6).fill([
        403,
        { code: 'FORBIDDEN', message: 'You can change your own profile only', requestId: expect.any(String) },
      ]),
    );
    const rows = await app.database.dataSource.query("SELECT id FROM account WHERE username = 'Taken over'");
    expect(rows).toEqual([]);
  });

  test.each<[string, Record<string, unknown>, string, string]>([
    ['no name', { username: undefined }, 'username', 'Username is required'],
    ['an empty name', { username: '  ' }, 'username', 'Username is required'],
    ['a name of 101 characters', { username: 'a'.repeat(101) }, 'username', 'At most 100 characters'],
    [
      'a name with a header',
      { username: 'A\r\nBcc: x' },
      'username',
      'Line breaks and control characters are not allowed',
    ],
    ['a name with a null', { username: 'A\u0000' }, 'username', 'Line breaks and control characters are not allowed'],
    [
      'a name with a delete',
      { username: 'A\u007fB' },
      'username',
      'Line breaks and control characters are not allowed',
    ],
    ['a name that is an object', { username: { $ne: '' } }, 'username', 'Username is required'],
    ['no e-mail', { email: '' }, 'email', 'Email is required'],
    ['two e-mails', { email: 'a@works.example, b@works.example' }, 'email', 'Please enter a valid email address'],
    ['an e-mail with a header', { email: 'a@works.example\nCc: b' }, 'email', 'Please enter a valid email address'],
    [
      'an e-mail with a control character',
      { email: 'a\u0007@b.example' },
      'email',
      'Please enter a valid email address',
    ],
    ['no mobile', { mobileNo: '' }, 'mobileNo', 'Mobile number is required'],
    ['a mobile that starts with 5', { mobileNo: '+915876543210' }, 'mobileNo', 'Invalid mobile number format'],
    ['a mobile of another country', { mobileNo: '+449876543210' }, 'mobileNo', 'Invalid mobile number format'],
    ['a mobile with a line break', { mobileNo: '98765\n43210' }, 'mobileNo', 'Invalid mobile number format'],
    ['an id', { _id: '1' }, '_id', FOREIGN_FIELD],
    ['a role', { role: 'admin' }, 'role', FOREIGN_FIELD],
    ['a verified mark', { emailVerified: true }, 'emailVerified', FOREIGN_FIELD],
    ['a password', { passwordHash: 'x' }, 'passwordHash', FOREIGN_FIELD],
    ['a plan', { plan: 'enterprise' }, 'plan', FOREIGN_FIELD],
  ])('with %s', async (_name, changes, field, message) => {
    const before = await stored();
    const { status, json } = await put(changes);
    expect([status, json.code, json.fields]).toEqual([400, 'INVALID', { [field]: message }]);
    expect(await stored()).toEqual(before);
  });

  test('for a mobile or an e-mail of another account', async () => {
    const { user } = await createSession(app);
    await createSession(app, { email: 'Ravi.Taken@builders.example' });
    const before = await stored();
    for (const [changes, field, message] of [
      [{ email: 'ravi.taken@builders.example' }, 'email', 'An account with this email already exists'],
      [
        { username: 'Asha V', mobileNo: user.mobileNo },
        'mobileNo',
        'An account with this mobile number already exists',
      ],
      [{ username: 'Asha V', email: user.email }, 'email', 'An account with this email already exists'],
      [{ email: user.email.replace('asha', 'ASHA') }, 'email', 'An account with this email already exists'],
      [
        { email: freshEmail(), mobileNo: user.mobileNo },
        'mobileNo',
        'An account with this mobile number already exists',
      ],
    ] as const) {
      const { status, json } = await put(changes);
      expect([status, json.code, json.message]).toEqual([409, 'CONFLICT', message]);
      expect(json.fields).toEqual({ [field]: message });
    }
    expect(await stored()).toEqual(before);
  });

  test('for a new mobile or e-mail without the password a quarter of an hour after signing in, but not for a name', async () => {
    after(15.1);
    for (const changes of [{ mobileNo: freshMobile() }, { email: freshEmail() }]) {
      const { status, json } = await put({ username: 'Asha V', ...changes });
      expect([status, json.code, json.message]).toEqual([403, 'FORBIDDEN', 'Please sign in again to change this']);
    }
    expect((await stored()).username).toBe('Asha Verma');
    expect((await change({ username: 'Asha V' })).user.username).toBe('Asha V');
    after(15);
    expect((await change({ mobileNo: freshMobile() })).pendingEmail).toBeNull();
  });

  test('with a wrong password, while the right one changes the mobile at any time', async () => {
    asha = await createSession(app, { passwordHash: await hash(PASSWORD) });
    browser = new TestBrowser(app, asha.headers);
    after(61);
    const wrong = await put({ mobileNo: freshMobile(), password: 'another-bridge' });
    expect([wrong.status, wrong.json.fields]).toEqual([400, { password: 'The password is wrong' }]);
    const mobileNo = freshMobile();
    expect((await change({ mobileNo, password: PASSWORD })).user.mobileNo).toBe(mobileNo);
  });

  test('for a new mobile an hour after signing in, also when the session was used just now', async () => {
    after(61);
    expect((await change({ username: 'Asha V' })).user.username).toBe('Asha V');
    expect((await put({ mobileNo: freshMobile() })).status).toBe(403);
  });

  test('after 10 within an hour', async () => {
    for (let time = 0; time < 10; time++) await change({ username: `Asha ${time}` });
    const { status, headers } = await put({ username: 'Asha' });
    expect([status, headers['retry-after']]).toEqual([429, '3600']);
    after(60);
    expect((await put({ username: 'Asha' })).status).toBe(200);
  });
});

describe('a changed profile', () => {
  test('is stored and returned, with or without +91', async () => {
    const mobileNo = freshMobile();
    const user = { ...asha.user, username: '<b>Asha</b> & Söhne शर्मा', mobileNo };
    const answer = await change({ username: ` ${user.username} `, mobileNo: mobileNo.slice(3) });
    expect(answer).toEqual({ message: 'Profile updated successfully!', user, pendingEmail: null });
    expect(await stored()).toEqual({ username: user.username, email: asha.user.email, mobile_no: mobileNo });
    expect((await app.get('/api/me', asha.headers)).json.user).toEqual(user);
  });

  test('of the mobile number is mailed to the address of the account; an unchanged number is not mailed', async () => {
    const mobileNo = freshMobile();
    await change({ username: 'Asha Devi' });
    expect((await readSentMails(app)).some(({ to }) => to?.[0]?.address === asha.user.email)).toBe(false);
    await change({ mobileNo });
    const mail = await findLastMail(app, asha.user.email);
    expect(mail.subject).toBe('The mobile number of your Nivida account was changed');
    expect(mail.text).toContain(`the mobile number that ends in ${mobileNo.slice(-4)}`);
    expect(mail.text).not.toContain(mobileNo.slice(3));
  });

  test('of mobile and e-mail at once is mailed to the earlier address', async () => {
    const email = freshEmail();
    await change({ email });
    await verify(email);
    await change({ email, mobileNo: freshMobile() });
    const notifications = (await readSentMails(app)).filter(({ to }) => to?.[0]?.address === asha.user.email);
    expect(notifications.map(({ subject }) => subject).sort()).toEqual([
      'The e-mail address of your Nivida account was changed',
      'The mobile number of your Nivida account was changed',
    ]);
  });

  test('may have the same values, or its e-mail in another letter case, without a code', async () => {
    expect((await change({})).pendingEmail).toBeNull();
    const email = asha.user.email.replace('asha', 'Asha');
    const { pendingEmail, user } = await change({ email });
    expect([pendingEmail, user.email]).toEqual([null, email]);
    // Its stored capitals are no other address either, and no change that is mailed.
    expect((await change({ username: 'Asha V' })).pendingEmail).toBeNull();
    const mailed = (await readSentMails(app)).filter(({ to }) =>
      [email, asha.user.email].includes(to?.[0]?.address ?? ''),
    );
    expect(mailed).toEqual([]);
  });

  test.each([
    ['mobile number', 'mobile_no', freshMobile()],
    ['e-mail', 'email', 'meanwhile@works.example'],
    ['deletion', 'deleted_at', NOW],
  ])('does not undo a change of the %s that is made at the same time', async (_what, column, value) => {
    const { dataSource } = app.database;
    const other = dataSource.createQueryRunner();
    await other.startTransaction();
    await other.query(`UPDATE account SET ${column} = $2 WHERE id = $1`, [asha.user._id, value]);
    const answer = put({ username: 'Asha V' });
    await expect.poll(() => lockWaiters({ dataSource })).toHaveLength(1);
    await other.commitTransaction();
    await other.release();
    const { status, json } = await answer;
    expect([status, json.message]).toEqual([409, 'The profile was changed at the same time. Please try again.']);
    expect([json.code, json.fields]).toEqual(['CONFLICT', undefined]);
    expect((await stored()).username).toBe('Asha Verma');
  });

  test('succeeds for one of two accounts that choose the same mobile at once', async () => {
    const ravi = await createSession(app);
    const mobileNo = freshMobile();
    const answers = await Promise.all(
      [asha, ravi].map((who) =>
        new TestBrowser(app, who.headers).send('PUT', `/api/user-info/${who.user._id}`, {
          username: who.user.username,
          email: who.user.email,
          mobileNo,
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const message = 'An account with this mobile number already exists';
    expect(answers.find(({ status }) => status === 409)?.json).toMatchObject({
      message,
      fields: { mobileNo: message },
    });
  });

  test('is audited by the names of the changed fields, without values', async () => {
    const mobileNo = freshMobile();
    const { headers } = await put({ username: 'Asha V', mobileNo });
    await change({ username: 'Asha V', mobileNo });
    const rows = await app.database.dataSource.query(
      'SELECT action, actor_id, detail, request_id FROM audit WHERE subject = $1',
      [asha.user._id],
    );
    expect(rows).toEqual([
      {
        action: 'profile.changed',
        actor_id: asha.user._id,
        detail: { fields: ['username', 'mobileNo'] },
        request_id: headers['x-request-id'],
      },
    ]);
  });
});

describe('a new e-mail', () => {
  test('waits for its code while the other fields are stored, and is stored then', async () => {
    const email = freshEmail();
    const first = await change({ username: 'Asha V', email });
    expect(first).toEqual({
      message: 'Profile updated successfully!',
      user: { ...asha.user, username: 'Asha V' },
      pendingEmail: email,
    });
    expect(browser.cookies.has('otp_ctx')).toBe(true);
    expect((await verify(email)).status).toBe(200);
    expect((await stored()).email).toBe(asha.user.email);

    const second = await change({ username: 'Asha V', email });
    expect(second).toEqual({ ...first, user: { ...first.user, email }, pendingEmail: null });
    expect((await stored()).email).toBe(email);
    const notifications = await findLastMail(app, asha.user.email);
    expect(notifications.subject).toBe('The e-mail address of your Nivida account was changed');
    expect(notifications.text).toContain(email);
  });

  test('that this browser has verified before is stored at once', async () => {
    const email = freshEmail();
    const { dataSource } = app.database;
    await browser.send('POST', '/api/auth/otp/generate', { email });
    await verify(email);
    expect((await change({ email })).user.email).toBe(email);
    const events = await dataSource.query('SELECT action, detail FROM audit WHERE subject = $1', [asha.user._id]);
    expect(events).toEqual([{ action: 'profile.changed', detail: { fields: ['email'] } }]);
    // The proof is used up.
    expect(await dataSource.query('SELECT 1 FROM email_proof WHERE email = $1', [email])).toEqual([]);
  });

  test('whose proof is used by another request at the same moment is refused', async () => {
    const email = freshEmail();
    const { dataSource } = app.database;
    await browser.send('POST', '/api/auth/otp/generate', { email });
    await verify(email);
    const other = dataSource.createQueryRunner();
    await other.startTransaction();
    await other.query('DELETE FROM email_proof WHERE email = $1', [email]);
    const answer = put({ email });
    await expect.poll(() => lockWaiters({ dataSource })).toHaveLength(1);
    await other.commitTransaction();
    await other.release();
    const { status, json } = await answer;
    expect([status, json.message]).toEqual([409, 'The profile was changed at the same time. Please try again.']);
    expect((await stored()).email).toBe(asha.user.email);
  });

  test('gives the account the orders that were bought with it before', async () => {
    const { dataSource } = app.database;
    const email = freshEmail();
    const { order, entitlement } = await buyDocuments(dataSource, { buyerEmail: email.toUpperCase() });
    const other = await buyDocuments(dataSource, { buyerEmail: freshEmail() });
    const ownerOf = async (bought: { order: OrderEntity }) =>
      (await dataSource.getRepository(OrderEntity).findOneByOrFail({ id: bought.order.id })).userId;
    await change({ email });
    expect(await ownerOf({ order })).toBeNull();
    await verify(email);
    await change({ email });
    expect([await ownerOf({ order }), await ownerOf(other)]).toEqual([asha.user._id, null]);
    expect(await dataSource.query('SELECT user_id FROM entitlement WHERE id = $1', [entitlement.id])).toEqual([
      { user_id: asha.user._id },
    ]);
  });

  test('that another browser has verified is not stored', async () => {
    const email = freshEmail();
    const other = new TestBrowser(app);
    await other.send('POST', '/api/auth/otp/generate', { email });
    expect((await verify(email, other)).status).toBe(200);
    after(1);
    expect((await change({ email })).pendingEmail).toBe(email);
    expect((await stored()).email).toBe(asha.user.email);
  });

  test('gets codes no faster than at registration, and nothing is stored without a code', async () => {
    const email = freshEmail();
    await change({ email });
    const { status, headers } = await put({ email, username: 'Asha V' });
    expect([status, headers['retry-after']]).toEqual([429, '60']);
    expect((await stored()).username).toBe('Asha Verma');
    after(1);
    expect((await change({ email })).pendingEmail).toBe(email);
  });

  test('that another user registers before it is stored is refused', async () => {
    const email = freshEmail();
    await change({ email });
    await verify(email);
    await createSession(app, { email });
    const { status, json } = await put({ email });
    expect([status, json.message]).toEqual([409, 'An account with this email already exists']);
  });

  test('that another user gets while it is stored is refused, with the reason at the e-mail', async () => {
    const email = freshEmail();
    const { dataSource } = app.database;
    await browser.send('POST', '/api/auth/otp/generate', { email });
    await verify(email);
    const other = dataSource.createQueryRunner();
    await other.startTransaction();
    await other.manager.getRepository(UserEntity).insert(createAccountRow({ email: email.toUpperCase() }));
    const answer = put({ email });
    await expect.poll(() => lockWaiters({ dataSource })).toHaveLength(1);
    await other.commitTransaction();
    await other.release();
    const { status, json } = await answer;
    const message = 'An account with this email already exists';
    expect([status, json.code, json.message, json.fields]).toEqual([409, 'CONFLICT', message, { email: message }]);
    expect((await stored()).email).toBe(asha.user.email);
  });

  test.each(['small', 'capital'])(
    'voids links and codes that were sent to the old address in %s letters',
    async (how) => {
      const email = freshEmail();
      if (how === 'capital') {
        asha = await createSession(app, { email: `Asha.${++made}@builders.example` });
        browser = new TestBrowser(app, asha.headers);
      }
      await browser.send('POST', '/api/auth/forgot-password', { email: asha.user.email });
      await new TestBrowser(app).send('POST', '/api/auth/otp/generate', { email: asha.user.email });
      const proofs = () =>
        app.database.dataSource.query('SELECT 1 FROM email_proof WHERE email = lower($1)', [asha.user.email]);
      expect(await proofs()).toHaveLength(1);
      await change({ email });
      await verify(email);
      await change({ email });
      expect(await proofs()).toEqual([]);
      const links = await app.database.dataSource.query('SELECT 1 FROM password_reset WHERE user_id = $1', [
        asha.user._id,
      ]);
      expect(links).toEqual([]);
      expect((await readSentMails(app)).some(({ to }) => to?.[0]?.address === asha.user.email)).toBe(true);
    },
  );
});

describe('the company of an account', () => {
  const COMPANY = {
    companyName: 'Verma & Sons',
    companyType: 'partnership',
    state: 'Goa',
    districts: ['North Goa', 'South Goa'],
    departments: ['Public Works Department'],
    address: '12 Mall Road\nPanaji',
  };
  const putCompany = (changes: Record<string, unknown> = {}, from = browser) =>
    from.send('PUT', '/api/me/company', { ...COMPANY, ...changes });
  const companyOf = async ({ headers }: SignedInAccount) => {
    const { companyName, companyType, state, districts, departments, address } = (await app.get('/api/me', headers))
      .json;
    return { companyName, companyType, state, districts, departments, address };
  };

  test('is stored by the listed names and returned with the account; the states of a plan stay', async () => {
    const { dataSource } = app.database;
    await dataSource.query(
      `INSERT INTO entitlement (kind, user_id, email, plan_id, states, starts_at, ends_at, is_test, created_at)
       VALUES ('plan', $1, $2, 'basic', '{Himachal Pradesh}', $3, '2099-01-01', false, $3)`,
      [asha.user._id, asha.user.email, NOW],
    );
    const answer = await putCompany({
      ...{ companyName: ' Verma & Sons ', state: 'goa', districts: ['north goa', 'South Goa', 'North Goa'] },
    });
    expect([answer.status, answer.headers['cache-control']], JSON.stringify(answer.json)).toEqual([200, 'no-store']);
    const account = v.parse(v.strictObject(MeResponse.entries), answer.json);
    expect(account).toMatchObject({ ...COMPANY, user: asha.user });
    expect(await companyOf(asha)).toEqual(COMPANY);
    const plans = await dataSource.query('SELECT states FROM entitlement WHERE user_id = $1', [asha.user._id]);
    expect(plans).toEqual([{ states: ['Himachal Pradesh'] }]);
  });

  test.each<[string, Record<string, unknown>, string, string]>([
    ['no name', { companyName: ' ' }, 'companyName', 'Company name is required'],
    [
      'a name with a line break',
      { companyName: 'A\nB' },
      'companyName',
      'Line breaks and control characters are not allowed',
    ],
    ['another type', { companyType: 'club' }, 'companyType', 'Company type is required'],
    ['no state', { state: '' }, 'state', 'State is required'],
    ['an unlisted state', { state: 'Atlantis' }, 'state', 'Please choose a state from the list'],
    ['no district', { districts: [] }, 'districts', 'At least one district is required'],
    [
      'a district of another state',
      { districts: ['Shimla'] },
      'districts',
      'Please choose districts of Goa from the list',
    ],
    ['no department', { departments: undefined }, 'departments', 'At least one department is required'],
    [
      'an unlisted department',
      { departments: ['Magic'] },
      'departments',
      'Please choose departments of Goa from the list',
    ],
    ['an address of 501 characters', { address: 'x'.repeat(501) }, 'address', 'At most 500 characters'],
    ['an id', { _id: '1' }, '_id', FOREIGN_FIELD],
    ['a plan', { states: ['Goa'] }, 'states', FOREIGN_FIELD],
  ])('is refused with %s', async (_name, changes, field, message) => {
    const before = await companyOf(asha);
    const { status, json } = await putCompany(changes);
    expect([status, json.code, json.fields]).toEqual([400, 'INVALID', { [field]: message }]);
    expect(await companyOf(asha)).toEqual(before);
  });

  test('is changed by its own user only', async () => {
    const ravi = await createSession(app);
    const before = await companyOf(ravi);
    expect((await putCompany({}, new TestBrowser(app))).status).toBe(401);
    const { status, json } = await putCompany({ userId: ravi.user._id });
    expect([status, json.fields]).toEqual([400, { userId: FOREIGN_FIELD }]);
    expect((await putCompany()).status).toBe(200);
    expect(await companyOf(ravi)).toEqual(before);
  });

  test('is audited by the names of the changed fields, and not at all when it is the same', async () => {
    const { headers } = await putCompany({ companyName: 'Verma Builders', companyType: 'private' });
    await putCompany({ companyName: 'Verma Builders', companyType: 'private' });
    const rows = await app.database.dataSource.query(
      'SELECT action, actor_id, detail, request_id FROM audit WHERE subject = $1',
      [asha.user._id],
    );
    expect(rows).toEqual([
      {
        action: 'profile.changed',
        actor_id: asha.user._id,
        detail: { fields: ['state', 'districts', 'departments', 'address'] },
        request_id: headers['x-request-id'],
      },
    ]);
  });

  test('is refused after 10 changes of the profile within an hour', async () => {
    for (let time = 0; time < 10; time++) await putCompany({ companyName: `Verma ${time}` });
    expect((await putCompany()).status).toBe(429);
  });
});
