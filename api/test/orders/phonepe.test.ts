import { createHash, createHmac, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { readConfig } from '../../src/base/config.ts';
import { DocumentDelivery } from '../../src/orders/document-delivery.port.ts';
import { OrderEntity } from '../../src/orders/order.entity.ts';
import { RefundsService } from '../../src/orders/refunds/refunds.service.ts';
import { ReconcileService } from '../../src/orders/settlement/reconcile.service.ts';
import type { PaymentGateway } from '../../src/payments/payment-gateway.port.ts';
import { PaymentGateways } from '../../src/payments/payment-gateways.port.ts';
import { PHONEPE_HOSTS, type PhonePeAccount, PhonePeGateway } from '../../src/payments/phonepe-gateway.ts';
import { createGateways } from '../../src/payments/providers.ts';
import { sandboxSecret } from '../../src/payments/sandbox-gateway.ts';
import { createSession } from '../support/accounts.ts';
import { buyDocuments, buyPlan } from '../support/paid-orders.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { startApp, TEST_SESSION_KEY } from '../support/start-app.ts';
import { readSentMails } from '../support/test-mailbox.ts';
import {
  documentOrder,
  findOrder,
  payOrder,
  postOrder,
  readOrderRows,
  runReconcile,
  SHOP_ORIGIN,
  startCheckout,
  startShop,
  TestDelivery,
  type TestShop,
} from '../support/test-shop.ts';
import { type PhonePeServer, startPhonePe } from './phonepe-server.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const clock = { now: NOW };
const PAGE = { providerRef: null, expiresAt: NOW, leftAt: null };
const REFUND = { refundRef: 'R-1', paymentId: 'T1' };

let server: PhonePeServer;

beforeAll(async () => {
  server = await startPhonePe(() => clock.now);
});
afterAll(() => server.close());
beforeEach(() => {
  server.faults = {};
  server.requests = [];
});

function gateway(changes: Partial<PhonePeAccount> = {}): PhonePeGateway {
  const account: PhonePeAccount = {
    clientId: 'M1',
    clientSecret: 's3cret',
    clientVersion: 1,
    webhookSecret: 'key-of-the-webhook-0123456789',
    live: true,
    hosts: {
      tokenUrl: `${server.origin}/v1/oauth/token`,
      api: server.origin,
      isPage: ({ origin }) => origin === server.origin,
    },
    // Short only where no answer comes: a busy machine may take longer for the others.
    get timeoutMs() {
      return Object.values(server.faults).includes('hang') ? 400 : 20_000;
    },
    ...changes,
  };
  return new PhonePeGateway(account, () => clock.now);
}

const checkout = (attemptRef: string) => ({
  attemptRef,
  amountPaise: 9_900,
  description: 'NIT & BOQ: Road',
  buyer: { name: 'Asha Verma', email: 'asha@builders.example', mobile: '+919805512345' },
  returnUrl: `${SHOP_ORIGIN}/payment-status?id=x`,
  expiresAt: new Date(clock.now.getTime() + 20 * 60_000),
});
const paid = (transactionId: string, amount = 9_900) => ({
  transactionId,
  state: 'COMPLETED',
  amount,
  paymentMode: 'UPI_INTENT',
});

describe('a checkout at PhonePe', () => {
  test('is requested in paise, by our reference, without data of the buyer', async () => {
    expect(await gateway().createCheckout(checkout('order-1'))).toEqual({
      url: `${server.origin}/transact/order-1`,
      providerRef: 'OMO-order-1',
    });
    expect(server.requests.map(({ path }) => path)).toEqual(['/v1/oauth/token', '/checkout/v2/pay']);
    expect(server.requests[1]?.body).toEqual({
      merchantOrderId: 'order-1',
      amount: 9_900,
      expireAfter: 1_200,
      paymentFlow: {
        type: 'PG_CHECKOUT',
        message: 'NIT & BOQ: Road',
        merchantUrls: { redirectUrl: `${SHOP_ORIGIN}/payment-status?id=x` },
      },
    });
  });

  test.each([
    [1, 300],
    [5, 300],
    [59, 3_540],
    [61, 3_600],
  ])('that ends in %i minutes is open for %i s, as PhonePe allows', async (minutes, seconds) => {
    const expiresAt = new Date(clock.now.getTime() + minutes * 60_000);
    await gateway().createCheckout({ ...checkout(`ends-${minutes}`), expiresAt });
    expect(server.requests.at(-1)?.body).toMatchObject({ expireAfter: seconds });
  });

  test('uses its token until shortly before it ends, and gets another when it was revoked', async () => {
    const asking = gateway();
    const tokensAsked = () => server.requests.filter(({ path }) => path === '/v1/oauth/token').length;
    for (const ref of ['a', 'b', 'c']) await asking.fetchStatus(ref);
    expect(tokensAsked()).toBe(1);
    server.tokens.clear();
    await asking.fetchStatus('a');
    expect(tokensAsked()).toBe(2);
    clock.now = new Date(NOW.getTime() + 3_541_000);
    await asking.fetchStatus('a');
    expect(tokensAsked()).toBe(3);
    clock.now = NOW;
  });

  test.each(['500', '429', '403', '408', 'hang', 'malformed', 'not json', 'huge', 'foreign page', 'redirect'] as const)(
    'is unknown when the answer is %s',
    async (trouble) => {
      server.faults.pay = trouble;
      await expect(gateway().createCheckout(checkout(`t-${trouble.length}`))).rejects.toMatchObject({
        name: 'GatewayError',
      });
    },
  );

  test('is rejected when PhonePe rejects it', async () => {
    server.faults.pay = 'refused';
    await expect(gateway().createCheckout(checkout('refused'))).rejects.toMatchObject({ name: 'GatewayRejectedError' });
  });

  test.each(['500', 'hang', 'malformed', 'not json'] as const)('is unknown when the token is %s', async (trouble) => {
    server.faults.token = trouble;
    await expect(gateway().createCheckout(checkout('tokenless'))).rejects.toMatchObject({ name: 'GatewayError' });
  });

  test('fails with wrong credentials, and no message contains them', async () => {
    const error = await gateway({ clientSecret: 'wr0ng' })
      .fetchStatus('a')
      .catch((error) => error);
    expect(error.name).toBe('GatewayError');
    expect(String(error.stack)).not.toContain('wr0ng');
  });

  test.each([
    ['https://mercury-t2.phonepe.com/transact/x', true],
    ['https://mercury-uat.phonepe.com/transact/x', true],
    ['http://mercury.phonepe.com/transact/x', false],
    ['https://phonepe.com.evil.example/', false],
    ['https://evilphonepe.com/', false],
    ['javascript:alert(1)', false],
  ])('sends browsers to %s: %s', (url, isPage) => {
    expect(PHONEPE_HOSTS.production.isPage(new URL(url))).toBe(isPage);
  });
});

describe('the status at PhonePe', () => {
  const status = (
    state: 'PENDING' | 'COMPLETED' | 'FAILED',
    payments: ReturnType<typeof paid>[] = [],
    errorCode?: string,
  ) => {
    server.orders.set('s', { amount: 9_900, redirectUrl: '', state, payments, errorCode });
    return gateway().fetchStatus('s');
  };
  const capture = (paymentId: string, amountPaise = 9_900) => ({
    paymentId,
    amountPaise,
    currency: 'INR',
    method: 'UPI_INTENT',
  });

  test('is paid with its completed payments, without the failed ones', async () => {
    const failed = { ...paid('T0'), state: 'FAILED' };
    expect(await status('COMPLETED', [failed, paid('T1')])).toEqual({
      state: 'PAID',
      captures: [capture('T1')],
      errorCode: null,
    });
    expect((await status('COMPLETED', [paid('T1'), paid('T2')])).captures).toEqual([capture('T1'), capture('T2')]);
  });

  test('reports a wrong amount unchanged', async () => {
    expect((await status('COMPLETED', [paid('T1', 9_899)])).captures).toEqual([capture('T1', 9_899)]);
  });

  test('is pending or failed without captures, also with completed payments', async () => {
    expect(await status('PENDING', [paid('T1')])).toEqual({ state: 'PENDING', captures: [], errorCode: null });
    expect(await status('FAILED', [], 'TXN_CANCELLED')).toEqual({
      state: 'FAILED',
      captures: [],
      errorCode: 'TXN_CANCELLED',
    });
  });

  test('of an unknown order is not found', async () => {
    expect(await gateway().fetchStatus('unseen')).toEqual({ state: 'NOT_FOUND', captures: [], errorCode: null });
  });

  test('that PhonePe rejects is no unknown order', async () => {
    server.faults.status = 'refused';
    await expect(gateway().fetchStatus('s')).rejects.toMatchObject({ name: 'GatewayRejectedError' });
  });

  test('that is completed without a payment is an error', async () => {
    await expect(status('COMPLETED')).rejects.toMatchObject({ name: 'GatewayError' });
  });

  test.each(['500', '429', 'hang', 'malformed', 'not json', 'huge'] as const)(
    'is unknown when the answer is %s',
    async (trouble) => {
      server.faults.status = trouble;
      await expect(gateway().fetchStatus('s')).rejects.toMatchObject({ name: 'GatewayError' });
    },
  );
});

test('a refund is requested once by its reference and followed', async () => {
  const asking = gateway();
  expect(await asking.fetchRefund(REFUND)).toBe('NOT_FOUND');
  expect(await asking.refund({ ...REFUND, attemptRef: 'order-1', amountPaise: 9_900 })).toBe('PENDING');
  expect(server.refunds.get('R-1')).toMatchObject({ originalMerchantOrderId: 'order-1', amount: 9_900 });
  for (const [state, expected] of [
    ['CONFIRMED', 'PENDING'],
    ['COMPLETED', 'SUCCEEDED'],
    ['FAILED', 'FAILED'],
  ] as const) {
    Object.assign(server.refunds.get('R-1') ?? {}, { state });
    expect(await asking.fetchRefund(REFUND)).toBe(expected);
  }
});

test.each([
  ['refused', 'GatewayRejectedError'],
  ['500', 'GatewayError'],
  ['403', 'GatewayError'],
  ['429', 'GatewayError'],
  ['not json', 'GatewayError'],
] as const)('a refund that is answered %s, and its status, is a %s', async (trouble, name) => {
  server.faults = { refund: trouble, refundStatus: trouble };
  const refund = { attemptRef: 'order-1', refundRef: `R-${trouble}`, paymentId: 'T1', amountPaise: 9_900 };
  await expect(gateway().refund(refund)).rejects.toMatchObject({ name });
  await expect(gateway().fetchRefund(REFUND)).rejects.toMatchObject({ name });
});

describe('a webhook of PhonePe', () => {
  const raw = Buffer.from(
    JSON.stringify({ event: 'checkout.order.completed', payload: { merchantOrderId: 'order-1', state: 'COMPLETED' } }),
  );
  const key = 'key-of-the-webhook-0123456789';
  const signed = (secret: string, body = raw) => createHmac('sha256', secret).update(body).digest('hex');
  const sum = (text: string) => createHash('sha256').update(text).digest('hex');

  test('is accepted when its body was signed with the key, in any header', () => {
    for (const name of ['x-phonepe-signature', 'x-verify'])
      expect(gateway().readWebhook(raw, { [name]: signed(key) })).toEqual({
        eventId: createHash('sha256').update(raw).digest('hex'),
        attemptRef: 'order-1',
        refundRef: null,
      });
  });

  test('names the refund that it is about', () => {
    const refund = Buffer.from(
      JSON.stringify({
        event: 'pg.refund.completed',
        payload: { originalMerchantOrderId: 'order-1', merchantRefundId: 'R-1' },
      }),
    );
    expect(gateway().readWebhook(refund, { 'x-verify': signed(key, refund) })).toMatchObject({
      attemptRef: 'order-1',
      refundRef: 'R-1',
    });
  });

  test.each<[string, Record<string, string>]>([
    ['without a signature', {}],
    ['signed with another key', { 'x-verify': signed('another key') }],
    ['signed over another body', { 'x-verify': signed(key, Buffer.from(`${raw} `)) }],
    ['with the digest of basic authentication', { authorization: sum(key) }],
    ['with an empty header', { 'x-verify': '' }],
  ])('%s is refused', (_, headers) => {
    expect(() => gateway().readWebhook(raw, headers)).toThrow('wrong signature');
  });

  test.each(['not json', '[]', '{"payload":{"merchantRefundId":7}}'])(
    'that is signed but no event is refused: %s',
    (text) => {
      const body = Buffer.from(text);
      expect(() => gateway().readWebhook(body, { 'x-verify': signed(key, body) })).toThrow('not an event of PhonePe');
    },
  );

  test('with a user and password is accepted by the digest of both', () => {
    const basic = gateway({ webhookSecret: 'nivida:passw0rd9' });
    expect(basic.readWebhook(raw, { authorization: sum('nivida:passw0rd9') }).attemptRef).toBe('order-1');
    expect(basic.readWebhook(raw, { authorization: `SHA256 ${sum('nivida:passw0rd9')}` }).attemptRef).toBe('order-1');
    expect(() => basic.readWebhook(raw, { authorization: sum('nivida:passw0rd8') })).toThrow('wrong signature');
    expect(() => basic.readWebhook(raw, {})).toThrow('wrong signature');
  });
});

describe('a purchase by PhonePe', () => {
  let shop: TestShop;
  let buyers = 0;
  beforeAll(async () => {
    const delivery = new TestDelivery();
    const app = await startApp({
      now: NOW,
      env: { PUBLIC_ORIGIN: SHOP_ORIGIN, PAYMENT_PROVIDER: 'phonepe', LEGAL_NAME: 'Nivida' },
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
  const body = () => documentOrder(shop, { email: `phonepe${++buyers}@builders.example` });
  const settle = async (orderId: string) => {
    await shop.database.dataSource.query('UPDATE orders SET next_check_at = $1 WHERE public_id = $2', [NOW, orderId]);
    await shop.app.get(ReconcileService).run();
    return findOrder(shop, orderId);
  };

  test('is live: its entitlement is not a test, and its invoice is in the real series', async () => {
    const { json } = await postOrder(shop, body());
    expect(json.url).toBe(`${server.origin}/transact/${json.orderId}-1`);
    Object.assign(server.orders.get(`${json.orderId}-1`) ?? {}, { state: 'COMPLETED', payments: [paid('T-real')] });
    expect(await settle(json.orderId)).toMatchObject({ status: 'SUCCESS', provider: 'phonepe', live: true });
    expect((await readOrderRows(shop, 'entitlement', json.orderId))[0].is_test).toBe(false);
    expect((await readOrderRows(shop, 'invoice', json.orderId))[0].number).toBe('RC/26-27/0000001');
    const mail = (await readSentMails(shop)).at(-1);
    expect(mail?.subject).toBe('Your payment for Nivida');
    expect(mail?.text).not.toContain('This was a test');
    expect((await shop.get('/api/health')).json.payments).toBe('live');
    expect((await shop.get('/api/site')).json.payments).toBe('live');
  });

  test('is created although the product was bought in the sandbox, and only once', async () => {
    const { headers, user } = await createSession(shop, { email: 'tester@builders.example' });
    const { dataSource } = shop.database;
    const tenderId = Number(shop.tenderId);
    const test = { userId: user._id, buyerEmail: user.email, tenderId, nit: `tender-${tenderId}` };
    await buyDocuments(dataSource, test);
    await buyPlan(dataSource, {
      userId: user._id,
      planId: 'premium',
      states: [],
      startsAt: NOW,
      endsAt: new Date(NOW.getTime() + 86_400_000),
    });
    expect((await shop.get('/api/orders', headers)).json.plan).toBeNull();
    const { json } = await postOrder(shop, body(), headers);
    expect(json).toEqual({ url: `${server.origin}/transact/${json.orderId}-1`, orderId: json.orderId });
    await buyDocuments(dataSource, { ...test, provider: 'phonepe', live: true });
    expect((await postOrder(shop, body(), headers)).json).toMatchObject({ alreadyEntitled: true });
  });

  test.each(['500', 'hang', 'malformed'] as const)(
    'without an answer about its page (%s) continues by its key with the same reference',
    async (trouble) => {
      const key = { 'idempotency-key': randomUUID() };
      const orderBody = body();
      server.faults.pay = trouble;
      const failed = await postOrder(shop, orderBody, key);
      expect([failed.status, failed.json.message]).toEqual([502, 'Failed to initiate payment. Please try again.']);
      expect(JSON.stringify(failed.json)).not.toMatch(/phonepe|token|127\.0\.0\.1/i);
      // The job ends the order if its buyer does not come back.
      const orders = shop.database.dataSource.getRepository(OrderEntity);
      const [created] = await orders.find({ order: { id: 'DESC' }, take: 1 });
      const ends = new Date(NOW.getTime() + 20 * 60_000);
      expect(created).toMatchObject({ status: 'CREATED', expiresAt: ends, nextCheckAt: ends });
      server.faults = {};
      const { status, json } = await postOrder(shop, orderBody, key);
      expect(status).toBe(200);
      expect(json.url).toBe(`${server.origin}/transact/${json.orderId}-1`);
      expect(await readOrderRows(shop, 'attempt', json.orderId)).toHaveLength(1);
      expect((await findOrder(shop, json.orderId)).status).toBe('PENDING');
    },
  );

  test('warns a guest of an earlier purchase with real money only', async () => {
    const { dataSource } = shop.database;
    const guest = { ...body(), email: 'warned@builders.example' };
    const tenderId = Number(shop.tenderId);
    const earlier = { buyerEmail: guest.email, tenderId, nit: `tender-${tenderId}` };
    await buyDocuments(dataSource, earlier);
    expect((await postOrder(shop, guest)).status).toBe(200);
    await buyDocuments(dataSource, { ...earlier, provider: 'phonepe', live: true });
    expect((await postOrder(shop, guest)).status).toBe(409);
  });

  test('that PhonePe rejects has failed; the next attempt has another reference', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const orderBody = body();
    server.faults.pay = 'refused';
    expect((await postOrder(shop, orderBody, key)).status).toBe(502);
    server.faults = {};
    const { json } = await postOrder(shop, orderBody, key);
    expect(json.url).toBe(`${server.origin}/transact/${json.orderId}-2`);
  });

  test('that is refunded waits while PhonePe does not respond about the refund', async () => {
    const { json } = await postOrder(shop, body());
    Object.assign(server.orders.get(`${json.orderId}-1`) ?? {}, { state: 'COMPLETED', payments: [paid('T-back')] });
    await settle(json.orderId);
    const refunds = shop.app.get(RefundsService);
    await refunds.refundOrder(json.orderId, 'it was ordered twice');
    server.faults.refund = '500';
    expect(await refunds.runDue()).toBe(1);
    expect(await readOrderRows(shop, 'refund', json.orderId)).toMatchObject([{ state: 'QUEUED' }]);
    server.faults = {};
    await refunds.checkNow(`R-${json.orderId}-1`);
    await refunds.runDue();
    server.faults.refundStatus = 'refused';
    await refunds.checkNow(`R-${json.orderId}-1`);
    expect(await refunds.runDue()).toBe(1);
    expect(await readOrderRows(shop, 'refund', json.orderId)).toMatchObject([{ state: 'PENDING' }]);
    expect((await findOrder(shop, json.orderId)).status).toBe('REFUND_PENDING');
    server.faults = {};
    Object.assign(server.refunds.get(`R-${json.orderId}-1`) ?? {}, { state: 'COMPLETED' });
    await refunds.checkNow(`R-${json.orderId}-1`);
    await refunds.runDue();
    expect((await findOrder(shop, json.orderId)).status).toBe('REFUNDED');
    const sent = server.requests.filter(({ path, body: refund }) => path.endsWith('/refund') && refund);
    expect(sent.map(({ body: refund }) => refund)).toContainEqual(
      expect.objectContaining({ merchantRefundId: `R-${json.orderId}-1` }),
    );
    // The unanswered request, and its repetition by the same reference.
    expect(JSON.stringify(sent).split(`R-${json.orderId}-1`)).toHaveLength(3);
  });

  test('of a wrong amount is in review, declined has failed, pending stays', async () => {
    const [wrong, declined, pending] = [
      await postOrder(shop, body()),
      await postOrder(shop, body()),
      await postOrder(shop, body()),
    ];
    const order = (reply: typeof wrong) => server.orders.get(`${reply.json.orderId}-1`) ?? {};
    Object.assign(order(wrong), { state: 'COMPLETED', payments: [paid('T-wrong', 9_899)] });
    Object.assign(order(declined), { state: 'FAILED', errorCode: 'PAYMENT_DECLINED' });
    expect((await settle(wrong.json.orderId)).status).toBe('REVIEW');
    expect((await settle(declined.json.orderId)).status).toBe('FAILED');
    expect((await settle(pending.json.orderId)).status).toBe('PENDING');
  });
});

describe('an order of a provider without new orders', () => {
  /** New orders go to the sandbox. */
  let sandboxShop: TestShop;
  /** New orders go to PhonePe; on the same database. */
  let phonepeShop: TestShop;

  beforeAll(async () => {
    const sandboxGateway = () =>
      createGateways(
        readConfig({
          PUBLIC_ORIGIN: SHOP_ORIGIN,
          SESSION_KEYS: TEST_SESSION_KEY,
          PAYMENT_SANDBOX_PORT: String(sandboxShop.sandbox.port),
        }),
        () => NOW,
      ).current;
    const first = await startShop({ now: NOW, webhooks: 'lost' });
    sandboxShop = first;
    const start = async (current: PaymentGateway, other: PaymentGateway): Promise<TestShop> => {
      const { sandbox, delivery, tenderId, database } = first;
      const app = await startApp({
        now: NOW,
        database,
        env: { PUBLIC_ORIGIN: SHOP_ORIGIN },
        providers: [
          { provide: PaymentGateways, useValue: new PaymentGateways(current, [other]) },
          { provide: DocumentDelivery, useValue: delivery },
        ],
      });
      return Object.assign(app, { sandbox, delivery, tenderId, webhooks: [] });
    };
    [sandboxShop, phonepeShop] = [await start(sandboxGateway(), gateway()), await start(gateway(), sandboxGateway())];
    return async () => {
      await sandboxShop.close();
      await phonepeShop.close();
      await first.close();
    };
  });

  const settleAndRefund = async (shop: TestShop, orderId: string) => {
    await shop.database.dataSource.query('UPDATE orders SET next_check_at = $1 WHERE public_id = $2', [NOW, orderId]);
    await runReconcile(shop);
    const settled = await findOrder(shop, orderId);
    const refunds = shop.app.get(RefundsService);
    await refunds.refundOrder(orderId, 'it was ordered twice');
    await refunds.runDue();
    return settled;
  };

  test('is settled and refunded at PhonePe while the sandbox takes new orders', async () => {
    const { orderId } = await startCheckout(phonepeShop);
    Object.assign(server.orders.get(`${orderId}-1`) ?? {}, { state: 'COMPLETED', payments: [paid('T-old')] });
    expect(await settleAndRefund(sandboxShop, orderId)).toMatchObject({
      status: 'SUCCESS',
      provider: 'phonepe',
      live: true,
    });
    expect(server.refunds.get(`R-${orderId}-1`)).toMatchObject({ amount: 9_900, state: 'PENDING' });
    const { orderId: fresh } = await startCheckout(sandboxShop);
    expect(await findOrder(sandboxShop, fresh)).toMatchObject({ provider: 'sandbox', live: false });
  });

  test('is settled and refunded at the sandbox while PhonePe takes new orders, and stays a test', async () => {
    const { orderId } = await startCheckout(sandboxShop);
    await payOrder(sandboxShop, orderId);
    expect(await settleAndRefund(phonepeShop, orderId)).toMatchObject({
      status: 'SUCCESS',
      provider: 'sandbox',
      live: false,
    });
    expect(await readOrderRows(phonepeShop, 'entitlement', orderId)).toMatchObject([{ is_test: true }]);
    expect((await findOrder(phonepeShop, orderId)).status).toBe('REFUNDED');
  });

  test('is not continued without a key: the new order is made at the present provider', async () => {
    const { headers } = await createSession(phonepeShop);
    const send = async (shop: TestShop) => {
      const payload = documentOrder(shop);
      return (await shop.app.inject({ method: 'POST', url: '/api/create-order', payload, headers })).json().orderId;
    };
    const first = await send(phonepeShop);
    expect(await send(phonepeShop)).toBe(first);
    expect(await send(sandboxShop)).not.toBe(first);
  });

  test('is opened again by its key at its own provider', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const body = documentOrder(phonepeShop, { email: 'again@builders.example' });
    const first = await postOrder(phonepeShop, body, key);
    server.orders.set(`${first.json.orderId}-1`, {
      ...server.orders.get(`${first.json.orderId}-1`),
      state: 'FAILED',
    } as never);
    await sandboxShop.get(`/api/status-check?id=${first.json.orderId}`);
    const again = await postOrder(sandboxShop, body, key);
    expect(again.json.url).toBe(`${server.origin}/transact/${first.json.orderId}-2`);
  });

  test('has its webhooks read by its own provider', async () => {
    const payload = '{"payload":{"merchantOrderId":"unknown-1"}}';
    const digest = createHmac('sha256', 'key-of-the-webhook-0123456789').update(payload).digest('hex');
    const send = (headers: object) =>
      sandboxShop.app.inject({
        method: 'POST',
        url: '/api/webhooks/payments/phonepe',
        headers: { 'content-type': 'application/json', ...headers },
        payload,
      });
    expect((await send({ 'x-verify': digest })).statusCode).toBe(200);
    expect((await send({})).statusCode).toBe(401);
  });
});

test('a provider is configured when its settings are set, and the sandbox never in production', () => {
  expect(() =>
    createGateways({ ...readConfig({ SESSION_KEYS: TEST_SESSION_KEY }), paymentProvider: undefined }, () => NOW),
  ).toThrow('PAYMENT_PROVIDER must be set in production');
  const account = {
    PHONEPE_CLIENT_ID: 'M1',
    PHONEPE_CLIENT_SECRET: 's3cret',
    PHONEPE_WEBHOOK_SECRET: 'nivida:passw0rd',
  };
  const gateways = (env: NodeJS.ProcessEnv) =>
    createGateways(readConfig({ SESSION_KEYS: TEST_SESSION_KEY, ...env }), () => NOW);
  const test = (provider: string) => ({ provider, live: false });
  expect(gateways({}).has(test('phonepe'))).toBe(false);
  expect(gateways(account).has(test('phonepe'))).toBe(true);
  expect(gateways({ ...account, PHONEPE_ENV: 'production' }).has(test('phonepe'))).toBe(false);
  expect(() => gateways(account).of({ provider: 'phonepe', live: true })).toThrow(
    'The order was made with real money at phonepe, which is not configured',
  );
  const phonepe = { ...account, PAYMENT_PROVIDER: 'phonepe' };
  expect(gateways(phonepe).has(test('sandbox'))).toBe(false);
  expect(gateways({ ...phonepe, PAYMENT_SANDBOX_PORT: '4010' }).has(test('sandbox'))).toBe(true);
  expect(gateways({ ...phonepe, PAYMENT_SANDBOX_PORT: '4010', NODE_ENV: 'production' }).has(test('sandbox'))).toBe(
    false,
  );
});

describe('a configured PhonePe account', () => {
  afterEach(() => vi.unstubAllGlobals());
  const account = {
    PHONEPE_CLIENT_ID: 'M1',
    PHONEPE_CLIENT_SECRET: 's3cret',
    PHONEPE_WEBHOOK_SECRET: 'key-of-the-webhook-0123456789',
    PHONEPE_CLIENT_VERSION: '3',
  };
  const gateways = (env: NodeJS.ProcessEnv) =>
    createGateways(readConfig({ SESSION_KEYS: TEST_SESSION_KEY, ...env }), () => NOW);

  test.each(['PHONEPE_CLIENT_ID', 'PHONEPE_CLIENT_SECRET', 'PHONEPE_WEBHOOK_SECRET'])(
    'is not complete without %s',
    (name) => {
      expect(gateways(account).named('phonepe')).toBeDefined();
      expect(gateways({ ...account, [name]: undefined }).named('phonepe')).toBeUndefined();
    },
  );

  test.each([
    [
      'sandbox',
      false,
      'https://api-preprod.phonepe.com/apis/pg-sandbox/v1/oauth/token',
      'https://api-preprod.phonepe.com/apis/pg-sandbox/checkout/v2/order/s/status?details=true',
    ],
    [
      'production',
      true,
      'https://api.phonepe.com/apis/identity-manager/v1/oauth/token',
      'https://api.phonepe.com/apis/pg/checkout/v2/order/s/status?details=true',
    ],
  ])('of the environment %s is called at its addresses with its own credentials', async (env, live, token, status) => {
    const calls: unknown[] = [];
    vi.stubGlobal('fetch', async (url: string, { method, body, headers }: RequestInit) => {
      calls.push([method, url, body ? Object.fromEntries(body as URLSearchParams) : (headers as object)]);
      return url === token
        ? Response.json({ access_token: 'T1', expires_at: NOW.getTime() / 1_000 + 3_600 })
        : Response.json({ code: 'ORDER_NOT_FOUND' }, { status: 400 });
    });
    const phonepe = gateways({ ...account, PHONEPE_ENV: env }).of({ provider: 'phonepe', live });
    expect((await phonepe.fetchStatus('s', PAGE)).state).toBe('NOT_FOUND');
    expect(calls).toEqual([
      [
        'POST',
        token,
        { client_id: 'M1', client_secret: 's3cret', client_version: '3', grant_type: 'client_credentials' },
      ],
      ['GET', status, { authorization: 'O-Bearer T1', 'content-type': 'application/json' }],
    ]);
    const raw = Buffer.from('{"payload":{"merchantOrderId":"order-1"}}');
    const digest = createHmac('sha256', account.PHONEPE_WEBHOOK_SECRET).update(raw).digest('hex');
    expect(phonepe.readWebhook(raw, { 'x-verify': digest }, NOW).attemptRef).toBe('order-1');
    expect(PHONEPE_HOSTS[env as 'sandbox'].isPage(new URL('https://mercury-uat.phonepe.com/transact/x'))).toBe(true);
    expect(PHONEPE_HOSTS[env as 'sandbox'].isPage(new URL('https://evilphonepe.com/'))).toBe(false);
  });
});

test.each([
  [undefined, 'http://127.0.0.1:4010/v1/checkouts/order-1'],
  ['4999', 'http://127.0.0.1:4999/v1/checkouts/order-1'],
])(
  'the sandbox is called on the port %s with the secret of the present key, and reads webhooks of the earlier one',
  async (port, address) => {
    const [present, earlier] = [TEST_SESSION_KEY, 'earlier-key-of-the-tests-0123456789-abcdef'] as const;
    const env = { PUBLIC_ORIGIN: SHOP_ORIGIN, SESSION_KEYS: `${present},${earlier}`, PAYMENT_SANDBOX_PORT: port };
    const sandbox = createGateways(readConfig(env), () => NOW).of({ provider: 'sandbox', live: false });
    const calls: unknown[] = [];
    vi.stubGlobal('fetch', async (url: string, { method, headers }: RequestInit) => {
      calls.push([method, url, headers]);
      return Response.json({}, { status: 404 });
    });
    expect((await sandbox.fetchStatus('order-1', PAGE)).state).toBe('NOT_FOUND');
    vi.unstubAllGlobals();
    expect(calls).toEqual([['GET', address, { authorization: `Bearer ${sandboxSecret(present, SHOP_ORIGIN)}` }]]);
    const raw = Buffer.from(JSON.stringify({ eventId: 'evt_1', attemptRef: 'order-1', refundRef: 'R-1' }));
    const t = NOW.getTime() / 1_000;
    const read = (secret: string) => {
      const v1 = createHmac('sha256', secret).update(`${t}.`).update(raw).digest('hex');
      return sandbox.readWebhook(raw, { 'x-sandbox-event-id': 'evt_1', 'x-sandbox-signature': `t=${t},v1=${v1}` }, NOW);
    };
    for (const key of [present, earlier])
      expect(read(sandboxSecret(key, SHOP_ORIGIN))).toEqual({
        eventId: 'evt_1',
        attemptRef: 'order-1',
        refundRef: 'R-1',
      });
    expect(() => read(sandboxSecret(present, 'http://other.test'))).toThrow('wrong signature');
  },
);
