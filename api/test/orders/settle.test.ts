import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { WAIT } from '../../src/base/injection-tokens.ts';
import { RefundsService } from '../../src/orders/refunds/refunds.service.ts';
import { SettleService } from '../../src/orders/settlement/settle.service.ts';
import { PaymentGateway } from '../../src/payments/payment-gateway.port.ts';
import { createSession } from '../support/accounts.ts';
import { storeOrder } from '../support/paid-orders.ts';
import { findLastMail, readSentMails } from '../support/test-mailbox.ts';
import {
  advanceTime,
  documentOrder,
  extendTenderClosing,
  fetchOrderStatus,
  findOrder,
  payOrder,
  planOrder,
  postOrder,
  readOrderRows,
  runReconcile,
  sendWebhook,
  startCheckout,
  startShop,
  type TestShop,
} from '../support/test-shop.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');

let shop: TestShop;
let buyers = 0;
let email = '';

/** A wait of the status call; `end` ends it. */
interface Wait {
  ms: number;
  end: () => void;
}
let onWait: ((wait: Wait) => void) | undefined;
const nextWait = () =>
  new Promise<Wait>((begun) => {
    onWait = begun;
  });

beforeAll(async () => {
  const wait = (ms: number) => new Promise<void>((end) => onWait?.({ ms, end }));
  shop = await startShop({
    now: NOW,
    webhooks: 'lost',
    env: { SUPPORT_EMAIL: 'help@nivida.example' },
    providers: [{ provide: WAIT, useValue: wait }],
  });
  await extendTenderClosing(shop);
});
afterAll(() => shop.close());
beforeEach(() => {
  buyers += 1;
  email = `payer${buyers}@builders.example`;
});

const order = (changes: object = {}) => startCheckout(shop, documentOrder(shop, { email, ...changes }));
const settle = async (orderId: string) => shop.app.get(SettleService).settle((await findOrder(shop, orderId)).id);
const query = (sql: string, ...values: unknown[]) => shop.database.dataSource.query(sql, values);
const paymentsOf = async (orderId: string) =>
  (await readOrderRows(shop, 'payment', orderId)).map(({ kind }: { kind: string }) => kind).sort();
const auditActions = async (orderId: string) =>
  (await query('SELECT action FROM audit WHERE subject = $1 ORDER BY id', orderId)).map(
    (row: { action: string }) => row.action,
  );
const mailsTo = async (address: string) =>
  (await readSentMails(shop))
    .filter(({ to }) => to?.some((one) => one.address === address))
    .map(({ subject }) => subject);

/** Number of statements that wait for a lock in this database. */
async function waiters(): Promise<number> {
  const [{ n }] = await query(
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  return n;
}

/** The order of documents in an answer about its status. */
const boughtDocuments = () => ({
  ...{ product: 'tender-documents', planId: null, tenderId: shop.tenderId },
  ...{ title: 'Construction of footbridge', amountPaise: 9_900 },
});

/** All side effects of an order. */
async function traces(orderId: string) {
  return {
    grants: (await readOrderRows(shop, 'entitlement', orderId)).length,
    invoices: (await readOrderRows(shop, 'invoice', orderId)).length,
    deliveries: shop.delivery.queued.filter((id) => id === orderId).length,
    mails: await mailsTo((await findOrder(shop, orderId)).buyerEmail),
  };
}
const ONCE = { grants: 1, invoices: 1, deliveries: 1, mails: ['Your test payment for Nivida'] };
const UNPAID = 'Your test payment for Nivida was not completed';
const CHECKED = 'Your test payment for Nivida is being checked';
const NEVER = { grants: 0, invoices: 0, deliveries: 0, mails: [] };

test('a payment gives one entitlement, one mail, one audit event and one invoice', async () => {
  const { orderId } = await order();
  await payOrder(shop, orderId);
  expect((await settle(orderId)).status).toBe('SUCCESS');
  expect(await traces(orderId)).toEqual(ONCE);
  expect(await readOrderRows(shop, 'entitlement', orderId)).toEqual([
    expect.objectContaining({
      kind: 'documents',
      user_id: null,
      email,
      nit: `tender-${shop.tenderId}`,
      tender_id: Number(shop.tenderId),
      starts_at: shop.clock.now,
      ends_at: null,
      is_test: true,
      revoked_at: null,
    }),
  ]);
  expect(await readOrderRows(shop, 'payment', orderId)).toEqual([
    expect.objectContaining({
      kind: 'capture',
      amount_paise: 9_900,
      currency: 'INR',
      provider: 'sandbox',
      attempt_ref: `${orderId}-1`,
      method: 'UPI',
      noticed_at: shop.clock.now,
    }),
  ]);
  expect(await auditActions(orderId)).toEqual(['order.paid']);
  const [invoice] = await readOrderRows(shop, 'invoice', orderId);
  const mail = (await readSentMails(shop)).findLast(({ to }) => to?.[0]?.address === email);
  expect(mail?.text).toContain(`We have received ₹99.00 for: Construction of footbridge`);
  expect(mail?.text).toContain(`Order ${orderId}, receipt ${invoice.number}.`);
  expect(mail?.text).toContain(`http://nivida.test/payment-status?id=${orderId}`);
  expect(mail?.text).toContain('This was a test: no money has moved.');
});

describe('repeated and concurrent settling', () => {
  test('50 settles of one order give one grant, one receipt and one mail', async () => {
    const { orderId } = await order();
    await payOrder(shop, orderId);
    const done = await Promise.all(Array.from({ length: 50 }, () => settle(orderId)));
    expect(new Set(done.map(({ status }) => status))).toEqual(new Set(['SUCCESS']));
    expect(await traces(orderId)).toEqual(ONCE);
  });

  test('webhook, return and timer at the same instant settle once', async () => {
    const { orderId } = await order();
    await payOrder(shop, orderId);
    shop.clock.now = new Date(shop.clock.now.getTime() + 20_000);
    const event = { eventId: `evt_${randomUUID()}`, attemptRef: `${orderId}-1` };
    await Promise.all([
      ...Array.from({ length: 5 }, () => sendWebhook(shop, event)),
      ...Array.from({ length: 5 }, () => fetchOrderStatus(shop, orderId)),
      ...Array.from({ length: 5 }, () => runReconcile(shop)),
      ...Array.from({ length: 5 }, () => settle(orderId)),
    ]);
    expect((await fetchOrderStatus(shop, orderId)).json.status).toBe('SUCCESS');
    expect(await traces(orderId)).toEqual(ONCE);
  });

  test('concurrently paid orders get numbers without a gap', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, (_, n) => order({ email: `many${n}@builders.example` })));
    await Promise.all(ids.map(({ orderId }) => payOrder(shop, orderId)));
    await Promise.all(ids.map(({ orderId }) => settle(orderId)));
    const rows = await query("SELECT no FROM invoice WHERE series = 'TEST' AND kind = 'receipt' ORDER BY no");
    expect(rows.map(({ no }: { no: number }) => no)).toEqual(rows.map((_: unknown, index: number) => index + 1));
  });
});

test('a failure in the middle leaves nothing, and the next attempt settles completely', async () => {
  const { orderId } = await order();
  await payOrder(shop, orderId);
  shop.delivery.failsNext = true;
  await expect(settle(orderId)).rejects.toThrow('division by zero');
  expect((await findOrder(shop, orderId)).status).toBe('PENDING');
  expect(await traces(orderId)).toEqual(NEVER);
  expect(await paymentsOf(orderId)).toEqual([]);
  await settle(orderId);
  expect(await traces(orderId)).toEqual(ONCE);
});

describe('nothing is granted', () => {
  test('while the order is unpaid', async () => {
    const { orderId } = await order();
    expect((await settle(orderId)).status).toBe('PENDING');
    expect(await traces(orderId)).toEqual(NEVER);
  });

  test.each([
    ['was declined', 'fail', 'The payment was declined. Please try again.', 'Your payment was declined.'],
    ['was cancelled', 'cancel', 'The payment was cancelled.', 'Your payment was cancelled.'],
  ] as const)('for a payment that %s, and the buyer is mailed once', async (_, outcome, error, text) => {
    const { orderId } = await order();
    await payOrder(shop, orderId, outcome);
    expect((await settle(orderId)).status).toBe('FAILED');
    await settle(orderId);
    expect(await traces(orderId)).toEqual({ ...NEVER, mails: [UNPAID] });
    const mail = await findLastMail(shop, email);
    expect(mail.text).toContain(`${text} Nothing was bought. It was ₹99.00 for: Construction of footbridge`);
    expect(mail.text).toContain(`http://nivida.test/payment-status?id=${orderId}`);
    expect(mail.text).toContain('This was a test: no money has moved.');
    expect((await fetchOrderStatus(shop, orderId)).json).toEqual({
      status: 'FAILED',
      order: boughtDocuments(),
      error,
    });
  });

  test('when the page has expired unpaid', async () => {
    const { orderId } = await order();
    await advanceTime(shop, 20 * 60 - 1);
    await advanceTime(shop, 1);
    await runReconcile(shop);
    expect((await findOrder(shop, orderId)).status).toBe('EXPIRED');
    expect((await fetchOrderStatus(shop, orderId)).json).toMatchObject({
      status: 'FAILED',
      error: 'The payment was not completed in time. Please try again.',
    });
    expect(await traces(orderId)).toEqual({ ...NEVER, mails: [UNPAID] });
    expect((await findLastMail(shop, email)).text).toContain(
      'Your payment was not completed in time. Nothing was bought.',
    );
  });

  test('and the order stays open when another attempt begins while the provider is asked about the earlier one', async () => {
    const { orderId } = await order();
    await advanceTime(shop, 20 * 60);
    const { id } = await findOrder(shop, orderId);
    const holder = shop.database.dataSource.createQueryRunner();
    await holder.startTransaction();
    try {
      // The provider has answered about one attempt, and the result waits for the order's row.
      await holder.query('SELECT 1 FROM orders WHERE id = $1 FOR UPDATE', [id]);
      const settling = settle(orderId);
      await vi.waitUntil(async () => (await waiters()) === 1, { timeout: 30_000 });
      await holder.query(
        "INSERT INTO attempt (ref, order_id, provider, created_at, expires_at, claimed_at) VALUES ($1, $2, 'sandbox', $3, $4, $3)",
        [`${orderId}-2`, id, shop.clock.now, new Date(shop.clock.now.getTime() + 20 * 60_000)],
      );
      await holder.commitTransaction();
      expect((await settling).status).toBe('PENDING');
    } finally {
      await holder.release();
    }
    expect(await traces(orderId)).toEqual(NEVER);
  });

  test('and nothing is mailed when the payment page was never opened', async () => {
    const { orderId } = await order();
    await query('ALTER TABLE orders DISABLE TRIGGER orders_guard');
    await query("UPDATE orders SET status = 'CREATED' WHERE public_id = $1", orderId);
    await query('ALTER TABLE orders ENABLE TRIGGER orders_guard');
    await advanceTime(shop, 20 * 60);
    expect((await settle(orderId)).status).toBe('EXPIRED');
    expect(await mailsTo(email)).toEqual([]);
  });

  test('and an address is mailed about at most five unpaid orders a day', async () => {
    const { dataSource } = shop.database;
    const others = ['1', '2', '3', '4'].map((nit) => ({
      nit,
      status: 'FAILED' as const,
      paidAt: null,
      updatedAt: shop.clock.now,
    }));
    for (const other of others) await storeOrder(dataSource, { ...other, buyerEmail: email.toUpperCase() });
    for (const body of [documentOrder(shop, { email }), planOrder({ email })]) {
      const { orderId } = await startCheckout(shop, body);
      await payOrder(shop, orderId, 'fail');
      await settle(orderId);
    }
    expect(await mailsTo(email)).toEqual([UNPAID]);
  });

  test('and tries to buy the same have one mail in all: the last of those that are open, or the first of several in turn', async () => {
    const abandoned = await order();
    await advanceTime(shop, 60);
    const retry = await order();
    await advanceTime(shop, 19 * 60);
    expect((await settle(abandoned.orderId)).status).toBe('EXPIRED');
    expect(await mailsTo(email)).toEqual([]);
    await payOrder(shop, retry.orderId, 'fail');
    await settle(retry.orderId);
    expect(await mailsTo(email)).toEqual([UNPAID]);
    await advanceTime(shop, 60);
    const third = await order();
    await payOrder(shop, third.orderId, 'fail');
    await settle(third.orderId);
    expect(await mailsTo(email)).toEqual([UNPAID]);
  });

  test('and nothing is mailed about a try after the same was paid', async () => {
    const abandoned = await order();
    await advanceTime(shop, 60);
    const retry = await order();
    await payOrder(shop, retry.orderId);
    await settle(retry.orderId);
    await advanceTime(shop, 20 * 60);
    expect((await settle(abandoned.orderId)).status).toBe('EXPIRED');
    expect(await mailsTo(email)).toEqual(['Your test payment for Nivida']);
  });

  test('and orders that expired a day ago do not count, those of today do', async () => {
    const { dataSource } = shop.database;
    const expire = (hoursAgo: number, status: 'EXPIRED' | 'SUCCESS' = 'EXPIRED') =>
      Promise.all(
        Array.from({ length: 5 }, () =>
          storeOrder(dataSource, {
            buyerEmail: email,
            nit: 'of other documents',
            status,
            paidAt: null,
            updatedAt: new Date(shop.clock.now.getTime() - hoursAgo * 3_600_000),
          }),
        ),
      );
    const fail = async (body: object) => {
      const { orderId } = await startCheckout(shop, body);
      await payOrder(shop, orderId, 'fail');
      await settle(orderId);
    };
    await expire(24);
    // Nor do those that were paid.
    await expire(1, 'SUCCESS');
    await fail(documentOrder(shop, { email }));
    expect(await mailsTo(email)).toEqual([UNPAID]);
    await expire(23);
    await fail(planOrder({ email }));
    expect(await mailsTo(email)).toEqual([UNPAID]);
  });

  test.each(['status-500', 'status-malformed'] as const)(
    'while the provider answers nonsense (%s); afterwards it is',
    async (outcome) => {
      const { orderId } = await order();
      await payOrder(shop, orderId, outcome);
      await expect(settle(orderId)).rejects.toThrow(/The (sandbox answered 500|provider could not be asked)/);
      expect(await fetchOrderStatus(shop, orderId)).toMatchObject({ status: 200, json: { status: 'PENDING' } });
      expect(await traces(orderId)).toEqual(NEVER);
      await advanceTime(shop, 61);
      await runReconcile(shop);
      expect(await traces(orderId)).toEqual(ONCE);
    },
  );
});

describe('late', () => {
  test('a payment after the end still counts', async () => {
    const { orderId } = await order();
    await payOrder(shop, orderId, 'late-success');
    await advanceTime(shop, 15 * 60 + 1);
    expect((await settle(orderId)).status).toBe('EXPIRED');
    await advanceTime(shop, 3_600);
    await runReconcile(shop);
    expect((await findOrder(shop, orderId)).status).toBe('SUCCESS');
    expect(await traces(orderId)).toEqual({ ...ONCE, mails: [UNPAID, ...ONCE.mails] });
  });

  test('a payment that the bank confirms hours after the end leaves the order pending until then', async () => {
    const { orderId } = await order();
    await payOrder(shop, orderId, 'slow-success');
    expect((await fetchOrderStatus(shop, orderId)).json).not.toHaveProperty('isUnconfirmed');
    await advanceTime(shop, 20 * 60);
    await runReconcile(shop);
    const { json } = await fetchOrderStatus(shop, orderId);
    expect(json).toMatchObject({ status: 'PENDING', isUnconfirmed: true });
    expect(json).not.toHaveProperty('error');
    expect(await traces(orderId)).toEqual(NEVER);
    await advanceTime(shop, 6 * 3_600);
    await runReconcile(shop);
    expect((await fetchOrderStatus(shop, orderId)).json).toEqual({
      status: 'SUCCESS',
      order: boughtDocuments(),
    });
    expect(await traces(orderId)).toEqual(ONCE);
  });

  test('a payment that stays undecided ends three days after its page, and the buyer is mailed', async () => {
    const { orderId } = await order();
    await payOrder(shop, orderId, 'undecided');
    await advanceTime(shop, 20 * 60 + 3 * 86_400 - 1);
    await runReconcile(shop);
    expect((await findOrder(shop, orderId)).status).toBe('PENDING');
    expect(await mailsTo(email)).toEqual([]);
    await advanceTime(shop, 1);
    await runReconcile(shop);
    expect((await findOrder(shop, orderId)).status).toBe('EXPIRED');
    expect((await fetchOrderStatus(shop, orderId)).json).toMatchObject({ status: 'FAILED' });
    expect(await mailsTo(email)).toEqual([UNPAID]);
    expect((await findLastMail(shop, email)).text).toContain('If money left your account, do not pay again.');
  });

  test('an undecided payment does not keep the buyer from another order or another page of this one', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const body = documentOrder(shop, { email });
    const { orderId } = await startCheckout(shop, body, key);
    await payOrder(shop, orderId, 'slow-success');
    await advanceTime(shop, 20 * 60);
    await runReconcile(shop);
    expect((await order()).orderId).not.toBe(orderId);
    expect((await startCheckout(shop, body, key)).orderId).toBe(orderId);
    // The second page ends unused while the first payment is still undecided.
    await advanceTime(shop, 20 * 60);
    await runReconcile(shop);
    expect((await findOrder(shop, orderId)).status).toBe('PENDING');
    await advanceTime(shop, 6 * 3_600);
    await runReconcile(shop);
    expect(await paymentsOf(orderId)).toEqual(['capture']);
    expect((await traces(orderId)).mails).toContain(ONCE.mails[0]);
  });

  /** An order with two pages: the first one had this outcome, the second one was opened when the first had ended. */
  async function openSecondPage(outcome: Parameters<typeof payOrder>[2]) {
    const key = { 'idempotency-key': randomUUID() };
    const body = documentOrder(shop, { email });
    const { orderId } = await startCheckout(shop, body, key);
    await payOrder(shop, orderId, outcome);
    await advanceTime(shop, 20 * 60);
    await startCheckout(shop, body, key);
    await advanceTime(shop, 60);
    return { orderId, openPage: () => startCheckout(shop, body, key) };
  }

  test.each(['cancel', 'fail'] as const)(
    'a second page (%s) leaves the order unconfirmed while the bank still decides about the first',
    async (outcome) => {
      const { orderId, openPage } = await openSecondPage('slow-success');
      await payOrder(shop, orderId, outcome, 2);
      const { json } = await fetchOrderStatus(shop, orderId);
      expect(json).toMatchObject({ status: 'PENDING', isUnconfirmed: true });
      expect(json).not.toHaveProperty('error');
      expect(await mailsTo(email)).toEqual([]);
      // A buyer who wants to pay now gets a page that can be paid.
      await openPage();
      expect(await readOrderRows(shop, 'attempt', orderId)).toHaveLength(3);
      expect((await fetchOrderStatus(shop, orderId)).json).not.toHaveProperty('isUnconfirmed');
      await advanceTime(shop, 6 * 3_600);
      await runReconcile(shop);
      expect((await findOrder(shop, orderId)).status).toBe('SUCCESS');
      expect(await traces(orderId)).toEqual(ONCE);
    },
  );

  test('a cancelled second page ends the order at once when the first one was only abandoned', async () => {
    const { orderId } = await openSecondPage('abandon');
    await payOrder(shop, orderId, 'cancel', 2);
    expect((await settle(orderId)).status).toBe('FAILED');
  });

  test('a cancelled second page ends the order three days later when the first one is never decided', async () => {
    const { orderId } = await openSecondPage('undecided');
    await payOrder(shop, orderId, 'cancel', 2);
    expect((await settle(orderId)).status).toBe('PENDING');
    await advanceTime(shop, 3 * 86_400 - 1);
    await runReconcile(shop);
    expect((await findOrder(shop, orderId)).status).toBe('PENDING');
    await advanceTime(shop, 1);
    await runReconcile(shop);
    expect((await findOrder(shop, orderId)).status).toBe('FAILED');
    expect(await mailsTo(email)).toEqual([UNPAID]);
  });

  test('a page that never reached the buyer does not keep the order open', async () => {
    const { orderId } = await order();
    await payOrder(shop, orderId, 'undecided');
    await query('ALTER TABLE orders DISABLE TRIGGER orders_guard');
    await query("UPDATE orders SET status = 'CREATED' WHERE public_id = $1", orderId);
    await query('ALTER TABLE orders ENABLE TRIGGER orders_guard');
    await query('UPDATE attempt SET url = NULL WHERE ref = $1', `${orderId}-1`);
    await advanceTime(shop, 20 * 60);
    await runReconcile(shop);
    expect((await findOrder(shop, orderId)).status).toBe('EXPIRED');
    expect(await mailsTo(email)).toEqual([]);
  });

  test('an order has its page for 20 minutes, and another one afterwards', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const body = documentOrder(shop, { email });
    const first = await startCheckout(shop, body, key);
    await advanceTime(shop, 20 * 60 - 1);
    expect(await startCheckout(shop, body, key)).toEqual(first);
    await advanceTime(shop, 1);
    const second = await startCheckout(shop, body, key);
    expect(second.orderId).toBe(first.orderId);
    expect(second.url).not.toBe(first.url);
    expect(await findOrder(shop, first.orderId)).toMatchObject({
      ...{ status: 'PENDING', checks: 0, failure: null },
      expiresAt: new Date(shop.clock.now.getTime() + 20 * 60_000),
      nextCheckAt: new Date(shop.clock.now.getTime() + 20_000),
    });
  });

  test('an order whose earlier page was declined stays open while its newest page is open', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const { orderId } = await startCheckout(shop, planOrder({ email }), key);
    await payOrder(shop, orderId, 'fail');
    expect((await settle(orderId)).status).toBe('FAILED');
    await advanceTime(shop, 60);
    await startCheckout(shop, planOrder({ email }), key);
    // The earlier page is now the last row of the table.
    await query(
      'WITH earlier AS (DELETE FROM attempt WHERE ref = $1 RETURNING *) INSERT INTO attempt SELECT * FROM earlier',
      `${orderId}-1`,
    );
    expect((await settle(orderId)).status).toBe('PENDING');
    await payOrder(shop, orderId, 'success', 2);
    expect((await settle(orderId)).status).toBe('SUCCESS');
  });

  test('a page about which the provider contradicts itself keeps the order open, and the other page can be paid', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const { orderId } = await startCheckout(shop, planOrder({ email }), key);
    await payOrder(shop, orderId, 'fail');
    expect((await settle(orderId)).status).toBe('FAILED');
    await startCheckout(shop, planOrder({ email }), key);
    // Paid, but without a payment.
    await query("UPDATE sandbox.checkout SET state = 'PAID' WHERE attempt_ref = $1", `${orderId}-1`);
    await payOrder(shop, orderId, 'fail', 2);
    expect((await settle(orderId)).status).toBe('PENDING');
    await query(
      `WITH paid AS (UPDATE sandbox.checkout SET state = 'PAID' WHERE attempt_ref = $1 RETURNING attempt_ref)
       INSERT INTO sandbox.payment SELECT 'second-' || attempt_ref, attempt_ref, 589900, 'INR', 'UPI', $2 FROM paid`,
      `${orderId}-2`,
      shop.clock.now,
    );
    expect((await settle(orderId)).status).toBe('SUCCESS');
  });

  test('a declined payment that the bank carries out after all counts', async () => {
    const { orderId } = await order();
    await payOrder(shop, orderId, 'fail');
    expect(await settle(orderId)).toMatchObject({ status: 'FAILED', failure: 'UPI_DECLINED' });
    await query(
      `WITH paid AS (UPDATE sandbox.checkout SET state = 'PAID' WHERE attempt_ref = $1 RETURNING attempt_ref)
       INSERT INTO sandbox.payment SELECT 'after-' || attempt_ref, attempt_ref, 9900, 'INR', 'UPI', $2 FROM paid`,
      `${orderId}-1`,
      shop.clock.now,
    );
    await settle(orderId);
    expect(await findOrder(shop, orderId)).toMatchObject({ status: 'SUCCESS', failure: null });
    expect(await traces(orderId)).toEqual({ ...ONCE, mails: [UNPAID, ...ONCE.mails] });
  });

  test('a payment counts until seven days after its page was opened, and is reviewed later', async () => {
    const { now } = shop.clock;
    onTestFinished(() => {
      shop.clock.now = now;
    });
    const [inTime, late] = [await order(), await order()];
    for (const { orderId } of [inTime, late]) await payOrder(shop, orderId);
    shop.clock.now = new Date(now.getTime() + 7 * 86_400_000);
    expect((await settle(inTime.orderId)).status).toBe('SUCCESS');
    shop.clock.now = new Date(shop.clock.now.getTime() + 1);
    expect((await settle(late.orderId)).status).toBe('REVIEW');
    await shop.app.get(RefundsService).refundOrder(late.orderId, 'it came too late');
    await shop.app.get(RefundsService).runDue();
    expect((await findOrder(shop, late.orderId)).status).toBe('REFUNDED');
  });

  test('a payment counts on a page that is opened more than a week after the order', async () => {
    const { now } = shop.clock;
    onTestFinished(() => {
      shop.clock.now = now;
    });
    const key = { 'idempotency-key': randomUUID() };
    const { orderId } = await startCheckout(shop, planOrder({ email }), key);
    await payOrder(shop, orderId, 'fail');
    expect((await settle(orderId)).status).toBe('FAILED');
    await advanceTime(shop, 8 * 24 * 3_600);
    expect((await startCheckout(shop, planOrder({ email }), key)).orderId).toBe(orderId);
    await payOrder(shop, orderId, 'success', 2);
    expect((await settle(orderId)).status).toBe('SUCCESS');
  });

  test('a first attempt that is paid after a second one was opened counts, and the second payment is refunded', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const body = documentOrder(shop, { email });
    const { orderId } = await startCheckout(shop, body, key);
    await payOrder(shop, orderId, 'late-success');
    await advanceTime(shop, 15 * 60 + 1);
    expect((await settle(orderId)).status).toBe('EXPIRED');
    await startCheckout(shop, body, key);
    await payOrder(shop, orderId, 'success', 2);
    await advanceTime(shop, 120);
    await settle(orderId);
    expect((await findOrder(shop, orderId)).status).toBe('SUCCESS');
    expect((await traces(orderId)).grants).toBe(1);
    const payments = await readOrderRows(shop, 'payment', orderId);
    const duplicate = payments.find(({ kind }: { kind: string }) => kind === 'duplicate');
    expect(payments).toHaveLength(2);
    expect(duplicate.attempt_ref).toBe(`${orderId}-2`);
    await runReconcile(shop);
    expect(await readOrderRows(shop, 'refund', orderId)).toEqual([
      expect.objectContaining({
        provider_payment_id: duplicate.provider_payment_id,
        state: 'SUCCEEDED',
        amount_paise: 9_900,
      }),
    ]);
  });
});

describe('an attempt that is paid while another page is opened', () => {
  test('leaves the order paid', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const body = documentOrder(shop, { email });
    const { orderId } = await startCheckout(shop, body, key);
    await payOrder(shop, orderId, 'fail');
    await advanceTime(shop, 30);
    expect((await settle(orderId)).status).toBe('FAILED');
    const settling = shop.database.dataSource.createQueryRunner();
    await settling.startTransaction();
    try {
      await settling.query("UPDATE orders SET status = 'SUCCESS', paid_at = $2 WHERE public_id = $1", [
        orderId,
        shop.clock.now,
      ]);
      const opening = postOrder(shop, body, key);
      await vi.waitUntil(async () => (await waiters()) === 1, { timeout: 30_000 });
      await settling.commitTransaction();
      expect((await opening).status).toBe(200);
    } finally {
      await settling.release();
    }
    expect((await findOrder(shop, orderId)).status).toBe('SUCCESS');
  });
});

/** Two paid orders: both were placed before the first was paid. */
async function payTwice(first: Parameters<typeof startCheckout>, second: Parameters<typeof startCheckout>) {
  const ids = [(await startCheckout(...first)).orderId, (await startCheckout(...second)).orderId] as const;
  for (const orderId of ids) await payOrder(shop, orderId);
  return ids;
}

describe('two orders of one buyer for the same documents', () => {
  const REASON = 'because your account has these documents already, by order';

  test('of which the second is paid too: it is refunded, without entitlement, delivery or receipt', async () => {
    const { headers, user } = await createSession(shop);
    const body = documentOrder(shop);
    const [first, second] = await payTwice([shop, body, headers], [shop, body, headers]);
    expect((await settle(first)).status).toBe('SUCCESS');
    expect((await settle(second)).status).toBe('REFUND_PENDING');
    expect((await fetchOrderStatus(shop, second)).json.status).toBe('REFUNDED');
    expect(await traces(first)).toMatchObject({ grants: 1, invoices: 1, deliveries: 1 });
    expect(await traces(second)).toMatchObject({ grants: 0, invoices: 0, deliveries: 0 });
    await Promise.all(Array.from({ length: 5 }, () => runReconcile(shop)));
    expect(await readOrderRows(shop, 'refund', second)).toEqual([
      expect.objectContaining({ ref: `R-${second}-1`, state: 'SUCCEEDED', amount_paise: 9_900 }),
    ]);
    expect(await auditActions(second)).toEqual(['order.duplicate', 'refund.queued', 'refund.succeeded']);
    expect((await findOrder(shop, second)).status).toBe('REFUNDED');
    expect((await findOrder(shop, first)).status).toBe('SUCCESS');
    expect((await readOrderRows(shop, 'entitlement', first))[0].revoked_at).toBeNull();
    expect((await findLastMail(shop, user.email)).text?.replace(/\s+/g, ' ')).toContain(`${REASON} ${first}.`);
  });

  test('of which the refund fails: the second stays without documents, support is mailed, and it is refunded again', async () => {
    const { headers } = await createSession(shop);
    const body = documentOrder(shop);
    const first = (await startCheckout(shop, body, headers)).orderId;
    const second = (await startCheckout(shop, body, headers)).orderId;
    await payOrder(shop, first);
    await payOrder(shop, second, 'refund-fail');
    await settle(first);
    await settle(second);
    const refundAgain = () => shop.app.get(RefundsService).refundOrder(second, 'you have these documents already');
    await expect(refundAgain()).rejects.toThrow('An order that is REFUND_PENDING cannot be refunded');
    await runReconcile(shop);
    expect((await readOrderRows(shop, 'refund', second)).map(({ state }: { state: string }) => state)).toEqual([
      'FAILED',
    ]);
    expect((await findOrder(shop, second)).status).toBe('REFUND_PENDING');
    expect((await fetchOrderStatus(shop, second)).json.status).toBe('REFUNDED');
    expect(await findLastMail(shop, 'help@nivida.example')).toMatchObject({
      subject: `Order ${second} needs a person`,
      text: expect.stringContaining(`The provider did not carry out refund R-${second}-1.`),
    });
    await query("UPDATE sandbox.checkout SET outcome = 'success' WHERE attempt_ref = $1", `${second}-1`);
    await refundAgain();
    await expect(refundAgain()).rejects.toThrow('An order that is REFUND_PENDING cannot be refunded');
    await runReconcile(shop);
    expect((await findOrder(shop, second)).status).toBe('REFUNDED');
    expect(await traces(second)).toMatchObject({ grants: 0, invoices: 0, deliveries: 0 });
  });

  test('are settled at the same instant: exactly one is refunded', async () => {
    const { headers } = await createSession(shop);
    const body = documentOrder(shop);
    const ids = await payTwice([shop, body, headers], [shop, body, headers]);
    await Promise.all(ids.flatMap((id) => Array.from({ length: 10 }, () => settle(id))));
    const statuses = await Promise.all(ids.map(async (id) => (await findOrder(shop, id)).status));
    expect(statuses.sort()).toEqual(['REFUND_PENDING', 'SUCCESS']);
  });

  test.each(['REFUND_PENDING', 'REFUNDED'])('of which the first is %s: the second is delivered', async (status) => {
    const { headers } = await createSession(shop);
    const body = documentOrder(shop);
    const [first, second] = await payTwice([shop, body, headers], [shop, body, headers]);
    await settle(first);
    await shop.app.get(RefundsService).refundOrder(first, 'it was bought by mistake');
    if (status === 'REFUNDED') await runReconcile(shop);
    expect((await findOrder(shop, first)).status).toBe(status);
    expect((await settle(second)).status).toBe('SUCCESS');
    expect((await traces(second)).grants).toBe(1);
  });

  test('of which the operator accepts the second after a review: it is refunded at once', async () => {
    const { headers } = await createSession(shop);
    const body = documentOrder(shop);
    const { orderId: second } = await startCheckout(shop, body, headers);
    await payOrder(shop, second, 'amount-off');
    expect((await settle(second)).status).toBe('REVIEW');
    const { orderId: first } = await startCheckout(shop, body, headers);
    await payOrder(shop, first);
    expect((await settle(first)).status).toBe('SUCCESS');
    const accepted = await shop.app.get(SettleService).acceptPayment(second, 'one paisa is missing');
    expect(accepted.status).toBe('REFUND_PENDING');
    await runReconcile(shop);
    expect((await findOrder(shop, second)).status).toBe('REFUNDED');
    expect((await readOrderRows(shop, 'refund', second)).map(({ state }: { state: string }) => state).sort()).toEqual([
      'FAILED',
      'SUCCEEDED',
    ]);
  });

  test.each(['of no account', 'of an account'])(
    'are both left to a guest with an address %s who was warned and bought again',
    async (whose) => {
      const user = whose === 'of an account' ? (await createSession(shop)).user : undefined;
      const body = documentOrder(shop, { email: user?.email ?? email });
      const { orderId: first } = await startCheckout(shop, body);
      await payOrder(shop, first);
      expect((await settle(first)).status).toBe('SUCCESS');
      await advanceTime(shop, 60);
      expect((await postOrder(shop, body)).status).toBe(409);
      const { orderId: second } = await startCheckout(shop, { ...body, again: true });
      await payOrder(shop, second);
      expect(await settle(second)).toMatchObject({ status: 'SUCCESS', userId: user?._id ?? null });
      expect((await traces(second)).grants).toBe(1);
    },
  );

  test.each([
    ['of no account', 'this email address has'],
    ['of an account', 'your account has'],
  ])(
    'of a guest with an address %s, who was not warned because the first was still unpaid: one is refunded',
    async (whose, owner) => {
      const user = whose === 'of an account' ? (await createSession(shop)).user : undefined;
      const body = documentOrder(shop, { email: user?.email ?? email });
      const { orderId: slow } = await startCheckout(shop, body);
      await payOrder(shop, slow, 'slow-success');
      await advanceTime(shop, 20 * 60);
      await runReconcile(shop);
      const { orderId: quick } = await startCheckout(shop, { ...body, email: body.email.toUpperCase() });
      await advanceTime(shop, 60);
      await payOrder(shop, quick);
      expect((await settle(quick)).status).toBe('SUCCESS');
      await advanceTime(shop, 6 * 3_600);
      expect((await settle(slow)).status).toBe('REFUND_PENDING');
      expect(await traces(slow)).toMatchObject({ grants: 0, invoices: 0, deliveries: 0 });
      await runReconcile(shop);
      expect((await findOrder(shop, slow)).status).toBe('REFUNDED');
      expect((await findOrder(shop, quick)).status).toBe('SUCCESS');
      const mail = await findLastMail(shop, body.email);
      expect(mail.text?.replace(/\s+/g, ' ')).toContain(`because ${owner} these documents already, by order ${quick}.`);
    },
  );

  test('of a guest are settled at the same instant: exactly one is refunded', async () => {
    const body = documentOrder(shop, { email });
    const ids = [(await startCheckout(shop, body)).orderId, (await startCheckout(shop, body)).orderId] as const;
    await advanceTime(shop, 60);
    for (const orderId of ids) await payOrder(shop, orderId);
    await Promise.all(ids.flatMap((id) => Array.from({ length: 10 }, () => settle(id))));
    const statuses = await Promise.all(ids.map(async (id) => (await findOrder(shop, id)).status));
    expect(statuses.sort()).toEqual(['REFUND_PENDING', 'SUCCESS']);
  });

  test('are both left to erased buyers, who cannot be identified', async () => {
    const ids = [(await order()).orderId, (await order({ email: `other-${email}` })).orderId];
    await query("UPDATE orders SET buyer_email = '', buyer_mobile = '' WHERE public_id = ANY($1)", ids);
    await advanceTime(shop, 60);
    for (const orderId of ids) {
      await payOrder(shop, orderId);
      expect((await settle(orderId)).status).toBe('SUCCESS');
    }
  });
});

test('two orders of one buyer for different documents are both kept', async () => {
  const { headers } = await createSession(shop);
  const [{ id }] = await query(
    `INSERT INTO tender SELECT (json_populate_record(t, json_build_object('id', t.id + 1000, 'source_id', 'other'))).*
     FROM tender t WHERE t.id = $1 RETURNING id`,
    shop.tenderId,
  );
  const other = documentOrder(shop, { tenderId: String(id), documentId: String(id) });
  const [first, second] = await payTwice([shop, documentOrder(shop), headers], [shop, other, headers]);
  expect([(await settle(first)).status, (await settle(second)).status]).toEqual(['SUCCESS', 'SUCCESS']);
});

describe('two captures of one order', () => {
  test.each([
    {
      product: 'documents',
      body: () => documentOrder(shop, { email }),
      paise: 9_900,
      once: ONCE,
    },
    {
      product: 'a plan',
      body: () => planOrder({ email }),
      paise: 589_900,
      once: { ...ONCE, deliveries: 0 },
    },
  ])('a second capture of an order of $product is refunded once and grants nothing', async ({ body, paise, once }) => {
    const { orderId } = await startCheckout(shop, body());
    await payOrder(shop, orderId, 'double-capture');
    await settle(orderId);
    await advanceTime(shop, 5);
    await Promise.all(Array.from({ length: 10 }, () => settle(orderId)));
    expect(await paymentsOf(orderId)).toEqual(['capture', 'duplicate']);
    await Promise.all(Array.from({ length: 5 }, () => runReconcile(shop)));
    expect(await readOrderRows(shop, 'refund', orderId)).toEqual([
      expect.objectContaining({ ref: `R-${orderId}-1`, state: 'SUCCEEDED', amount_paise: paise }),
    ]);
    expect(await auditActions(orderId)).toEqual([
      'order.paid',
      'payment.duplicate',
      'refund.queued',
      'refund.succeeded',
    ]);
    expect((await findLastMail(shop, email)).text).toContain('because you were debited twice.');
    const { n } = (
      await query('SELECT count(*)::int AS n FROM sandbox.refund WHERE attempt_ref = $1', `${orderId}-1`)
    )[0];
    expect(n).toBe(1);
    expect((await fetchOrderStatus(shop, orderId)).json.status).toBe('SUCCESS');
    expect(await traces(orderId)).toEqual({ ...once, mails: [...once.mails, 'Your test refund from Nivida'] });
    expect((await readOrderRows(shop, 'entitlement', orderId))[0].revoked_at).toBeNull();
  });

  test('are found also without a webhook of the second', async () => {
    const { orderId } = await order();
    await payOrder(shop, orderId, 'double-capture');
    await settle(orderId);
    await advanceTime(shop, 301);
    await runReconcile(shop);
    expect(await paymentsOf(orderId)).toEqual(['capture', 'duplicate']);
  });
});

describe('a payment of another amount or currency', () => {
  test.each([
    ['one paisa less', 'amount-off', '₹98.99', '9899 paise (INR)'],
    ['one paisa more', 'amount-over', '₹99.01', '9901 paise (INR)'],
    ['in another currency', 'wrong-currency', 'USD 99.00', '9900 paise (USD)'],
  ] as const)(
    '%s waits for the operator, grants nothing, and is refunded after a day',
    async (_, outcome, received, captured) => {
      const { orderId } = await order();
      await payOrder(shop, orderId, outcome);
      expect((await settle(orderId)).status).toBe('REVIEW');
      await settle(orderId);
      expect((await fetchOrderStatus(shop, orderId)).json.status).toBe('PENDING');
      expect(await paymentsOf(orderId)).toEqual(['mismatch']);
      expect(await traces(orderId)).toEqual({ ...NEVER, mails: [CHECKED] });
      expect((await findLastMail(shop, email)).text).toContain(
        `We have received ${received} for: Construction of footbridge\n\nThe price of your order is ₹99.00.`,
      );
      expect((await mailsTo('help@nivida.example')).filter((subject) => subject?.includes(orderId))).toEqual([
        `Order ${orderId} needs a person`,
      ]);
      expect((await findLastMail(shop, 'help@nivida.example')).text).toContain(
        `${captured} were captured instead of 9900 paise. Without a decision the money is refunded in 24 hours.`,
      );
      await advanceTime(shop, 24 * 3_600 - 1);
      await runReconcile(shop);
      expect((await findOrder(shop, orderId)).status).toBe('REVIEW');
      await advanceTime(shop, 1);
      await runReconcile(shop);
      expect((await findOrder(shop, orderId)).status).toBe('REFUNDED');
      expect((await fetchOrderStatus(shop, orderId)).json.status).toBe('REFUNDED');
      expect(await readOrderRows(shop, 'invoice', orderId)).toEqual([]);
      expect(await mailsTo(email)).toEqual([CHECKED, 'Your test refund from Nivida']);
      expect((await findLastMail(shop, email)).text).toContain(
        `We have sent ${received} back, because the amount was not that of your order.`,
      );
    },
  );

  test('that comes a second time is refunded too, and the buyer is mailed about the check once', async () => {
    const { orderId } = await order();
    await payOrder(shop, orderId, 'amount-off');
    await settle(orderId);
    await query(
      `INSERT INTO sandbox.payment SELECT 'again-' || attempt_ref, attempt_ref, 9800, 'INR', 'UPI', $2
       FROM sandbox.checkout WHERE attempt_ref = $1`,
      `${orderId}-1`,
      shop.clock.now,
    );
    expect((await settle(orderId)).status).toBe('REVIEW');
    expect(await paymentsOf(orderId)).toEqual(['mismatch', 'mismatch']);
    expect(await mailsTo(email)).toEqual([CHECKED]);
    expect((await mailsTo('help@nivida.example')).filter((subject) => subject?.includes(orderId))).toHaveLength(2);
    expect(await readOrderRows(shop, 'refund', orderId)).toHaveLength(2);
    await advanceTime(shop, 24 * 3_600);
    await runReconcile(shop);
    expect((await findOrder(shop, orderId)).status).toBe('REFUNDED');
    expect(await readOrderRows(shop, 'refund', orderId)).toMatchObject([
      { state: 'SUCCEEDED' },
      { state: 'SUCCEEDED' },
    ]);
    expect((await mailsTo(email)).slice(1)).toEqual(Array(2).fill('Your test refund from Nivida'));
  });

  test('whose refund the provider refused can be refunded again', async () => {
    const { orderId } = await order();
    await payOrder(shop, orderId, 'amount-off');
    await settle(orderId);
    const setHeld = (paise: number) =>
      query('UPDATE sandbox.payment SET amount_paise = $2 WHERE attempt_ref = $1', `${orderId}-1`, paise);
    await setHeld(9_800);
    await advanceTime(shop, 24 * 3_600);
    await runReconcile(shop);
    await setHeld(9_899);
    await shop.app.get(RefundsService).refundOrder(orderId, 'the amount was wrong');
    await runReconcile(shop);
    expect((await findOrder(shop, orderId)).status).toBe('REFUNDED');
    const refunds = await readOrderRows(shop, 'refund', orderId);
    expect(refunds.map((row: Record<string, unknown>) => [row.ref, row.state, row.amount_paise]).sort()).toEqual([
      [`R-${orderId}-1`, 'FAILED', 9_899],
      [`R-${orderId}-2`, 'SUCCEEDED', 9_899],
    ]);
  });

  test('is refunded at once when the right payment follows', async () => {
    const { orderId } = await order();
    await payOrder(shop, orderId, 'amount-off');
    expect((await settle(orderId)).status).toBe('REVIEW');
    await query(
      `INSERT INTO sandbox.payment SELECT 'right-' || attempt_ref, attempt_ref, 9900, 'INR', 'UPI', $2
       FROM sandbox.checkout WHERE attempt_ref = $1`,
      `${orderId}-1`,
      shop.clock.now,
    );
    expect((await settle(orderId)).status).toBe('SUCCESS');
    await runReconcile(shop);
    expect(await readOrderRows(shop, 'refund', orderId)).toMatchObject([{ state: 'SUCCEEDED' }]);
    expect((await findOrder(shop, orderId)).status).toBe('SUCCESS');
  });

  test('whose refund the provider refused can still be accepted; the refused refund stays as it is', async () => {
    const { orderId } = await order();
    await payOrder(shop, orderId, 'amount-off');
    await settle(orderId);
    // The provider holds less than the refund.
    await query('UPDATE sandbox.payment SET amount_paise = 9800 WHERE attempt_ref = $1', `${orderId}-1`);
    await advanceTime(shop, 24 * 3_600);
    await runReconcile(shop);
    expect((await findOrder(shop, orderId)).status).toBe('REVIEW');
    const refused = await readOrderRows(shop, 'refund', orderId);
    expect(refused).toMatchObject([{ state: 'FAILED', checks: 1 }]);
    await advanceTime(shop, 60);
    await shop.app.get(SettleService).acceptPayment(orderId, 'the buyer agrees');
    expect((await findOrder(shop, orderId)).status).toBe('SUCCESS');
    expect(await readOrderRows(shop, 'refund', orderId)).toEqual(refused);
  });

  test('is granted when the operator accepts it, without a refund', async () => {
    const { orderId } = await order();
    await payOrder(shop, orderId, 'amount-off');
    await settle(orderId);
    await shop.app.get(SettleService).acceptPayment(orderId, 'one paisa is nothing');
    expect(await traces(orderId)).toEqual({ ...ONCE, mails: [CHECKED, ...ONCE.mails] });
    expect(await auditActions(orderId)).toEqual(['order.review', 'refund.queued', 'order.accepted', 'order.paid']);
    await advanceTime(shop, 2 * 24 * 3_600);
    await runReconcile(shop);
    expect((await findOrder(shop, orderId)).status).toBe('SUCCESS');
    expect(await shop.app.get(PaymentGateway).fetchRefund({ refundRef: `R-${orderId}-1`, paymentId: '' })).toBe(
      'NOT_FOUND',
    );
    await expect(shop.app.get(SettleService).acceptPayment(orderId, 'again')).rejects.toThrow(
      'The order is not in review',
    );
    await expect(shop.app.get(SettleService).acceptPayment('x'.repeat(22), 'again')).rejects.toThrow('Order not found');
  });

  test('is accepted only while the provider still holds it, and the other one is refunded', async () => {
    const { orderId } = await order();
    await payOrder(shop, orderId, 'amount-off');
    await settle(orderId);
    const insert = (id: string, paise: number) =>
      query(
        "INSERT INTO sandbox.payment VALUES ($1 || $2, $2, $3, 'INR', 'UPI', $4)",
        ...[id, `${orderId}-1`, paise, shop.clock.now],
      );
    await insert('again-', 9_800);
    await settle(orderId);
    await query('DELETE FROM sandbox.payment WHERE attempt_ref = $1 AND amount_paise = 9899', `${orderId}-1`);
    await shop.app.get(SettleService).acceptPayment(orderId, 'the buyer agrees');
    expect(await readOrderRows(shop, 'invoice', orderId)).toMatchObject([{ content: { totalPaise: 9_800 } }]);
    expect(
      (await readOrderRows(shop, 'payment', orderId))
        .map((row: { amount_paise: number; kind: string }) => [row.amount_paise, row.kind])
        .sort(),
    ).toEqual([
      [9_800, 'capture'],
      [9_899, 'mismatch'],
    ]);
    const refunds = await readOrderRows(shop, 'refund', orderId);
    expect(
      refunds.map((row: Record<string, unknown>) => [row.amount_paise, row.state, row.next_check_at]).sort(),
    ).toEqual([
      [9_800, 'FAILED', null],
      [9_899, 'QUEUED', shop.clock.now],
    ]);
  });

  test('is not accepted when the provider does not hold it any more, and the operator is told so', async () => {
    const { orderId } = await order();
    await payOrder(shop, orderId, 'amount-off');
    await settle(orderId);
    await query(
      "UPDATE sandbox.payment SET payment_id = 'other-' || payment_id WHERE attempt_ref = $1",
      `${orderId}-1`,
    );
    await expect(shop.app.get(SettleService).acceptPayment(orderId, 'the buyer agrees')).rejects.toThrow(
      'The provider does not hold the money of this order any more',
    );
    expect((await findOrder(shop, orderId)).status).toBe('REVIEW');
  });
});

test.each([
  ['paid', 'success', 'SUCCESS', 'SUCCESS'],
  ['reviewed and refunded', 'amount-off', 'REVIEW', 'REFUNDED'],
  ['declined', 'fail', 'FAILED', 'FAILED'],
] as const)('an order is %s also after its buyer was erased, without a mail', async (_, outcome, status, dayAfter) => {
  const { orderId } = await order();
  await query("UPDATE orders SET buyer_email = '', buyer_mobile = '' WHERE public_id = $1", orderId);
  await payOrder(shop, orderId, outcome);
  expect((await settle(orderId)).status).toBe(status);
  await advanceTime(shop, 24 * 3_600);
  await runReconcile(shop);
  expect((await findOrder(shop, orderId)).status).toBe(dayAfter);
  expect(await mailsTo(email)).toEqual([]);
});

describe('a refund', () => {
  const refund = (orderId: string, reason = 'it could not be delivered') =>
    shop.app.get(RefundsService).refundOrder(orderId, reason);

  test('revokes the entitlement, mails, and issues a credit note', async () => {
    const { orderId } = await order();
    await payOrder(shop, orderId);
    await settle(orderId);
    await refund(orderId);
    expect((await fetchOrderStatus(shop, orderId)).json.status).toBe('REFUNDED');
    await Promise.all(Array.from({ length: 5 }, () => runReconcile(shop)));
    expect((await findOrder(shop, orderId)).status).toBe('REFUNDED');
    const [{ revoked_at }] = await readOrderRows(shop, 'entitlement', orderId);
    expect(revoked_at).toEqual(shop.clock.now);
    expect(shop.delivery.revoked).toContain(String((await findOrder(shop, orderId)).id));
    expect((await readOrderRows(shop, 'invoice', orderId)).map(({ kind }: { kind: string }) => kind).sort()).toEqual([
      'credit_note',
      'receipt',
    ]);
    expect(await mailsTo(email)).toEqual(['Your test payment for Nivida', 'Your test refund from Nivida']);
    const [{ number }] = await query(
      "SELECT i.number FROM invoice i JOIN orders o ON o.id = i.order_id WHERE o.public_id = $1 AND i.kind = 'credit_note'",
      orderId,
    );
    expect((await fetchOrderStatus(shop, orderId)).json).toMatchObject({
      status: 'REFUNDED',
      creditNoteNumber: number,
    });
    expect((await findLastMail(shop, email)).text).toContain(
      `Credit note ${number} is on the page of your order:\n\nhttp://nivida.test/payment-status?id=${orderId}`,
    );
    await expect(refund(orderId)).rejects.toThrow('An order that is REFUNDED cannot be refunded');
  });

  test('is followed by the refund of a later second debit, and the order stays refunded', async () => {
    const { orderId } = await order();
    await payOrder(shop, orderId);
    await settle(orderId);
    await refund(orderId);
    await runReconcile(shop);
    expect((await findOrder(shop, orderId)).status).toBe('REFUNDED');
    await query(
      `INSERT INTO sandbox.payment SELECT 'again-' || attempt_ref, attempt_ref, amount_paise, currency, method, $2
       FROM sandbox.payment WHERE attempt_ref = $1`,
      `${orderId}-1`,
      shop.clock.now,
    );
    expect((await settle(orderId)).status).toBe('REFUNDED');
    expect(await paymentsOf(orderId)).toEqual(['capture', 'duplicate']);
    await runReconcile(shop);
    expect((await readOrderRows(shop, 'refund', orderId)).map(({ state }: { state: string }) => state)).toEqual([
      'SUCCEEDED',
      'SUCCEEDED',
    ]);
    expect((await findOrder(shop, orderId)).status).toBe('REFUNDED');
    expect(await readOrderRows(shop, 'entitlement', orderId)).toMatchObject([{ revoked_at: expect.any(Date) }]);
  });

  test('that is under way is followed by the refund of a second debit, and grants nothing again', async () => {
    const { orderId } = await order();
    await payOrder(shop, orderId, 'refund-pending');
    await settle(orderId);
    await refund(orderId);
    await runReconcile(shop);
    await query(
      `INSERT INTO sandbox.payment SELECT 'again-' || attempt_ref, attempt_ref, amount_paise, currency, method, $2
       FROM sandbox.payment WHERE attempt_ref = $1`,
      `${orderId}-1`,
      shop.clock.now,
    );
    expect((await settle(orderId)).status).toBe('REFUND_PENDING');
    expect(await paymentsOf(orderId)).toEqual(['capture', 'duplicate']);
    expect((await traces(orderId)).grants).toBe(1);
  });

  test('that stays pending has its reference, and ends when the provider reports it', async () => {
    const { orderId } = await order();
    await payOrder(shop, orderId, 'refund-pending');
    await settle(orderId);
    await refund(orderId);
    await runReconcile(shop);
    expect((await readOrderRows(shop, 'refund', orderId))[0]).toMatchObject({
      ref: `R-${orderId}-1`,
      state: 'PENDING',
    });
    await advanceTime(shop, 60);
    await runReconcile(shop);
    expect(await readOrderRows(shop, 'refund', orderId)).toEqual([expect.objectContaining({ state: 'SUCCEEDED' })]);
    expect((await findOrder(shop, orderId)).status).toBe('REFUNDED');
  });

  test('that stays pending is asked about at growing intervals', async () => {
    const { orderId } = await order();
    await payOrder(shop, orderId, 'refund-pending');
    await settle(orderId);
    await refund(orderId);
    const pauses: number[] = [];
    for (let nth = 1; nth <= 3; nth += 1) {
      await shop.app.get(RefundsService).checkNow(`R-${orderId}-1`);
      await shop.app.get(RefundsService).runDue();
      const [{ next_check_at }] = await readOrderRows(shop, 'refund', orderId);
      pauses.push((next_check_at.getTime() - shop.clock.now.getTime()) / 1_000);
    }
    expect(pauses).toEqual([20, 40, 60]);
  });

  test('that the provider rejects leaves the order paid and mails support', async () => {
    const { orderId } = await order();
    await payOrder(shop, orderId, 'refund-fail');
    await settle(orderId);
    await refund(orderId);
    await runReconcile(shop);
    expect((await findOrder(shop, orderId)).status).toBe('SUCCESS');
    expect((await readOrderRows(shop, 'entitlement', orderId))[0].revoked_at).toBeNull();
    expect(await findLastMail(shop, 'help@nivida.example')).toMatchObject({
      subject: `Order ${orderId} needs a person`,
      text: expect.stringContaining(`The provider did not carry out refund R-${orderId}-1.`),
    });
    await refund(orderId);
    expect((await readOrderRows(shop, 'refund', orderId)).map(({ ref }: { ref: string }) => ref).sort()).toEqual([
      `R-${orderId}-1`,
      `R-${orderId}-2`,
    ]);
  });

  test('that the provider refuses to accept has failed, and the order stays paid', async () => {
    const { orderId } = await order();
    await payOrder(shop, orderId);
    await settle(orderId);
    // The provider holds less than the refund.
    await query('UPDATE sandbox.payment SET amount_paise = 9800 WHERE attempt_ref = $1', `${orderId}-1`);
    await refund(orderId);
    await runReconcile(shop);
    expect(await readOrderRows(shop, 'refund', orderId)).toMatchObject([{ state: 'FAILED', next_check_at: null }]);
    expect((await findOrder(shop, orderId)).status).toBe('SUCCESS');
    expect((await mailsTo('help@nivida.example')).at(-1)).toBe(`Order ${orderId} needs a person`);
  });

  test('of a wrong amount leaves the payment of the right amount', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const { orderId } = await startCheckout(shop, documentOrder(shop, { email }), key);
    await advanceTime(shop, 21 * 60);
    await startCheckout(shop, documentOrder(shop, { email }), key);
    await payOrder(shop, orderId, 'refund-pending', 2);
    await shop.database.dataSource.query(
      `WITH paid AS (UPDATE sandbox.checkout SET state = 'PAID' WHERE attempt_ref = $1 RETURNING attempt_ref)
       INSERT INTO sandbox.payment SELECT 'wrong-' || attempt_ref, attempt_ref, 9800, 'INR', 'UPI', $2 FROM paid`,
      [`${orderId}-1`, shop.clock.now],
    );
    await settle(orderId);
    expect((await findOrder(shop, orderId)).status).toBe('SUCCESS');
    await refund(orderId);
    await runReconcile(shop);
    expect((await readOrderRows(shop, 'refund', orderId)).map(({ state }: { state: string }) => state).sort()).toEqual([
      'PENDING',
      'SUCCEEDED',
    ]);
    expect((await findOrder(shop, orderId)).status).toBe('REFUND_PENDING');
    await advanceTime(shop, 60);
    await runReconcile(shop);
    expect((await findOrder(shop, orderId)).status).toBe('REFUNDED');
    expect((await readOrderRows(shop, 'invoice', orderId)).map(({ kind }: { kind: string }) => kind).sort()).toEqual([
      'credit_note',
      'receipt',
    ]);
  });

  /** Two workers ask the provider about a refund, and both have its answer before the first one stores it. */
  async function finishByTwoWorkers(orderId: string): Promise<void> {
    const refunds = shop.app.get(RefundsService);
    const holder = shop.database.dataSource.createQueryRunner();
    await holder.startTransaction();
    try {
      // Both workers have asked the provider and wait for the order's row.
      await holder.query('SELECT 1 FROM orders WHERE public_id = $1 FOR UPDATE', [orderId]);
      const workers: Promise<number>[] = [];
      for (const count of [1, 2]) {
        await refunds.checkNow(`R-${orderId}-1`);
        workers.push(refunds.runDue());
        await vi.waitUntil(async () => (await waiters()) === count, { timeout: 30_000 });
      }
      await holder.commitTransaction();
      expect(await Promise.all(workers)).toEqual([1, 1]);
    } finally {
      await holder.release();
    }
  }

  test('that two workers finish at the same time is mailed and audited once', async () => {
    const { orderId } = await order();
    await payOrder(shop, orderId, 'refund-pending');
    await settle(orderId);
    await refund(orderId);
    await runReconcile(shop);
    await advanceTime(shop, 60);
    await finishByTwoWorkers(orderId);
    expect((await findOrder(shop, orderId)).status).toBe('REFUNDED');
    expect(await auditActions(orderId)).toEqual([
      'order.paid',
      'refund.queued',
      'order.refund-asked',
      'refund.succeeded',
    ]);
    expect(await mailsTo(email)).toEqual(['Your test payment for Nivida', 'Your test refund from Nivida']);
  });

  test('that failed is reported to support once, also when two workers notice it at the same time', async () => {
    const { orderId } = await order();
    await payOrder(shop, orderId, 'refund-pending');
    await settle(orderId);
    await refund(orderId);
    await runReconcile(shop);
    await query("UPDATE sandbox.refund SET state = 'FAILED', due_at = NULL WHERE refund_ref = $1", `R-${orderId}-1`);
    await finishByTwoWorkers(orderId);
    expect((await findOrder(shop, orderId)).status).toBe('SUCCESS');
    expect((await auditActions(orderId)).filter((action: string) => action === 'refund.failed')).toHaveLength(1);
    const reports = (await mailsTo('help@nivida.example')).filter((subject) => subject?.includes(orderId));
    expect(reports).toEqual([`Order ${orderId} needs a person`]);
  });

  test('that is dropped while a worker is about to send it never reaches the provider', async () => {
    const { orderId } = await order();
    await payOrder(shop, orderId, 'amount-off');
    await settle(orderId);
    await advanceTime(shop, 24 * 3_600);
    const [{ provider_payment_id: payment }] = await readOrderRows(shop, 'payment', orderId);
    const refunds = shop.app.get(RefundsService);
    const holder = shop.database.dataSource.createQueryRunner();
    await holder.startTransaction();
    try {
      // The worker has leased the refund and waits for the order's row.
      await holder.query('SELECT 1 FROM orders WHERE public_id = $1 FOR UPDATE', [orderId]);
      const worker = refunds.runDue();
      await vi.waitUntil(async () => (await waiters()) === 1, { timeout: 30_000 });
      await refunds.cancelRefund(holder.manager, payment);
      await holder.commitTransaction();
      expect(await worker).toBe(1);
    } finally {
      await holder.release();
    }
    expect(await shop.app.get(PaymentGateway).fetchRefund({ refundRef: `R-${orderId}-1`, paymentId: '' })).toBe(
      'NOT_FOUND',
    );
    expect((await findOrder(shop, orderId)).status).toBe('REVIEW');
  });

  test('of real money is not processed where only a test provider is configured', async () => {
    const { orderId } = await order();
    await payOrder(shop, orderId);
    await settle(orderId);
    await refund(orderId);
    const { dataSource } = shop.database;
    await dataSource.query('ALTER TABLE orders DISABLE TRIGGER orders_guard');
    const setLive = (live: boolean) =>
      dataSource.query('UPDATE orders SET live = $2 WHERE public_id = $1', [orderId, live]);
    await setLive(true);
    await runReconcile(shop);
    expect(await readOrderRows(shop, 'refund', orderId)).toMatchObject([{ state: 'QUEUED', checks: 0 }]);
    await setLive(false);
    await dataSource.query('ALTER TABLE orders ENABLE TRIGGER orders_guard');
    await runReconcile(shop);
    expect(await readOrderRows(shop, 'refund', orderId)).toMatchObject([{ state: 'SUCCEEDED' }]);
  });

  test('of an unpaid order is rejected', async () => {
    const { orderId } = await order();
    await expect(refund(orderId)).rejects.toThrow('An order that is PENDING cannot be refunded');
    await expect(refund('x'.repeat(22))).rejects.toThrow('Order not found');
  });
});

describe('the status call', () => {
  test('accepts the public id only, under both names, and its response is never stored', async () => {
    const { orderId } = await order();
    const expected = { status: 'PENDING', order: boughtDocuments() };
    for (const path of ['/api/status-check', '/api/payment-status']) {
      const { status, json, headers } = await shop.get(`${path}?id=${orderId}`);
      expect([status, json, headers['cache-control']]).toEqual([200, expected, 'no-store']);
    }
    const { id } = await findOrder(shop, orderId);
    for (const wrong of [id, '1', 'x'.repeat(22), `${orderId}x`, `${orderId}-1`, "' OR 1=1 --"]) {
      const { status, json } = await fetchOrderStatus(shop, encodeURIComponent(wrong));
      expect([status, json.message]).toEqual([404, 'Order not found']);
    }
    expect(await shop.get('/api/status-check')).toMatchObject({
      status: 400,
      json: { message: 'Order ID is missing' },
    });
    expect(await shop.get('/api/payment-status?id=')).toMatchObject({ json: { message: 'Order ID is missing' } });
  });

  test('settles a paid order, and asks the provider at most every 3 seconds', async () => {
    const { orderId } = await order();
    expect((await fetchOrderStatus(shop, orderId)).json.status).toBe('PENDING');
    await payOrder(shop, orderId);
    expect((await fetchOrderStatus(shop, orderId)).json.status).toBe('PENDING');
    shop.clock.now = new Date(shop.clock.now.getTime() + 3_000);
    expect((await fetchOrderStatus(shop, orderId)).json.status).toBe('SUCCESS');
    expect(await traces(orderId)).toEqual(ONCE);
  });

  test('does not ask the provider again when a server whose clock is five seconds ahead has just asked', async () => {
    const { orderId } = await order();
    await payOrder(shop, orderId);
    const ahead = new Date(shop.clock.now.getTime() + 5_000);
    await query('UPDATE orders SET last_checked_at = $2 WHERE public_id = $1', orderId, ahead);
    expect((await fetchOrderStatus(shop, orderId)).json.status).toBe('PENDING');
  });

  test('asks the provider although a clock that was ahead has asked', async () => {
    const { orderId } = await order();
    await payOrder(shop, orderId);
    const ahead = new Date(shop.clock.now.getTime() + 24 * 3_600_000);
    await query('UPDATE orders SET last_checked_at = $2 WHERE public_id = $1', orderId, ahead);
    expect((await fetchOrderStatus(shop, orderId)).json.status).toBe('SUCCESS');
  });

  test('of a plan has no tender', async () => {
    const { headers } = await createSession(shop);
    const { orderId } = await startCheckout(shop, planOrder(), headers);
    expect((await fetchOrderStatus(shop, orderId)).json.order).toEqual({
      ...{ product: 'yearly-subscription', planId: 'basic', tenderId: null },
      ...{ title: 'Basic plan, one year', amountPaise: 589_900 },
    });
  });

  test('is rejected the 31st time in a minute for one order, and answered for others', async () => {
    const [{ orderId }, other] = [await order(), await order()];
    const statuses: number[] = [];
    for (let n = 0; n < 31; n++) statuses.push((await fetchOrderStatus(shop, orderId)).status);
    expect(statuses).toEqual([...Array(30).fill(200), 429]);
    expect((await fetchOrderStatus(shop, other.orderId)).status).toBe(200);
  });

  test('returns after 8 seconds when the provider hangs, while others are served', async () => {
    const { orderId } = await order();
    await payOrder(shop, orderId, 'status-hang');
    const nextTimeout = nextWait();
    const waiting = fetchOrderStatus(shop, orderId);
    const { ms, end } = await nextTimeout;
    expect(ms).toBe(8_000);
    // As many calls as the pool has connections: a waiting call must not hold one.
    const others = await Promise.all(Array.from({ length: 12 }, () => shop.get('/api/orders')));
    expect(others.map(({ status }) => status)).toEqual(Array(12).fill(401));
    end();
    expect((await waiting).json.status).toBe('PENDING');
    await advanceTime(shop, 61);
    expect((await findOrder(shop, orderId)).status).toBe('SUCCESS');
  });
});
