import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { RefundsService } from '../../src/orders/refunds/refunds.service.ts';
import { OrderStatusService } from '../../src/orders/status/order-status.service.ts';
import { storeOrder } from '../support/paid-orders.ts';
import {
  advanceTime,
  documentOrder,
  findOrder,
  payOrder,
  readOrderRows,
  runReconcile,
  sendWebhook,
  startCheckout,
  startShop,
  type TestShop,
} from '../support/test-shop.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');

let lost: TestShop;
let orderId = '';
let buyers = 0;

beforeAll(async () => {
  lost = await startShop({ now: NOW, webhooks: 'lost' });
});
afterAll(() => lost.close());
beforeEach(async () => {
  buyers += 1;
  ({ orderId } = await startCheckout(lost, documentOrder(lost, { email: `hooked${buyers}@builders.example` })));
});

const newEvent = (changes: object = {}) => ({ eventId: `evt_${randomUUID()}`, attemptRef: `${orderId}-1`, ...changes });
const idle = () => lost.app.get(OrderStatusService).idle();
const eventsOf = async () =>
  lost.database.dataSource.query('SELECT event_id FROM webhook_event WHERE attempt_ref = $1', [`${orderId}-1`]);
const statusOf = async () => (await findOrder(lost, orderId)).status;
const ago = (seconds: number) => new Date(lost.clock.now.getTime() - seconds * 1_000);

test('a signed webhook is answered at once and settles the paid order', async () => {
  await payOrder(lost, orderId);
  const { statusCode, body } = await sendWebhook(lost, newEvent());
  expect([statusCode, body]).toEqual([200, '']);
  await idle();
  expect(await statusOf()).toBe('SUCCESS');
});

test('the webhook address rejects GET', async () => {
  const { status, headers, text } = await lost.get('/api/webhooks/payments/sandbox');
  expect([status, headers.allow, text]).toEqual([405, 'POST', '']);
});

test('a webhook is not trusted: the provider is asked before anything changes', async () => {
  expect((await sendWebhook(lost, newEvent())).statusCode).toBe(200);
  await idle();
  expect(await statusOf()).toBe('PENDING');
  expect(await readOrderRows(lost, 'entitlement', orderId)).toEqual([]);
});

test('an order whose process died right after the webhook is settled by the job at once', async () => {
  await payOrder(lost, orderId);
  await sendWebhook(lost, newEvent());
  expect((await findOrder(lost, orderId)).nextCheckAt).not.toBeNull();
  await runReconcile(lost);
  await idle();
  expect(await statusOf()).toBe('SUCCESS');
});

describe('a webhook is rejected with 401, an empty body and without a stored event', () => {
  test.each<[string, Parameters<typeof sendWebhook>[2]]>([
    ['signed with another secret', { secret: 'another secret of the tests, long enough' }],
    ['altered by one byte', { alter: (body) => body.replace('checkout.paid', 'checkout.paie') }],
    ['with one byte more', { alter: (body) => `${body} ` }],
    ['without a signature', { headers: { 'x-sandbox-signature': '' } }],
    ['with an empty digest', { headers: { 'x-sandbox-signature': `t=${NOW.getTime() / 1_000},v1=` } }],
    [
      'with a digest of letters',
      { headers: { 'x-sandbox-signature': `t=${NOW.getTime() / 1_000},v1=${'zz'.repeat(32)}` } },
    ],
    ['with another event id in its header', { headers: { 'x-sandbox-event-id': 'evt_other' } }],
  ])('%s', async (_, how) => {
    await payOrder(lost, orderId);
    const { statusCode, body } = await sendWebhook(lost, newEvent(), how);
    expect([statusCode, body]).toEqual([401, '']);
    await idle();
    expect(await eventsOf()).toEqual([]);
    expect(await statusOf()).toBe('PENDING');
  });

  test.each([
    ['301 s old', 301, 401],
    ['300 s old', 300, 200],
    ['301 s ahead', -301, 401],
    ['300 s ahead', -300, 200],
  ])('%s: %i', async (_, seconds, status) => {
    expect((await sendWebhook(lost, newEvent(), { at: ago(seconds) })).statusCode).toBe(status);
    await idle();
  });

  test('for a signed body that is not an event', async () => {
    expect((await sendWebhook(lost, newEvent({ attemptRef: 7 }) as never)).statusCode).toBe(401);
  });
});

test('the same event again changes nothing; with another body it is a conflict', async () => {
  const event = newEvent();
  const replies = await Promise.all(Array.from({ length: 5 }, () => sendWebhook(lost, event)));
  expect(replies.map(({ statusCode }) => statusCode)).toEqual(Array(5).fill(200));
  expect(await eventsOf()).toHaveLength(1);
  expect((await sendWebhook(lost, { ...event, refundRef: 'R-x-1' })).statusCode).toBe(409);
  await idle();
});

test('a webhook of an unknown order is answered with 200', async () => {
  expect((await sendWebhook(lost, newEvent({ attemptRef: `${'x'.repeat(22)}-1` }))).statusCode).toBe(200);
});

test('a webhook does not name an order of another provider', async () => {
  const { dataSource } = lost.database;
  const { id, publicId } = await storeOrder(dataSource, { provider: 'phonepe', status: 'PENDING', nextCheckAt: null });
  const attemptRef = `${publicId}-1`;
  await dataSource.query(
    "INSERT INTO attempt (ref, order_id, provider, created_at, expires_at) VALUES ($1, $2, 'phonepe', $3, $3)",
    [attemptRef, id, NOW],
  );
  expect((await sendWebhook(lost, newEvent({ attemptRef }))).statusCode).toBe(200);
  await idle();
  expect((await findOrder(lost, publicId)).nextCheckAt).toBeNull();
});

test('a webhook about a refund makes it due', async () => {
  await payOrder(lost, orderId, 'refund-pending');
  await sendWebhook(lost, newEvent());
  await idle();
  await lost.app.get(RefundsService).refundOrder(orderId, 'it was bought twice');
  await runReconcile(lost);
  const nextCheck = async () => (await readOrderRows(lost, 'refund', orderId))[0].next_check_at;
  expect(await nextCheck()).not.toEqual(lost.clock.now);
  expect((await sendWebhook(lost, newEvent({ refundRef: `R-${orderId}-1` }))).statusCode).toBe(200);
  expect(await nextCheck()).toEqual(lost.clock.now);
  await advanceTime(lost, 30);
  await runReconcile(lost);
  expect(await readOrderRows(lost, 'refund', orderId)).toMatchObject([{ state: 'SUCCEEDED', next_check_at: null }]);
  // A finished refund is not checked again.
  expect((await sendWebhook(lost, newEvent({ refundRef: `R-${orderId}-1` }))).statusCode).toBe(200);
  expect(await nextCheck()).toBeNull();
});

test('events in the wrong order leave the order paid', async () => {
  await payOrder(lost, orderId);
  await sendWebhook(lost, newEvent());
  await idle();
  await sendWebhook(lost, newEvent({ event: 'checkout.failed' }));
  await idle();
  expect(await statusOf()).toBe('SUCCESS');
});

test('a webhook of a provider that is not configured is not found', async () => {
  for (const provider of ['phonepe', 'razorpay', '..%2Fsandbox']) {
    const { statusCode } = await lost.app.inject({
      method: 'POST',
      url: `/api/webhooks/payments/${provider}`,
      headers: { 'content-type': 'application/json' },
      payload: '{}',
    });
    expect(statusCode).toBe(404);
  }
});

test('a compressed, a huge and a foreign body are refused before any computation', async () => {
  const send = (payload: Buffer | string, headers: Record<string, string>) =>
    lost.app
      .inject({ method: 'POST', url: '/api/webhooks/payments/sandbox', headers, payload })
      .then(({ statusCode }) => statusCode);
  const json = { 'content-type': 'application/json' };
  expect(await send(gzipSync('{}'), { ...json, 'content-encoding': 'gzip' })).toBe(415);
  expect(await send('x'.repeat(262_145), json)).toBe(413);
  expect(await send('x'.repeat(262_144), json)).toBe(401);
  expect(await send('a=b', { 'content-type': 'application/x-www-form-urlencoded' })).toBe(415);
  expect(await send('', json)).toBe(401);
});

describe('with the sandbox itself', () => {
  let shop: TestShop;
  beforeAll(async () => {
    shop = await startShop({ now: NOW });
  });
  afterAll(() => shop.close());

  test.each([
    ['success', [200], 'SUCCESS'],
    ['duplicate', [200, 200, 200], 'SUCCESS'],
    ['duplicate-new-id', [200, 200, 200], 'SUCCESS'],
    ['out-of-order', [200, 200], 'SUCCESS'],
    ['fail', [200], 'FAILED'],
    ['no-webhook', [], 'PENDING'],
    ['tampered', [401], 'PENDING'],
    ['wrong-secret', [401], 'PENDING'],
    ['stale', [401], 'PENDING'],
    ['future', [401], 'PENDING'],
  ] as const)('%s is answered %j and leaves the order %s', async (outcome, statuses, status) => {
    shop.webhooks.length = 0;
    const paid = await startCheckout(shop, documentOrder(shop, { email: `${outcome}@builders.example` }));
    await payOrder(shop, paid.orderId, outcome);
    await advanceTime(shop, 0);
    expect(shop.webhooks).toEqual(statuses);
    expect((await findOrder(shop, paid.orderId)).status).toBe(status);
  });
});
