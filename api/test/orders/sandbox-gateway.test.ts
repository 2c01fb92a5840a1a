/** The adapter of the payment sandbox, against a server that answers as each test says. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SandboxGateway } from '../../src/payments/sandbox-gateway.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const SECRETS = ['present secret of the tests, long enough', 'earlier secret of the tests, long enough'];
const CHECKOUT = {
  attemptRef: 'order-1',
  amountPaise: 9_900,
  description: 'NIT: Road',
  buyer: { name: 'Asha Verma', email: 'asha@builders.example', mobile: '+919805512345' },
  returnUrl: 'http://nivida.test/payment-status?id=x',
  expiresAt: NOW,
};

let server: Server;
let gateway: SandboxGateway;
let port = 0;
let answer: { status: number; body: unknown } = { status: 200, body: {} };
let asked: { url: string | undefined; authorization: string | undefined; body: string }[] = [];

beforeAll(async () => {
  server = createServer(async (request, reply) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { url, headers } = request;
    asked.push({ url, authorization: headers.authorization, body: Buffer.concat(chunks).toString() });
    reply.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
  gateway = new SandboxGateway({ port, secrets: SECRETS });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const page = (origin: string) => ({ providerRef: 'chk_1', url: `${origin}/pay/x` });

test('a checkout is requested with the present secret, in paise and rupees of India', async () => {
  asked = [];
  answer = { status: 200, body: page(`http://127.0.0.1:${port}`) };
  expect(await gateway.createCheckout(CHECKOUT)).toEqual(answer.body);
  const [{ url, authorization, body }] = asked as [(typeof asked)[0]];
  expect([url, authorization]).toEqual(['/v1/checkouts', `Bearer ${SECRETS[0]}`]);
  expect(JSON.parse(body)).toEqual({
    attemptRef: 'order-1',
    amountPaise: 9_900,
    currency: 'INR',
    description: 'NIT: Road',
    buyer: { name: 'Asha Verma', email: 'asha@builders.example', phoneE164: '+919805512345' },
    returnUrl: CHECKOUT.returnUrl,
    expiresAt: NOW.toISOString(),
  });
});

test.each<[string, number, unknown, string]>([
  ['500', 500, {}, 'GatewayError'],
  ['401, as another sandbox on the port does', 401, {}, 'GatewayError'],
  ['400', 400, {}, 'GatewayRejectedError'],
  ['409', 409, {}, 'GatewayRejectedError'],
  ['without a page', 200, { providerRef: 'chk_1' }, 'GatewayError'],
  ['with a page of another server', 200, page('http://127.0.0.1:1'), 'GatewayError'],
  ['with a page that is no address', 200, page('pay'), 'GatewayError'],
])('a checkout answered %s ends as it should', async (_how, status, body, name) => {
  answer = { status, body };
  await expect(gateway.createCheckout(CHECKOUT)).rejects.toMatchObject({ name });
});

test.each([
  ['paid without a payment', { state: 'PAID', errorCode: null, payments: [] }],
  [
    'pending with a payment',
    {
      state: 'PENDING',
      errorCode: null,
      payments: [{ paymentId: 'p', amountPaise: 9_900, currency: 'INR', method: 'UPI' }],
    },
  ],
])('a status that is %s is an error', async (_how, body) => {
  answer = { status: 200, body };
  await expect(gateway.fetchStatus('order-1')).rejects.toMatchObject({ name: 'GatewayError' });
});

test('an unknown checkout and an unknown refund are not found', async () => {
  answer = { status: 404, body: {} };
  expect(await gateway.fetchStatus('order-1')).toEqual({ state: 'NOT_FOUND', captures: [], errorCode: null });
  expect(await gateway.fetchRefund({ refundRef: 'R-1', paymentId: 'pay_1' })).toBe('NOT_FOUND');
  await expect(
    gateway.refund({ attemptRef: 'order-1', refundRef: 'R-1', paymentId: 'pay_1', amountPaise: 1 }),
  ).rejects.toMatchObject({
    name: 'GatewayRejectedError',
  });
});

describe('a webhook', () => {
  const raw = Buffer.from(JSON.stringify({ eventId: 'evt_1', attemptRef: 'order-1', refundRef: null }));
  const read = (secret: string) => {
    const t = NOW.getTime() / 1_000;
    const v1 = createHmac('sha256', secret).update(`${t}.`).update(raw).digest('hex');
    return gateway.readWebhook(raw, { 'x-sandbox-event-id': 'evt_1', 'x-sandbox-signature': `t=${t},v1=${v1}` }, NOW);
  };

  test('may be signed with the present or the earlier secret, with no other', () => {
    for (const secret of SECRETS) expect(read(secret).attemptRef).toBe('order-1');
    expect(() => read('another secret of the tests, long enough')).toThrow('wrong signature');
  });
});
