import { createHash, createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/base/config.ts';
import { DocumentDelivery } from '../../src/orders/document-delivery.port.ts';
import { RefundsService } from '../../src/orders/refunds/refunds.service.ts';
import { ProviderAuditService } from '../../src/orders/settlement/provider-audit.service.ts';
import { OrderStatusService } from '../../src/orders/status/order-status.service.ts';
import { PaymentGateways } from '../../src/payments/payment-gateways.port.ts';
import { createGateways } from '../../src/payments/providers.ts';
import { type RazorpayAccount, RazorpayGateway } from '../../src/payments/razorpay-gateway.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { startApp, TEST_SESSION_KEY } from '../support/start-app.ts';
import {
  documentOrder,
  fetchOrderStatus,
  findOrder,
  postOrder,
  readOrderRows,
  runReconcile,
  SHOP_ORIGIN,
  TestDelivery,
  type TestShop,
} from '../support/test-shop.ts';
import { type RazorpayServer, signRazorpayReturn, signRazorpayWebhook, startRazorpay } from './razorpay-server.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const clock = { now: NOW };
const WEBHOOK_SECRET = 'webhook-secret-0123456789';
const OPEN = { providerRef: null, expiresAt: new Date(NOW.getTime() + 20 * 60_000), leftAt: null };
const ENDED = { ...OPEN, expiresAt: NOW };

let server: RazorpayServer;

beforeAll(async () => {
  server = await startRazorpay(() => clock.now);
});
afterAll(() => server.close());
beforeEach(() => {
  server.faults = {};
  server.requests = [];
  clock.now = NOW;
});

function gateway(changes: Partial<RazorpayAccount> = {}): RazorpayGateway {
  const account: RazorpayAccount = {
    keyId: 'rzp_live_M1',
    keySecret: 's3cret',
    webhookSecrets: [WEBHOOK_SECRET, 'earlier-secret-0123456789'],
    sellerName: 'Nivida',
    publicOrigin: SHOP_ORIGIN,
    api: server.origin,
    // Short only where no answer comes: a busy machine may take longer for the others.
    get timeoutMs() {
      return Object.values(server.faults).some((fault) => fault === 'hang' || fault === 'lost answer') ? 400 : 20_000;
    },
    ...changes,
  };
  return new RazorpayGateway(account, () => clock.now);
}

const checkout = (attemptRef: string) => ({
  attemptRef,
  amountPaise: 9_900,
  description: 'NIT & BOQ: Road',
  buyer: { name: 'Asha Verma', email: 'asha@builders.example', mobile: '+919805512345' },
  returnUrl: `${SHOP_ORIGIN}/payment-status?id=x`,
  expiresAt: OPEN.expiresAt,
});
const capture = (paymentId: string, amountPaise = 9_900) => ({
  paymentId,
  amountPaise,
  currency: 'INR',
  method: 'upi',
});
const calls = () => server.requests.map(({ method, path }) => `${method} ${path}`);

const TROUBLES = [
  '500',
  '429',
  '401',
  '403',
  '408',
  '409',
  'hang',
  'malformed',
  'not json',
  'huge',
  'redirect',
] as const;

describe('a checkout at Razorpay', () => {
  test('is an order in paise by our reference, captured by itself, without data of the buyer', async () => {
    const { url, providerRef } = await gateway().createCheckout(checkout('made-1'));
    expect(server.orders.find(({ receipt }) => receipt === 'made-1')?.id).toBe(providerRef);
    expect(url).toMatch(/^http:\/\/nivida\.test\/api\/pay\/made-1\/[\w-]{22}$/);
    expect(calls()).toEqual(['GET /orders?receipt=made-1&count=100', 'POST /orders']);
    expect(server.requests[1]?.body).toEqual({
      amount: 9_900,
      currency: 'INR',
      receipt: 'made-1',
      payment: {
        capture: 'automatic',
        capture_options: { automatic_expiry_period: 7_200, refund_speed: 'normal' },
      },
    });
  });

  test('is made once: after a lost answer the same order has the same page', async () => {
    server.faults.create = 'lost answer';
    await expect(gateway().createCheckout(checkout('lost-1'))).rejects.toMatchObject({ name: 'GatewayError' });
    server.faults = {};
    const pages = [
      await gateway().createCheckout(checkout('lost-1')),
      await gateway().createCheckout(checkout('lost-1')),
    ];
    expect(server.orders.filter(({ receipt }) => receipt === 'lost-1')).toHaveLength(1);
    expect(pages[0]).toEqual(pages[1]);
  });

  test('has an address that another secret cannot make', async () => {
    const { url } = await gateway().createCheckout(checkout('keyed-1'));
    const key = (text: string) => text.split('/').at(-1);
    expect(key(url)).not.toBe(key((await gateway().createCheckout(checkout('keyed-2'))).url));
    expect(url).not.toContain(createHmac('sha256', 'other').update('payment page keyed-1').digest('base64url'));
  });

  test.each(TROUBLES)('is unknown when the answer is %s', async (trouble) => {
    for (const call of ['find', 'create'] as const) {
      server.faults = { [call]: trouble };
      await expect(gateway().createCheckout(checkout(`t-${call}-${trouble.length}`))).rejects.toMatchObject({
        name: 'GatewayError',
      });
    }
  });

  test('is rejected when Razorpay rejects it', async () => {
    server.faults.create = 'refused';
    await expect(gateway().createCheckout(checkout('refused'))).rejects.toMatchObject({ name: 'GatewayRejectedError' });
  });

  test.each([{ amount: 9_899 }, { currency: 'USD' }])('whose order says %o is unknown', async (odd) => {
    const receipt = `odd-${Object.keys(odd)}`;
    server.orders.push({ id: 'order_odd', receipt, amount: 9_900, currency: 'INR', ...odd });
    await expect(gateway().createCheckout(checkout(receipt))).rejects.toMatchObject({ name: 'GatewayError' });
  });

  test('fails with wrong credentials, and no message contains them', async () => {
    const error = await gateway({ keySecret: 'wr0ng' })
      .createCheckout(checkout('x-1'))
      .catch((error) => error);
    expect(error.name).toBe('GatewayError');
    expect(String(error.stack)).not.toContain('wr0ng');
  });
});

describe('the form of the payment page', () => {
  const form = () => gateway().form;

  test('has our stored order, the amount and the ways back, and of the buyer only what Razorpay requires', () => {
    const request = {
      providerRef: 'order_1',
      amountPaise: 9_900,
      description: 'Road',
      buyer: { email: 'asha@builders.example', mobile: '+919805512345' },
      pageUrl: `${SHOP_ORIGIN}/api/pay/a-1/key`,
    };
    expect(form().build(request)).toEqual({
      action: `${server.origin}/checkout/embedded`,
      fields: {
        key_id: 'rzp_live_M1',
        order_id: 'order_1',
        amount: '9900',
        currency: 'INR',
        name: 'Nivida',
        description: 'Road',
        'prefill[email]': 'asha@builders.example',
        'prefill[contact]': '+919805512345',
        callback_url: `${SHOP_ORIGIN}/api/pay/a-1/key/return`,
        cancel_url: `${SHOP_ORIGIN}/api/pay/a-1/key/left`,
      },
    });
  });

  test('leads back with a payment only when it is signed for our order', () => {
    const payment = { id: 'pay_1', order_id: 'order_1' } as never;
    const fields = signRazorpayReturn(payment);
    expect(form().namesPayment(fields, 'order_1')).toBe(true);
    expect(form().namesPayment({ 'error[code]': 'BAD_REQUEST_ERROR' }, 'order_1')).toBe(false);
    // A right signature for another order, whose id the browser brings along.
    expect(() => form().namesPayment(fields, 'order_2')).toThrow('wrong signature');
    expect(() => form().namesPayment(signRazorpayReturn(payment, 'other'), 'order_1')).toThrow('wrong signature');
    for (const part of ['razorpay_payment_id', 'razorpay_signature'])
      expect(() => form().namesPayment({ ...fields, [part]: '' }, 'order_1')).toThrow('wrong signature');
    const { razorpay_signature: _, ...unsigned } = fields;
    expect(() => form().namesPayment(unsigned, 'order_1')).toThrow('wrong signature');
  });
});

describe('the status at Razorpay', () => {
  let attempts = 0;
  let ref = '';
  beforeEach(async () => {
    ref = `status-${++attempts}`;
    await gateway().createCheckout(checkout(ref));
  });
  const status = (page: Parameters<RazorpayGateway['fetchStatus']>[1] = OPEN) => gateway().fetchStatus(ref, page);

  test('is pending until the page ends, then expired', async () => {
    expect(await status()).toEqual({ state: 'PENDING', captures: [], errorCode: null });
    expect(await status(ENDED)).toEqual({ state: 'EXPIRED', captures: [], errorCode: null });
  });

  test('is paid with its captures, oldest first, without the failed ones', async () => {
    server.pay(ref, { status: 'failed', error_reason: 'payment_failed' });
    const second = server.pay(ref, { created_at: 2_000_000_000 });
    const first = server.pay(ref, { created_at: 1_900_000_000 });
    expect(await status(ENDED)).toMatchObject({ state: 'PAID', captures: [capture(first.id), capture(second.id)] });
  });

  test('is paid also after the page has ended, the buyer has left and the money was refunded', async () => {
    const { id } = server.pay(ref, { status: 'refunded', captured: true });
    expect(await status({ ...ENDED, leftAt: NOW })).toMatchObject({ state: 'PAID', captures: [capture(id)] });
  });

  test('reports another amount and currency unchanged', async () => {
    const { id } = server.pay(ref, { amount: 9_899, currency: 'USD' });
    expect((await status()).captures).toEqual([{ ...capture(id, 9_899), currency: 'USD' }]);
  });

  test.each(['created', 'authorized'] as const)('with a payment that is %s waits for it', async (state) => {
    server.pay(ref, { status: state });
    for (const page of [OPEN, ENDED, { ...OPEN, leftAt: NOW }])
      expect(await status(page)).toMatchObject({ state: 'PENDING', captures: [] });
  });

  test('with a failed payment stays open, as the buyer may try again on the page', async () => {
    server.pay(ref, { status: 'failed', error_reason: 'incorrect_otp' });
    expect(await status()).toEqual({ state: 'PENDING', captures: [], errorCode: 'INCORRECT_OTP' });
    expect((await status({ ...OPEN, leftAt: NOW })).state).toBe('FAILED');
  });

  test('of a buyer who has left is failed, by the last failure or as cancelled', async () => {
    const left = { ...OPEN, leftAt: NOW };
    expect(await status(left)).toEqual({ state: 'FAILED', captures: [], errorCode: 'PAYMENT_CANCELLED' });
    server.pay(ref, { status: 'failed', error_reason: 'payment_failed' });
    expect((await status(left)).errorCode).toBe('PAYMENT_FAILED');
  });

  test('ignores money that Razorpay gave back because it was never captured', async () => {
    server.pay(ref, { status: 'refunded', captured: false });
    expect(await status(ENDED)).toEqual({ state: 'EXPIRED', captures: [], errorCode: null });
  });

  test('asks about every order with our reference', async () => {
    server.orders.push({ id: 'order_twin', receipt: ref, amount: 9_900, currency: 'INR' });
    const { id } = server.pay(ref, { order_id: 'order_twin' });
    expect((await status()).captures).toEqual([capture(id)]);
  });

  test('asks about the stored order also when the list does not have it', async () => {
    const order = server.orders.find(({ receipt }) => receipt === ref);
    const { id } = server.pay(ref);
    Object.assign(order ?? {}, { receipt: 'hidden' });
    expect((await status()).state).toBe('NOT_FOUND');
    expect((await status({ ...OPEN, providerRef: order?.id ?? '' })).captures).toEqual([capture(id)]);
  });

  test('of an unknown order is not found', async () => {
    expect(await gateway().fetchStatus('unseen', OPEN)).toEqual({ state: 'NOT_FOUND', captures: [], errorCode: null });
  });

  test('that Razorpay rejects is no unknown order', async () => {
    server.faults.payments = 'refused';
    await expect(status()).rejects.toMatchObject({ name: 'GatewayRejectedError' });
  });

  test.each(TROUBLES)('is unknown when the answer is %s', async (trouble) => {
    for (const call of ['find', 'payments'] as const) {
      server.faults = { [call]: trouble };
      await expect(status()).rejects.toMatchObject({ name: 'GatewayError' });
    }
  });
});

describe('a refund at Razorpay', () => {
  const request = (paymentId: string, refundRef: string) => ({
    attemptRef: 'x',
    refundRef,
    paymentId,
    amountPaise: 9_900,
  });
  const payFor = async (ref: string) => {
    await gateway().createCheckout(checkout(ref));
    return server.pay(ref).id;
  };

  test('is requested once by its reference for the payment it is about, and followed', async () => {
    await payFor('two-debits');
    const second = server.pay('two-debits').id;
    const refund = request(second, 'R-two-debits-1');
    expect(await gateway().fetchRefund(refund)).toBe('NOT_FOUND');
    expect(await gateway().refund(refund)).toBe('PENDING');
    expect(server.requests.at(-1)).toMatchObject({
      path: `/payments/${second}/refund`,
      body: { amount: 9_900, speed: 'normal', receipt: 'R-two-debits-1' },
      headers: { 'x-refund-idempotency': 'R-two-debits-1' },
    });
    for (const [state, expected] of [
      ['pending', 'PENDING'],
      ['processed', 'SUCCEEDED'],
      ['failed', 'FAILED'],
    ] as const) {
      Object.assign(server.refunds.at(-1) ?? {}, { status: state });
      expect(await gateway().fetchRefund(refund)).toBe(expected);
    }
  });

  test('whose answer is lost is found by its reference', async () => {
    const refund = request(await payFor('lost-refund'), 'R-lost-refund-1');
    server.faults.refund = 'lost answer';
    await expect(gateway().refund(refund)).rejects.toMatchObject({ name: 'GatewayError' });
    server.faults = {};
    expect(await gateway().fetchRefund(refund)).toBe('PENDING');
    expect(await gateway().refund(refund)).toBe('PENDING');
    expect(server.refunds.filter(({ receipt }) => receipt === 'R-lost-refund-1')).toHaveLength(1);
  });

  test('of more than the payment is rejected', async () => {
    const paymentId = await payFor('too-much');
    await gateway().refund(request(paymentId, 'R-too-much-1'));
    await expect(gateway().refund(request(paymentId, 'R-too-much-2'))).rejects.toMatchObject({
      name: 'GatewayRejectedError',
    });
  });

  test.each(TROUBLES)('is unknown when the answer is %s', async (trouble) => {
    server.faults = { refund: trouble, refunds: trouble };
    await expect(gateway().refund(request('pay_1', 'R-unknown-1'))).rejects.toMatchObject({ name: 'GatewayError' });
    await expect(gateway().fetchRefund(request('pay_1', 'R-unknown-1'))).rejects.toMatchObject({
      name: 'GatewayError',
    });
  });
});

describe('a webhook of Razorpay', () => {
  const paidEvent = {
    event: 'order.paid',
    payload: {
      order: { entity: { id: 'order_1', receipt: 'order-1' } },
      payment: { entity: { id: 'pay_1', order_id: 'order_1', status: 'captured' } },
    },
  };
  const read = (body: object, secret = WEBHOOK_SECRET, alter = (text: string) => text, eventId = 'evt_1') => {
    const { payload, headers } = signRazorpayWebhook(body, secret, eventId);
    return gateway().readWebhook(Buffer.from(alter(payload)), headers);
  };

  test('names its attempt by both references', () => {
    expect(read(paidEvent)).toEqual({
      eventId: 'evt_1',
      attemptRef: 'order-1',
      providerRef: 'order_1',
      isPaid: true,
      refundRef: null,
    });
    const { order: _, ...payload } = paidEvent.payload;
    expect(read({ event: 'payment.failed', payload })).toMatchObject({ attemptRef: null, providerRef: 'order_1' });
  });

  test('names the refund that it is about; an automatic refund has no reference of ours', () => {
    const { payment } = paidEvent.payload;
    const refund = (receipt: string | null) => ({
      payload: { refund: { entity: { id: 'rfnd_1', receipt } }, payment },
    });
    expect(read(refund('R-1')).refundRef).toBe('R-1');
    expect(read(refund(null))).toMatchObject({ refundRef: null, providerRef: 'order_1' });
  });

  test('may be signed with the present or the earlier secret', () => {
    expect(read(paidEvent, 'earlier-secret-0123456789').attemptRef).toBe('order-1');
    expect(() => read(paidEvent, 'another-secret-0123456789')).toThrow('wrong signature');
  });

  test('is refused when a byte was altered or the signature is missing', () => {
    expect(() => read(paidEvent, WEBHOOK_SECRET, (text) => `${text} `)).toThrow('wrong signature');
    expect(() => read(paidEvent, WEBHOOK_SECRET, (text) => text.replace('order-1', 'order-2'))).toThrow(
      'wrong signature',
    );
    expect(() => gateway().readWebhook(Buffer.from('{}'), {})).toThrow('wrong signature');
    expect(() => gateway().readWebhook(Buffer.from('{}'), { 'x-razorpay-signature': 'zz'.repeat(32) })).toThrow(
      'wrong signature',
    );
  });

  test('without an event id is known by its body', () => {
    const sum = createHash('sha256').update(JSON.stringify(paidEvent)).digest('hex');
    expect(read(paidEvent, WEBHOOK_SECRET, undefined, '').eventId).toBe(sum);
  });

  test.each([{}, { payload: { refund: { entity: { receipt: 7 } } } }])(
    'that is signed but no event is refused: %j',
    (body) => {
      expect(() => read(body)).toThrow('not an event of Razorpay');
    },
  );
});

describe('a purchase by Razorpay', () => {
  let shop: TestShop;
  let buyers = 0;
  beforeAll(async () => {
    const delivery = new TestDelivery();
    const app = await startApp({
      now: NOW,
      env: { PUBLIC_ORIGIN: SHOP_ORIGIN, LEGAL_NAME: 'Nivida' },
      providers: [
        { provide: PaymentGateways, useValue: new PaymentGateways(gateway()) },
        { provide: DocumentDelivery, useValue: delivery },
      ],
    });
    await importTenders(app.database.dataSource, [createSourceTender()], { now: NOW });
    const [{ id }] = await app.database.dataSource.query('SELECT id FROM tender');
    shop = Object.assign(app, { delivery, tenderId: String(id), webhooks: [], sandbox: undefined as never });
  });
  afterAll(() => shop.close());
  beforeEach(() => {
    shop.clock.now = NOW;
  });

  const idle = () => shop.app.get(OrderStatusService).idle();
  /** A new order with its page's path. */
  const place = async (changes: object = {}) => {
    const body = documentOrder(shop, { email: `razorpay${++buyers}@builders.example`, ...changes });
    const key = { 'idempotency-key': randomUUID() };
    const { json } = await postOrder(shop, body, key);
    return { orderId: json.orderId as string, path: json.url.slice(SHOP_ORIGIN.length) as string, body, key };
  };
  const open = (path: string, headers = {}) => shop.app.inject({ method: 'GET', url: path, headers });
  const comeBack = async (path: string, fields: Record<string, string>) => {
    const reply = await shop.app.inject({
      method: 'POST',
      url: `${path}/return`,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://api.razorpay.com',
        'sec-fetch-site': 'cross-site',
      },
      payload: new URLSearchParams(fields).toString(),
    });
    await idle();
    return reply;
  };
  const sendEvent = async (body: object, eventId: string = randomUUID(), secret = WEBHOOK_SECRET) => {
    const { payload, headers } = signRazorpayWebhook(body, secret, eventId);
    const reply = await shop.app.inject({ method: 'POST', url: '/api/webhooks/payments/razorpay', headers, payload });
    await idle();
    return reply.statusCode;
  };
  const refusals = async () =>
    Number(/nivida_webhooks_refused_total (\d+)/.exec((await shop.get('/api/metrics')).text)?.[1] ?? 0);
  const statusOf = async (orderId: string) => (await findOrder(shop, orderId)).status;
  const makeDue = (orderId: string) =>
    shop.database.dataSource.query('UPDATE orders SET next_check_at = $1 WHERE public_id = $2', [
      shop.clock.now,
      orderId,
    ]);

  test('is opened by a page of ours with one form, which no cache stores and no other site shows', async () => {
    const { path } = await place();
    const { statusCode, headers, body } = await open(path);
    expect(statusCode).toBe(200);
    expect(headers['cache-control']).toBe('private, no-store');
    expect(headers['x-robots-tag']).toBe('noindex');
    expect(headers['referrer-policy']).toBe('strict-origin-when-cross-origin');
    const [, script = ''] = /<script>(.*?)<\/script>/.exec(body) ?? [];
    const hash = createHash('sha256').update(script).digest('base64');
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; script-src 'sha256-${hash}'; style-src 'self'; img-src 'self'; form-action ${server.origin} https://*.razorpay.com; base-uri 'none'; frame-ancestors 'none'`,
    );
    expect(body).toContain(`<form method="post" action="${server.origin}/checkout/embedded">`);
    expect(body).toContain('<button>Pay ₹99.00</button>');
    expect(body.match(/<form/g)).toHaveLength(1);
    expect(body).not.toMatch(/razorpay\.com\/v1\/checkout\.js|<script src/);
  });

  test('has its page in the language of the order', async () => {
    const body = documentOrder(shop, { email: 'hindi@builders.example' });
    const { json } = await postOrder(shop, body, { 'accept-language': 'hi' });
    const page = await open(json.url.slice(SHOP_ORIGIN.length));
    expect(page.body).toContain('<html lang="hi-IN">');
    expect(page.body).toContain('<button>₹99.00 का भुगतान करें</button>');
  });

  test('shows the page to no one who does not have its whole address', async () => {
    const { path, orderId } = await place();
    const short = path.slice(0, path.lastIndexOf('/'));
    for (const other of [`${short}/${'x'.repeat(22)}`, `${short}/`, short, path.replace(orderId, 'x'.repeat(22))]) {
      expect((await open(other)).statusCode).toBe(404);
      // An address with fewer parts takes no forms at all.
      expect([404, 415]).toContain((await comeBack(other, {})).statusCode);
      expect((await open(`${other}/left`)).statusCode).toBe(404);
    }
    expect((await readOrderRows(shop, 'attempt', orderId))[0].left_at).toBeNull();
  });

  test('leads to the order when nothing can be paid any more', async () => {
    const { path, orderId } = await place();
    const orderPage = `${SHOP_ORIGIN}/tenders/${shop.tenderId}?id=${orderId}`;
    shop.clock.now = new Date(NOW.getTime() + 20 * 60_000);
    const { statusCode, headers } = await open(path);
    expect([statusCode, headers.location]).toEqual([303, orderPage]);
    const paid = await place();
    server.pay(`${paid.orderId}-1`);
    await makeDue(paid.orderId);
    await runReconcile(shop);
    expect((await open(paid.path)).statusCode).toBe(303);
  });

  test('is settled when the buyer comes back: a live order with a receipt of the real series', async () => {
    const { path, orderId } = await place();
    const payment = server.pay(`${orderId}-1`);
    const { statusCode, headers } = await comeBack(path, signRazorpayReturn(payment));
    expect([statusCode, headers.location]).toEqual([303, `${SHOP_ORIGIN}/tenders/${shop.tenderId}?id=${orderId}`]);
    expect(await findOrder(shop, orderId)).toMatchObject({ status: 'SUCCESS', provider: 'razorpay', live: true });
    expect(await readOrderRows(shop, 'payment', orderId)).toMatchObject([
      { provider: 'razorpay', provider_payment_id: payment.id, kind: 'capture' },
    ]);
    expect((await readOrderRows(shop, 'invoice', orderId))[0].number).toMatch(/^RC\/26-27\/\d{7}$/);
    expect((await shop.get('/api/site')).json.payments).toBe('live');
  });

  test('is not believed when the browser brings a signed payment that Razorpay does not have', async () => {
    const { path, orderId } = await place();
    const [order] = server.orders.filter(({ receipt }) => receipt === `${orderId}-1`);
    await comeBack(path, signRazorpayReturn({ id: 'pay_invented', order_id: order?.id } as never));
    expect(await statusOf(orderId)).toBe('PENDING');
    expect(await readOrderRows(shop, 'entitlement', orderId)).toEqual([]);
  });

  test('is unchanged by a wrong signature, which is counted', async () => {
    const { path, orderId } = await place();
    const payment = server.pay(`${orderId}-1`, { status: 'failed' });
    const before = await refusals();
    const stolen = await place();
    const other = server.pay(`${stolen.orderId}-1`);
    for (const fields of [
      signRazorpayReturn(other),
      signRazorpayReturn(payment, 'wrong'),
      { razorpay_payment_id: 'x' },
    ])
      expect((await comeBack(path, fields)).statusCode).toBe(303);
    expect(await refusals()).toBe(before + 3);
    expect(await statusOf(orderId)).toBe('PENDING');
    expect((await readOrderRows(shop, 'attempt', orderId))[0].left_at).toBeNull();
  });

  test.each([
    ['a declined payment', 'payment_failed', 'The payment was declined. Please try again.'],
    ['a cancelled payment', 'payment_cancelled', 'The payment was cancelled.'],
  ])('with %s fails at once, and can be tried again on a new page', async (_, error_reason, text) => {
    const { path, orderId, body, key } = await place();
    server.pay(`${orderId}-1`, { status: 'failed', error_reason });
    await comeBack(path, { 'error[code]': 'BAD_REQUEST_ERROR', 'error[reason]': error_reason });
    expect((await fetchOrderStatus(shop, orderId)).json).toMatchObject({ status: 'FAILED', error: text });
    expect((await open(path)).statusCode).toBe(303);
    const again = await postOrder(shop, body, key);
    expect(again.json.url).toContain(`/api/pay/${orderId}-2/`);
    server.pay(`${orderId}-2`);
    await makeDue(orderId);
    await runReconcile(shop);
    expect(await statusOf(orderId)).toBe('SUCCESS');
  });

  test('whose buyer leaves the page is cancelled; a payment in another tab still counts', async () => {
    const { path, orderId } = await place();
    expect((await open(`${path}/left`)).statusCode).toBe(303);
    await idle();
    expect((await fetchOrderStatus(shop, orderId)).json).toMatchObject({
      status: 'FAILED',
      error: 'The payment was cancelled.',
    });
    server.pay(`${orderId}-1`);
    await makeDue(orderId);
    await runReconcile(shop);
    expect(await statusOf(orderId)).toBe('SUCCESS');
  });

  test('whose buyer leaves while the bank decides stays pending until it has decided', async () => {
    const { path, orderId } = await place();
    const payment = server.pay(`${orderId}-1`, { status: 'authorized' });
    await open(`${path}/left`);
    await idle();
    expect(await statusOf(orderId)).toBe('PENDING');
    Object.assign(payment, { status: 'captured', captured: true });
    expect(await sendEvent({ payload: { payment: { entity: { order_id: payment.order_id } } } })).toBe(200);
    expect(await statusOf(orderId)).toBe('SUCCESS');
  });

  test('that succeeds minutes after a failed try is measured from the message that it is paid', async () => {
    const settled = async () => {
      const { text } = await shop.get('/api/metrics');
      return [/_settle_seconds_count (\d+)/, /_settle_seconds_bucket\{le="60"\} (\d+)/].map((value) =>
        Number(value.exec(text)?.[1] ?? 0),
      );
    };
    const [count = 0, fast = 0] = await settled();
    const { orderId } = await place();
    const { order_id } = server.pay(`${orderId}-1`, { status: 'failed' });
    const send = (event: string, status: string) =>
      sendEvent({ event, payload: { payment: { entity: { order_id, status } } } });
    expect(await send('payment.failed', 'failed')).toBe(200);
    shop.clock.now = new Date(shop.clock.now.getTime() + 180_000);
    server.pay(`${orderId}-1`);
    expect(await send('payment.captured', 'captured')).toBe(200);
    expect(await statusOf(orderId)).toBe('SUCCESS');
    expect(await settled()).toEqual([count + 1, fast + 1]);
  });

  test('is settled once by webhooks that are repeated, late and out of order', async () => {
    const { orderId } = await place();
    const payment = server.pay(`${orderId}-1`);
    const paymentEvent = (event: string) => ({
      event,
      payload: { payment: { entity: { order_id: payment.order_id } } },
    });
    const paidEvent = { ...paymentEvent('order.paid') };
    const same = randomUUID();
    expect([
      await sendEvent(paymentEvent('payment.failed')),
      await sendEvent(paidEvent, same),
      await sendEvent(paidEvent, same),
      await sendEvent(paymentEvent('payment.captured')),
      await sendEvent(paymentEvent('payment.authorized')),
    ]).toEqual([200, 200, 200, 200, 200]);
    expect(await sendEvent(paymentEvent('payment.failed'), same)).toBe(409);
    expect(await statusOf(orderId)).toBe('SUCCESS');
    for (const table of ['payment', 'entitlement', 'invoice'])
      expect(await readOrderRows(shop, table, orderId)).toHaveLength(1);
  });

  test('is unchanged by a forged webhook, and an unknown order is answered with 200', async () => {
    const { orderId } = await place();
    server.pay(`${orderId}-1`);
    const event = { payload: { order: { entity: { receipt: `${orderId}-1` } } } };
    expect(await sendEvent(event, 'evt_forged', 'a forged secret of anyone')).toBe(401);
    expect(await statusOf(orderId)).toBe('PENDING');
    expect(await sendEvent({ payload: { payment: { entity: { order_id: 'order_unknown' } } } })).toBe(200);
  });

  test('that was debited twice grants once and refunds the second debit itself', async () => {
    const { orderId } = await place();
    const [first, second] = [server.pay(`${orderId}-1`), server.pay(`${orderId}-1`, { created_at: 2_000_000_000 })];
    await makeDue(orderId);
    await runReconcile(shop);
    expect(await readOrderRows(shop, 'entitlement', orderId)).toHaveLength(1);
    expect(server.refunds.filter(({ payment_id }) => [first.id, second.id].includes(payment_id))).toMatchObject([
      { payment_id: second.id, amount: 9_900, receipt: `R-${orderId}-1` },
    ]);
  });

  test('that is paid after it has expired still counts; weeks later the audit finds what webhooks lost', async () => {
    const { orderId } = await place();
    shop.clock.now = new Date(NOW.getTime() + 21 * 60_000);
    await makeDue(orderId);
    clock.now = shop.clock.now;
    await runReconcile(shop);
    expect(await statusOf(orderId)).toBe('EXPIRED');
    const payment = server.pay(`${orderId}-1`, { status: 'authorized' });
    await sendEvent({ payload: { payment: { entity: { order_id: payment.order_id } } } });
    expect(await statusOf(orderId)).toBe('EXPIRED');
    Object.assign(payment, { status: 'captured', captured: true });
    await sendEvent({ payload: { payment: { entity: { order_id: payment.order_id } } } });
    expect(await statusOf(orderId)).toBe('SUCCESS');
    const later = server.pay(`${orderId}-1`);
    await shop.database.dataSource.query('UPDATE orders SET next_check_at = NULL WHERE public_id = $1', [orderId]);
    await shop.app.get(ProviderAuditService).run();
    expect(await readOrderRows(shop, 'payment', orderId)).toMatchObject([
      { kind: 'capture' },
      { kind: 'duplicate', provider_payment_id: later.id },
    ]);
  });

  test('that is refunded waits while Razorpay does not answer, is refunded once and has a credit note', async () => {
    const { orderId } = await place();
    const payment = server.pay(`${orderId}-1`);
    await makeDue(orderId);
    await runReconcile(shop);
    const refunds = shop.app.get(RefundsService);
    await refunds.refundOrder(orderId, 'it was ordered twice');
    server.faults = { refund: 'lost answer' };
    await refunds.runDue();
    expect(await readOrderRows(shop, 'refund', orderId)).toMatchObject([{ state: 'QUEUED' }]);
    server.faults = {};
    await refunds.checkNow(`R-${orderId}-1`);
    await refunds.runDue();
    const own = server.refunds.filter(({ payment_id }) => payment_id === payment.id);
    expect(own).toMatchObject([{ amount: 9_900, receipt: `R-${orderId}-1` }]);
    Object.assign(own[0] ?? {}, { status: 'processed' });
    Object.assign(payment, { status: 'refunded' });
    await sendEvent({ payload: { refund: { entity: { receipt: `R-${orderId}-1` } } } });
    await refunds.runDue();
    expect(await statusOf(orderId)).toBe('REFUNDED');
    expect(await readOrderRows(shop, 'invoice', orderId)).toMatchObject([{ kind: 'receipt' }, { kind: 'credit_note' }]);
    await shop.database.dataSource.query('UPDATE orders SET next_check_at = NULL WHERE public_id = $1', [orderId]);
    const reported = await shop.app.get(ProviderAuditService).run();
    const differs = await shop.database.dataSource.query(
      "SELECT 1 FROM audit WHERE subject = $1 AND action = 'order.differs'",
      [orderId],
    );
    expect([reported, differs]).toEqual([expect.any(Number), []]);
  });

  test('of a wrong amount is in review', async () => {
    const { orderId } = await place();
    server.pay(`${orderId}-1`, { amount: 9_899 });
    await makeDue(orderId);
    await runReconcile(shop);
    expect(await statusOf(orderId)).toBe('REVIEW');
  });
});

describe('a configured Razorpay account', () => {
  const account = {
    RAZORPAY_KEY_ID: 'rzp_test_M1',
    RAZORPAY_KEY_SECRET: 's3cret',
    RAZORPAY_WEBHOOK_SECRET: WEBHOOK_SECRET,
  };
  const gateways = (env: NodeJS.ProcessEnv) =>
    createGateways(readConfig({ SESSION_KEYS: TEST_SESSION_KEY, ...env }), () => NOW);

  test.each(Object.keys(account))('is not complete without %s', (name) => {
    expect(gateways(account).named('razorpay')).toBeDefined();
    expect(gateways({ ...account, [name]: undefined }).named('razorpay')).toBeUndefined();
  });

  test('takes real money when its key says so', () => {
    expect(gateways(account).has({ provider: 'razorpay', live: false })).toBe(true);
    expect(gateways({ ...account, RAZORPAY_KEY_ID: 'rzp_live_M1' }).has({ provider: 'razorpay', live: true })).toBe(
      true,
    );
  });

  test('takes new orders as the provider, or as the one that stands in', () => {
    expect(gateways({ ...account, PAYMENT_PROVIDER: 'razorpay' }).current.name).toBe('razorpay');
    const pair = gateways({ ...account, PAYMENT_FALLBACK: 'razorpay' });
    expect([pair.current.name, pair.fallback?.name, pair.sellers()]).toEqual([
      'sandbox',
      'razorpay',
      ['sandbox', 'razorpay'],
    ]);
    expect(gateways(account).fallback).toBeUndefined();
  });
});
