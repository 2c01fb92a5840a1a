import { creditPaise, FIRM_PLAN, PLANS } from '@nivida/contract/orders/plans';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { InvoicesService } from '../../src/invoices/invoices.service.ts';
import { creditsFor } from '../../src/orders/firm-plans.service.ts';
import type { OrderEntity } from '../../src/orders/order.entity.ts';
import { RefundsService } from '../../src/orders/refunds/refunds.service.ts';
import { SettleService } from '../../src/orders/settlement/settle.service.ts';
import { PlansService } from '../../src/plans/plans.service.ts';
import { createSession, type SignedInAccount } from '../support/accounts.ts';
import { buyPlan } from '../support/paid-orders.ts';
import { advanceTime, findOrder, payOrder, readOrderRows, startShop, type TestShop } from '../support/test-shop.ts';
import { createFirmRow } from './test-firms.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const DAY_MS = 86_400_000;
const later = (days: number) => new Date(NOW.getTime() + days * DAY_MS);

let app: TestShop;
let asha: SignedInAccount;
let ravi: SignedInAccount;
let firm: string;

beforeAll(async () => {
  app = await startShop({ now: NOW });
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.now = NOW;
  asha = await createSession(app);
  ravi = await createSession(app, { username: 'Ravi Negi' });
  firm = await createFirmRow(app, [asha.user._id, ravi.user._id]);
  const invoiceData = "UPDATE firm SET address = '2 The Mall, Shimla 171001', gstin = '02AAACB1234C1ZR' WHERE id = $1";
  await app.database.dataSource.query(invoiceData, [firm]);
});

const offer = async (account = asha) => {
  const reply = await app.app.inject({ url: `/api/firms/${firm}/plan-offer`, headers: account.headers });
  return { status: reply.statusCode, json: reply.json() };
};

async function order(amount: number, account = asha, firmId: string | null = firm) {
  const reply = await app.app.inject({
    ...{ method: 'POST', url: '/api/create-order', headers: account.headers },
    payload: {
      ...{ name: 'Asha', mobileNo: '9805512345', email: account.user.email, amount, redirectUrl: '/payment-status' },
      ...{ product: 'yearly-subscription', ...(firmId ? { planId: 'enterprise', firmId } : { planId: 'basic' }) },
    },
  });
  return { status: reply.statusCode, json: reply.json() };
}

const settle = async (publicId: string) => app.app.get(SettleService).settle((await findOrder(app, publicId)).id);

async function pay(publicId: string): Promise<OrderEntity> {
  await payOrder(app, publicId);
  return settle(publicId);
}

/** The buyer's order of the plan for a firm, with the credit that the server offers. */
async function orderPlan(firmId = firm): Promise<string> {
  firm = firmId;
  return (await order((await offer()).json.totalPaise / 100)).json.orderId;
}

async function refund(publicId: string): Promise<void> {
  await app.app.get(RefundsService).refundOrder(publicId, 'it was asked for');
  await app.app.get(RefundsService).runDue();
}

const readPlan = async (id: string) => {
  const [plan] = await app.database.dataSource.query(
    'SELECT ends_at, own_end_at, ended_by, revoked_at FROM entitlement WHERE id = $1',
    [id],
  );
  return plan;
};

const refundReasons = async (publicId: string) =>
  (await readOrderRows(app, 'refund', publicId)).map(({ reason }: { reason: string }) => reason);

const ownBasic = () =>
  buyPlan(app.database.dataSource, {
    ...{ userId: asha.user._id, planId: 'basic', states: ['Goa'], startsAt: later(-165), endsAt: later(200) },
  });

describe('the price of a firm', () => {
  test('is that of the server, less the unused days of the buyer’s own plan', async () => {
    expect((await offer()).json).toEqual({
      ...{ pricePaise: FIRM_PLAN.pricePaise, credits: [], totalPaise: FIRM_PLAN.pricePaise },
      invoice: { firm: 'Verma Builders', address: '2 The Mall, Shimla 171001', gstin: '02AAACB1234C1ZR' },
    });
    await ownBasic();
    const credit = creditPaise(PLANS.basic.pricePaise, 200);
    expect((await offer()).json).toMatchObject({
      credits: [{ planId: 'basic', unusedDays: 200, paise: credit }],
      totalPaise: FIRM_PLAN.pricePaise - credit,
    });
    const [wrong, right] = [FIRM_PLAN.pricePaise / 100, (FIRM_PLAN.pricePaise - credit) / 100];
    expect(await order(wrong)).toMatchObject({ status: 422, json: { message: 'Price has changed' } });
    expect((await order(right)).status).toBe(200);
  });

  test('is for owners of the firm', async () => {
    const stranger = await createSession(app);
    expect([(await offer(ravi)).json.code, (await offer(stranger)).json.code]).toEqual(['FORBIDDEN', 'NOT_A_MEMBER']);
    const price = FIRM_PLAN.pricePaise / 100;
    expect([(await order(price, ravi)).json.code, (await order(price, stranger)).json.code]).toEqual([
      'FORBIDDEN',
      'NOT_A_MEMBER',
    ]);
  });

  test('with any plans of the buyer at least a rupee is paid, whole rupees are credited, no more than was paid', () => {
    const plan = fc.record({
      id: fc.uuid(),
      planId: fc.constantFrom('basic' as const, 'premium' as const, 'enterprise' as const),
      startsAt: fc.integer({ min: -400, max: 800 }).map(later),
      days: fc.integer({ min: 1, max: 366 }),
      ms: fc.integer({ min: 0, max: DAY_MS - 1 }),
    });
    fc.assert(
      fc.property(fc.array(plan, { maxLength: 6 }), (plans) => {
        const owned = plans
          .map(({ days, ms, ...rest }) => ({
            ...rest,
            endsAt: new Date(rest.startsAt.getTime() + days * DAY_MS + ms),
            paidPaise: PLANS[rest.planId].pricePaise,
          }))
          .filter(({ endsAt }) => endsAt > NOW);
        const credits = creditsFor(owned, FIRM_PLAN.pricePaise, NOW);
        const total = credits.reduce((sum, { paise }) => sum - paise, FIRM_PLAN.pricePaise);
        expect(total).toBeGreaterThanOrEqual(100);
        for (const { entitlementId, paise, unusedDays } of credits) {
          const { paidPaise, endsAt, startsAt } = owned.find(
            ({ id }) => id === entitlementId,
          ) as (typeof owned)[number];
          expect(paise % 100).toBe(0);
          expect(paise).toBeGreaterThan(0);
          expect(paise).toBeLessThanOrEqual(paidPaise);
          expect(unusedDays * DAY_MS).toBeLessThanOrEqual(
            endsAt.getTime() - Math.max(NOW.getTime(), startsAt.getTime()),
          );
        }
        expect(new Set(credits.map(({ entitlementId }) => entitlementId)).size).toBe(credits.length);
      }),
    );
  });
});

describe('a paid plan of a firm', () => {
  test('gives each member Enterprise, ends the credited plan, and is invoiced to the firm with the credit', async () => {
    const own = await ownBasic();
    const { totalPaise, credits } = (await offer()).json;
    const { json } = await order(totalPaise / 100);
    const row = await pay(json.orderId);
    const plans = app.app.get(PlansService);
    expect(await plans.current(ravi.user._id)).toMatchObject({ planId: 'enterprise', firm: 'Verma Builders' });
    expect(await plans.current(asha.user._id)).toMatchObject({ planId: 'enterprise', firm: 'Verma Builders' });
    const firms = await app.app.inject({ url: '/api/firms', headers: ravi.headers });
    expect(firms.json().firms[0]).toMatchObject({ canWrite: true, planEndsAt: '2027-11-10T06:00:00.000Z' });
    expect(await readPlan(own.id)).toMatchObject({ ends_at: NOW, own_end_at: later(200) });
    const { invoices } = await app.app.get(InvoicesService).findByOrder(row.publicId);
    expect(invoices[0]?.content).toMatchObject({
      description: 'Firm plan, one year',
      buyer: { firm: 'Verma Builders', address: '2 The Mall, Shimla 171001', gstin: '02AAACB1234C1ZR' },
      credits: [{ planName: 'Basic', unusedDays: 200, paise: credits[0].paise }],
      totalPaise,
    });
    // A member who leaves has no plan any more.
    await app.app.inject({
      ...{ method: 'DELETE', url: `/api/firms/${firm}/members/${ravi.user._id}`, headers: ravi.headers },
    });
    expect(await plans.current(ravi.user._id)).toBeNull();
  });

  test('that is refunded restores the credited plan; the firm can be read', async () => {
    const own = await ownBasic();
    const orderId = await orderPlan();
    await pay(orderId);
    await refund(orderId);
    expect(await readPlan(own.id)).toMatchObject({ ends_at: later(200), own_end_at: null });
    const firms = await app.app.inject({ url: '/api/firms', headers: asha.headers });
    expect(firms.json().firms[0].canWrite).toBe(false);
  });

  test('bought again adds a year, without a credit; an open order keeps its credit from another firm', async () => {
    await ownBasic();
    const orderId = await orderPlan();
    const first = firm;
    firm = await createFirmRow(app, [asha.user._id]);
    expect((await offer()).json.credits).toEqual([]);
    firm = first;
    await pay(orderId);
    const again = (await offer()).json;
    expect(again).toMatchObject({ credits: [], totalPaise: FIRM_PLAN.pricePaise });
    await pay((await order(again.totalPaise / 100)).json.orderId);
    const firms = await app.app.inject({ url: '/api/firms', headers: asha.headers });
    expect(firms.json().firms.find(({ id }: { id: string }) => id === first).planEndsAt).toBe(
      '2028-11-10T06:00:00.000Z',
    );
  });
});

describe('the credit of a plan is used once', () => {
  const CREDIT_GONE =
    'the plan that your order credited was credited to another order, replaced or refunded before you paid';
  let other: string;
  beforeEach(async () => {
    other = await createFirmRow(app, [asha.user._id], { name: 'Verma Roads' });
  });

  const planOf = async (firmId: string) => {
    const { firms } = (await app.app.inject({ url: '/api/firms', headers: asha.headers })).json();
    return firms.find(({ id }: { id: string }) => id === firmId).planEndsAt;
  };

  test('an order that is paid late, after another firm’s order has used its credit, is refunded and grants nothing', async () => {
    const own = await ownBasic();
    const late = await orderPlan();
    await payOrder(app, late, 'late-success');
    await advanceTime(app, 15 * 60);
    expect((await settle(late)).status).toBe('EXPIRED');

    const first = firm;
    const { id } = await pay(await orderPlan(other));
    await advanceTime(app, 60);
    expect(await settle(late)).toMatchObject({
      status: 'REFUND_PENDING',
      amountPaise: (await findOrder(app, late)).amountPaise,
    });
    expect(await refundReasons(late)).toEqual([CREDIT_GONE]);
    expect(await planOf(first)).toBeNull();
    expect(await planOf(other)).not.toBeNull();
    expect(await readPlan(own.id)).toMatchObject({ ended_by: id });
    expect(await readOrderRows(app, 'invoice', late)).toEqual([]);

    await app.app.get(RefundsService).runDue();
    expect(await findOrder(app, late)).toMatchObject({ status: 'REFUNDED' });
    expect(await readPlan(own.id)).toMatchObject({ ended_by: id });
  });

  test('an order that is paid late after its credited plan has run out is granted, and the credit stays used', async () => {
    const own = await buyPlan(app.database.dataSource, {
      ...{ userId: asha.user._id, planId: 'basic', states: ['Goa'], startsAt: later(-364), endsAt: later(1.1) },
    });
    const late = await orderPlan();
    await payOrder(app, late, 'late-success');
    await advanceTime(app, 2 * 86_400);
    const { status, id } = await settle(late);
    expect(status).toBe('SUCCESS');
    expect(await readPlan(own.id)).toMatchObject({ ends_at: later(1.1), ended_by: id });
  });

  test('of two orders that are paid at the same time one is granted', async () => {
    await ownBasic();
    const first = await orderPlan();
    // The first order has ended without a payment, as far as is known.
    await app.database.dataSource.query("UPDATE orders SET status = 'EXPIRED' WHERE public_id = $1", [first]);
    const second = await orderPlan(other);
    await payOrder(app, first);
    await payOrder(app, second);
    const paid = await Promise.all([settle(first), settle(second)]);
    expect(paid.map(({ status }) => status).toSorted()).toEqual(['REFUND_PENDING', 'SUCCESS']);
  });

  test('a plan that is being refunded is not credited, and a credited one is not refunded', async () => {
    const own = await ownBasic();
    const [{ public_id: basic }] = await app.database.dataSource.query('SELECT public_id FROM orders WHERE id = $1', [
      own.orderId,
    ]);
    const refunds = app.app.get(RefundsService);
    const credited = await orderPlan();
    await pay(credited);
    await expect(refunds.refundOrder(basic, 'it was asked for')).rejects.toThrow(
      `The unused days of this plan were credited to order ${credited}. Refund that order first.`,
    );
    await refund(credited);
    const open = await orderPlan();
    await refunds.refundOrder(basic, 'it was asked for');
    expect((await offer()).json.credits).toEqual([]);
    expect((await pay(open)).status).toBe('REFUND_PENDING');
    expect(await refundReasons(open)).toEqual([CREDIT_GONE]);
  });

  test('a payment for a firm that was closed meanwhile is refunded, and the own plan goes on', async () => {
    const own = await ownBasic();
    const orderId = await orderPlan(other);
    await app.app.inject({ method: 'DELETE', url: `/api/firms/${other}`, headers: asha.headers });
    expect((await pay(orderId)).status).toBe('REFUND_PENDING');
    expect(await refundReasons(orderId)).toEqual(['the firm was closed before you paid']);
    expect(await readPlan(own.id)).toMatchObject({ ends_at: later(200), ended_by: null });
  });

  test('a credited plan that had not begun does not delay an own plan that is bought later', async () => {
    const waiting = { userId: asha.user._id, planId: 'basic' as const, states: ['Goa'] };
    await buyPlan(app.database.dataSource, { ...waiting, startsAt: later(30), endsAt: later(395) });
    await pay(await orderPlan());
    const { json } = await order(PLANS.basic.pricePaise / 100, asha, null);
    await pay(json.orderId);
    const [own] = await readOrderRows(app, 'entitlement', json.orderId);
    expect(own.starts_at).toEqual(NOW);
  });
});
