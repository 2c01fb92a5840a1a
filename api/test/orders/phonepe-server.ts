/** A server with PhonePe's documented protocol, and with faults on request. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An order at PhonePe. */
export interface PhonePeOrder {
  amount: number;
  redirectUrl: string;
  state: 'PENDING' | 'COMPLETED' | 'FAILED';
  errorCode?: string;
  payments: { transactionId: string; state: string; amount: number; paymentMode: string }[];
}

/** Faults of the next calls. */
export type PhonePeFault =
  | '403'
  | '408'
  | '500'
  | '429'
  | 'hang'
  | 'malformed'
  | 'not json'
  | 'huge'
  | 'refused'
  | 'foreign page'
  | 'redirect';

/** The running server; `requests` holds all requests. */
export interface PhonePeServer {
  origin: string;
  orders: Map<string, PhonePeOrder>;
  refunds: Map<string, { amount: number; originalMerchantOrderId: string; state: string }>;
  /** Valid access tokens. */
  tokens: Set<string>;
  requests: { path: string; body: unknown }[];
  faults: Partial<Record<'pay' | 'status' | 'token' | 'refund' | 'refundStatus', PhonePeFault>>;
  close(): void;
}

/** Starts the server on a free port. */
export async function startPhonePe(now: () => Date): Promise<PhonePeServer> {
  let issued = 0;
  const server = createServer(async (request, reply) => {
    const { path, body } = await read(request);
    phonepe.requests.push({ path, body });
    const json = (status: number, value: unknown) =>
      reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (path === '/v1/oauth/token') {
      if (applyFault(reply, phonepe.faults.token)) return;
      const { client_id, client_secret, client_version, grant_type } = body as Record<string, string>;
      const isRight =
        [client_id, client_secret, client_version, grant_type].join() === 'M1,s3cret,1,client_credentials';
      if (!isRight) return json(401, { code: 'UNAUTHORIZED' });
      const token = `token-${++issued}`;
      phonepe.tokens.add(token);
      return json(200, {
        access_token: token,
        token_type: 'O-Bearer',
        expires_at: Math.floor(now().getTime() / 1_000) + 3_600,
      });
    }
    if (!phonepe.tokens.has((request.headers.authorization ?? '').replace('O-Bearer ', '')))
      return json(401, { code: 'AUTHORIZATION_FAILED', message: 'Unauthorized' });
    answer(path, body as Record<string, never>, reply, json);
  });

  function answer(
    path: string,
    body: Record<string, never>,
    reply: ServerResponse,
    json: (status: number, value: unknown) => unknown,
  ) {
    const [, ref = ''] = /^\/(?:checkout\/v2\/order|payments\/v2\/refund)\/([^/]+)\/status/.exec(path) ?? [];
    if (path === '/checkout/v2/pay') {
      const { merchantOrderId, amount, paymentFlow } = body as never as {
        merchantOrderId: string;
        amount: number;
        paymentFlow: { merchantUrls: { redirectUrl: string } };
      };
      if (phonepe.faults.pay !== 'refused')
        phonepe.orders.set(merchantOrderId, {
          amount,
          redirectUrl: paymentFlow.merchantUrls.redirectUrl,
          state: 'PENDING',
          payments: [],
        });
      if (phonepe.faults.pay === 'foreign page')
        return json(200, {
          orderId: 'OMO1',
          state: 'PENDING',
          expireAt: 1,
          redirectUrl: 'https://phonepe.com.evil.example/pay',
        });
      if (applyFault(reply, phonepe.faults.pay)) return;
      return json(200, {
        orderId: `OMO-${merchantOrderId}`,
        state: 'PENDING',
        expireAt: 1_703_756_259_307,
        redirectUrl: `${phonepe.origin}/transact/${merchantOrderId}`,
      });
    }
    if (path === '/moved') return json(200, { orderId: 'OMO1', redirectUrl: `${phonepe.origin}/transact/moved` });
    if (path.startsWith('/checkout/v2/order/')) {
      if (applyFault(reply, phonepe.faults.status)) return;
      const order = phonepe.orders.get(ref);
      if (!order) return json(400, { code: 'ORDER_NOT_FOUND', message: 'No entry found' });
      const { payments, redirectUrl: _redirectUrl, ...rest } = order;
      return json(200, { orderId: `OMO-${ref}`, expireAt: 1, ...rest, paymentDetails: payments });
    }
    if (path === '/payments/v2/refund') {
      if (applyFault(reply, phonepe.faults.refund)) return;
      const { merchantRefundId, ...refund } = body as never as {
        merchantRefundId: string;
        originalMerchantOrderId: string;
        amount: number;
      };
      phonepe.refunds.set(merchantRefundId, { ...refund, state: 'PENDING' });
      return json(200, { refundId: 'OMR1', amount: refund.amount, state: 'PENDING' });
    }
    if (applyFault(reply, phonepe.faults.refundStatus)) return;
    const refund = phonepe.refunds.get(ref);
    return refund ? json(200, { refundId: 'OMR1', ...refund }) : json(404, { code: 'REFUND_NOT_FOUND' });
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const phonepe: PhonePeServer = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    orders: new Map(),
    refunds: new Map(),
    tokens: new Set(),
    requests: [],
    faults: {},
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return phonepe;
}

async function read(request: IncomingMessage): Promise<{ path: string; body: unknown }> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const isForm = request.headers['content-type']?.includes('urlencoded');
  const body = isForm ? Object.fromEntries(new URLSearchParams(text)) : text && JSON.parse(text);
  return { path: request.url ?? '', body };
}

function applyFault(reply: ServerResponse, trouble: PhonePeFault | undefined): boolean {
  const json = { 'content-type': 'application/json' };
  if (trouble === 'hang') return true;
  if (trouble === '500') reply.writeHead(500, json).end('{"code":"INTERNAL_SERVER_ERROR"}');
  else if (trouble === '429') reply.writeHead(429, json).end('{"code":"TOO_MANY_REQUESTS"}');
  else if (trouble === '403' || trouble === '408') reply.writeHead(Number(trouble), json).end('{"code":"FORBIDDEN"}');
  else if (trouble === 'refused') reply.writeHead(400, json).end('{"code":"BAD_REQUEST"}');
  else if (trouble === 'redirect') reply.writeHead(307, { location: '/moved' }).end();
  else if (trouble === 'malformed') reply.writeHead(200, json).end('{"state":"MAYBE"}');
  else if (trouble === 'not json') reply.writeHead(200, json).end('<html>');
  else if (trouble === 'huge') reply.writeHead(200, json).end(JSON.stringify('x'.repeat(1_100_000)));
  else return false;
  return true;
}
