/** An app with the payment sandbox, on one database and one clock that the test controls. */
import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Provider } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { OutcomeName } from '../../sandbox/outcomes.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { DocumentDelivery } from '../../src/orders/document-delivery.port.ts';
import { OrderEntity } from '../../src/orders/order.entity.ts';
import { ReconcileService } from '../../src/orders/settlement/reconcile.service.ts';
import { OrderStatusService } from '../../src/orders/status/order-status.service.ts';
import { sandboxSecret } from '../../src/payments/sandbox-gateway.ts';
import type { EntitlementEntity } from '../../src/plans/entitlement.entity.ts';
import type { Database } from '../../src/schema/database.ts';
import { createSourceTender, importTenders } from './source-tenders.ts';
import { createTestDatabase, startApp, TEST_SESSION_KEY, type TestApp } from './start-app.ts';

export const SHOP_ORIGIN = 'http://nivida.test';
const SANDBOX_SECRET = sandboxSecret(TEST_SESSION_KEY, SHOP_ORIGIN);

/** A document delivery that records its calls. */
export class TestDelivery extends DocumentDelivery {
  /** NITs without a package. */
  readonly missing = new Set<string>();
  readonly queued: string[] = [];
  readonly revoked: string[] = [];
  /** The next queueDelivery fails in its transaction. */
  failsNext = false;

  async isReady(nit: string): Promise<boolean> {
    return !this.missing.has(nit);
  }

  async queueDelivery(manager: EntityManager, { publicId }: OrderEntity): Promise<void> {
    if (this.failsNext) {
      this.failsNext = false;
      await manager.query('SELECT 1 / 0');
    }
    this.queued.push(publicId);
  }

  async revokeLinks(_manager: EntityManager, { orderId }: EntitlementEntity): Promise<void> {
    this.revoked.push(String(orderId));
  }
}

export interface TestShop extends TestApp {
  sandbox: Sandbox;
  delivery: TestDelivery;
  /** A tender whose documents can be bought. */
  tenderId: string;
  /** Statuses that the app answered to the sandbox's webhooks. */
  webhooks: number[];
}

/** Starts a shop; with `webhooks: 'lost'` no webhook of the sandbox arrives. */
export async function startShop(options: {
  now: Date;
  env?: NodeJS.ProcessEnv;
  webhooks?: 'lost';
  /** Replace the app's own providers. */
  providers?: Provider[];
  /** Closed with the shop. */
  database?: Database;
}): Promise<TestShop> {
  const database = options.database ?? (await createTestDatabase());
  const delivery = new TestDelivery();
  const answered: number[] = [];
  let app: TestApp | undefined;
  const receiver = createServer(async (request, reply) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (!app || options.webhooks === 'lost') return reply.writeHead(503).end();
    const { statusCode } = await app.app.inject({
      method: 'POST',
      url: request.url,
      headers: request.headers,
      payload: Buffer.concat(chunks),
    });
    answered.push(statusCode);
    reply.writeHead(statusCode).end();
  });
  await listen(receiver);
  const sandbox = await startSandbox({
    port: 0,
    publicOrigin: SHOP_ORIGIN,
    webhookOrigin: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`,
    database: database.address,
    secret: SANDBOX_SECRET,
    now: () => app?.clock.now ?? options.now,
    isDriven: true,
  });
  app = await startApp({
    now: options.now,
    database,
    env: { PUBLIC_ORIGIN: SHOP_ORIGIN, PAYMENT_SANDBOX_PORT: String(sandbox.port), ...options.env },
    providers: [{ provide: DocumentDelivery, useValue: delivery }, ...(options.providers ?? [])],
  });
  await importTenders(database.dataSource, [createSourceTender()], { now: options.now });
  const [{ id }] = await database.dataSource.query('SELECT id FROM tender');
  const close = app.close.bind(app);
  return Object.assign(app, {
    sandbox,
    delivery,
    tenderId: String(id),
    webhooks: answered,
    async close() {
      await close();
      await sandbox.close();
      receiver.close();
      await database.close();
    },
  });
}

async function listen(server: Server): Promise<void> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

/** Moves the closing of the shop's tender a year ahead, for tests in which weeks pass between orders. */
export async function extendTenderClosing(shop: TestShop): Promise<void> {
  await shop.database.dataSource.query("UPDATE tender SET closes_at = closes_at + interval '1 year'");
}

/** Order of documents as the access dialog sends it; `changes` have precedence. */
export function documentOrder(shop: TestShop, changes: object = {}) {
  return {
    name: 'Asha Verma',
    mobileNo: '9805512345',
    email: 'asha@builders.example',
    amount: 99,
    product: 'tender-documents',
    tenderId: shop.tenderId,
    documentId: shop.tenderId,
    redirectUrl: `${SHOP_ORIGIN}/tenders/${shop.tenderId}`,
    ...changes,
  };
}

/** Order of a plan as the plan dialog sends it; `changes` have precedence. */
export function planOrder(changes: object = {}) {
  return {
    name: 'Asha Verma',
    mobileNo: '9805512345',
    email: 'asha@builders.example',
    amount: 5899,
    product: 'yearly-subscription',
    planId: 'basic',
    redirectUrl: `${SHOP_ORIGIN}/payment-status`,
    ...changes,
  };
}

/** Sends an order; with a new key unless `headers` has one. */
export async function postOrder(shop: TestShop, body: object, headers: Record<string, string> = {}) {
  const reply = await shop.app.inject({
    method: 'POST',
    url: '/api/create-order',
    headers: { 'idempotency-key': randomUUID(), ...headers },
    payload: body,
  });
  return { status: reply.statusCode, headers: reply.headers, json: JSON.parse(reply.body) };
}

/** An order with a payment page. */
export async function startCheckout(
  shop: TestShop,
  body: object = documentOrder(shop),
  headers: Record<string, string> = {},
) {
  const { status, json } = await postOrder(shop, body, headers);
  if (status !== 200) throw new Error(`The order was refused: ${JSON.stringify(json)}`);
  return json as { url: string; orderId: string };
}

/** Submits the provider's page of an attempt as the buyer. */
export async function payOrder(
  shop: TestShop,
  orderId: string,
  outcome: OutcomeName = 'success',
  attempt = 1,
): Promise<void> {
  const reply = await fetch(`http://127.0.0.1:${shop.sandbox.port}/v1/_scenarios`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SANDBOX_SECRET}`, 'content-type': 'application/json' },
    body: JSON.stringify({ attemptRef: `${orderId}-${attempt}`, outcome }),
  });
  if (!reply.ok) throw new Error(`The sandbox answered ${reply.status}: ${await reply.text()}`);
}

/** Moves the clock and runs the sandbox's due work. */
export async function advanceTime(shop: TestShop, seconds: number): Promise<void> {
  shop.clock.now = new Date(shop.clock.now.getTime() + seconds * 1_000);
  await shop.sandbox.runDue();
  // Background checks that webhooks have started.
  await shop.app.get(OrderStatusService).idle();
}

export const runReconcile = (shop: TestShop): Promise<number> => shop.app.get(ReconcileService).run();

export const fetchOrderStatus = (shop: TestShop, orderId: string) => shop.get(`/api/status-check?id=${orderId}`);

export const findOrder = (shop: TestShop, orderId: string): Promise<OrderEntity> =>
  shop.database.dataSource.getRepository(OrderEntity).findOneByOrFail({ publicId: orderId });

/** Rows of a table that belong to an order. */
export async function readOrderRows(shop: TestShop, table: string, orderId: string) {
  return shop.database.dataSource.query(
    `SELECT r.* FROM ${table} r JOIN orders o ON o.id = r.order_id WHERE o.public_id = $1`,
    [orderId],
  );
}

/** Sends a webhook of the sandbox, signed at `at` with `secret`. */
export async function sendWebhook(
  shop: TestShop,
  event: { eventId: string; attemptRef: string; refundRef?: string | null },
  {
    at = shop.clock.now,
    secret = SANDBOX_SECRET,
    alter = (body: string) => body,
    headers = {} as Record<string, string>,
  } = {},
) {
  const body = JSON.stringify({ event: 'checkout.paid', refundRef: null, ...event });
  const t = Math.floor(at.getTime() / 1_000);
  const signature = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
  return shop.app.inject({
    method: 'POST',
    url: '/api/webhooks/payments/sandbox',
    headers: {
      'content-type': 'application/json',
      'x-sandbox-event-id': event.eventId,
      'x-sandbox-signature': `t=${t},v1=${signature}`,
      ...headers,
    },
    payload: alter(body),
  });
}
