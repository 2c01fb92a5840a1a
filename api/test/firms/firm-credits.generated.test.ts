/** Generated payments of one buyer for several firms: the unused days of an own plan are credited once, or the money goes back. */
import { FIRM_PLAN, PLANS } from '@nivida/contract/orders/plans';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OutcomeName } from '../../sandbox/outcomes.ts';
import { AppError } from '../../src/base/app-error.ts';
import { FirmPlansService } from '../../src/orders/firm-plans.service.ts';
import { RefundsService } from '../../src/orders/refunds/refunds.service.ts';
import { SettleService } from '../../src/orders/settlement/settle.service.ts';
import { GatewayError } from '../../src/payments/payment-gateway.port.ts';
import { createSession, type SignedInAccount } from '../support/accounts.ts';
import {
  advanceTime,
  findOrder,
  payOrder,
  planOrder,
  runReconcile,
  startCheckout,
  startShop,
  type TestShop,
} from '../support/test-shop.ts';
import { createFirmRow } from './test-firms.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const WEEK_SECONDS = 7 * 86_400;
/** A late payment arrives a minute later. */
const PAGE_SECONDS = 15 * 60;

type Event =
  /** Orders the plan of a firm, and pays or not. */
  | { what: 'order'; firm: number; outcome: OutcomeName }
  | { what: 'wait'; seconds: number }
  | { what: 'pages end' | 'settle all' | 'reconcile' | 'upgrade' | 'refund the own plan' }
  | { what: 'refund'; order: number };

const OUTCOMES = ['late-success', 'success', 'slow-success', 'fail', 'abandon', 'refund-fail'] as const;

const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      ...{ what: fc.constant('order' as const), firm: fc.nat(2) },
      outcome: fc.constantFrom<OutcomeName>(...OUTCOMES),
    }),
  },
  { weight: 4, arbitrary: fc.record({ what: fc.constantFrom('pages end' as const, 'settle all' as const) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('wait' as const), seconds: fc.constantFrom(60, 90_000) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('reconcile' as const) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constantFrom('upgrade' as const, 'refund the own plan' as const) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('refund' as const), order: fc.nat(5) }) },
);

let shop: TestShop;
beforeAll(async () => {
  shop = await startShop({ now: NOW });
});
afterAll(() => shop.close());

/** Rejections are expected: an unpaid order cannot be refunded. */
const orRefused = (work: Promise<unknown>) =>
  work.catch((error) => {
    if (!(error instanceof AppError) && !(error instanceof GatewayError)) throw error;
  });

const settle = async (orderId: string) => shop.app.get(SettleService).settle((await findOrder(shop, orderId)).id);
const refund = (orderId: string) => orRefused(shop.app.get(RefundsService).refundOrder(orderId, 'it was asked for'));

/** A buyer with a paid Basic plan and three firms. */
interface Buyer {
  account: SignedInAccount;
  firms: string[];
  ownOrder: string;
  /** Orders of firms' plans. */
  orders: string[];
}

async function createBuyer(): Promise<Buyer> {
  const account = await createSession(shop, { remembered: true });
  const firms = [];
  for (let at = 0; at < 3; at += 1) firms.push(await createFirmRow(shop, [account.user._id]));
  const ownOrder = await buy(account, planOrder({ states: ['Goa'] }));
  return { account, firms, ownOrder, orders: [] };
}

async function buy({ headers, user }: SignedInAccount, body: object): Promise<string> {
  const { orderId } = await startCheckout(shop, { ...body, email: user.email }, headers);
  await payOrder(shop, orderId);
  await settle(orderId);
  return orderId;
}

async function happen(given: Event, buyer: Buyer): Promise<unknown> {
  const { account, firms, orders } = buyer;
  switch (given.what) {
    case 'order': {
      if (orders.length === 6) return;
      const firmId = firms[given.firm] as string;
      const { totalPaise } = await shop.app.get(FirmPlansService).offer(account.user._id, firmId);
      const body = planOrder({ planId: 'enterprise', firmId, amount: totalPaise / 100, email: account.user.email });
      const { orderId } = await startCheckout(shop, body, { ...account.headers });
      orders.push(orderId);
      return payOrder(shop, orderId, given.outcome);
    }
    case 'pages end':
      await advanceTime(shop, PAGE_SECONDS);
      return Promise.all(orders.map(settle));
    case 'wait':
      return advanceTime(shop, given.seconds);
    case 'settle all':
      return Promise.all(orders.map(settle));
    case 'reconcile':
      return runReconcile(shop);
    case 'upgrade':
      return buy(account, planOrder({ planId: 'premium', amount: PLANS.premium.pricePaise / 100, states: ['Goa'] }));
    case 'refund the own plan':
      return refund(buyer.ownOrder);
    case 'refund':
      return orders[given.order] && refund(orders[given.order] as string);
  }
}

interface OrderFacts {
  status: string;
  paid: number;
  credited: number;
  /** Ids of the credited plans that this order has ended. */
  ended: number;
  credits: number;
  captures: number;
  granted: number;
  revoked: number;
  refunds: number;
  invoices: number;
}

const FACTS = `
  SELECT o.status, o.amount_paise AS paid, jsonb_array_length(o.credits) AS credits,
    (SELECT coalesce(sum((c->>'paise')::int), 0)::int FROM jsonb_array_elements(o.credits) c) AS credited,
    (SELECT count(*)::int FROM entitlement e WHERE e.ended_by = o.id) AS ended,
    (SELECT count(*)::int FROM payment p WHERE p.order_id = o.id AND p.kind = 'capture') AS captures,
    (SELECT count(*)::int FROM entitlement e WHERE e.order_id = o.id) AS granted,
    (SELECT count(*)::int FROM entitlement e WHERE e.order_id = o.id AND e.revoked_at IS NOT NULL) AS revoked,
    (SELECT count(*)::int FROM refund r WHERE r.order_id = o.id) AS refunds,
    (SELECT count(*)::int FROM invoice i WHERE i.order_id = o.id AND i.kind <> 'credit_note') AS invoices
  FROM orders o WHERE o.public_id = ANY($1)`;

/** How often the unused days of each own plan of an account were credited or paid back. */
const USES_OF_CREDIT = `
  SELECT (own.status IN ('REFUND_PENDING', 'REFUNDED'))::int + (
    SELECT count(*)::int FROM orders o JOIN entitlement granted ON granted.order_id = o.id AND granted.revoked_at IS NULL
    WHERE o.credits @> jsonb_build_array(jsonb_build_object('entitlementId', e.id::text))) AS uses
  FROM entitlement e JOIN orders own ON own.id = e.order_id WHERE e.user_id = $1`;

async function checkOrders({ orders, account }: Buyer): Promise<void> {
  const facts: OrderFacts[] = await shop.database.dataSource.query(FACTS, [orders]);
  for (const { status, paid, credited, ended, credits, captures, granted, revoked, refunds, invoices } of facts) {
    expect(paid + credited).toBe(FIRM_PLAN.pricePaise);
    // A granted plan has ended what it credits, and a refunded one has given it back.
    expect(ended).toBe(granted > revoked ? credits : 0);
    // A payment that grants nothing goes back and is not invoiced.
    if (captures > granted)
      expect([['REFUND_PENDING', 'REFUNDED'].includes(status), refunds > 0]).toEqual([true, true]);
    expect(invoices).toBe(granted);
    if (status === 'SUCCESS') expect(granted - revoked).toBe(1);
  }
  const uses: { uses: number }[] = await shop.database.dataSource.query(USES_OF_CREDIT, [account.user._id]);
  for (const plan of uses) expect(plan.uses).toBeLessThanOrEqual(1);
}

test('the credit of an own plan is used once, in any order of the payments', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 4, maxLength: 12 }), async (events) => {
      const buyer = await createBuyer();
      for (const each of [
        ...events,
        { what: 'wait', seconds: WEEK_SECONDS } as const,
        ...[1, 2].map(() => ({ what: 'reconcile' }) as const),
      ]) {
        await happen(each, buyer);
        await checkOrders(buyer);
      }
    }),
    { numRuns: 12 },
  );
});
