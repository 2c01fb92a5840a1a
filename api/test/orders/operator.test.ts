/** The operator's commands, with the payment sandbox and a real database. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Email } from 'postal-mime';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../../src/base/log.ts';
import { runDocuments } from '../../src/cli/commands/documents.command.ts';
import { runOrders } from '../../src/cli/commands/orders.command.ts';
import type { FindService } from '../../src/cli/service-command.ts';
import { DocumentFetchService } from '../../src/documents/files/document-fetch.service.ts';
import { InvoicesService } from '../../src/invoices/invoices.service.ts';
import { BuyerAccountService } from '../../src/orders/buyer-account.service.ts';
import { OrderEntity } from '../../src/orders/order.entity.ts';
import { RefundsService } from '../../src/orders/refunds/refunds.service.ts';
import { ReconcileService } from '../../src/orders/settlement/reconcile.service.ts';
import { SettleService } from '../../src/orders/settlement/settle.service.ts';
import { createSession } from '../support/accounts.ts';
import { createOrderRow as storedOrder, storeOrder } from '../support/paid-orders.ts';
import { lockWaiters, startApp, type TestApp } from '../support/start-app.ts';
import { findLink, readSentMails } from '../support/test-mailbox.ts';
import {
  advanceTime,
  documentOrder,
  findOrder,
  payOrder,
  planOrder,
  readOrderRows,
  SHOP_ORIGIN,
  startCheckout,
  startShop,
  type TestShop,
} from '../support/test-shop.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');

let shop: TestShop;
let folder: string;
let buyers = 0;
let email = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-operator-'));
  shop = await startShop({ now: NOW, webhooks: 'lost', env: { FILES_URL: `file://${folder}/store` } });
});
afterAll(async () => {
  await shop.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  buyers += 1;
  email = `buyer${buyers}@builders.example`;
});

const run = (...args: string[]): Promise<string> =>
  runOrders(args, {
    dataSource: shop.database.dataSource,
    now: shop.clock.now,
    find: async (type) => shop.app.get(type),
  });
const show = async (id: string) => JSON.parse(await run('show', id, '--json'));
const auditActions = async (id: string) =>
  (
    await shop.database.dataSource.query('SELECT action, actor_id, detail FROM audit WHERE subject = $1 ORDER BY id', [
      id,
    ])
  ).map((row: object) => Object.values(row));
const mailsTo = async (address: string) =>
  (await readSentMails(shop)).filter(({ to }) => to?.some((one) => one.address === address));

/** Changes an order in a transaction that ends when the command waits for it. */
async function whileChanging(id: string, change: string, command: () => Promise<void>): Promise<void> {
  const { dataSource } = shop.database;
  const other = dataSource.createQueryRunner();
  await other.startTransaction();
  await other.query(`UPDATE orders SET ${change} WHERE public_id = $1`, [id]);
  const ended = command();
  await expect.poll(() => lockWaiters({ dataSource })).toHaveLength(1);
  await other.commitTransaction();
  await other.release();
  await ended;
}

/** A settled order of documents. */
async function paid(outcome: Parameters<typeof payOrder>[2] = 'success'): Promise<string> {
  const { orderId } = await startCheckout(shop, documentOrder(shop, { email, again: true }));
  await payOrder(shop, orderId, outcome);
  await shop.app.get(SettleService).settle((await findOrder(shop, orderId)).id);
  return orderId;
}

describe('an order', () => {
  test('is shown with payments, invoices, entitlements and audit events', async () => {
    const id = await paid();
    expect(await show(id)).toMatchObject({
      orderId: id,
      status: 'SUCCESS',
      amountPaise: 9_900,
      buyer: { name: 'Asha Verma', email, mobile: '+919805512345' },
      live: false,
      attempts: [{ ref: `${id}-1`, provider: 'sandbox' }],
      payments: [{ kind: 'capture', amountPaise: 9_900, currency: 'INR' }],
      refunds: [],
      grants: [{ kind: 'documents', endsAt: null, revokedAt: null }],
      invoices: [{ kind: 'receipt', number: expect.stringMatching(/^TEST\/26-27\/\d{7}$/) }],
      auditEvents: [{ action: 'order.paid' }],
    });
    const text = await run('show', id);
    expect(text).toMatch(/^status {5}SUCCESS$/m);
    expect(text).toContain(`Asha Verma, ${email}, +919805512345`);
    expect(text).toMatch(/^price {6}₹99\.00 at sandbox, test$/m);
    expect(text).toMatch(/^paid {7}₹99\.00, 10 Nov 2026, 11:30 AM$/m);
    expect(text).toContain(`for        Construction of footbridge (tender ${shop.tenderId})\n`);
    expect(text).toMatch(/^grant {6}documents, without end$/m);
  });

  test('is shown with each of its facts, before and after it was paid and refunded', async () => {
    const started = NOW;
    shop.clock.now = NOW;
    const later = (seconds: number) => new Date(started.getTime() + seconds * 1_000).toISOString();
    const { user, headers } = await createSession(shop, { state: 'Goa' });
    const { orderId: id } = await startCheckout(shop, planOrder({ states: ['Goa'] }), headers);
    const attempt = {
      ...{ ref: `${id}-1`, provider: 'sandbox', providerRef: expect.any(String) },
      ...{ createdAt: later(0), expiresAt: later(1_200) },
    };
    const unpaid = {
      ...{ orderId: id, status: 'PENDING', failure: null, product: 'yearly-subscription' },
      ...{ title: 'Basic plan, one year', tenderId: null, planId: 'basic', states: ['Goa'] },
      ...{ amountPaise: 589_900, paidPaise: null, currency: 'INR', userId: user._id, provider: 'sandbox', live: false },
      buyer: { name: user.username, email: user.email, mobile: user.mobileNo, billingState: 'Goa', gstin: '' },
      ...{ createdAt: later(0), paidAt: null, expiresAt: later(1_200), nextCheckAt: later(20) },
      ...{ attempts: [attempt], payments: [], refunds: [], grants: [], invoices: [], auditEvents: [] },
    };
    expect(await show(id)).toEqual(unpaid);
    expect(await run('show', id)).toMatch(/^paid {7}no\nnext check 10 Nov 2026, 11:30 AM$/m);
    await payOrder(shop, id, 'refund-pending');
    await advanceTime(shop, 60);
    await run('recheck', id);
    await advanceTime(shop, 60);
    await run('refund', id, '--reason', 'it was bought twice');
    const payment = { provider: 'sandbox', providerPaymentId: expect.any(String) };
    expect(await show(id)).toEqual({
      ...unpaid,
      ...{ status: 'REFUND_PENDING', paidPaise: 589_900, paidAt: later(60), nextCheckAt: later(360) },
      payments: [
        {
          ...{ ...payment, attemptRef: `${id}-1`, amountPaise: 589_900, currency: 'INR', method: 'UPI' },
          ...{ kind: 'capture', noticedAt: later(60) },
        },
      ],
      refunds: [
        {
          ...{ ...payment, ref: `R-${id}-1`, amountPaise: 589_900, reason: 'it was bought twice', state: 'PENDING' },
          ...{ createdAt: later(120), updatedAt: later(120), nextCheckAt: later(140), isDropped: false },
        },
      ],
      grants: [{ kind: 'plan', startsAt: later(60), endsAt: later(60 + 365 * 86_400), revokedAt: null, isTest: true }],
      invoices: [{ kind: 'receipt', number: expect.stringMatching(/^TEST\//), issuedAt: later(60) }],
      auditEvents: [
        { at: later(60), action: 'order.paid', detail: { payment: expect.any(String), amountPaise: 589_900 } },
        {
          ...{ at: later(60), action: 'order.rechecked' },
          detail: expect.objectContaining({ before: 'PENDING', after: 'SUCCESS' }),
        },
        {
          ...{ at: later(120), action: 'refund.queued' },
          detail: { ref: `R-${id}-1`, amountPaise: 589_900, reason: 'it was bought twice' },
        },
        { at: later(120), action: 'order.refund-asked', detail: { reason: 'it was bought twice' } },
      ],
    });
    const { payments, invoices } = await show(id);
    const lines = (await run('show', id)).split('\n');
    expect(lines.filter((line) => line && !line.startsWith('event'))).toEqual([
      `order      ${id}`,
      'status     REFUND_PENDING',
      'for        Basic plan, one year: Goa',
      'price      ₹5,899.00 at sandbox, test',
      `buyer      Asha Verma, ${user.email}, ${user.mobileNo}, Goa`,
      `account    ${user._id}`,
      'created    10 Nov 2026, 11:30 AM',
      'paid       ₹5,899.00, 10 Nov 2026, 11:31 AM',
      'next check 10 Nov 2026, 11:36 AM',
      `payment    ${payments[0].providerPaymentId} capture 589900 paise INR by UPI, 10 Nov 2026, 11:31 AM`,
      `refund     R-${id}-1 PENDING 589900 paise, because it was bought twice; next 10 Nov 2026, 11:32 AM`,
      `receipt    ${invoices[0].number}`,
      'grant      plan, until 10 Nov 2027, 11:31 AM',
    ]);
    expect(lines).toContain(`event      10 Nov 2026, 11:32 AM order.refund-asked {"reason":"it was bought twice"}`);
    shop.clock.now = started;
  });

  test('is shown with its attempts in the order of their begin', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const { orderId: id } = await startCheckout(shop, documentOrder(shop, { email }), key);
    await payOrder(shop, id, 'fail');
    await run('recheck', id);
    const { now } = shop.clock;
    await advanceTime(shop, 1);
    await startCheckout(shop, documentOrder(shop, { email }), key);
    // The first attempt is now the last row of the table.
    await shop.database.dataSource.query(
      'WITH first AS (DELETE FROM attempt WHERE ref = $1 RETURNING *) INSERT INTO attempt SELECT * FROM first',
      [`${id}-1`],
    );
    expect((await show(id)).attempts.map(({ ref }: { ref: string }) => ref)).toEqual([`${id}-1`, `${id}-2`]);
    shop.clock.now = now;
  });

  test('is shown with its payments and refunds in the order in which they were noticed', async () => {
    const { now } = shop.clock;
    const id = await paid('double-capture');
    await advanceTime(shop, 5);
    await shop.app.get(SettleService).settle((await findOrder(shop, id)).id);
    await advanceTime(shop, 5);
    await run('refund', id, '--reason', 'it was bought by mistake');
    const { payments, refunds } = await show(id);
    expect(payments.map(({ kind }: { kind: string }) => kind)).toEqual(['capture', 'duplicate']);
    expect(refunds.map(({ ref }: { ref: string }) => ref)).toEqual([`R-${id}-1`, `R-${id}-2`]);
    shop.clock.now = now;
  });

  test('in review is first in the list, and the list can be filtered by status', async () => {
    const wrong = await paid('amount-off');
    await paid();
    const [first] = JSON.parse(await run('list', '--json'));
    expect(first).toEqual({
      ...{ orderId: wrong, status: 'REVIEW', title: 'Construction of footbridge', amountPaise: 9_900, live: false },
      createdAt: shop.clock.now.toISOString(),
    });
    const text = await run('list', '--status', 'review');
    expect(text).toBe(`REVIEW\t${wrong}\t10 Nov 2026, 11:30 AM\t₹99.00\ttest\tConstruction of footbridge\n1 orders\n`);
    expect(await run('show', wrong)).toContain(`npm run orders -- resolve ${wrong} --reason TEXT`);
    await run('refund', wrong, '--reason', 'the amount was wrong');
  });
});

test('a live order is shown as one, with what is not paid yet, what was bought and when it is checked next', async () => {
  const { dataSource } = shop.database;
  const nextCheckAt = new Date('2027-12-31T12:05:00+05:30');
  const waiting = {
    ...{ product: 'yearly-subscription', planId: 'basic', states: ['Goa', 'Assam'], title: 'Basic plan, one year' },
    ...{ live: true, status: 'PENDING', paidAt: null, nextCheckAt, amountPaise: 589_950 },
    ...{ buyerEmail: email, gstin: '02ABCDE1234F1ZC', tenderId: null, nit: null },
  } as Parameters<typeof storeOrder>[1];
  const { publicId } = await storeOrder(dataSource, waiting);
  const failed = await storeOrder(dataSource, {
    ...{ buyerEmail: `${email}.in`, status: 'FAILED', failure: 'declined', live: true, createdAt: NOW },
  });
  const { publicId: unmatched } = await storeOrder(dataSource, { buyerEmail: `${email}.org` });
  expect(await run('show', publicId)).toBe(
    [
      `order      ${publicId}`,
      'status     PENDING',
      'for        Basic plan, one year: Goa, Assam',
      'price      ₹5,899.50 at sandbox, live',
      `buyer      Asha Verma, ${email}, +919805512345, Himachal Pradesh, 02ABCDE1234F1ZC`,
      'account    none',
      'created    10 Nov 2026, 12:00 PM',
      'paid       no',
      'next check 31 Dec 2027, 12:05 PM',
      '',
    ].join('\n'),
  );
  expect(await run('list', '--find', ` ${email} `)).toBe(
    `PENDING\t${publicId}\t10 Nov 2026, 12:00 PM\t₹5,899.50\tlive\tBasic plan, one year\n1 orders\n`,
  );
  expect(await run('show', failed.publicId)).toMatch(/^status {5}FAILED \(declined\)$/m);
  expect(await run('show', unmatched)).toMatch(/^paid {7}10 Nov 2026, 12:00 PM\nnext check none$/m);
  expect(await run('list', '--find', `${email}.in`, '--status', 'pending')).toBe('0 orders\n');
});

test('an order of an account names it, and a payment its method, time and currency', async () => {
  const { headers, user } = await createSession(shop);
  const { orderId } = await startCheckout(shop, documentOrder(shop), headers);
  await payOrder(shop, orderId);
  await run('recheck', orderId, '--reason', 'the buyer called');
  const text = await run('show', orderId);
  const [{ provider_payment_id: payment, method }] = await readOrderRows(shop, 'payment', orderId);
  expect(text).toMatch(new RegExp(`^account {4}${user._id}$`, 'm'));
  expect(text).toContain(
    `payment    ${payment} capture 9900 paise INR${method ? ` by ${method}` : ''}, 10 Nov 2026, 11:30 AM\n`,
  );
  expect(text).toMatch(/^receipt {4}TEST\/26-27\/\d{7}$/m);
  expect(text).toContain(
    'event      10 Nov 2026, 11:30 AM order.rechecked {"after":"SUCCESS","before":"PENDING","reason":"the buyer called"}\n',
  );
  expect(text).not.toMatch(/^(?:decide|or) /m);
});

describe('the list', () => {
  test('finds an order by e-mail, mobile number, payment, receipt, refund and order, and no other', async () => {
    const mobile = `98765${String(buyers).padStart(5, '0')}`;
    const { orderId } = await startCheckout(shop, documentOrder(shop, { email, mobileNo: mobile }));
    await payOrder(shop, orderId);
    await run('recheck', orderId);
    await paid();
    const { payments, invoices: issuedInvoices } = await show(orderId);
    await run('refund', orderId, '--reason', 'x');
    for (const find of [
      mobile,
      `0${mobile}`,
      `+91 ${mobile.slice(0, 5)} ${mobile.slice(5)}`,
      payments[0].providerPaymentId,
      payments[0].providerPaymentId.toUpperCase(),
      `${orderId}-1`,
      issuedInvoices[0].number.toLowerCase(),
      `R-${orderId}-1`,
      orderId,
    ]) {
      const found = JSON.parse(await run('list', '--find', find, '--json'));
      expect([find, found.map((order: { orderId: string }) => order.orderId)]).toEqual([find, [orderId]]);
    }
    expect(await run('list', '--find', email.toUpperCase())).toMatch(/\n2 orders\n$/);
    expect(await run('list', '--find', 'unknown@builders.example')).toBe('0 orders\n');
    expect(await run('list', '--find', `${email}%`)).toBe('0 orders\n');
  });

  test('has pages of a hundred orders', async () => {
    const { dataSource } = shop.database;
    const many = Array.from({ length: 205 }, () => storedOrder({ buyerEmail: 'many@builders.example' }));
    await dataSource.getRepository(OrderEntity).save(many);
    const page = (...args: string[]) => run('list', '--find', 'many@builders.example', ...args);
    const [first, second, third] = [await page(), await page('--page', '2'), await page('--page', '3')];
    const ids = [first, second, third].flatMap((text) => text.match(/[\w-]{22}(?=\t)/g) ?? []);
    const newestFirst = many.toSorted((one, other) => Number(other.id) - Number(one.id));
    expect(ids).toEqual(newestFirst.map(({ publicId }) => publicId));
    expect(first.split('\n').at(-2)).toBe('100 of 205 orders, page 1 of 3; --page 2 shows the next');
    expect(third.split('\n').at(-2)).toBe('5 of 205 orders, page 3 of 3');
    expect(await page('--page', '4')).toBe('0 of 205 orders, page 4 of 3\n');
  });
});

describe('rechecking', () => {
  test('finds a payment without a webhook', async () => {
    const { orderId } = await startCheckout(shop, documentOrder(shop, { email }));
    await payOrder(shop, orderId, 'paid-no-return');
    expect((await findOrder(shop, orderId)).status).toBe('PENDING');
    const after = JSON.parse(await run('recheck', orderId, '--reason', 'the buyer called', '--json'));
    expect(after.status).toBe('SUCCESS');
    expect(await auditActions(orderId)).toContainEqual([
      'order.rechecked',
      null,
      { before: 'PENDING', after: 'SUCCESS', reason: 'the buyer called' },
    ]);
  });

  test('asks about a pending refund, and needs no reason', async () => {
    const id = await paid('refund-pending');
    const sent = JSON.parse(await run('refund', id, '--reason', 'you bought it twice', '--json'));
    expect(sent).toMatchObject({ status: 'REFUND_PENDING', refunds: [{ state: 'PENDING' }] });
    await advanceTime(shop, 31);
    expect(await run('recheck', id)).toMatch(/^status {5}REFUNDED$/m);
  });

  test('sends a refund at once that waits for its next attempt', async () => {
    const id = await paid('double-capture');
    await advanceTime(shop, 5);
    await shop.app.get(SettleService).settle((await findOrder(shop, id)).id);
    const later = new Date(shop.clock.now.getTime() + 3_600_000);
    await shop.database.dataSource.query('UPDATE refund SET next_check_at = $2 WHERE ref = $1', [`R-${id}-1`, later]);
    expect(await show(id)).toMatchObject({ refunds: [{ state: 'QUEUED' }] });
    await run('recheck', id);
    expect(await show(id)).toMatchObject({ status: 'SUCCESS', refunds: [{ state: 'SUCCEEDED' }] });
  });

  test('does not decide about an order in review', async () => {
    const id = await paid('amount-off');
    await run('recheck', id);
    expect(await show(id)).toMatchObject({ status: 'REVIEW', refunds: [{ state: 'QUEUED' }], grants: [] });
    await run('refund', id, '--reason', 'the amount was wrong');
  });

  test('changes and records nothing while the provider does not answer', async () => {
    const { orderId } = await startCheckout(shop, documentOrder(shop, { email }));
    await payOrder(shop, orderId, 'status-500');
    await expect(run('recheck', orderId)).rejects.toThrow(expect.objectContaining({ name: 'GatewayError' }));
    expect((await findOrder(shop, orderId)).status).toBe('PENDING');
    expect(await auditActions(orderId)).toEqual([]);
  });
});

describe('correcting the e-mail address', () => {
  test("sends the order's mails to the new one, mails both, and is audited without the addresses", async () => {
    const id = await paid();
    const [corrected, typed] = [`right-${email}`, email];
    const text = await run('email', id, corrected, '--reason', 'a letter was missing');
    expect(text).toContain(`Asha Verma, ${corrected}, +919805512345`);
    const subject = 'The e-mail address of your Nivida order was changed';
    const toOld = (await mailsTo(typed)).at(-1);
    expect(toOld).toMatchObject({ subject, text: expect.stringContaining('mails about it no longer come here') });
    expect(toOld?.text).not.toContain('payment-status');
    expect(toOld?.text).not.toContain(corrected);
    const toNew = (await mailsTo(corrected)).at(-1);
    expect(toNew).toMatchObject({ subject, text: expect.stringContaining(`${SHOP_ORIGIN}/payment-status?id=${id}`) });
    expect(await auditActions(id)).toContainEqual([
      'order.email-changed',
      null,
      { from: 'b***@builders.example', to: 'r***@builders.example', reason: 'a letter was missing' },
    ]);
  });

  test('moves the plan to the account with the new one, not to that with the old one', async () => {
    const { orderId } = await startCheckout(shop, planOrder({ email }));
    await payOrder(shop, orderId);
    await run('recheck', orderId);
    // Signed in before the correction, and not again after it.
    const { headers } = await createSession(shop, { email: `right-${email}` });
    await run('email', orderId, `right-${email}`);
    expect((await shop.get('/api/orders', headers)).json).toMatchObject({
      orders: [{ orderId }],
      plan: { planId: 'basic' },
    });
    const wrong = await createSession(shop, { email });
    await shop.database.dataSource.transaction((manager) =>
      shop.app.get(BuyerAccountService).claimOrders(manager, { id: wrong.user._id, email }),
    );
    expect((await shop.get('/api/orders', wrong.headers)).json).toEqual({ orders: [], plan: null });
  });

  test('ends the links that were sent to the old address', async () => {
    const id = await paid();
    const { dataSource } = shop.database;
    await dataSource.query(
      `WITH package AS (
         INSERT INTO document_package (nit, version, file_key, sha256, bytes, file_names, fingerprint, is_demonstration, created_at)
         VALUES ('tender-' || $2, 1, 'x', 'x', 1, '{}', 'x', false, $3) RETURNING id)
       INSERT INTO download_link (token_sha256, entitlement_id, nit, tender_id, package_id, created_at, expires_at)
       SELECT 'old link', e.id, e.nit, e.tender_id, package.id, $3, $3::timestamptz + interval '7 days'
       FROM entitlement e JOIN orders o ON o.id = e.order_id CROSS JOIN package WHERE o.public_id = $1`,
      [id, shop.tenderId, shop.clock.now],
    );
    await run('email', id, `right-${email}`);
    const links = await dataSource.query(
      `SELECT token_sha256 = 'old link' AS old, revoked_at IS NOT NULL AS ended FROM download_link ORDER BY old DESC`,
    );
    expect(links).toEqual([
      { old: true, ended: true },
      { old: false, ended: false },
    ]);
    expect((await mailsTo(`right-${email}`)).map(({ subject }) => subject)).toContain('Your tender documents');
    await dataSource.query('DELETE FROM download_link; DELETE FROM document_package');
  });

  test.each<[string, string[], string]>([
    ['no address', ['email', 'x'], 'email: name one order and its new address'],
    ['what is no address', ['email', 'x', 'asha'], 'email: "asha" is not an e-mail address'],
    ['an order that is not known', ['email', 'x', 'a@b.example'], 'There is no order "x"'],
  ])('with %s is rejected', async (_, args, message) => {
    await expect(run(...args)).rejects.toThrow(message);
  });

  test('of an account’s order is rejected: its user changes it', async () => {
    const id = await paid();
    await shop.database.dataSource.query(
      `UPDATE orders SET user_id = '7e0b4f0e-5a52-4c0e-9a0a-0f3d1c9b7a01' WHERE public_id = $1`,
      [id],
    );
    await expect(run('email', id, `right-${email}`)).rejects.toThrow('The order belongs to an account');
  });

  test('is rejected for the same address in another letter case, and for an erased buyer', async () => {
    const id = await paid();
    const before = (await readSentMails(shop)).length;
    await expect(run('email', id, email.toUpperCase())).rejects.toThrow('The order has this address already');
    await shop.database.dataSource.query("UPDATE orders SET buyer_email = '' WHERE public_id = $1", [id]);
    await expect(run('email', id, email)).rejects.toThrow('The data of this buyer were erased');
    expect((await readSentMails(shop)).length).toBe(before);
  });

  test('is rejected when an account claims the order in the meantime', async () => {
    const id = await paid();
    await whileChanging(id, "user_id = '7e0b4f0e-5a52-4c0e-9a0a-0f3d1c9b7a01'", () =>
      expect(run('email', id, `right-${email}`)).rejects.toThrow('The order belongs to an account'),
    );
    expect((await findOrder(shop, id)).buyerEmail).toBe(email);
  });
});

describe('refunding', () => {
  test('refunds the money, revokes the entitlement, and mails the reason to the buyer', async () => {
    const id = await paid();
    const text = await run('refund', id, '--reason', 'the documents were those of another work');
    expect(text).toMatch(/^status {5}REFUNDED$/m);
    expect(text).toMatch(/^grant {6}documents, revoked \d+ Nov 2026, /m);
    expect(text).toMatch(/^credit note TEST\/26-27\/\d{7}$/m);
    expect(await show(id)).toMatchObject({
      refunds: [{ ref: `R-${id}-1`, state: 'SUCCEEDED', amountPaise: 9_900 }],
      grants: [{ revokedAt: expect.any(String) }],
      invoices: [{ kind: 'receipt' }, { kind: 'credit_note' }],
    });
    expect(await auditActions(id)).toContainEqual([
      'order.refund-asked',
      null,
      { reason: 'the documents were those of another work' },
    ]);
    expect(await auditActions(id)).toContainEqual(['refund.succeeded', null, { ref: `R-${id}-1`, amountPaise: 9_900 }]);
    const mail = (await mailsTo(email)).at(-1);
    expect(mail?.subject).toBe('Your test refund from Nivida');
    expect(mail?.text).toContain('because the documents were those of another work.');
  });

  test('an account’s order is audited without an actor, like its acceptance before', async () => {
    const { headers, user } = await createSession(shop);
    const { orderId } = await startCheckout(shop, documentOrder(shop), headers);
    await payOrder(shop, orderId, 'amount-off');
    await run('recheck', orderId);
    await run('resolve', orderId, '--reason', 'one paisa does not matter');
    await run('refund', orderId, '--reason', 'it was bought twice');
    const actors = (await auditActions(orderId)).map(([action, actor]: unknown[]) => [action, actor]);
    expect(actors).toContainEqual(['order.paid', user._id]);
    expect(actors).toContainEqual(['order.accepted', null]);
    expect(actors).toContainEqual(['order.refund-asked', null]);
  });

  test('sends the money of an order in review at once, and leaves other orders in review', async () => {
    const other = await paid('amount-off');
    const before = await show(other);
    const id = await paid('amount-over');
    await run('refund', id, '--reason', 'the amount was wrong');
    expect(await show(id)).toMatchObject({ status: 'REFUNDED', refunds: [{ state: 'SUCCEEDED', amountPaise: 9_901 }] });
    const pending = await paid('refund-pending');
    await run('refund', pending, '--reason', 'it was bought twice');
    await run('recheck', pending);
    await run('resolve', await paid('amount-off'), '--reason', 'one paisa does not matter');
    expect(await show(other)).toEqual(before);
    await run('refund', other, '--reason', 'the amount was wrong');
  });

  test('is repeated for a second order of the same documents whose refund failed', async () => {
    const { headers } = await createSession(shop);
    const ids: string[] = [];
    for (const _ of [1, 2]) ids.push((await startCheckout(shop, documentOrder(shop), headers)).orderId);
    const [first, second] = ids as [string, string];
    await payOrder(shop, first);
    await payOrder(shop, second, 'refund-fail');
    await run('recheck', first);
    await run('recheck', second);
    await expect(run('refund', second, '--reason', 'x')).rejects.toThrow(
      'An order that is REFUND_PENDING cannot be refunded. Recheck it, then look at it again',
    );
    await run('recheck', second);
    expect(await show(second)).toMatchObject({ status: 'REFUND_PENDING', refunds: [{ state: 'FAILED' }] });
    await shop.database.dataSource.query("UPDATE sandbox.checkout SET outcome = 'success' WHERE attempt_ref = $1", [
      `${second}-1`,
    ]);
    expect(await run('refund', second, '--reason', 'you have these documents already')).toMatch(
      /^status {5}REFUNDED$/m,
    );
  });

  test('is rejected for an unpaid order, and the second time', async () => {
    const { orderId } = await startCheckout(shop, documentOrder(shop, { email }));
    await expect(run('refund', orderId, '--reason', 'x')).rejects.toThrow(
      'The order is PENDING; only SUCCESS or REVIEW holds money to give back; recheck it if the buyer says that he paid',
    );
    const id = await paid();
    await run('refund', id, '--reason', 'x');
    await expect(run('refund', id, '--reason', 'x')).rejects.toThrow('The order is REFUNDED; ');
    expect(await readOrderRows(shop, 'refund', id)).toHaveLength(1);
  });
});

describe('resolving', () => {
  test('delivers the order although the amount differs, and refunds nothing', async () => {
    const id = await paid('amount-off');
    const text = await run('resolve', id, '--reason', 'one paisa does not matter');
    expect(text).toMatch(/^status {5}SUCCESS$/m);
    expect(await show(id)).toMatchObject({
      payments: [{ kind: 'capture', amountPaise: 9_899 }],
      refunds: [{ state: 'FAILED' }],
      grants: [{ kind: 'documents', revokedAt: null }],
    });
    expect(await auditActions(id)).toContainEqual([
      'order.accepted',
      null,
      { payment: expect.any(String), reason: 'one paisa does not matter' },
    ]);
    expect(await auditActions(id)).toContainEqual([
      'order.review',
      null,
      { payment: expect.any(String), amountPaise: 9_899, currency: 'INR', expectedPaise: 9_900, isLate: false },
    ]);
  });

  test('is shown with the paid amount and without the dropped refund', async () => {
    const id = await paid('amount-off');
    const text = await run('resolve', id, '--reason', 'one paisa does not matter');
    expect(text).toMatch(/^price {6}₹99\.00 at sandbox, test$/m);
    expect(text).toMatch(/^paid {7}₹98\.99, /m);
    expect(text).toContain(`refund     R-${id}-1 was never sent: the payment was accepted\n`);
    expect(text).not.toMatch(/FAILED|decide|sends the money back/);
    expect(await show(id)).toMatchObject({ paidPaise: 9_899, refunds: [{ isDropped: true }] });
  });

  test('a refund that the provider did not carry out is shown as failed, not as never sent', async () => {
    const id = await paid('refund-fail');
    await run('refund', id, '--reason', 'it was bought twice');
    await shop.app.get(RefundsService).runDue();
    expect(await show(id)).toMatchObject({ refunds: [{ state: 'FAILED', isDropped: false }] });
    expect(await run('show', id)).toContain(`refund     R-${id}-1 FAILED 9900 paise, because it was bought twice\n`);
  });

  test('the receipt and the mail show the captured amount', async () => {
    const id = await paid('amount-off');
    await run('resolve', id, '--reason', 'one paisa does not matter');
    const [{ content }] = await readOrderRows(shop, 'invoice', id);
    expect(content).toMatchObject({ totalPaise: 9_899, taxablePaise: 9_899 });
    expect((await mailsTo(email)).at(-1)?.text).toContain('We have received ₹98.99 for: Construction of footbridge');
    expect(await auditActions(id)).toContainEqual([
      'order.paid',
      null,
      { payment: expect.any(String), amountPaise: 9_899 },
    ]);
  });

  test('is rejected for another currency: no invoice can be issued over it', async () => {
    const id = await paid('wrong-currency');
    await expect(run('resolve', id, '--reason', 'x')).rejects.toThrow(
      'The payment is in USD; invoices are issued in INR only. Refund it.',
    );
    await expect(run('resolve', id, '--reason', 'x')).rejects.toMatchObject({
      ...{ name: 'AppError', message: expect.stringMatching(/\. Recheck it, then look at it again$/) },
    });
    expect(await show(id)).toMatchObject({ status: 'REVIEW', refunds: [{ state: 'QUEUED' }], invoices: [] });
    await run('refund', id, '--reason', 'the currency was wrong');
  });

  test('stores the refund of orders that cannot be delivered within a day', async () => {
    const id = await paid('amount-off');
    await run('resolve', id, '--reason', 'one paisa does not matter');
    const resolvedAt = shop.clock.now;
    await advanceTime(shop, 24 * 3_600 - 1);
    await shop.app.get(DocumentFetchService).run();
    expect(await show(id)).toMatchObject({ status: 'SUCCESS' });
    await advanceTime(shop, 1);
    await shop.app.get(DocumentFetchService).run();
    await shop.app.get(RefundsService).runDue();
    expect(await show(id)).toMatchObject({
      status: 'REFUNDED',
      refunds: [{ state: 'FAILED' }, { state: 'SUCCEEDED', amountPaise: 9_899 }],
      grants: [{ revokedAt: expect.any(String) }],
    });
    expect((await mailsTo(email)).at(-1)?.text).toContain('because the documents could not be delivered.');
    shop.clock.now = resolvedAt;
  });

  test('is rejected for an order that is not in review', async () => {
    const id = await paid();
    await expect(run('resolve', id, '--reason', 'x')).rejects.toThrow(
      'The order is SUCCESS; only REVIEW can be resolved',
    );
  });
});

describe('sending the documents again', () => {
  test('mails a new link once there is a package', async () => {
    const id = await paid();
    await expect(run('resend', id)).rejects.toThrow(
      `There is no package yet. Attach the documents of tender ${shop.tenderId}: they are sent by themselves.`,
    );
    const file = join(folder, 'Notice.pdf');
    await writeFile(file, '%PDF-1.4 the notice');
    const { config } = shop;
    const context = { dataSource: shop.database.dataSource, config, now: shop.clock.now, log: () => {} };
    await runDocuments(['attach', '--tender', shop.tenderId, file], context);

    await run('resend', id, '--reason', 'the mail was lost');
    const mail = (await mailsTo(email)).at(-1) as Email;
    expect(mail.subject).toBe('Your tender documents');
    expect(findLink(mail)).toMatch(/^http:\/\/nivida\.test\/d\/[\w-]{43}$/);
    expect(await auditActions(id)).toContainEqual(['order.resent', null, { reason: 'the mail was lost' }]);
  });

  test('is rejected for a purchase that was revoked, and a new address gets no link to it', async () => {
    const id = await paid();
    await shop.database.dataSource.query(
      'UPDATE entitlement SET revoked_at = $2 WHERE order_id = (SELECT id FROM orders WHERE public_id = $1)',
      [id, shop.clock.now],
    );
    const before = (await mailsTo(email)).length;
    await expect(run('resend', id)).rejects.toThrow(
      'A revoked purchase is not delivered, nor a test purchase where payments are live',
    );
    expect(await mailsTo(email)).toHaveLength(before);
    await run('email', id, `right-${email}`);
    expect((await mailsTo(`right-${email}`)).map(({ subject }) => subject)).toEqual([
      'The e-mail address of your Nivida order was changed',
    ]);
  });

  test('is not done by a new address while the money goes back', async () => {
    const id = await paid('refund-pending');
    await run('refund', id, '--reason', 'it was bought twice');
    await run('email', id, `right-${email}`);
    expect((await mailsTo(`right-${email}`)).map(({ subject }) => subject)).toEqual([
      'The e-mail address of your Nivida order was changed',
    ]);
  });

  test('is rejected when the order is refunded in the meantime', async () => {
    const id = await paid();
    await whileChanging(id, "status = 'REFUND_PENDING'", () =>
      expect(run('resend', id)).rejects.toThrow('The order is REFUND_PENDING; only SUCCESS has documents to send'),
    );
  });

  test('is rejected for a plan and for an unpaid order', async () => {
    const plan = await startCheckout(shop, planOrder({ email }));
    await expect(run('resend', plan.orderId)).rejects.toThrow(
      'The order is PENDING; only SUCCESS has documents to send',
    );
    await payOrder(shop, plan.orderId);
    await run('recheck', plan.orderId);
    await expect(run('resend', plan.orderId)).rejects.toThrow('A plan has no documents of its own to send');
    const text = await run('show', plan.orderId);
    expect(text).toContain('for        Basic plan, one year: \n');
    expect(text).toMatch(/^grant {6}plan, until \d+ Nov 2027, /m);
  });
});

test.each<[string[], string]>([
  [[], 'orders: list, show, export, email, recheck, resend, refund, resolve'],
  [['remove', 'x'], 'orders: list, show, export, email, recheck, resend, refund, resolve'],
  [['show'], 'show: name one order'],
  [['show', 'a', 'b'], 'show: name one order'],
  [['show', 'AAAAAAAAAAAAAAAAAAAAAA'], 'There is no order "AAAAAAAAAAAAAAAAAAAAAA"'],
  [['recheck', 'x'], 'There is no order "x"'],
  [['refund', 'x'], 'refund needs a --reason: it stays in the audit log'],
  [['resolve', 'x', '--reason', ' '], 'resolve needs a --reason: it stays in the audit log'],
  [['list', '--page', '0'], '--page must be a number from 1'],
  [['list', '--find', ' '], '--find needs a text'],
  [['export'], 'export needs --from and --to as days: YYYY-MM-DD'],
  [['export', '--from', '2026-11-01', '--to', '2026-11-31'], 'export needs --from and --to as days: YYYY-MM-DD'],
  [['export', '--from', '2026-11-02', '--to', '2026-11-01'], '--from is after --to'],
  [
    ['export', '--from', '2026-11-01', '--to', '2026-11-30', '--table', 'b2c'],
    '--table must be one of b2b, b2cs, cdnr',
  ],
  [
    ['list', '--status', 'paid'],
    '--status must be one of CREATED, PENDING, SUCCESS, FAILED, EXPIRED, REVIEW, REFUND_PENDING, REFUNDED',
  ],
  [['list', '--page', '1000001x'], '--page must be a number from 1'],
  [['export', '--from', '2026-11-01'], 'export needs --from and --to as days: YYYY-MM-DD'],
  [['export', '--from', '2026-1-1', '--to', '2026-11-30'], 'export needs --from and --to as days: YYYY-MM-DD'],
  [['email', 'x', 'a@b.example', 'c@d.example'], 'email: name one order and its new address'],
  [['email'], 'email: name one order and its new address'],
  [['recheck', 'x', 'y'], 'recheck: name one order'],
])('orders %j is rejected: %s', async (args, message) => {
  await expect(run(...args)).rejects.toThrow(message);
});

describe('an order of a provider that is not configured', () => {
  const lines: string[] = [];
  let other: TestApp;
  const runOther = (...args: string[]): Promise<string> =>
    runOrders(args, {
      dataSource: shop.database.dataSource,
      now: NOW,
      find: (async (type) => other.app.get(type)) as FindService,
    });
  beforeAll(async () => {
    const log = createLog({ production: true, role: 'all', logLevel: 'warn' }, { write: (line) => lines.push(line) });
    const env = { PUBLIC_ORIGIN: SHOP_ORIGIN, PAYMENT_PROVIDER: 'phonepe' };
    other = await startApp({ now: NOW, database: shop.database, log, env });
  });
  afterAll(() => other.close());

  test('stays as it is, and the operator reads why', async () => {
    const id = await paid();
    await shop.database.dataSource.query('UPDATE orders SET next_check_at = $1 WHERE public_id = $2', [NOW, id]);
    const before = await findOrder(shop, id);
    for (const args of [
      ['recheck', id],
      ['refund', id, '--reason', 'x'],
      ['resolve', id, '--reason', 'x'],
    ])
      await expect(runOther(...args)).rejects.toThrow(
        'The order was made as a test at sandbox, which is not configured: see PAYMENT_PROVIDER in docs/configuration.md',
      );
    for (let nth = 1; nth <= 2; nth += 1) expect(await other.app.get(ReconcileService).run()).toBe(0);
    expect(await findOrder(shop, id)).toEqual(before);
    // Once, not in every run.
    expect(
      lines
        .join()
        .split(
          '1 test orders wait for sandbox, which is not configured: see PAYMENT_PROVIDER in docs/configuration.md',
        ),
    ).toHaveLength(2);
    await shop.database.dataSource.query('UPDATE orders SET next_check_at = NULL WHERE public_id = $1', [id]);
  });

  test('gets its documents again and another e-mail address, which need no provider', async () => {
    const id = await paid();
    const { dataSource } = shop.database;
    await dataSource.query(
      `INSERT INTO document_package (nit, version, file_key, sha256, bytes, file_names, fingerprint, is_demonstration, created_at)
       VALUES ('tender-' || $1, 1, 'x', 'x', 1, '{}', 'x', false, $2) ON CONFLICT DO NOTHING`,
      [shop.tenderId, NOW],
    );
    await runOther('resend', id);
    await runOther('email', id, `right-${email}`);
    expect((await auditActions(id)).slice(-2).map(([action]: string[]) => action)).toEqual([
      'order.resent',
      'order.email-changed',
    ]);
    expect((await findOrder(shop, id)).buyerEmail).toBe(`right-${email}`);
  });
});

test('the export holds the tax invoices and credit notes of an Indian period in the columns of GSTR-1', async () => {
  const { dataSource } = shop.database;
  const issuer = (gstin?: string) => new InvoicesService(shop.app.get(DataSource), { ...shop.config, gstin });
  const invoices = issuer('02ABCDE1234F1ZC');
  const issue = async (at: string, changes: object, by = invoices) => {
    const order = await storeOrder(dataSource, { live: true, provider: 'phonepe', ...changes });
    const payment = { amountPaise: order.amountPaise, providerPaymentId: 'T1', method: 'UPI' };
    await dataSource.transaction((manager) => by.issueInvoice(manager, order, payment, new Date(at)));
    return order;
  };
  const credit = (order: OrderEntity, at: string) =>
    dataSource.transaction((manager) => invoices.issueCreditNote(manager, order, new Date(at)));
  const firm = {
    gstin: '03ABCDE1234F1ZA',
    billingState: 'Punjab',
    buyerFirm: '=Verma, "Sons"',
    buyerAddress: 'Ludhiana',
  };
  const jammu = { billingState: 'Jammu and Kashmir' };
  // One second before the period, its first and last second, and the second after it, in India.
  await issue('2027-04-30T23:59:59+05:30', {});
  const returned = await issue('2027-05-01T00:00:00+05:30', { ...firm, amountPaise: 589_900 });
  await issue('2027-05-31T23:59:59+05:30', firm);
  await issue('2027-05-09T12:00:00+05:30', { billingState: 'Himachal Pradesh' });
  const back = await issue('2027-05-09T12:00:00+05:30', jammu);
  await issue('2027-05-09T12:00:00+05:30', { ...jammu, amountPaise: 589_900 });
  await issue('2027-06-01T00:00:00+05:30', {});
  await issue('2027-05-09T12:00:00+05:30', { live: false, provider: 'sandbox' });
  // A receipt without tax and its return, of the time before the registration.
  await credit(await issue('2027-05-08T12:00:00+05:30', {}, issuer()), '2027-05-10T12:00:00+05:30');
  await credit(returned, '2027-05-20T12:00:00+05:30');
  await credit(back, '2027-05-21T12:00:00+05:30');
  // An order of a version that did not ask for the firm.
  await credit(await issue('2028-05-09T12:00:00+05:30', { ...firm, buyerFirm: '' }), '2028-05-10T12:00:00+05:30');
  const later = async (table: string) =>
    (await run('export', '--from', '2028-05-01', '--to', '2028-05-31', '--table', table)).split('\r\n')[1];
  expect(await later('b2b')).toMatch(/^03ABCDE1234F1ZA,Asha Verma,TN\/28-29\/0000001,09-May-2028,/);
  const ofTwoYears = await run('export', '--from', '2027-05-31', '--to', '2028-05-31', '--table', 'b2b');
  expect(ofTwoYears.match(/TN\S+?(?=,)/g)).toEqual(['TN/27-28/0000003', 'TN/28-29/0000001']);
  expect(await later('cdnr')).toMatch(/^03ABCDE1234F1ZA,Asha Verma,CN\/28-29\/0000001,10-May-2028,/);
  const SONS = `"'=Verma, ""Sons"""`;
  expect((await run('export', '--from', '2027-05-01', '--to', '2027-05-31')).split('\r\n')).toEqual([
    'b2b',
    'GSTIN/UIN of Recipient,Receiver Name,Invoice Number,Invoice date,Invoice Value,Place Of Supply,Reverse Charge,Applicable % of Tax Rate,Invoice Type,E-Commerce GSTIN,Rate,Taxable Value,Cess Amount',
    `03ABCDE1234F1ZA,${SONS},TN/27-28/0000002,01-May-2027,5899.00,03-Punjab,N,,Regular B2B,,18,4999.15,`,
    `03ABCDE1234F1ZA,${SONS},TN/27-28/0000003,31-May-2027,99.00,03-Punjab,N,,Regular B2B,,18,83.90,`,
    '',
    'b2cs',
    'Type,Place Of Supply,Applicable % of Tax Rate,Rate,Taxable Value,Cess Amount,E-Commerce GSTIN',
    'OE,01-Jammu & Kashmir,,18,4999.15,,',
    'OE,02-Himachal Pradesh,,18,83.90,,',
    '',
    'cdnr',
    'GSTIN/UIN of Recipient,Receiver Name,Note Number,Note Date,Note Type,Place Of Supply,Reverse Charge,Note Supply Type,Note Value,Applicable % of Tax Rate,Rate,Taxable Value,Cess Amount',
    `03ABCDE1234F1ZA,${SONS},CN/27-28/0000001,20-May-2027,C,03-Punjab,N,Regular B2B,5899.00,,18,4999.15,`,
    '',
  ]);
  expect(await run('export', '--from', '2027-05-09', '--to', '2027-05-09', '--table', 'b2cs')).toContain(
    'OE,01-Jammu & Kashmir,,18,5083.05,,\r\n',
  );
});
