import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DocumentDelivery } from '../src/orders/delivery.service.ts';
import { nextCheck } from '../src/orders/next-check.ts';
import { ReconcileService } from '../src/orders/reconcile.service.ts';
import { after, documentOrder, ORIGIN, openShop, pay, reconcile, rowsOf, type Shop, started, stored } from './shop.ts';
import { startApp, type TestApp } from './start-app.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');

let shop: Shop;
/** Another worker on the same database. */
let worker: TestApp;

beforeAll(async () => {
  shop = await openShop({ now: NOW, webhooks: 'lost' });
  worker = await startApp({
    now: NOW,
    database: shop.database,
    env: { PUBLIC_ORIGIN: ORIGIN, PAYMENT_SANDBOX_PORT: String(shop.sandbox.port) },
    providers: [{ provide: DocumentDelivery, useValue: shop.delivery }],
  });
});
afterAll(async () => {
  await worker.close();
  await shop.close();
});

const order = (email: string) => started(shop, documentOrder(shop, { email: `${email}@builders.example` }));

test('without any webhook what was paid is settled 20 seconds later', async () => {
  const { orderId } = await order('unhooked');
  await pay(shop, orderId, 'paid-no-return');
  await after(shop, 19);
  expect(await reconcile(shop)).toBe(0);
  await after(shop, 1);
  expect(await reconcile(shop)).toBe(1);
  expect((await stored(shop, orderId)).status).toBe('SUCCESS');
  expect(await rowsOf(shop, 'entitlement', orderId)).toHaveLength(1);
});

test('an order that a clock ahead put off is looked at when the clock is set right', async () => {
  const { orderId } = await order('ahead');
  await pay(shop, orderId, 'paid-no-return');
  await shop.database.dataSource.query(
    "UPDATE orders SET next_check_at = next_check_at + interval '1 year', last_checked_at = $2 WHERE public_id = $1",
    [orderId, new Date('2027-11-10T11:30:00+05:30')],
  );
  expect(await reconcile(shop)).toBe(1);
  expect((await stored(shop, orderId)).status).toBe('SUCCESS');
});

test('an order of real money is left alone where none moves', async () => {
  const { orderId } = await order('real');
  await pay(shop, orderId, 'paid-no-return');
  const { dataSource } = shop.database;
  const setLive = async (live: boolean) => {
    await dataSource.query('ALTER TABLE orders DISABLE TRIGGER orders_guard');
    await dataSource.query('UPDATE orders SET live = $2 WHERE public_id = $1', [orderId, live]);
    await dataSource.query('ALTER TABLE orders ENABLE TRIGGER orders_guard');
  };
  const { nextCheckAt } = await stored(shop, orderId);
  await setLive(true);
  await after(shop, 20);
  await reconcile(shop);
  expect(await stored(shop, orderId)).toMatchObject({ status: 'PENDING', checks: 0, nextCheckAt });
  await setLive(false);
  await reconcile(shop);
  expect((await stored(shop, orderId)).status).toBe('SUCCESS');
});

test('two workers share what is due, each order once', async () => {
  const ids = await Promise.all(Array.from({ length: 30 }, (_, n) => order(`shared${n}`)));
  await Promise.all(ids.map(({ orderId }) => pay(shop, orderId)));
  await after(shop, 20);
  worker.clock.now = shop.clock.now;
  const looked = await Promise.all([reconcile(shop), worker.app.get(ReconcileService).run()]);
  expect(looked.reduce((sum, count) => sum + count, 0)).toBe(30);
  for (const { orderId } of ids) {
    expect((await stored(shop, orderId)).status).toBe('SUCCESS');
    expect(await rowsOf(shop, 'invoice', orderId)).toHaveLength(1);
  }
});

test('an order that was never sent to the provider ends after 20 minutes', async () => {
  const { orderId } = await order('unsent');
  const { id } = await stored(shop, orderId);
  await shop.database.dataSource.query('DELETE FROM attempt WHERE order_id = $1', [id]);
  await after(shop, 20 * 60);
  await reconcile(shop);
  expect((await stored(shop, orderId)).status).toBe('EXPIRED');
});

test('a provider that does not answer is asked again, and the others are not held up', async () => {
  const [silent, paid] = [await order('silent'), await order('paid')];
  await pay(shop, silent.orderId, 'status-500');
  await pay(shop, paid.orderId);
  await after(shop, 20);
  await reconcile(shop);
  expect((await stored(shop, silent.orderId)).status).toBe('PENDING');
  expect((await stored(shop, paid.orderId)).status).toBe('SUCCESS');
  await after(shop, 60);
  await reconcile(shop);
  expect((await stored(shop, silent.orderId)).status).toBe('SUCCESS');
});

test('an order that is tried again after a week is looked at like a new one', async () => {
  const key = { 'idempotency-key': randomUUID() };
  const body = documentOrder(shop, { email: 'again@builders.example' });
  const { orderId } = await started(shop, body, key);
  await after(shop, 8 * 86_400);
  await reconcile(shop);
  await reconcile(shop);
  expect((await stored(shop, orderId)).status).toBe('EXPIRED');
  await started(shop, body, key);
  await pay(shop, orderId, 'paid-no-return', 2);
  await after(shop, 20);
  await reconcile(shop);
  expect((await stored(shop, orderId)).status).toBe('SUCCESS');
});

describe('the next look comes', () => {
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
  ])('while the page is open, after look %i in %i s', (checks, expected) => {
    expect(seconds(nextCheck({ ...open, checks }, at(1)), at(1))).toBe(expected);
  });

  test('at the latest when the page ends', () => {
    expect(nextCheck({ ...open, checks: 6 }, at(15))).toEqual(at(20));
  });

  test.each([
    ['EXPIRED', 8, 60, 3_600],
    ['FAILED', 8, 60, 3_600],
    ['EXPIRED', 30, 20 + 24 * 60, 6 * 3_600],
    ['EXPIRED', 60, 20 + 7 * 24 * 60, null],
  ] as const)('for late money, when %s (%i looks, %i min old) in %s s', (status, checks, minutes, expected) => {
    expect(seconds(nextCheck({ ...open, status, checks }, at(minutes)), at(minutes))).toBe(expected);
  });

  test('for a second debit 5 minutes, an hour and a day after the payment, and never in review', () => {
    const paid = { ...open, status: 'SUCCESS' as const, paidAt: at(2), checks: 0 };
    expect(nextCheck(paid, at(2))).toEqual(at(7));
    expect(nextCheck(paid, at(7))).toEqual(at(62));
    expect(nextCheck(paid, at(62))).toEqual(at(2 + 24 * 60));
    expect(nextCheck(paid, at(2 + 24 * 60))).toBeNull();
    expect(nextCheck({ ...open, status: 'REVIEW', checks: 0 }, at(2))).toBeNull();
  });
});
