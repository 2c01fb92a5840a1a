/** PhonePe takes new orders, and Razorpay takes them while PhonePe does not answer. */
import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DocumentDelivery } from '../../src/orders/document-delivery.port.ts';
import type { OrderEntity } from '../../src/orders/order.entity.ts';
import { RefundsService } from '../../src/orders/refunds/refunds.service.ts';
import { OrderStatusService } from '../../src/orders/status/order-status.service.ts';
import { PaymentGateways } from '../../src/payments/payment-gateways.port.ts';
import { PhonePeGateway } from '../../src/payments/phonepe-gateway.ts';
import { RazorpayGateway } from '../../src/payments/razorpay-gateway.ts';
import { type PhonePeFault, type PhonePeServer, startPhonePe } from '../orders/phonepe-server.ts';
import { createSession } from '../support/accounts.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { startApp } from '../support/start-app.ts';
import {
  documentOrder,
  extendTenderClosing,
  fetchOrderStatus,
  findOrder,
  planOrder,
  postOrder,
  readOrderRows,
  runReconcile,
  SHOP_ORIGIN,
  TestDelivery,
  type TestShop,
} from '../support/test-shop.ts';
import { type RazorpayServer, startRazorpay } from './razorpay-server.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const MINUTE = 60_000;

let phonepe: PhonePeServer;
let razorpay: RazorpayServer;
let shop: TestShop;
let buyers = 0;

const now = () => shop?.clock.now ?? NOW;

type OutageEvent =
  | { what: 'phonepe'; fault: PhonePeFault | undefined; status: '500' | undefined }
  | { what: 'razorpay'; fault: 'refused' | 'malformed' | '500' | undefined }
  | { what: 'wait'; seconds: number }
  | { what: 'ask again' | 'ask at once' | 'settle' | 'pay' | 'pay lost page' };

/** A pair of providers without a memory of earlier failures. */
function newPair(): PaymentGateways {
  const hangs = () => Object.values({ ...phonepe.faults, ...razorpay.faults }).some((fault) => fault === 'hang');
  const timeout = {
    get timeoutMs() {
      return hangs() ? 300 : 20_000;
    },
  };
  const first = new PhonePeGateway(
    Object.defineProperties(
      {
        clientId: 'M1',
        clientSecret: 's3cret',
        clientVersion: 1,
        webhookSecret: 'key-of-the-webhook-0123456789',
        live: true,
        hosts: {
          tokenUrl: `${phonepe.origin}/v1/oauth/token`,
          api: phonepe.origin,
          isPage: ({ origin }: URL) => origin === phonepe.origin,
        },
      },
      Object.getOwnPropertyDescriptors(timeout),
    ),
    now,
  );
  const second = new RazorpayGateway(
    Object.defineProperties(
      {
        keyId: 'rzp_live_M1',
        keySecret: 's3cret',
        webhookSecrets: ['webhook-secret-0123456789'],
        sellerName: 'Nivida',
        publicOrigin: SHOP_ORIGIN,
        api: razorpay.origin,
      },
      Object.getOwnPropertyDescriptors(timeout),
    ),
    now,
  );
  return new PaymentGateways(first, [second], second);
}

beforeAll(async () => {
  [phonepe, razorpay] = await Promise.all([startPhonePe(now), startRazorpay(now)]);
  const delivery = new TestDelivery();
  const app = await startApp({
    now: NOW,
    env: { PUBLIC_ORIGIN: SHOP_ORIGIN, LEGAL_NAME: 'Nivida' },
    providers: [
      { provide: PaymentGateways, useFactory: newPair },
      { provide: DocumentDelivery, useValue: delivery },
    ],
  });
  await importTenders(app.database.dataSource, [createSourceTender()], { now: NOW });
  const [{ id }] = await app.database.dataSource.query('SELECT id FROM tender');
  shop = Object.assign(app, { delivery, tenderId: String(id), webhooks: [], sandbox: undefined as never });
  await extendTenderClosing(shop);
});
afterAll(async () => {
  await shop.close();
  phonepe.close();
  razorpay.close();
});
beforeEach(async () => {
  phonepe.faults = {};
  razorpay.faults = {};
  // A minute closes no way any longer, and the first provider has answered.
  advance(2 * MINUTE);
  await place();
  // Orders of earlier tests are not checked again.
  await shop.database.dataSource.query('UPDATE orders SET next_check_at = NULL');
});

function advance(ms: number): void {
  shop.clock.now = new Date(shop.clock.now.getTime() + ms);
}

/** An order of a new buyer; `again` sends the same request. */
async function place(body: object = newBody(), key: string = randomUUID()) {
  const { status, json } = await postOrder(shop, body, { 'idempotency-key': key });
  return { status, url: json.url as string, orderId: json.orderId as string, again: () => place(body, key) };
}

const newBody = () => documentOrder(shop, { email: `outage${++buyers}@builders.example` });
const isPhonePePage = (url: string) => url.startsWith(`${phonepe.origin}/transact/`);
const isRazorpayPage = (url: string) => url.startsWith(`${SHOP_ORIGIN}/api/pay/`);
/** The attempt of a page. */
const refOf = (url: string) =>
  url.slice(isRazorpayPage(url) ? `${SHOP_ORIGIN}/api/pay/`.length : url.lastIndexOf('/') + 1).split('/')[0] ?? '';
const payCalls = () => phonepe.requests.filter(({ path }) => path === '/checkout/v2/pay').length;

/** The buyer pays on the page. */
function pay(url: string): void {
  const ref = refOf(url);
  if (isRazorpayPage(url)) razorpay.pay(ref);
  else payAtPhonePe(ref);
}

function payAtPhonePe(ref: string): void {
  const payments = [{ transactionId: `T-${ref}`, state: 'COMPLETED', amount: 9_900, paymentMode: 'UPI_INTENT' }];
  Object.assign(phonepe.orders.get(ref) ?? {}, { state: 'COMPLETED', payments });
}

/** Runs the job for these orders now, and for others that are due. */
async function settleNow(...orderIds: string[]): Promise<void> {
  await shop.database.dataSource.query(
    "UPDATE orders SET next_check_at = $1 WHERE public_id = ANY ($2) AND status NOT IN ('REVIEW', 'REFUNDED')",
    [shop.clock.now, orderIds],
  );
  await runReconcile(shop);
  await shop.app.get(OrderStatusService).idle();
}

/** Money of an order that is neither refunded nor being refunded, in paise. */
async function keptPaise(orderId: string): Promise<number> {
  const payments: { provider_payment_id: string; amount_paise: number }[] = await readOrderRows(
    shop,
    'payment',
    orderId,
  );
  const refunds: { provider_payment_id: string; state: string }[] = await readOrderRows(shop, 'refund', orderId);
  const isRefunded = (id: string) => refunds.some((each) => each.provider_payment_id === id && each.state !== 'FAILED');
  return payments
    .filter((each) => !isRefunded(each.provider_payment_id))
    .reduce((sum, each) => sum + each.amount_paise, 0);
}

describe('an order whose provider does not answer', () => {
  test.each<[keyof PhonePeServer['faults'], PhonePeFault]>([
    ['pay', '500'],
    ['pay', '429'],
    ['pay', '403'],
    ['pay', 'hang'],
    ['pay', 'malformed'],
    ['pay', 'not json'],
    ['pay', 'huge'],
    ['pay', 'redirect'],
    ['pay', 'foreign page'],
    ['token', '500'],
    ['token', 'not json'],
  ])('is paid at the other one, in the same request (%s %s)', async (call, fault) => {
    phonepe.tokens.clear();
    phonepe.faults = { [call]: fault };
    const { status, url, orderId } = await place();
    expect([status, isRazorpayPage(url), refOf(url)]).toEqual([200, true, `${orderId}-2`]);
    expect(await findOrder(shop, orderId)).toMatchObject({ status: 'PENDING', provider: 'razorpay', live: true });
    expect(await readOrderRows(shop, 'attempt', orderId)).toMatchObject([
      { provider: 'phonepe', url: null, claimed_at: null },
      { provider: 'razorpay', url },
    ]);
    phonepe.faults = { status: '500' };
    pay(url);
    await settleNow(orderId);
    expect((await findOrder(shop, orderId)).status).toBe('SUCCESS');
  });

  test('stays when the provider rejects it: that is an answer', async () => {
    phonepe.faults.pay = 'refused';
    const { status } = await place();
    expect(status).toBe(502);
    const [order]: OrderEntity[] = await shop.database.dataSource.query(
      'SELECT * FROM orders ORDER BY id DESC LIMIT 1',
    );
    expect(order).toMatchObject({ status: 'FAILED', provider: 'phonepe' });
  });

  test('is told so when the other one does not answer either, and its retry reaches the first that does', async () => {
    phonepe.faults.pay = '500';
    razorpay.faults.create = '500';
    const failed = await place();
    expect(failed.status).toBe(502);
    razorpay.faults = {};
    const served = await failed.again();
    expect([served.status, isRazorpayPage(served.url)]).toEqual([200, true]);
  });

  test('is not doubled by requests at once: all get the same page', async () => {
    phonepe.faults.pay = '500';
    const body = newBody();
    const key = randomUUID();
    const replies = await Promise.all(Array.from({ length: 5 }, () => place(body, key)));
    const pages = replies.flatMap(({ status, url }) => (status === 200 ? [url] : []));
    expect(replies.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const { url } = await place(body, key);
    expect(new Set([...pages, url])).toEqual(new Set([url]));
    expect(razorpay.orders.filter(({ receipt }) => receipt.startsWith(refOf(url).slice(0, 22)))).toHaveLength(1);
  });

  test('that has a page stays with its provider: another page could be paid too', async () => {
    const { url, orderId, again } = await place();
    expect(isPhonePePage(url)).toBe(true);
    phonepe.faults = { pay: '500', status: '500' };
    // The page is still open.
    expect((await again()).url).toBe(url);
    advance(21 * MINUTE);
    expect((await again()).status).toBe(502);
    expect(await findOrder(shop, orderId)).toMatchObject({ status: 'PENDING', provider: 'phonepe' });
    phonepe.faults = {};
    pay(url);
    await settleNow(orderId);
    expect(await findOrder(shop, orderId)).toMatchObject({ status: 'SUCCESS', provider: 'phonepe' });
  });

  test('that has a page, or is no longer CREATED, is held by the database', async () => {
    const change = (orderId: string) =>
      shop.database.dataSource.query("UPDATE orders SET provider = 'razorpay' WHERE public_id = $1", [orderId]);
    const { orderId } = await place();
    await expect(change(orderId)).rejects.toThrow(`order ${orderId} stays with its provider`);
    phonepe.faults.pay = 'refused';
    await place();
    const [failed] = await shop.database.dataSource.query(
      "SELECT public_id FROM orders WHERE status = 'FAILED' ORDER BY id DESC",
    );
    await expect(change(failed.public_id)).rejects.toThrow('stays with its provider');
  });

  test('whose process died while it asked goes to the other one with the next request', async () => {
    phonepe.faults = { pay: '500', status: '500' };
    razorpay.faults.find = '500';
    const failed = await place();
    expect(failed.status).toBe(502);
    razorpay.faults = {};
    const [{ id, public_id }] = await shop.database.dataSource.query(
      'SELECT id, public_id FROM orders ORDER BY id DESC LIMIT 1',
    );
    // As the process has left it: one claimed attempt at the first provider.
    await shop.database.dataSource.query('DELETE FROM attempt WHERE order_id = $1 AND ref = $2', [
      id,
      `${public_id}-2`,
    ]);
    await shop.database.dataSource.query("UPDATE orders SET provider = 'phonepe' WHERE id = $1", [id]);
    await shop.database.dataSource.query('UPDATE attempt SET claimed_at = $2 WHERE order_id = $1', [
      id,
      shop.clock.now,
    ]);
    expect((await failed.again()).status).toBe(409);
    advance(16_000);
    const served = await failed.again();
    expect([served.status, isRazorpayPage(served.url)]).toEqual([200, true]);
  });

  test('that was paid at both grants once, and the second money goes back', async () => {
    phonepe.faults.pay = 'malformed';
    const { url, orderId } = await place();
    phonepe.faults = {};
    pay(url);
    await settleNow(orderId);
    // PhonePe had made the order whose answer was lost. Its page cannot have been paid, but if it was:
    payAtPhonePe(`${orderId}-1`);
    await settleNow(orderId);
    expect(await readOrderRows(shop, 'entitlement', orderId)).toHaveLength(1);
    expect(await readOrderRows(shop, 'payment', orderId)).toMatchObject([
      { provider: 'razorpay', kind: 'capture' },
      { provider: 'phonepe', kind: 'duplicate' },
    ]);
    expect(phonepe.refunds.get(`R-${orderId}-1`)).toMatchObject({
      originalMerchantOrderId: `${orderId}-1`,
      amount: 9_900,
    });
    expect(await keptPaise(orderId)).toBe(9_900);
  });

  test('that was declined at the other one ends, although the first one still does not answer', async () => {
    phonepe.faults = { pay: '500', status: '500' };
    const { url, orderId } = await place();
    razorpay.pay(refOf(url), { status: 'failed', error_reason: 'payment_failed' });
    expect((await shop.app.inject({ method: 'GET', url: `${url.slice(SHOP_ORIGIN.length)}/left` })).statusCode).toBe(
      303,
    );
    await shop.app.get(OrderStatusService).idle();
    expect((await fetchOrderStatus(shop, orderId)).json).toMatchObject({ status: 'FAILED' });
  });

  test('is refunded at the provider that has the money', async () => {
    phonepe.faults.pay = '500';
    const { url, orderId } = await place();
    pay(url);
    await settleNow(orderId);
    await shop.app.get(RefundsService).refundOrder(orderId, 'it was ordered twice');
    await shop.app.get(RefundsService).runDue();
    expect(razorpay.refunds.at(-1)).toMatchObject({ receipt: `R-${orderId}-1`, amount: 9_900 });
  });

  test('of a signed-in buyer without a key is continued, whichever provider has it', async () => {
    const { headers } = await createSession(shop);
    const send = async () => {
      const payload = planOrder();
      return (await shop.app.inject({ method: 'POST', url: '/api/create-order', payload, headers })).json();
    };
    phonepe.faults.pay = '500';
    const first = await send();
    expect(isRazorpayPage(first.url)).toBe(true);
    phonepe.faults = {};
    expect(await send()).toEqual(first);
  });
});

test('the provider is asked once a minute while it does not answer, and used again when it does', async () => {
  phonepe.faults.pay = '500';
  const before = payCalls();
  for (const _ of Array(10).keys()) expect(isRazorpayPage((await place()).url)).toBe(true);
  expect(payCalls() - before).toBe(2);
  advance(MINUTE);
  await place();
  await place();
  expect(payCalls() - before).toBe(3);
  phonepe.faults = {};
  expect(isRazorpayPage((await place()).url)).toBe(true);
  advance(MINUTE);
  expect(isPhonePePage((await place()).url)).toBe(true);
  expect(isPhonePePage((await place()).url)).toBe(true);
});

test('in an hour without the first provider every buyer is served, none pays twice, and it is used again', {
  tags: 'release',
  timeout: 300_000,
}, async () => {
  const FAULTS: PhonePeServer['faults'][] = [
    { pay: '500', status: '500' },
    { pay: '429' },
    { pay: 'malformed', status: 'malformed', refundStatus: '500' },
    { token: '500', pay: '408' },
    { pay: 'not json', status: '500' },
    { pay: '403', status: '403' },
  ];
  const placed: { orderId: string; url: string; minute: number; isPaid: boolean }[] = [];
  const start = shop.clock.now.getTime();
  const callsBefore = payCalls();
  for (let minute = -5; minute < 65; minute++) {
    shop.clock.now = new Date(start + (minute + 5) * MINUTE);
    const isDown = minute >= 0 && minute < 60;
    phonepe.faults = isDown ? (FAULTS[minute % FAULTS.length] ?? {}) : {};
    if (minute === 20) phonepe.faults = { pay: 'hang', status: 'hang' };
    if (isDown && minute % 7 === 0) phonepe.tokens.clear();
    for (const buyer of [0, 1]) {
      const body = newBody();
      const key = randomUUID();
      // Every second buyer taps three times.
      const replies = await Promise.all(Array.from({ length: buyer === 1 ? 3 : 1 }, () => place(body, key)));
      const { status, url, orderId } = replies.find((reply) => reply.status === 200) ?? (await place(body, key));
      expect([minute, status]).toEqual([minute, 200]);
      for (const reply of replies) if (reply.status === 200) expect(reply.url).toBe(url);
      const isPaid = (minute + buyer) % 4 !== 0;
      if (isPaid) pay(url);
      // A buyer whose page did not load asks for it again.
      if (buyer === 1) expect((await place(body, key)).orderId).toBe(orderId);
      placed.push({ orderId, url, minute, isPaid });
    }
    if (minute % 5 === 0) await settleNow();
  }
  for (const { url, minute } of placed) {
    if (minute < 0 || minute > 60) expect([minute, isPhonePePage(url)]).toEqual([minute, true]);
    else if (minute < 60) expect([minute, isRazorpayPage(url)]).toEqual([minute, true]);
  }
  // Two failures, then one trial a minute.
  expect(payCalls() - callsBefore).toBeLessThanOrEqual(
    placed.filter(({ minute }) => minute < 0 || minute >= 60).length * 3 + 62,
  );
  advance(30 * MINUTE);
  await settleNow(...placed.map(({ orderId }) => orderId));
  for (const { orderId, url, isPaid } of placed) {
    const order = await findOrder(shop, orderId);
    const provider = isPhonePePage(url) ? 'phonepe' : 'razorpay';
    expect(order).toMatchObject({ provider, live: true });
    if (isPaid) expect(order.status).toBe('SUCCESS');
    else if (provider === 'razorpay') expect(order.status).toBe('EXPIRED');
    expect(await readOrderRows(shop, 'payment', orderId)).toHaveLength(isPaid ? 1 : 0);
    expect(await readOrderRows(shop, 'entitlement', orderId)).toHaveLength(isPaid ? 1 : 0);
    expect(await keptPaise(orderId)).toBe(isPaid ? 9_900 : 0);
  }
});

describe('generated orders with two providers', () => {
  const faults = fc.constantFrom<PhonePeFault | undefined>(undefined, undefined, '500', 'malformed', 'refused');
  const event: fc.Arbitrary<OutageEvent> = fc.oneof(
    fc.record({
      what: fc.constant('phonepe' as const),
      fault: faults,
      status: fc.constantFrom(undefined, '500' as const),
    }),
    fc.record({
      what: fc.constant('razorpay' as const),
      fault: fc.constantFrom(undefined, undefined, '500' as const, 'malformed' as const, 'refused' as const),
    }),
    fc.record({ what: fc.constant('wait' as const), seconds: fc.constantFrom(5, 61, 1_300, 90_000) }),
    {
      weight: 3,
      arbitrary: fc.record({
        what: fc.constantFrom(
          'ask again' as const,
          'ask at once' as const,
          'settle' as const,
          'pay' as const,
          'pay lost page' as const,
        ),
      }),
    },
  );

  test('never keep money twice: one payment is granted, every other one goes back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 4, maxLength: 12 }), async (events) => {
        phonepe.faults = {};
        razorpay.faults = {};
        const body = newBody();
        const key = randomUUID();
        const pages = new Set<string>();
        let orderId: string | undefined;
        const ask = async () => {
          const reply = await place(body, key);
          if (reply.status === 200 && (isPhonePePage(reply.url) || isRazorpayPage(reply.url))) pages.add(reply.url);
          const [row] = await shop.database.dataSource.query(
            'SELECT public_id FROM orders WHERE idempotency_key = $1',
            [key],
          );
          orderId ??= row?.public_id;
        };
        const happen = async (each: OutageEvent) => {
          if (each.what === 'phonepe') phonepe.faults = { pay: each.fault, status: each.status };
          else if (each.what === 'razorpay') razorpay.faults = { create: each.fault };
          else if (each.what === 'wait') advance(each.seconds * 1_000);
          else if (each.what === 'ask again') await ask();
          else if (each.what === 'ask at once') await Promise.all([ask(), ask(), ask()]);
          else if (each.what === 'settle') await settleNow(...(orderId === undefined ? [] : [orderId]));
          // A page is paid on once.
          else if (each.what === 'pay')
            for (const page of pages) {
              if (isRazorpayPage(page) && razorpay.payments.some(({ order_id }) => orderOf(page)?.id === order_id))
                continue;
              pay(page);
            }
          else payAtPhonePe(`${orderId}-1`);
        };
        for (const each of [{ what: 'ask again' } as const, ...events]) await happen(each);
        phonepe.faults = {};
        razorpay.faults = {};
        advance(MINUTE);
        if (orderId === undefined) return;
        await settleNow(orderId);
        await settleNow(orderId);
        const { status } = await findOrder(shop, orderId);
        const payments = await readOrderRows(shop, 'payment', orderId);
        const captures = payments.filter(({ kind }: { kind: string }) => kind === 'capture');
        expect(captures.length).toBe(payments.length > 0 ? 1 : 0);
        expect(await keptPaise(orderId)).toBe(captures.length * 9_900);
        expect(await readOrderRows(shop, 'entitlement', orderId)).toHaveLength(captures.length);
        expect(status === 'SUCCESS').toBe(captures.length === 1);
      }),
      { numRuns: 25 },
    );
  }, 300_000);

  const orderOf = (page: string) => razorpay.orders.find(({ receipt }) => receipt === refOf(page));
});
