import { randomUUID } from 'node:crypto';
import { LessThanOrEqual } from 'typeorm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DocumentDelivery } from '../../src/orders/document-delivery.port.ts';
import { OrderEntity } from '../../src/orders/order.entity.ts';
import { RefundsService } from '../../src/orders/refunds/refunds.service.ts';
import { checkInterval, computeNextCheck } from '../../src/orders/settlement/next-check.ts';
import { ReconcileService } from '../../src/orders/settlement/reconcile.service.ts';
import { createOrderRow, storeOrder } from '../support/paid-orders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import {
  advanceTime,
  documentOrder,
  findOrder,
  payOrder,
  readOrderRows,
  runReconcile,
  SHOP_ORIGIN,
  startCheckout,
  startShop,
  type TestShop,
} from '../support/test-shop.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');

let shop: TestShop;
/** Another worker on the same database. */
let worker: TestApp;

beforeAll(async () => {
  shop = await startShop({ now: NOW, webhooks: 'lost' });
  worker = await startApp({
    now: NOW,
    database: shop.database,
    env: { PUBLIC_ORIGIN: SHOP_ORIGIN, PAYMENT_SANDBOX_PORT: String(shop.sandbox.port) },
    providers: [{ provide: DocumentDelivery, useValue: shop.delivery }],
  });
});
afterAll(async () => {
  await worker.close();
  await shop.close();
});

const order = (email: string) => startCheckout(shop, documentOrder(shop, { email: `${email}@builders.example` }));

test('without a webhook a payment is settled 20 seconds later', async () => {
  const { orderId } = await order('unhooked');
  await payOrder(shop, orderId, 'paid-no-return');
  await advanceTime(shop, 19);
  expect(await runReconcile(shop)).toBe(0);
  await advanceTime(shop, 1);
  expect(await runReconcile(shop)).toBe(1);
  expect((await findOrder(shop, orderId)).status).toBe('SUCCESS');
  expect(await readOrderRows(shop, 'entitlement', orderId)).toHaveLength(1);
});

test('an order that a clock ahead postponed is checked when the clock is right again', async () => {
  const { orderId } = await order('ahead');
  await payOrder(shop, orderId, 'paid-no-return');
  await shop.database.dataSource.query(
    "UPDATE orders SET next_check_at = next_check_at + interval '1 year', last_checked_at = $2 WHERE public_id = $1",
    [orderId, new Date('2027-11-10T11:30:00+05:30')],
  );
  expect(await runReconcile(shop)).toBe(1);
  expect((await findOrder(shop, orderId)).status).toBe('SUCCESS');
});

test('an order that a clock ahead marked as paid is checked once, and again within a day', async () => {
  const paidAt = new Date(shop.clock.now.getTime() + 365 * 86_400_000);
  const { publicId } = await storeOrder(shop.database.dataSource, { paidAt, nextCheckAt: paidAt });
  expect(await runReconcile(shop)).toBe(1);
  expect(await runReconcile(shop)).toBe(0);
  const { nextCheckAt } = await findOrder(shop, publicId);
  const seconds = ((nextCheckAt as Date).getTime() - shop.clock.now.getTime()) / 1_000;
  expect(seconds).toBe(86_400 + 5);
});

test('a refund that a clock ahead postponed leaves the operator a day when the clock is right again', async () => {
  const { orderId } = await order('review');
  await payOrder(shop, orderId, 'amount-off');
  await runReconcile(shop);
  await advanceTime(shop, 30);
  await runReconcile(shop);
  expect((await findOrder(shop, orderId)).status).toBe('REVIEW');
  await shop.database.dataSource.query("UPDATE refund SET next_check_at = next_check_at + interval '1 year'");
  await runReconcile(shop);
  await advanceTime(shop, 24 * 3_600 - 1);
  await runReconcile(shop);
  expect((await findOrder(shop, orderId)).status).toBe('REVIEW');
  await advanceTime(shop, 1);
  await runReconcile(shop);
  expect((await findOrder(shop, orderId)).status).toBe('REFUNDED');
});

test('an order of real money is not checked where only a test provider is configured', async () => {
  const { orderId } = await order('real');
  await payOrder(shop, orderId, 'paid-no-return');
  const { dataSource } = shop.database;
  const setLive = async (live: boolean) => {
    await dataSource.query('ALTER TABLE orders DISABLE TRIGGER orders_guard');
    await dataSource.query('UPDATE orders SET live = $2 WHERE public_id = $1', [orderId, live]);
    await dataSource.query('ALTER TABLE orders ENABLE TRIGGER orders_guard');
  };
  const { nextCheckAt } = await findOrder(shop, orderId);
  await setLive(true);
  await advanceTime(shop, 20);
  await runReconcile(shop);
  expect(await findOrder(shop, orderId)).toMatchObject({ status: 'PENDING', checks: 0, nextCheckAt });
  await setLive(false);
  await runReconcile(shop);
  expect((await findOrder(shop, orderId)).status).toBe('SUCCESS');
});

test('two workers share the due orders, each order once', async () => {
  const ids = await Promise.all(Array.from({ length: 30 }, (_, n) => order(`shared${n}`)));
  await Promise.all(ids.map(({ orderId }) => payOrder(shop, orderId)));
  await advanceTime(shop, 20);
  worker.clock.now = shop.clock.now;
  const looked = await Promise.all([runReconcile(shop), worker.app.get(ReconcileService).run()]);
  expect(looked.reduce((sum, count) => sum + count, 0)).toBe(30);
  for (const { orderId } of ids) {
    expect((await findOrder(shop, orderId)).status).toBe('SUCCESS');
    expect(await readOrderRows(shop, 'invoice', orderId)).toHaveLength(1);
  }
});

test('all due orders are checked in one run, however many', async () => {
  const { dataSource } = shop.database;
  const due = { status: 'PENDING' as const, paidAt: null, expiresAt: shop.clock.now, nextCheckAt: shop.clock.now };
  await dataSource.getRepository(OrderEntity).save(Array.from({ length: 60 }, () => createOrderRow(due)));
  expect(await runReconcile(shop)).toBeGreaterThanOrEqual(60);
  const left = { nextCheckAt: LessThanOrEqual(shop.clock.now) };
  expect(await dataSource.getRepository(OrderEntity).countBy(left)).toBe(0);
});

test('of many due orders the one that has waited longest is checked first', async () => {
  const { dataSource } = shop.database;
  const second = (nth: number) => new Date(shop.clock.now.getTime() - nth * 1_000);
  const rows = Array.from({ length: 60 }, (_, nth) =>
    createOrderRow({ status: 'PENDING', paidAt: null, expiresAt: shop.clock.now, nextCheckAt: second(nth) }),
  );
  await dataSource.getRepository(OrderEntity).save(rows);
  await runReconcile(shop);
  // Later transactions have higher numbers; one run has batches of 50.
  const changed: { id: string }[] = await dataSource.query(
    'SELECT public_id AS id FROM orders WHERE public_id = ANY($1) ORDER BY xmin::text::bigint',
    [[rows[0]?.publicId, rows[59]?.publicId]],
  );
  expect(changed.map(({ id }) => id)).toEqual([rows[59]?.publicId, rows[0]?.publicId]);
});

test('of two due refunds the one that has waited longer is sent first', async () => {
  const [newer, older] = [await order('refunded-later'), await order('refunded-earlier')];
  for (const { orderId } of [newer, older]) await payOrder(shop, orderId);
  await advanceTime(shop, 20);
  await runReconcile(shop);
  const refunds = shop.app.get(RefundsService);
  const { now } = shop.clock;
  await refunds.refundOrder(newer.orderId, 'it was bought by mistake');
  shop.clock.now = new Date(now.getTime() - 1_000);
  await refunds.refundOrder(older.orderId, 'it was bought by mistake');
  shop.clock.now = now;
  await refunds.runDue();
  const ended: { subject: string }[] = await shop.database.dataSource.query(
    "SELECT subject FROM audit WHERE action = 'refund.succeeded' AND subject = ANY($1) ORDER BY id",
    [[newer.orderId, older.orderId]],
  );
  expect(ended.map(({ subject }) => subject)).toEqual([older.orderId, newer.orderId]);
});

test('an order that was never sent to the provider ends after 20 minutes', async () => {
  const { orderId } = await order('unsent');
  const { id } = await findOrder(shop, orderId);
  await shop.database.dataSource.query('DELETE FROM attempt WHERE order_id = $1', [id]);
  await advanceTime(shop, 20 * 60);
  await runReconcile(shop);
  expect((await findOrder(shop, orderId)).status).toBe('EXPIRED');
});

test('an order whose provider does not answer is checked again, and other orders are settled', async () => {
  const [silent, paid] = [await order('silent'), await order('paid')];
  await payOrder(shop, silent.orderId, 'status-500');
  await payOrder(shop, paid.orderId);
  await advanceTime(shop, 20);
  await runReconcile(shop);
  expect((await findOrder(shop, silent.orderId)).status).toBe('PENDING');
  expect((await findOrder(shop, paid.orderId)).status).toBe('SUCCESS');
  await advanceTime(shop, 60);
  await runReconcile(shop);
  expect((await findOrder(shop, silent.orderId)).status).toBe('SUCCESS');
});

test('an order that is opened again after a week is checked like a new one', async () => {
  const key = { 'idempotency-key': randomUUID() };
  const body = documentOrder(shop, { email: 'again@builders.example' });
  const { orderId } = await startCheckout(shop, body, key);
  await advanceTime(shop, 8 * 86_400);
  await runReconcile(shop);
  await runReconcile(shop);
  expect((await findOrder(shop, orderId)).status).toBe('EXPIRED');
  await startCheckout(shop, body, key);
  await advanceTime(shop, 20);
  await runReconcile(shop);
  expect(await findOrder(shop, orderId)).toMatchObject({ status: 'PENDING', checks: 1 });
  await payOrder(shop, orderId, 'paid-no-return', 2);
  await advanceTime(shop, 20);
  await runReconcile(shop);
  expect((await findOrder(shop, orderId)).status).toBe('SUCCESS');
});

describe('the next check comes', () => {
  const created = new Date('2026-11-10T06:00:00Z');
  const seconds = (at: Date | null, now: Date) => at && (at.getTime() - now.getTime()) / 1_000;
  const at = (minutes: number) => new Date(created.getTime() + minutes * 60_000);
  const open = { status: 'PENDING' as const, paidAt: null, expiresAt: at(20) };

  test.each([
    [0, 20],
    [1, 40],
    [2, 60],
    [3, 120],
    [4, 300],
    [5, 600],
    [6, 900],
  ])('while the page is open, after check %i in %i s', (checks, expected) => {
    expect(seconds(computeNextCheck({ ...open, checks }, at(1)), at(1))).toBe(expected);
  });

  test('at the latest when the page ends', () => {
    expect(computeNextCheck({ ...open, checks: 6 }, at(15))).toEqual(at(20));
    expect(computeNextCheck({ ...open, checks: 0 }, at(20))).toEqual(new Date(at(20).getTime() + 20_000));
  });

  test('for a refund in half an hour at the latest', () => {
    expect([0, 6, 7, 8, 100].map(checkInterval)).toEqual([20_000, 900_000, 1_800_000, 1_800_000, 1_800_000]);
  });

  test.each([
    ['EXPIRED', 8, 60, 3_600],
    ['FAILED', 8, 60, 3_600],
    ['EXPIRED', 7, 60, 1_800],
    ['EXPIRED', 30, 19 + 24 * 60, 3_600],
    ['EXPIRED', 30, 20 + 24 * 60, 6 * 3_600],
    ['EXPIRED', 60, 20 + 7 * 24 * 60, null],
  ] as const)('for a late payment, when %s (%i checks, %i min old) in %s s', (status, checks, minutes, expected) => {
    expect(seconds(computeNextCheck({ ...open, status, checks }, at(minutes)), at(minutes))).toBe(expected);
  });

  test('for an undecided payment with growing pauses, and when the wait for it ends', () => {
    const end = 20 + 3 * 24 * 60;
    const pauseAfter = (checks: number, minutes: number) =>
      seconds(computeNextCheck({ ...open, checks }, at(minutes)), at(minutes));
    expect(pauseAfter(7, 60)).toBe(1_800);
    expect(pauseAfter(8, 60)).toBe(3_600);
    expect(pauseAfter(30, 20 + 24 * 60)).toBe(6 * 3_600);
    expect(pauseAfter(30, end - 60)).toBe(3_600);
    expect(pauseAfter(30, end)).toBe(6 * 3_600);
    let checks = 0;
    for (let now: Date | null = at(0); now && now < at(end); checks++) now = computeNextCheck({ ...open, checks }, now);
    expect(checks).toBe(40);
  });

  test('for a second debit 5 minutes, an hour and a day after the payment, and never in review', () => {
    const paid = { ...open, status: 'SUCCESS' as const, paidAt: at(2), checks: 0 };
    expect(computeNextCheck(paid, at(2))).toEqual(at(7));
    expect(computeNextCheck(paid, at(7))).toEqual(at(62));
    expect(computeNextCheck(paid, at(62))).toEqual(at(2 + 24 * 60));
    expect(computeNextCheck(paid, at(2 + 24 * 60))).toBeNull();
    expect(computeNextCheck({ ...paid, paidAt: null }, at(9))).toEqual(at(14));
    for (const status of ['REVIEW', 'REFUND_PENDING', 'REFUNDED'] as const)
      expect(computeNextCheck({ ...open, status, checks: 0 }, at(2))).toBeNull();
  });
});
