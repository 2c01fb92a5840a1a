/** A server with Razorpay's documented protocol, and with faults on request. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A payment at Razorpay. */
export interface RazorpayTestPayment {
  id: string;
  order_id: string;
  status: 'created' | 'authorized' | 'captured' | 'refunded' | 'failed';
  captured: boolean;
  amount: number;
  currency: string;
  method: string;
  error_code: string | null;
  error_reason: string | null;
  created_at: number;
}

/** Faults of the next calls. With `lost answer` the work is done and nothing is answered. */
export type RazorpayFault =
  | '401'
  | '403'
  | '408'
  | '409'
  | '429'
  | '500'
  | 'hang'
  | 'lost answer'
  | 'malformed'
  | 'not json'
  | 'huge'
  | 'refused'
  | 'redirect';

interface RazorpayTestOrder {
  id: string;
  receipt: string;
  amount: number;
  currency: string;
}

/** The running server; `requests` holds all requests. */
export interface RazorpayServer {
  origin: string;
  orders: RazorpayTestOrder[];
  payments: RazorpayTestPayment[];
  refunds: { id: string; payment_id: string; receipt: string; amount: number; status: string }[];
  requests: { method: string; path: string; body: unknown; headers: IncomingMessage['headers'] }[];
  faults: Partial<Record<'find' | 'create' | 'payments' | 'refund' | 'refunds', RazorpayFault>>;
  /** Adds a payment of the order with this receipt; captured unless `changes` say otherwise. */
  pay(receipt: string, changes?: Partial<RazorpayTestPayment>): RazorpayTestPayment;
  close(): void;
}

const KEY = `Basic ${Buffer.from('rzp_live_M1:s3cret').toString('base64')}`;

/** Starts the server on a free port. */
export async function startRazorpay(now: () => Date): Promise<RazorpayServer> {
  let made = 0;
  const newId = (kind: string) => `${kind}_${String(++made).padStart(14, '0')}`;
  const seconds = () => Math.floor(now().getTime() / 1_000);
  const server = createServer(async (request, reply) => {
    const { method = '', url = '', headers } = request;
    const body = await readJson(request);
    razorpay.requests.push({ method, path: url, body, headers });
    if (headers.authorization !== KEY) return fail(reply, 401, 'Authentication failed');
    const { pathname, searchParams } = new URL(url, razorpay.origin);
    const [, resource = '', id = '', part = ''] = pathname.split('/');
    const call = `${method} ${resource}${id && '/:id'}${part && `/${part}`}`;
    switch (call) {
      case 'GET orders': {
        if (applyFault(reply, razorpay.faults.find)) return;
        return list(
          reply,
          razorpay.orders.filter(({ receipt }) => receipt === searchParams.get('receipt')),
        );
      }
      case 'POST orders': {
        const isDone = razorpay.faults.create === undefined || razorpay.faults.create === 'lost answer';
        const order = {
          id: newId('order'),
          entity: 'order',
          status: 'created',
          ...(body as Omit<RazorpayTestOrder, 'id'>),
        };
        if (isDone) razorpay.orders.push(order);
        return applyFault(reply, razorpay.faults.create) || json(reply, 200, order);
      }
      case 'GET orders/:id/payments':
        if (applyFault(reply, razorpay.faults.payments)) return;
        if (!razorpay.orders.some((order) => order.id === id))
          return fail(reply, 400, 'The id provided does not exist');
        return list(
          reply,
          razorpay.payments.filter(({ order_id }) => order_id === id),
        );
      case 'POST payments/:id/refund': {
        const { amount, receipt } = body as { amount: number; receipt: string };
        const payment = razorpay.payments.find((each) => each.id === id);
        const fault = razorpay.faults.refund;
        if (fault !== undefined && fault !== 'lost answer' && applyFault(reply, fault)) return;
        const known = razorpay.refunds.find((each) => each.receipt === receipt);
        const before = razorpay.refunds.filter((each) => each.payment_id === id && each.status !== 'failed');
        const refunded = before.reduce((sum, each) => sum + each.amount, 0);
        if (!known && (!payment?.captured || refunded + amount > payment.amount))
          return fail(reply, 400, 'The total refund amount is greater than the refund payment amount');
        const refund = known ?? { id: newId('rfnd'), payment_id: id, receipt, amount, status: 'pending' };
        if (!known) razorpay.refunds.push(refund);
        return applyFault(reply, fault) || json(reply, 200, refund);
      }
      case 'GET payments/:id/refunds':
        if (applyFault(reply, razorpay.faults.refunds)) return;
        return list(
          reply,
          razorpay.refunds.filter(({ payment_id }) => payment_id === id),
        );
      default:
        return call === 'GET moved'
          ? json(reply, 200, { items: [] })
          : fail(reply, 400, 'The requested URL was not found');
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const razorpay: RazorpayServer = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    orders: [],
    payments: [],
    refunds: [],
    requests: [],
    faults: {},
    pay(receipt, changes = {}) {
      const order = razorpay.orders.find((each) => each.receipt === receipt);
      if (!order) throw new Error(`Razorpay has no order ${receipt}`);
      const payment: RazorpayTestPayment = {
        id: newId('pay'),
        order_id: order.id,
        status: 'captured',
        captured: changes.status === undefined || changes.status === 'captured',
        amount: order.amount,
        currency: order.currency,
        method: 'upi',
        error_code: null,
        error_reason: null,
        created_at: seconds(),
        ...changes,
      };
      razorpay.payments.push(payment);
      return payment;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return razorpay;
}

/** A webhook as Razorpay signs it. */
export function signRazorpayWebhook(body: object, secret: string, eventId: string) {
  const payload = JSON.stringify(body);
  const signature = createHmac('sha256', secret).update(payload).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'x-razorpay-signature': signature,
    'x-razorpay-event-id': eventId,
  };
  return { payload, headers };
}

/** The fields with which Razorpay's page leads back after a payment. */
export function signRazorpayReturn({ id, order_id }: RazorpayTestPayment, secret = 's3cret') {
  const razorpay_signature = createHmac('sha256', secret).update(`${order_id}|${id}`).digest('hex');
  return { razorpay_payment_id: id, razorpay_order_id: order_id, razorpay_signature };
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return text && JSON.parse(text);
}

const json = (reply: ServerResponse, status: number, value: unknown) =>
  reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));

const list = (reply: ServerResponse, items: unknown[]) =>
  json(reply, 200, { entity: 'collection', count: items.length, items });

const fail = (reply: ServerResponse, status: number, description: string) =>
  json(reply, status, { error: { code: 'BAD_REQUEST_ERROR', description } });

function applyFault(reply: ServerResponse, fault: RazorpayFault | undefined): boolean {
  if (fault === undefined) return false;
  if (fault === 'hang' || fault === 'lost answer') return true;
  if (fault === 'refused') fail(reply, 400, 'Order amount less than minimum amount allowed');
  else if (fault === 'redirect') reply.writeHead(307, { location: '/moved' }).end();
  else if (fault === 'malformed') json(reply, 200, { items: [{ id: 7 }], id: 7 });
  else if (fault === 'not json') reply.writeHead(200, { 'content-type': 'application/json' }).end('<html>');
  else if (fault === 'huge') json(reply, 200, 'x'.repeat(1_100_000));
  else fail(reply, Number(fault), 'Fault');
  return true;
}
