import { createHash, randomUUID } from 'node:crypto';
import { AccountExportResponse } from '@nivida/contract/account/account-export';
import { MeResponse } from '@nivida/contract/account/user';
import { DEFAULT_ALERT_PREFERENCES } from '@nivida/contract/push/push';
import { parse } from 'csv-parse/sync';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { recordAuditEvent } from '../../src/audit/record-audit-event.ts';
import { PasswordResetService } from '../../src/auth/passwords/password-reset.service.ts';
import { PasswordsService } from '../../src/auth/passwords/passwords.service.ts';
import { ConsentsService } from '../../src/auth/registration/consents.service.ts';
import { SessionsService } from '../../src/auth/sessions/sessions.service.ts';
import type { UserEntity } from '../../src/auth/user.entity.ts';
import { FileBackupService } from '../../src/bids/file-backup.service.ts';
import { InvoicesService } from '../../src/invoices/invoices.service.ts';
import type { OrderEntity } from '../../src/orders/order.entity.ts';
import { EntitlementsService } from '../../src/plans/entitlements.service.ts';
import { TrialsService } from '../../src/plans/trials.service.ts';
import { SupportService } from '../../src/support/support.service.ts';
import { eraseAccounts } from '../../src/users/erase-accounts.job.ts';
import { UsersService } from '../../src/users/users.service.ts';
import { createAccountRow, createSession, type SignedInAccount } from '../support/accounts.ts';
import { buyDocuments, buyPlan, storeOrder } from '../support/paid-orders.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { lockWaiters, startApp, type TestApp } from '../support/start-app.ts';
import { TestBrowser } from '../support/test-browser.ts';
import { findLastMail, readSentMails } from '../support/test-mailbox.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const DAY_MS = 86_400_000;
const PASSWORD = 'monsoon-bridge-2026';

let app: TestApp;
let passwordHash: string;
let asha: SignedInAccount;
let browser: TestBrowser;
let tenderId: string;

beforeAll(async () => {
  app = await startApp({ now: NOW });
  passwordHash = await app.app.get(PasswordsService).hash(PASSWORD);
  await importTenders(app.database.dataSource, [createSourceTender({ title: '=HYPERLINK("http://evil.example")' })], {
    now: NOW,
  });
  const [{ id }] = await app.database.dataSource.query('SELECT id FROM tender');
  tenderId = String(id);
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.now = NOW;
  await enter();
});

/** Registers a new account with the password and signs it in, as Asha. */
async function enter(changes: Partial<UserEntity> = {}): Promise<void> {
  asha = await createSession(app, { passwordHash, ...changes });
  browser = new TestBrowser(app, asha.headers);
}
const after = (days: number) => {
  app.clock.now = new Date(NOW.getTime() + days * DAY_MS);
};
const query = (sql: string) => app.database.dataSource.query(sql, [asha.user._id]);
const remove = (payload: unknown = { password: PASSWORD }) => browser.send('DELETE', '/api/me', payload);
const erase = () => eraseAccounts({ dataSource: app.database.dataSource, now: app.clock.now });
const isLetIn = async () => (await browser.send('GET', '/api/me')).status === 200;

/** Stores an account's purchases, payments and refunds, and a device with alerts. Returns the order of its plan. */
async function buy(): Promise<OrderEntity> {
  const { dataSource } = app.database;
  const { _id: userId, email: buyerEmail } = asha.user;
  const plan = await storeOrder(dataSource, {
    product: 'yearly-subscription',
    planId: 'basic',
    states: ['Goa'],
    amountPaise: 589_900,
    userId,
    buyerEmail,
  });
  await dataSource.transaction(async (manager) => {
    await app.app.get(EntitlementsService).grant(manager, plan, NOW);
    await app.app
      .get(InvoicesService)
      .issueInvoice(manager, plan, { amountPaise: plan.amountPaise, providerPaymentId: 'T1', method: 'UPI' }, NOW);
  });
  const { id, publicId } = plan;
  await dataSource.query(
    `WITH try AS (INSERT INTO attempt (ref, order_id, provider, created_at, expires_at) VALUES ($1, $2, 'sandbox', $3, $3) RETURNING ref),
       paid AS (INSERT INTO payment (provider, provider_payment_id, order_id, attempt_ref, amount_paise, currency, method, kind, noticed_at)
         SELECT 'sandbox', $4, $2, ref, 589900, 'INR', 'UPI', 'capture', $3 FROM try)
     INSERT INTO refund (ref, order_id, provider, provider_payment_id, amount_paise, reason, state, created_at, updated_at, checks)
     SELECT 'R-' || $1, $2, 'sandbox', $4, 589900, 'it was bought twice', 'QUEUED', $3, $3, 0 FROM try`,
    [`${publicId}-1`, id, NOW, `pay-${publicId}`],
  );
  const nit = `tender-${tenderId}`;
  await buyDocuments(dataSource, { tenderId: Number(tenderId), nit, userId, buyerEmail });
  await dataSource.query(
    `INSERT INTO document_package (nit, version, file_key, sha256, bytes, file_names, fingerprint, is_demonstration, created_at)
     VALUES ($1, 1, 'x', 'x', 100, '{NIT.pdf}', 'x', false, $2) ON CONFLICT DO NOTHING`,
    [nit, NOW],
  );
  await dataSource.query(
    `INSERT INTO push_subscription (id, channel, user_id, recipient, secret_sha256, endpoint, endpoint_sha256, host, p256dh,
       auth, vapid_kid, name, preferences, created_at)
     VALUES ($1::text::uuid, 'push', $2, $2, 'secret-of-the-device', 'https://fcm.googleapis.com/' || $1, $1, 'fcm.googleapis.com',
       'key-of-the-device', 'key-of-the-device', 'k1', 'Chrome on Android', $3, $4)`,
    [randomUUID(), userId, DEFAULT_ALERT_PREFERENCES, NOW],
  );
  return plan;
}

const BID_ID = '0b7f8a52-3c1d-4f5e-9a6b-7c8d9e0f1a2b';

/** Stores data of an account: a consent, a bookmark, a bid, requests for documents, a link and an unverified address. */
async function live(): Promise<void> {
  const { dataSource } = app.database;
  await app.app.get(ConsentsService).record(dataSource.manager, asha.user._id, {
    purpose: 'account',
    termsVersion: '2026-11-21',
    address: '203.0.113.7',
  });
  await browser.send('POST', `/api/tenders/${tenderId}/bookmark`);
  await browser.send('POST', `/api/tenders/${tenderId}/document-requests`, {});
  const filter = { state: 'Himachal Pradesh', district: '', department: '', q: 'bridge' };
  await browser.send('POST', '/api/searches', { id: randomUUID(), name: 'Bridges', filter, openedUpTo: 0 });
  const stamps = { note: `${NOW.getTime()}-0000-aaaaaaaaaaaaaaaa` };
  const bid = { kind: 'bid', id: BID_ID, fields: { note: 'Call the office' }, stamps };
  await browser.send('POST', '/api/bids/changes', { records: [bid] });
  const { username, mobileNo, _id } = asha.user;
  await browser.send('PUT', `/api/user-info/${_id}`, { username, email: `next-${asha.user.email}`, mobileNo });
  await browser.send('POST', '/api/auth/forgot-password', { email: asha.user.email });
  await app.app.get(PasswordResetService).waitForMails();
  const event = { action: 'order.placed', actorId: _id, subject: 'order-1', detail: { plan: 'basic' } };
  await recordAuditEvent(dataSource.manager, event, NOW);
}

/** Stores data of every kind for another account, which is signed in no longer. */
async function otherAccount(): Promise<SignedInAccount> {
  await live();
  await buy();
  await query(`INSERT INTO followed_office SELECT $1, '0123456789ab', '{"id": "0123456789ab"}', now()`);
  await query(
    `INSERT INTO notice (user_id, recipient, tender_id, kind, version, state, created_at, event_at)
     SELECT $1, $1, min(id), 'closing_tomorrow', 1, 'due', now(), now() FROM tender`,
  );
  const other = asha;
  await enter();
  return other;
}

/** Switches Asha's backup on and stores a file of 12 bytes; returns its hash. */
async function backUpFile(): Promise<string> {
  const backup = app.app.get(FileBackupService);
  const content = Buffer.from('%PDF-1.7 PAN');
  const hash = createHash('sha256').update(content).digest('hex');
  const space = { userId: asha.user._id, firmId: undefined };
  await backup.switch(space, true);
  await backup.put(space, { hash, part: 0, parts: 1 }, content);
  return hash;
}

describe('the account of the caller', () => {
  test.each([
    ['GET', '/api/me'],
    ['GET', '/api/me/export'],
    ['DELETE', '/api/me'],
  ] as const)('needs a session: %s %s', async (method, url) => {
    const { status, json } = await new TestBrowser(app).send(method, url);
    expect([status, json.message]).toEqual([401, 'Please sign in']);
  });

  test('is returned without the password', async () => {
    const { status, json, headers } = await browser.send('GET', '/api/me');
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(v.parse(v.strictObject(MeResponse.entries), json)).toEqual({
      user: asha.user,
      companyName: 'Verma Builders',
      companyType: 'private',
      state: 'Himachal Pradesh',
      districts: ['Shimla', 'Solan'],
      departments: ['PWD'],
      address: '',
      billing: { gstin: '', firm: 'Verma Builders', firmAddress: '' },
      createdAt: '2026-10-01T04:30:00.000Z',
    });
  });
});

test('the defaults of an invoice are the company and its address, each in one line of its length', async () => {
  await enter({ companyName: 'x'.repeat(151), address: '12 Mall Road\r\n  Shimla\t171001\n' });
  const { json } = await browser.send('GET', '/api/me');
  expect(json.billing).toEqual({ gstin: '', firm: 'x'.repeat(150), firmAddress: '12 Mall Road, Shimla, 171001' });
  await enter({ address: 'y'.repeat(301) });
  expect((await browser.send('GET', '/api/me')).json.billing.firmAddress).toBe('y'.repeat(300));
  await enter({ gstin: '02AAACB1234C1ZR', billingFirm: 'Verma & Co', billingAddress: 'The Ridge, Shimla' });
  expect((await browser.send('GET', '/api/me')).json.billing).toEqual({
    gstin: '02AAACB1234C1ZR',
    firm: 'Verma & Co',
    firmAddress: 'The Ridge, Shimla',
  });
});

describe('the export', () => {
  const get = (format = '') => browser.send('GET', `/api/me/export${format && `?format=${format}`}`);

  test('contains all data of the user, no data of others and no secret', async () => {
    await otherAccount();
    await live();
    const hash = await backUpFile();
    const { status, json, headers, text } = await get();
    expect(status).toBe(200);
    expect(headers['content-disposition']).toBe('attachment; filename="nivida-account.json"');
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(headers['cache-control']).toBe('no-store');
    expect(v.parse(v.strictObject(AccountExportResponse.entries), json)).toEqual({
      exportedAt: '2026-11-10T06:00:00.000Z',
      apiKeys: [],
      firms: [],
      searchFeeds: [],
      devices: [],
      passkeys: [],
      notices: [],
      account: {
        ...asha.user,
        companyName: 'Verma Builders',
        companyType: 'private',
        state: 'Himachal Pradesh',
        districts: ['Shimla', 'Solan'],
        departments: ['PWD'],
        address: '',
        billing: { gstin: '', firm: 'Verma Builders', firmAddress: '' },
        language: 'en',
        createdAt: '2026-10-01T04:30:00.000Z',
        minPrice: '0.00',
        maxPrice: null,
        secondFactor: false,
        googleLinkedAt: null,
      },
      sessions: [
        {
          userAgent: 'Chrome on Android',
          remembered: false,
          signedInAt: '2026-11-10T06:00:00.000Z',
          lastUsedAt: '2026-11-10T06:00:00.000Z',
          expiresAt: '2026-11-10T18:00:00.000Z',
          endedAt: null,
        },
      ],
      searches: [
        {
          id: expect.any(String),
          name: 'Bridges',
          filter: { state: 'Himachal Pradesh', district: '', department: '', q: 'bridge' },
          openedUpTo: 0,
          createdAt: '2026-11-10T06:00:00.000Z',
        },
      ],
      followedOffices: [],
      orders: [],
      payments: [],
      refunds: [],
      invoices: [],
      plans: [],
      documents: [],
      documentFiles: [{ hash, bytes: 12, storedAt: '2026-11-10T06:00:00.000Z' }],
      ownReadings: [],
      supportThreads: [],
      tenderReports: [],
      documentRequests: [
        {
          tenderId,
          title: '=HYPERLINK("http://evil.example")',
          askedAt: '2026-11-10T06:00:00.000Z',
          answeredAt: null,
        },
      ],
      records: [
        {
          kind: 'bid',
          id: BID_ID,
          fields: { note: 'Call the office' },
          isDeleted: false,
          changedAt: '2026-11-10T06:00:00.000Z',
        },
      ],
      bookmarks: [{ tenderId, title: '=HYPERLINK("http://evil.example")', bookmarkedAt: '2026-11-10T06:00:00.000Z' }],
      pendingEmails: [{ email: `next-${asha.user.email}`, askedAt: '2026-11-10T06:00:00.000Z' }],
      consents: [{ purpose: 'account', termsVersion: '2026-11-21', givenAt: '2026-11-10T06:00:00.000Z' }],
      events: [
        { action: 'password.reset-asked', at: '2026-11-10T06:00:00.000Z', detail: {} },
        { action: 'order.placed', at: '2026-11-10T06:00:00.000Z', detail: { plan: 'basic' } },
      ],
    });
    expect(text).not.toContain('argon2');
  });

  test('contains purchases, payments, refunds, downloads and invoices, and the devices without their keys', async () => {
    await otherAccount();
    const plan = await buy();
    const { json, text } = await get();
    for (const part of ['payments', 'refunds', 'invoices', 'plans', 'documents', 'devices'])
      expect(json[part], part).toHaveLength(1);
    expect(json.orders).toHaveLength(2);
    expect(v.parse(v.strictObject(AccountExportResponse.entries), json)).toMatchObject({
      orders: [
        {
          orderId: plan.publicId,
          product: 'yearly-subscription',
          planId: 'basic',
          status: 'SUCCESS',
          amountPaise: 589_900,
          states: ['Goa'],
          name: 'Asha Verma',
          email: asha.user.email,
          mobileNo: '+919805512345',
          billingState: 'Himachal Pradesh',
          isTest: true,
        },
        { product: 'tender-documents', tenderId, amountPaise: 9_900 },
      ],
      payments: [{ orderId: plan.publicId, paymentId: `pay-${plan.publicId}`, amountPaise: 589_900, method: 'UPI' }],
      refunds: [{ orderId: plan.publicId, amountPaise: 589_900, state: 'QUEUED', reason: 'it was bought twice' }],
      invoices: [
        { orderId: plan.publicId, kind: 'receipt', number: expect.stringMatching(/^TEST\//), totalPaise: 589_900 },
      ],
      plans: [
        {
          planId: 'basic',
          isTrial: false,
          isGift: false,
          states: ['Goa'],
          startsAt: '2026-11-10T06:00:00.000Z',
          endsAt: '2027-11-10T06:00:00.000Z',
          revokedAt: null,
          isTest: true,
        },
      ],
      documents: [{ tenderId, by: 'purchase', files: ['NIT.pdf'] }],
      devices: [
        {
          channel: 'push',
          name: 'Chrome on Android',
          preferences: DEFAULT_ALERT_PREFERENCES,
          since: '2026-11-10T06:00:00.000Z',
          lastReachedAt: null,
        },
      ],
    });
    for (const secret of ['key-of-the-device', 'secret-of-the-device', 'fcm.googleapis.com'])
      expect(text).not.toContain(secret);
  });

  test('contains the followed offices, and the notices that were shown with the instants of both', async () => {
    const { dataSource } = app.database;
    const office = {
      id: 'abcdef012345',
      state: 'Goa',
      department: 'PWD',
      office: 'Panaji division',
      path: ['PWD', 'Panaji division'],
    };
    await dataSource.query('INSERT INTO followed_office VALUES ($1, $2, $3, $4)', [
      asha.user._id,
      office.id,
      office,
      NOW,
    ]);
    for (const [kind, state, readAt] of [
      ['changed', 'due', new Date('2026-11-10T12:30:00+05:30')],
      ['closing_in_7_days', 'due', null],
      ['closing_in_3_days', 'skipped', null],
    ])
      await dataSource.query(
        `INSERT INTO notice (user_id, recipient, tender_id, kind, version, state, created_at, event_at, read_at)
         VALUES ($1, $1, $2, $3, 1, $4, $5, $5, $6)`,
        [asha.user._id, tenderId, kind, state, NOW, readAt],
      );
    const { json } = await get();
    expect(json.followedOffices).toMatchObject([{ id: office.id }]);
    const at = '2026-11-10T06:00:00+00:00';
    expect(json.notices).toEqual([
      { kind: 'changed', tenderId, at, readAt: '2026-11-10T07:00:00+00:00' },
      { kind: 'closing_in_7_days', tenderId, at, readAt: null },
    ]);
  });

  test('names the amount that was debited, not the price of the order', async () => {
    const plan = await buy();
    await query(
      'UPDATE payment SET amount_paise = 589800 WHERE order_id IN (SELECT id FROM orders WHERE user_id = $1)',
    );
    const { json } = await get();
    expect(json.payments).toMatchObject([{ orderId: plan.publicId, amountPaise: 589_800 }]);
    expect(json.orders[0]).toMatchObject({ orderId: plan.publicId, amountPaise: 589_900 });
  });

  test('contains ended sessions, the trial, a plan that was taken back, and when a device was reached', async () => {
    const { _id: id, email, mobileNo } = asha.user;
    await buy();
    await app.database.dataSource.transaction((manager) =>
      app.app.get(TrialsService).start(manager, { id, email, mobileNo, state: 'Himachal Pradesh' }),
    );
    const at = '2026-11-10T07:00:00.000Z';
    await query(`UPDATE entitlement SET revoked_at = '${at}' WHERE user_id = $1 AND kind = 'plan'`);
    await query(`UPDATE push_subscription SET last_ok_at = '${at}' WHERE user_id = $1`);
    await app.app.get(SessionsService).start(createAccountRow({ id }), true, 'Firefox on Linux');
    await query(`UPDATE session SET revoked_at = '${at}' WHERE user_id = $1 AND user_agent = 'Firefox on Linux'`);
    const { json } = await get();
    expect(json.plans).toHaveLength(2);
    expect(json.plans).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ isTrial: false, planId: 'basic', revokedAt: at }),
        expect.objectContaining({ isTrial: true, revokedAt: null }),
      ]),
    );
    expect(json.sessions).toContainEqual(
      expect.objectContaining({ userAgent: 'Firefox on Linux', remembered: true, endedAt: at }),
    );
    expect(json.devices).toMatchObject([{ lastReachedAt: at }]);
  });

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '＝1', '＋1', '－1', '＠A'])(
    'as CSV makes %s a text that no spreadsheet computes',
    async (companyName) => {
      await enter({ companyName, username: 'Asha "Bridge" Verma', address: '\t=1\n+2' });
      const { status, headers, text } = await get('csv');
      expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
      expect(headers['content-disposition']).toBe('attachment; filename="nivida-account.csv"');
      const rows: string[][] = parse(text, { bom: true });
      expect(rows[0]).toEqual(['part', 'row', 'field', 'value']);
      const values = new Map(rows.map(([part, row, field, value]) => [`${part} ${row} ${field}`, value]));
      expect(values.get('account 1 companyName')).toBe(`'${companyName}`);
      expect(values.get('account 1 address')).toBe("'\t=1\n+2");
      expect(values.get('account 1 mobileNo')).toBe(`'${asha.user.mobileNo}`);
      expect(values.get('account 1 username')).toBe('Asha "Bridge" Verma');
      expect(values.get('account 1 districts')).toBe('Shimla; Solan');
      expect(text).toMatch(/^\ufeff(?:"[^"]*(?:""[^"]*)*"(?:,|\r\n))+$/);
    },
  );

  test('as CSV has all rows of the export', async () => {
    await live();
    const rows: string[][] = parse((await get('csv')).text, { bom: true });
    const [, ...parts] = rows.map(([part]) => part);
    expect(new Set(parts)).toEqual(
      new Set([
        'export',
        'account',
        'sessions',
        'searches',
        'documentRequests',
        'records',
        'bookmarks',
        'pendingEmails',
        'consents',
        'events',
      ]),
    );
    expect(rows).toContainEqual(['bookmarks', '1', 'title', `'=HYPERLINK("http://evil.example")`]);
    expect(rows).toContainEqual(['records', '1', 'fields', '{"note":"Call the office"}']);
    expect(rows).toContainEqual(['events', '2', 'detail', '{"plan":"basic"}']);
    expect(rows).toContainEqual(['sessions', '1', 'endedAt', '']);
    expect(rows).toContainEqual(['sessions', '1', 'remembered', 'false']);
    expect(rows[1]).toEqual(['export', '1', 'exportedAt', '2026-11-10T06:00:00.000Z']);
  });

  test('contains the document requests that were sent by e-mail before signing in, with the instant of the answer', async () => {
    const { dataSource } = app.database;
    await enter({ email: `Asha.${randomUUID()}@builders.example` });
    const signedOut = new TestBrowser(app);
    await signedOut.send('POST', `/api/tenders/${tenderId}/document-requests`, {
      email: asha.user.email.toUpperCase(),
    });
    await signedOut.send('POST', `/api/tenders/${tenderId}/document-requests`, { email: `other-${asha.user.email}` });
    await dataSource.query('UPDATE document_request SET answered_at = $2 WHERE email = lower($1)', [
      asha.user.email,
      new Date('2026-11-10T12:30:00+05:30'),
    ]);
    expect((await get()).json.documentRequests).toEqual([
      {
        tenderId,
        title: '=HYPERLINK("http://evil.example")',
        askedAt: '2026-11-10T06:00:00.000Z',
        answeredAt: '2026-11-10T07:00:00.000Z',
      },
    ]);
  });

  test('lists sessions, plans, devices, bookmarks, requests, addresses and consents, the oldest first', async () => {
    const { dataSource } = app.database;
    await enter({ minPrice: '10.00', maxPrice: '500.00' });
    const later = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);
    const { _id: userId, email } = asha.user;
    for (const [name, hours] of [
      ['second', 2],
      ['first', 1],
    ] as const) {
      const at = later(hours);
      await dataSource.query(
        `INSERT INTO session (id, user_id, token_id, remembered, user_agent, created_at, last_used_at, expires_at)
         VALUES (gen_random_uuid(), $1, gen_random_uuid(), false, $2, $3, $3, $3)`,
        [userId, name, at],
      );
      await dataSource.query(
        `INSERT INTO push_subscription (id, channel, user_id, recipient, secret_sha256, endpoint, endpoint_sha256, host, p256dh,
           auth, vapid_kid, name, preferences, created_at)
         VALUES ($1::text::uuid, 'push', $2, $2, 'secret', $1, $1, 'fcm.googleapis.com', 'key', 'key', 'k1', $3, $4, $5)`,
        [randomUUID(), userId, name, DEFAULT_ALERT_PREFERENCES, at],
      );
      await dataSource.query(
        `INSERT INTO email_proof (id, context, email, user_id, code_hash, created_at, expires_at)
         VALUES (gen_random_uuid(), $1, $1, $2, '', $3, $3)`,
        [`${name}.${email}`, userId, at],
      );
      const planId = name === 'first' ? 'basic' : 'premium';
      await buyPlan(dataSource, { userId, planId, states: [], startsAt: at, endsAt: later(hours + 1) });
    }
    for (const purpose of ['account', 'alerts'] as const)
      await app.app
        .get(ConsentsService)
        .record(dataSource.manager, userId, { purpose, termsVersion: '2026-11-21', address: '' });
    const second = createSourceTender({ sourceId: '2026_SECOND_1_1', title: 'Second work' });
    await importTenders(dataSource, [second], { now: NOW });
    const [{ id: secondId }] = await dataSource.query("SELECT id FROM tender WHERE source_id = '2026_SECOND_1_1'");
    for (const id of [secondId, tenderId]) await browser.send('POST', `/api/tenders/${id}/bookmark`);
    for (const id of [secondId, tenderId]) await browser.send('POST', `/api/tenders/${id}/document-requests`, {});
    const { json } = await get();
    const { sessions, devices, pendingEmails, plans, consents }: AccountExportResponse = json;
    const ids = [String(secondId), tenderId];
    expect(json.bookmarks.map((each: { tenderId: string }) => each.tenderId)).toEqual(ids);
    expect(json.documentRequests.map((each: { tenderId: string }) => each.tenderId)).toEqual(ids);
    expect(sessions.map(({ userAgent }) => userAgent)).toEqual(['Chrome on Android', 'first', 'second']);
    expect(devices.map(({ name }) => name)).toEqual(['first', 'second']);
    expect(pendingEmails.map((each) => each.email)).toEqual([`first.${email}`, `second.${email}`]);
    expect(plans.map(({ planId }) => planId)).toEqual(['basic', 'premium']);
    expect(consents.map(({ purpose }) => purpose)).toEqual(['account', 'alerts']);
    expect(json.account).toMatchObject({ minPrice: '10.00', maxPrice: '500.00' });
  });

  test('has a decision for every table of a user: its part of the export, or the reason for none', async () => {
    const DECIDED: Record<string, string> = {
      account: 'account',
      api_key: 'apiKeys',
      attachment: 'supportThreads',
      attempt: 'none: our reference of one try to pay; its payment is in payments',
      audit: 'events',
      backup_file: 'documentFiles',
      bid_record: 'records',
      bid_sync: 'none: numbers of the changes of records',
      bookmark: 'bookmarks',
      consent: 'consents',
      desk_act: 'none: answers to acts at the desk, for 7 days; the acts are in events',
      document_request: 'documentRequests',
      download: 'documents',
      download_link: 'none: digests of links; their packages are in documents',
      email_proof: 'pendingEmails',
      entitlement: 'plans and documents',
      file_backup: 'none: the key that seals the files of documentFiles',
      file_usage: 'none: sums of documentFiles',
      firm_invitation: 'none: digests of links to firms, which invite an address; they end after 7 days',
      firm_member: 'firms',
      followed_office: 'followedOffices',
      invoice: 'invoices',
      known_device: 'none: digest of a cookie',
      mailing_recipient: 'none: which message of the operator was sent to the account',
      message: 'supportThreads',
      notice: 'notices',
      orders: 'orders',
      own_reading: 'ownReadings',
      passkey: 'passkeys',
      passkey_challenge: 'none: digest of a challenge that is valid for 5 minutes',
      password_reset: 'none: digest of a link that works for 30 minutes',
      payment: 'payments',
      pending_sign_in: 'none: digest of a token that is valid for 10 minutes',
      plan_notice: 'none: which mail about the end of a plan was sent; the plan is in plans',
      provider_identity: 'account',
      push_delivery: 'none: state of sending a notice, which is in notices',
      push_subscription: 'devices',
      push_watch: 'none: tenders of a signed-out device',
      record_usage: 'none: sums of records',
      recovery_code: 'none: hashes of codes',
      refund: 'refunds',
      saved_search: 'searches',
      search_feed: 'searchFeeds',
      search_probe: 'none: index of a saved search, which is in searches',
      send_token: 'none: digest of a one-time token',
      sent_file: 'none: files of an operator for import; the acts are in events',
      session: 'sessions',
      sign_in_failure: 'none: counters by the digest of a mobile number',
      staff: 'none: the role at the desk, which the operator gave; who gave it is in events',
      tender_report: 'tenderReports',
      thread: 'supportThreads',
    };
    // A table belongs to a user by a column, or by a reference to such a table.
    const tables: { name: string }[] = await app.database.dataSource.query(
      `WITH RECURSIVE personal (name) AS (
         SELECT table_name::text FROM information_schema.columns WHERE table_schema = 'public'
           AND column_name ~ '^(user_id|account_id|owner_id|actor_id|recipient|email|mobile_no|mobile_hash|buyer_email)$'
         UNION
         SELECT f.conrelid::regclass::text FROM pg_constraint f JOIN personal p ON f.confrelid = p.name::regclass
         WHERE f.contype = 'f'
       ) SELECT name FROM personal JOIN pg_class c ON c.oid = name::regclass WHERE NOT c.relispartition ORDER BY name`,
    );
    expect(tables.map(({ name }) => name)).toEqual(Object.keys(DECIDED));
    const parts = Object.values(DECIDED).flatMap((decision) =>
      decision.startsWith('none: ') ? [] : decision.split(' and '),
    );
    expect(Object.keys((await get()).json)).toEqual(expect.arrayContaining(parts));
  });

  test('is JSON or CSV only, at most 5 times an hour', async () => {
    expect((await get('xml')).json.message).toBe('The format is json or csv');
    for (let time = 1; time < 5; time++) expect((await get('json')).status).toBe(200);
    const { status, headers } = await get();
    expect([status, headers['retry-after']]).toEqual([429, '3600']);
    after(1 / 24);
    expect((await get()).status).toBe(200);
  });
});

describe('deleting the account', () => {
  // Accounts that earlier tests deleted are not counted here.
  beforeEach(async () => {
    await eraseAccounts({ dataSource: app.database.dataSource, now: new Date(NOW.getTime() + 30 * DAY_MS) });
  });

  test.each<[string, unknown, string]>([
    ['no password', {}, 'Password is required'],
    ['a short one', { password: '12345' }, 'Password must be at least 6 characters'],
    ['a wrong one', { password: 'another-bridge' }, 'The password is wrong'],
  ])('with %s is refused and does not sign out', async (_name, payload, message) => {
    const { status, json } = await remove(payload);
    expect([status, json.code, json.fields]).toEqual([400, 'INVALID', { password: message }]);
    expect(await isLetIn()).toBe(true);
  });

  test('with another field is refused', async () => {
    const { status } = await remove({ password: PASSWORD, userId: asha.user._id });
    expect(status).toBe(400);
    expect(await isLetIn()).toBe(true);
  });

  test('cannot be used to guess the password', async () => {
    const answers = [];
    for (let time = 0; time < 6; time++) answers.push(await remove({ password: 'another-bridge' }));
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 429]);
    expect((await remove()).status).toBe(429);
    expect(await isLetIn()).toBe(true);
    const events = await query(
      "SELECT detail FROM audit WHERE action = 'password-check.failed' AND subject = $1::text",
    );
    expect(events).toEqual(Array(5).fill({ detail: { for: 'deletion', address: '127.0.0.x' } }));
  });

  test('with the right password forgets the wrong guesses', async () => {
    for (let time = 0; time < 4; time++) await remove({ password: 'another-bridge' });
    expect((await remove()).status).toBe(200);
    const counted = await query(
      `SELECT f.in_a_row FROM sign_in_failure f JOIN account a ON f.mobile_hash = encode(sha256(a.mobile_no::bytea), 'hex')
       WHERE a.id = $1 AND f.counter = 'signed-in'`,
    );
    expect(counted).toEqual([]);
  });

  test('ends all sessions, is audited, and names the last day to undo it, also by mail', async () => {
    await live();
    const { status, json, headers } = await remove();
    expect([status, json]).toEqual([
      200,
      { message: 'Your account is closed. Sign in before 17 Nov 2026 if you want to keep it' },
    ]);
    expect(await isLetIn()).toBe(false);
    expect(await query('SELECT 1 FROM session WHERE user_id = $1 AND revoked_at IS NULL')).toEqual([]);
    expect(await query('SELECT 1 FROM password_reset WHERE user_id = $1')).toEqual([]);
    expect(await query('SELECT 1 FROM email_proof WHERE user_id = $1')).toEqual([]);
    expect(await query('SELECT deleted_at FROM account WHERE id = $1')).toEqual([{ deleted_at: NOW }]);
    const mail = await findLastMail(app, asha.user.email);
    expect(mail.subject).toBe('Your Nivida account will be erased');
    expect(mail.text).toContain('17 Nov 2026');
    const events = await query(
      'SELECT action, actor_id, request_id FROM audit WHERE subject = $1 ORDER BY id DESC LIMIT 1',
    );
    expect(events).toEqual([
      { action: 'account.deleted', actor_id: asha.user._id, request_id: headers['x-request-id'] },
    ]);
  });

  test('is not repeated by a request that comes at the same moment', async () => {
    const { dataSource } = app.database;
    const other = dataSource.createQueryRunner();
    await other.startTransaction();
    await other.query('UPDATE account SET deleted_at = $2 WHERE id = $1', [asha.user._id, NOW]);
    const answer = remove();
    await expect.poll(() => lockWaiters({ dataSource })).toHaveLength(1);
    await other.commitTransaction();
    await other.release();
    const { status, json } = await answer;
    expect([status, json.message]).toEqual([401, 'Please sign in']);
    expect((await readSentMails(app)).filter(({ to }) => to?.[0]?.address === asha.user.email)).toEqual([]);
    // Nor does a request that was let in before read the account.
    await expect(app.app.get(UsersService).me(asha.user._id)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test('changes no data for 7 days', async () => {
    await live();
    await remove();
    after(6.99);
    expect(await erase()).toBe(0);
    expect(await query('SELECT email, mobile_no FROM account WHERE id = $1')).toEqual([
      { email: asha.user.email, mobile_no: asha.user.mobileNo },
    ]);
    expect(await query('SELECT 1 FROM bookmark WHERE user_id = $1')).toHaveLength(1);
  });

  test('erases the personal data after 7 days, once, and frees mobile and e-mail', async () => {
    await enter({
      ...{ gstin: '02AAACB1234C1ZR', billingFirm: 'Verma & Co', billingAddress: 'The Ridge, Shimla' },
      ...{ address: '12 Mall Road', minPrice: '10.00', maxPrice: '500.00' },
    });
    await live();
    await remove();
    const login = { mobileNo: asha.user.mobileNo, password: 'another-bridge' };
    expect((await new TestBrowser(app).send('POST', '/api/auth/login', login)).status).toBe(401);
    const failures = () =>
      app.database.dataSource.query(
        "SELECT 1 FROM sign_in_failure WHERE mobile_hash = encode(sha256(convert_to($1, 'UTF8')), 'hex')",
        [login.mobileNo],
      );
    expect(await failures()).toHaveLength(1);
    const other = await createSession(app);
    after(7);
    expect(await erase()).toBe(1);
    expect(await erase()).toBe(0);
    expect(await failures()).toEqual([]);
    const id = asha.user._id;
    expect(await query('SELECT * FROM account WHERE id = $1')).toEqual([
      {
        id,
        username: 'Deleted account',
        email: `erased-${id}@invalid`,
        mobile_no: `erased-${id}`,
        password_hash: null,
        company_name: '',
        company_type: 'private',
        state: '',
        districts: [],
        departments: [],
        address: '',
        gstin: '',
        billing_firm: '',
        billing_address: '',
        language: 'en',
        min_price: '0.00',
        max_price: null,
        second_factor: false,
        created_at: expect.any(Date),
        deleted_at: NOW,
      },
    ]);
    for (const table of [
      'bookmark',
      'saved_search',
      'followed_office',
      'session',
      'known_device',
      'password_reset',
      'email_proof',
    ])
      expect(await query(`SELECT 1 FROM ${table} WHERE user_id = $1`), table).toEqual([]);
    for (const table of ['bid_record', 'bid_sync', 'record_usage'])
      expect(await query(`SELECT 1 FROM ${table} WHERE owner_id = $1`), table).toEqual([]);
    expect(await query('SELECT action FROM audit WHERE subject = $1 ORDER BY id DESC LIMIT 1')).toEqual([
      { action: 'account.erased' },
    ]);
    const { email, mobileNo } = asha.user;
    await createSession(app, { email, mobileNo });
    const storedEmails = await app.database.dataSource.query('SELECT email FROM account WHERE id = $1', [
      other.user._id,
    ]);
    expect(storedEmails).toEqual([{ email: other.user.email }]);
  });

  test('deletes each table of a user that the privacy policy names: invoices and their orders stay', async () => {
    await live();
    const plan = await buy();
    await query(
      `INSERT INTO download (user_id, month, nit, tender_id, entitlement_id, charged_at)
       SELECT user_id, '2026-11-01', 'x', 1, id, now() FROM entitlement WHERE user_id = $1 LIMIT 1`,
    );
    await query(
      `INSERT INTO followed_office (user_id, office_id, office, created_at) VALUES ($1, '0123456789ab', '{}', now())`,
    );
    await query(`INSERT INTO known_device (token_hash, user_id, expires_at) VALUES ('x', $1, now())`);
    await query(
      `INSERT INTO passkey (id, user_id, credential_id, public_key, counter, transports, device_type, backed_up, aaguid, name, created_at)
       VALUES (gen_random_uuid(), $1, 'key', '', 0, '{}', 'singleDevice', false, '', 'Phone', now())`,
    );
    await query(
      `INSERT INTO passkey_challenge (digest, purpose, user_id, expires_at) VALUES ('x', 'registration', $1, now())`,
    );
    await query(
      `INSERT INTO pending_sign_in (token_hash, user_id, way, remembered, expires_at) VALUES ('x', $1, 'password', false, now())`,
    );
    await query(`INSERT INTO provider_identity VALUES ('google', 'sub', $1, now())`);
    await query(`INSERT INTO recovery_code (user_id, number, code_hash, created_at) VALUES ($1, 0, 'x', now())`);
    await query(`INSERT INTO staff (user_id, role, granted_at, granted_by) VALUES ($1, 'support', now(), 'root')`);
    await query(
      `INSERT INTO notice (user_id, recipient, tender_id, kind, version, state, created_at, event_at)
       SELECT $1, $1, min(id), 'closing_tomorrow', 1, 'due', now(), now() FROM tender`,
    );
    await query(
      `INSERT INTO tender_report (id, tender_id, user_id, kind, text, created_at)
       SELECT gen_random_uuid(), min(id), $1::uuid, 'other', 'x', now() FROM tender`,
    );
    // An account's address has its capitals; a visitor's request has it in lower case.
    await query("UPDATE account SET email = 'A' || substr(email, 2) WHERE id = $1");
    await query(
      `INSERT INTO document_request (tender_id, email, requested_at)
       SELECT (SELECT min(id) FROM tender), lower(email), now() FROM account WHERE id = $1`,
    );
    const rows = async () => {
      const tables: { name: string; owner: string }[] = await app.database.dataSource.query(
        `SELECT table_name AS name, column_name AS owner FROM information_schema.columns
         JOIN pg_class ON oid = table_name::regclass AND NOT relispartition
         WHERE table_schema = 'public' AND column_name IN ('user_id', 'owner_id')`,
      );
      const counts = tables.map(async ({ name, owner }): Promise<[string, number]> => {
        const [{ count }] = await query(`SELECT count(*)::int FROM ${name} WHERE ${owner} = $1`);
        return [name, count];
      });
      return Object.fromEntries(await Promise.all(counts));
    };
    await backUpFile();
    const ids = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'] as const;
    await app.app.get(SupportService).create(
      asha.user._id,
      {
        id: ids[0],
        subject: 'A',
        message: { id: ids[1], text: 'a', attachmentIds: [] },
        orderId: null,
        tenderId: null,
      },
      'en',
    );
    await query(
      `INSERT INTO attachment (id, user_id, name, bytes, parts, file_keys, created_at)
       VALUES (gen_random_uuid(), $1, 'a', 1, 1, '{}', now())`,
    );
    await query(
      `INSERT INTO own_reading (id, user_id, sha256, name, bytes, parts, file_keys, created_at, expires_at)
       VALUES (gen_random_uuid(), $1, repeat('a', 64), 'a', 1, 1, '{}', now(), now())`,
    );
    await query(
      `INSERT INTO api_key (id, user_id, name, hint, key_sha256, created_at)
       VALUES (gen_random_uuid(), $1, 'a', 'a', 'a', now())`,
    );
    await query(
      `WITH m AS (INSERT INTO mailing (name, texts, started_at) VALUES ('x', '{}', now()) RETURNING name)
       INSERT INTO mailing_recipient (mailing, user_id) SELECT name, $1 FROM m`,
    );
    await browser.send('POST', '/api/firms', { name: 'Verma Builders' });
    const before = {
      api_key: 1,
      attachment: 1,
      backup_file: 1,
      bid_record: 1,
      bid_sync: 1,
      bookmark: 1,
      consent: 1,
      document_request: 1,
      download: 1,
      email_proof: 1,
      entitlement: 2,
      file_backup: 1,
      file_usage: 1,
      firm_member: 1,
      followed_office: 1,
      known_device: 1,
      mailing_recipient: 1,
      notice: 1,
      orders: 2,
      own_reading: 1,
      passkey: 1,
      passkey_challenge: 1,
      password_reset: 1,
      pending_sign_in: 1,
      provider_identity: 1,
      push_subscription: 1,
      record_usage: 1,
      recovery_code: 1,
      saved_search: 1,
      session: 1,
      staff: 1,
      tender_report: 1,
      thread: 1,
    };
    expect(await rows()).toEqual(before);
    const readInvoices = async () =>
      (await app.database.dataSource.query('SELECT * FROM invoice WHERE order_id = $1', [plan.id]))[0];
    const invoice = await readInvoices();
    const [file] = await query('SELECT file_key FROM backup_file WHERE owner_id = $1');
    await app.database.dataSource.query('UPDATE account SET deleted_at = $2 WHERE id = $1', [asha.user._id, NOW]);
    after(7);
    await erase();
    // The consent stays as a proof without a person.
    expect(await rows()).toEqual({ ...Object.fromEntries(Object.keys(before).map((table) => [table, 0])), consent: 1 });
    expect(await readInvoices()).toEqual(invoice);
    // The cleanup job removes the file itself, whose content is no longer known.
    const dropped = await app.database.dataSource.query(
      'SELECT owner_id, hash, is_dropped FROM backup_file WHERE file_key = $1',
      [file.file_key],
    );
    expect(dropped).toEqual([{ owner_id: null, hash: '', is_dropped: true }]);
    const [order] = await app.database.dataSource.query('SELECT * FROM orders WHERE id = $1', [plan.id]);
    expect(order).toMatchObject({ user_id: null, buyer_name: 'Asha Verma', buyer_email: '', buyer_mobile: '' });
    const everything = JSON.stringify([
      await app.database.dataSource.query('SELECT * FROM orders'),
      await app.database.dataSource.query('SELECT * FROM entitlement'),
      await app.database.dataSource.query('SELECT * FROM consent'),
      await app.database.dataSource.query('SELECT * FROM document_request'),
    ]);
    expect(everything).not.toContain(asha.user.email);
  });

  test('erases nothing when it was undone', async () => {
    await remove();
    await query('UPDATE account SET deleted_at = NULL WHERE id = $1');
    after(8);
    expect(await erase()).toBe(0);
    expect(await query('SELECT email FROM account WHERE id = $1')).toEqual([{ email: asha.user.email }]);
  });

  test('erases all accounts of several batches', async () => {
    const deletedAt = new Date(NOW.getTime() - 8 * DAY_MS);
    for (let n = 0; n < 201; n++)
      await app.database.dataSource.getRepository('UserEntity').insert(createAccountRow({ deletedAt }));
    expect(await erase()).toBe(201);
  });
});

test('deletes addresses of unused codes after a day', async () => {
  await new TestBrowser(app).send('POST', '/api/auth/otp/generate', { email: 'gone@works.example' });
  // By a clock that is ahead.
  after(2.1);
  await new TestBrowser(app).send('POST', '/api/auth/otp/generate', { email: 'ahead@works.example' });
  const storedEmails = () =>
    app.database.dataSource.query(
      "SELECT email FROM email_proof WHERE email IN ('gone@works.example', 'ahead@works.example')",
    );
  expect(await storedEmails()).toHaveLength(2);
  after(0.99);
  await erase();
  expect(await storedEmails()).toEqual([{ email: 'gone@works.example' }]);
  after(1);
  await erase();
  expect(await storedEmails()).toEqual([]);
});

describe('the audit log', () => {
  test.each(['UPDATE audit SET action = action', 'DELETE FROM audit', 'TRUNCATE audit'])('refuses %s', async (sql) => {
    await expect(app.database.dataSource.query(sql)).rejects.toThrow('Rows of audit are never changed or removed');
  });

  test('contains no name, address or number after any of these actions', async () => {
    await live();
    await remove();
    const text = JSON.stringify(await app.database.dataSource.query('SELECT * FROM audit'));
    for (const secret of [asha.user.email, asha.user.mobileNo.slice(3), asha.user.username, '@', '203.0.113.7'])
      expect(text).not.toContain(secret);
  });
});

test('contains the version and instant of a consent, and the network address only as a keyed digest', async () => {
  await live();
  const [row] = await query('SELECT * FROM consent WHERE user_id = $1');
  expect(row).toMatchObject({ purpose: 'account', terms_version: '2026-11-21', given_at: NOW });
  expect(row.address_hash).toHaveLength(32);
  expect(JSON.stringify(row)).not.toContain('203.0.113.7');
});
