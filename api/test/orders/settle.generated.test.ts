/**
 * The state machine of an order: random events in random order lead to allowed transitions only, and a capture is
 * granted once.
 */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OutcomeName } from '../../sandbox/outcomes.ts';
import { AppError } from '../../src/base/app-error.ts';
import type { OrderEntity, StoredOrderStatus } from '../../src/orders/order.entity.ts';
import { changeOrderStatus, statusesBefore } from '../../src/orders/order-transitions.ts';
import { RefundsService } from '../../src/orders/refunds/refunds.service.ts';
import { SettleService } from '../../src/orders/settlement/settle.service.ts';
import { GatewayError } from '../../src/payments/payment-gateway.port.ts';
import {
  advanceTime,
  documentOrder,
  extendTenderClosing,
  fetchOrderStatus,
  findOrder,
  payOrder,
  postOrder,
  readOrderRows,
  runReconcile,
  startShop,
  type TestShop,
} from '../support/test-shop.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const WEEK_SECONDS = 7 * 86_400;

/** Allowed transitions; no status leads back to CREATED. */
const ALLOWED: Record<string, string[]> = {
  CREATED: ['PENDING', 'SUCCESS', 'FAILED', 'EXPIRED', 'REVIEW'],
  PENDING: ['SUCCESS', 'FAILED', 'EXPIRED', 'REVIEW'],
  FAILED: ['PENDING', 'SUCCESS', 'REVIEW'],
  EXPIRED: ['PENDING', 'SUCCESS', 'REVIEW'],
  REVIEW: ['SUCCESS', 'REFUND_PENDING'],
  SUCCESS: ['REFUND_PENDING'],
  REFUND_PENDING: ['REFUNDED', 'SUCCESS', 'REVIEW'],
  REFUNDED: [],
};

const OUTCOMES: OutcomeName[] = [
  'success',
  'fail',
  'cancel',
  'pending-success',
  'pending-fail',
  'late-success',
  'slow-success',
  'undecided',
  'duplicate-new-id',
  'out-of-order',
  'amount-off',
  'amount-over',
  'double-capture',
  'status-500',
  'refund-pending',
  'refund-fail',
];

type Event =
  | { what: 'pay'; outcome: OutcomeName }
  | { what: 'wait'; seconds: number }
  | { what: 'try again' | 'poll' | 'poll concurrently' | 'reconcile' | 'refund' | 'accept' };

const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ what: fc.constant('pay' as const), outcome: fc.constantFrom(...OUTCOMES) }) },
  {
    weight: 2,
    arbitrary: fc.record({ what: fc.constant('wait' as const), seconds: fc.constantFrom(5, 60, 1_300, 90_000) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      what: fc.constantFrom(
        'try again' as const,
        'poll' as const,
        'poll concurrently' as const,
        'reconcile' as const,
        'refund' as const,
        'accept' as const,
      ),
    }),
  },
);

let shop: TestShop;
let orders = 0;

beforeAll(async () => {
  shop = await startShop({ now: NOW });
  await extendTenderClosing(shop);
  // One event may cause several transitions.
  await shop.database.dataSource.query(`
    CREATE TABLE step (no serial, order_id bigint, status_before text, status_after text);
    CREATE FUNCTION note_step() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO step (order_id, status_before, status_after) VALUES (NEW.id, OLD.status, NEW.status); RETURN NEW; END $$;
    CREATE TRIGGER note_step AFTER UPDATE ON orders FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION note_step()`);
});
afterAll(() => shop.close());

/** Rejections are expected: an unpaid order cannot be refunded, and a silent provider cannot be asked. */
const orRefused = (work: Promise<unknown>) =>
  work.catch((error) => {
    if (!(error instanceof AppError) && !(error instanceof GatewayError)) throw error;
  });

async function happen(
  event: Event,
  orderId: string,
  body: object,
  key: string,
  attempts: { made: number; open: boolean },
) {
  const { id } = await findOrder(shop, orderId);
  const settle = () => orRefused(shop.app.get(SettleService).settle(id));
  switch (event.what) {
    case 'pay':
      // A page is paid on once.
      if (attempts.open) await payOrder(shop, orderId, event.outcome, attempts.made);
      attempts.open = false;
      return;
    case 'wait':
      return advanceTime(shop, event.seconds);
    case 'try again': {
      const before = await readOrderRows(shop, 'attempt', orderId);
      await postOrder(shop, body, { 'idempotency-key': key });
      const made = (await readOrderRows(shop, 'attempt', orderId)).length;
      if (made > before.length) Object.assign(attempts, { made, open: true });
      return;
    }
    case 'poll':
      return fetchOrderStatus(shop, orderId);
    case 'poll concurrently':
      return Promise.all([settle(), settle(), runReconcile(shop), fetchOrderStatus(shop, orderId)]);
    case 'reconcile':
      return runReconcile(shop);
    case 'refund':
      return orRefused(shop.app.get(RefundsService).refundOrder(orderId, 'it was asked for'));
    case 'accept':
      return orRefused(shop.app.get(SettleService).acceptPayment(orderId, 'it was little'));
  }
}

test('the code allows these transitions and refuses others', async () => {
  const before = Object.keys(ALLOWED).map((status) => [
    status,
    Object.keys(ALLOWED).filter((earlier) => ALLOWED[earlier]?.includes(status)),
  ]);
  expect(Object.keys(ALLOWED).map((status) => [status, statusesBefore(status as StoredOrderStatus)])).toEqual(before);
  const order = { publicId: 'x', status: 'REFUNDED' } as OrderEntity;
  const { manager } = shop.database.dataSource;
  await expect(changeOrderStatus(manager, order, 'SUCCESS', NOW)).rejects.toThrow(
    'Order x cannot change from REFUNDED to SUCCESS',
  );
});

test('an order changes by allowed transitions only, and every capture is granted once or refunded', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 3, maxLength: 9 }), async (events) => {
      orders += 1;
      const key = `00000000-0000-4000-8000-${String(orders).padStart(12, '0')}`;
      const body = documentOrder(shop, { email: `any${orders}@builders.example` });
      const { orderId } = (await postOrder(shop, body, { 'idempotency-key': key })).json;
      const attempts = { made: 1, open: true };
      for (const each of [
        ...events,
        { what: 'wait', seconds: WEEK_SECONDS } as const,
        { what: 'reconcile' } as const,
      ]) {
        await happen(each, orderId, body, key, attempts);
        await readOrderState(orderId, (await findOrder(shop, orderId)).status);
      }
      const steps: { status_before: string; status_after: string }[] = await readOrderRows(shop, 'step', orderId);
      for (const { status_before, status_after } of steps) expect(ALLOWED[status_before]).toContain(status_after);
    }),
    { numRuns: 10 },
  );
});

/** Invariants of an order. */
async function readOrderState(orderId: string, status: string): Promise<void> {
  const grants = await readOrderRows(shop, 'entitlement', orderId);
  const invoices = await readOrderRows(shop, 'invoice', orderId);
  const payments = await readOrderRows(shop, 'payment', orderId);
  const refunds = await readOrderRows(shop, 'refund', orderId);
  const count = (rows: { kind: string }[], kind: string) => rows.filter((row) => row.kind === kind).length;
  expect(grants.length).toBeLessThanOrEqual(1);
  expect([grants.length, count(invoices, 'receipt')]).toEqual([count(payments, 'capture'), count(payments, 'capture')]);
  expect(count(invoices, 'credit_note')).toBe(count(payments, 'capture') === 1 && status === 'REFUNDED' ? 1 : 0);
  if (status === 'SUCCESS') expect(grants).toMatchObject([{ revoked_at: null }]);
  if (status === 'REFUNDED')
    expect(grants.filter((row: { revoked_at: unknown }) => row.revoked_at === null)).toEqual([]);
  // A payment is refunded once, with at most its own amount.
  const back = refunds.filter(({ state }: { state: string }) => state !== 'FAILED');
  const ids = back.map((row: { provider_payment_id: string }) => row.provider_payment_id);
  expect(new Set(ids).size).toBe(ids.length);
  // A second debit is always being refunded.
  for (const { kind, provider_payment_id } of payments)
    if (kind === 'duplicate')
      expect(refunds.map((row: { provider_payment_id: string }) => row.provider_payment_id)).toContain(
        provider_payment_id,
      );
}
