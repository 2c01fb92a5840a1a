/** The daily comparison of the database with the payment sandbox. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { RefundsService } from '../../src/orders/refunds/refunds.service.ts';
import { ProviderAuditService } from '../../src/orders/settlement/provider-audit.service.ts';
import { SettleService } from '../../src/orders/settlement/settle.service.ts';
import { readSentMails } from '../support/test-mailbox.ts';
import {
  advanceTime,
  documentOrder,
  extendTenderClosing,
  findOrder,
  payOrder,
  readOrderRows,
  runReconcile,
  startCheckout,
  startShop,
  type TestShop,
} from '../support/test-shop.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const DAY = 86_400;

let shop: TestShop;
let buyers = 0;
let email = '';

beforeAll(async () => {
  shop = await startShop({ now: NOW, webhooks: 'lost', env: { SUPPORT_EMAIL: 'help@nivida.example' } });
  await extendTenderClosing(shop);
});
afterAll(() => shop.close());
beforeEach(() => {
  email = `compared${++buyers}@builders.example`;
});

const auditPayments = () => shop.app.get(ProviderAuditService).run();
const changeAtProvider = (sql: string, orderId: string) => shop.database.dataSource.query(sql, [`${orderId}-1`]);
const mailsTo = async (address: string) =>
  (await readSentMails(shop)).filter(({ to }) => to?.some((one) => one.address === address));
const mailsAbout = async (orderId: string) =>
  (await mailsTo('help@nivida.example')).filter(({ subject }) => subject === `Order ${orderId} needs a person`);

/** Lets days pass, with the reconciler running. */
async function wait(days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    await advanceTime(shop, DAY);
    await runReconcile(shop);
  }
}

async function order(): Promise<string> {
  return (await startCheckout(shop, documentOrder(shop, { again: true, email }))).orderId;
}

async function paid(): Promise<string> {
  const orderId = await order();
  await payOrder(shop, orderId);
  await advanceTime(shop, 20);
  await runReconcile(shop);
  expect((await findOrder(shop, orderId)).status).toBe('SUCCESS');
  return orderId;
}

test('an order that the reconciler still checks is left to it', async () => {
  const orderId = await order();
  await payOrder(shop, orderId);
  expect(await auditPayments()).toBe(0);
  expect((await findOrder(shop, orderId)).status).toBe('PENDING');
  expect(await mailsAbout(orderId)).toEqual([]);
});

test('matching orders do not change, and support gets no mail', async () => {
  const [bought, refunded, unpaid, accepted] = [await paid(), await paid(), await order(), await order()];
  await payOrder(shop, accepted, 'amount-off');
  await advanceTime(shop, 20);
  await runReconcile(shop);
  // The refund that waited for the decision was never sent.
  await shop.app.get(SettleService).acceptPayment(accepted, 'one paisa is nothing');
  await shop.app.get(RefundsService).refundOrder(refunded, 'it was ordered twice');
  await wait(8);
  const before = await shop.database.dataSource.query('SELECT * FROM orders ORDER BY id');
  expect(await auditPayments()).toBe(0);
  expect(await shop.database.dataSource.query('SELECT * FROM orders ORDER BY id')).toEqual(before);
  for (const orderId of [bought, refunded, unpaid, accepted]) expect(await mailsAbout(orderId)).toEqual([]);
});

describe('money that the provider captured a week after the order ended', () => {
  const capture = (orderId: string) =>
    shop.database.dataSource.query(
      `WITH paid AS (UPDATE sandbox.checkout SET state = 'PAID' WHERE attempt_ref = $1 RETURNING attempt_ref)
       INSERT INTO sandbox.payment SELECT 'late-' || attempt_ref, attempt_ref, 9900, 'INR', 'UPI', $2 FROM paid`,
      [`${orderId}-1`, shop.clock.now],
    );

  test('is reviewed, mailed to support, and refunded without a decision', async () => {
    const orderId = await order();
    await wait(8);
    expect(await findOrder(shop, orderId)).toMatchObject({ status: 'EXPIRED', nextCheckAt: null });
    await capture(orderId);
    expect(await runReconcile(shop)).toBe(0);
    expect(await auditPayments()).toBe(1);
    expect((await findOrder(shop, orderId)).status).toBe('REVIEW');
    expect(await readOrderRows(shop, 'entitlement', orderId)).toEqual([]);
    const [mail] = await mailsAbout(orderId);
    expect(mail?.text).toContain('9900 paise (INR) were captured more than 7 days after the buyer was sent to pay');
    expect((await mailsTo(email)).at(-1)?.text).toContain(
      'It came more than 7 days after you opened the payment page.',
    );
    expect(await auditPayments()).toBe(0);
    await wait(1);
    expect((await findOrder(shop, orderId)).status).toBe('REFUNDED');
    expect((await mailsTo(email)).at(-1)?.text).toContain('because it came too late for your order');
  });

  test('is not searched for after 30 days', async () => {
    const orderId = await order();
    await wait(8);
    await advanceTime(shop, 22 * DAY);
    await capture(orderId);
    expect(await auditPayments()).toBe(0);
    expect((await findOrder(shop, orderId)).status).toBe('EXPIRED');
  });
});

test('a second debit without a webhook is refunded, and support is mailed', async () => {
  const orderId = await paid();
  await wait(2);
  await changeAtProvider(
    `INSERT INTO sandbox.payment SELECT 'second-' || attempt_ref, attempt_ref, amount_paise, currency, method, captured_at
     FROM sandbox.payment WHERE attempt_ref = $1`,
    orderId,
  );
  expect(await auditPayments()).toBe(1);
  expect((await mailsAbout(orderId))[0]?.text).toContain(
    `Payment second-${orderId}-1 of 9900 paise was found only now; the order is SUCCESS.`,
  );
  await runReconcile(shop);
  expect(await readOrderRows(shop, 'refund', orderId)).toMatchObject([{ state: 'SUCCEEDED', amount_paise: 9_900 }]);
  expect((await findOrder(shop, orderId)).status).toBe('SUCCESS');
});

test.each([
  [
    'is another amount there',
    'UPDATE sandbox.payment SET amount_paise = 9800 WHERE attempt_ref = $1',
    /is 9900 paise \(INR\) here and 9800 paise \(INR\) at the provider/,
  ],
  [
    'is in another currency there',
    "UPDATE sandbox.payment SET currency = 'USD' WHERE attempt_ref = $1",
    /is 9900 paise \(INR\) here and 9900 paise \(USD\) at the provider/,
  ],
  [
    'is not known there',
    "WITH gone AS (DELETE FROM sandbox.payment WHERE attempt_ref = $1) UPDATE sandbox.checkout SET state = 'FAILED' WHERE attempt_ref = $1",
    /of 9900 paise \(INR\) is not known at the provider/,
  ],
])('a payment that %s changes nothing; support is mailed once', async (_how, tamper, words) => {
  const orderId = await paid();
  await wait(2);
  // Orders of earlier tests may differ too.
  const others = await auditPayments();
  await changeAtProvider(tamper, orderId);
  expect(await auditPayments()).toBe(others + 1);
  expect(await auditPayments()).toBe(others + 1);
  const mails = await mailsAbout(orderId);
  expect(mails).toHaveLength(1);
  expect(mails[0]?.text).toMatch(words);
  expect((await findOrder(shop, orderId)).status).toBe('SUCCESS');
});

test('another difference of the same order is mailed too', async () => {
  const orderId = await paid();
  await wait(2);
  for (const paise of [9_800, 9_700]) {
    await changeAtProvider(`UPDATE sandbox.payment SET amount_paise = ${paise} WHERE attempt_ref = $1`, orderId);
    await auditPayments();
  }
  expect((await mailsAbout(orderId)).map(({ text }) => /and (\d+) paise/.exec(text ?? '')?.[1])).toEqual([
    '9800',
    '9700',
  ]);
});

test('a refund that the provider reversed is mailed to support', async () => {
  const orderId = await paid();
  await shop.app.get(RefundsService).refundOrder(orderId, 'it was ordered twice');
  await wait(1);
  expect((await findOrder(shop, orderId)).status).toBe('REFUNDED');
  const others = await auditPayments();
  await changeAtProvider("UPDATE sandbox.refund SET state = 'FAILED' WHERE attempt_ref = $1", orderId);
  expect(await auditPayments()).toBe(others + 1);
  expect((await mailsAbout(orderId))[0]?.text).toContain(
    `Refund R-${orderId}-1 is SUCCEEDED here and FAILED at the provider.`,
  );
  expect((await findOrder(shop, orderId)).status).toBe('REFUNDED');
});

test('a refund that failed here and was carried out there is mailed to support', async () => {
  const orderId = await order();
  await payOrder(shop, orderId, 'refund-fail');
  await advanceTime(shop, 20);
  await runReconcile(shop);
  await shop.app.get(RefundsService).refundOrder(orderId, 'it was ordered twice');
  await wait(2);
  const others = await auditPayments();
  await changeAtProvider("UPDATE sandbox.refund SET state = 'SUCCEEDED' WHERE attempt_ref = $1", orderId);
  expect(await auditPayments()).toBe(others + 1);
  expect((await mailsAbout(orderId)).at(-1)?.text).toContain(
    `Refund R-${orderId}-1 is FAILED here and SUCCEEDED at the provider.`,
  );
});

test('an order about which the provider contradicts itself is left for the next day, and others are compared', async () => {
  const [unclear, changed] = [await paid(), await paid()];
  await wait(2);
  const others = await auditPayments();
  // Paid, but without a payment.
  await changeAtProvider('DELETE FROM sandbox.payment WHERE attempt_ref = $1', unclear);
  await changeAtProvider('UPDATE sandbox.payment SET amount_paise = 9800 WHERE attempt_ref = $1', changed);
  expect(await auditPayments()).toBe(others + 1);
  expect(await mailsAbout(unclear)).toEqual([]);
  expect(await mailsAbout(changed)).toHaveLength(1);
});
