import { creditPaise, FIRM_PLAN, PLANS } from '@nivida/contract/orders/plans';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { InvoicesService } from '../../src/invoices/invoices.service.ts';
import { creditsFor } from '../../src/orders/firm-plans.service.ts';
import { OrderEntity } from '../../src/orders/order.entity.ts';
import { EntitlementsService } from '../../src/plans/entitlements.service.ts';
import { PlansService } from '../../src/plans/plans.service.ts';
import { createSession, type SignedInAccount } from '../support/accounts.ts';
import { buyPlan } from '../support/paid-orders.ts';
import { startShop, type TestShop } from '../support/test-shop.ts';
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

async function order(amount: number, account = asha, firmId = firm) {
  const reply = await app.app.inject({
    ...{ method: 'POST', url: '/api/create-order', headers: account.headers },
    payload: {
      ...{ name: 'Asha', mobileNo: '9805512345', email: account.user.email, amount, redirectUrl: '/payment-status' },
      ...{ product: 'yearly-subscription', planId: 'enterprise', firmId },
    },
  });
  return { status: reply.statusCode, json: reply.json() };
}

/** What a settled payment does. */
async function settle(publicId: string): Promise<OrderEntity> {
  const { dataSource } = app.database;
  const row = await dataSource.getRepository(OrderEntity).findOneByOrFail({ publicId });
  const paid = { amountPaise: row.amountPaise, providerPaymentId: 'T1', method: 'UPI' };
  await dataSource.transaction(async (manager) => {
    await app.app.get(EntitlementsService).grant(manager, row, NOW);
    await app.app.get(InvoicesService).issueInvoice(manager, row, paid, NOW);
  });
  return row;
}

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
    const { orderId } = await ownBasic();
    const paid = (await app.database.dataSource.getRepository(OrderEntity).findOneByOrFail({ id: orderId ?? '' }))
      .amountPaise;
    const credit = creditPaise(paid, 200);
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
    const row = await settle(json.orderId);
    const plans = app.app.get(PlansService);
    expect(await plans.current(ravi.user._id)).toMatchObject({ planId: 'enterprise', firm: 'Verma Builders' });
    expect(await plans.current(asha.user._id)).toMatchObject({ planId: 'enterprise', firm: 'Verma Builders' });
    const firms = await app.app.inject({ url: '/api/firms', headers: ravi.headers });
    expect(firms.json().firms[0]).toMatchObject({ canWrite: true, planEndsAt: '2027-11-10T06:00:00.000Z' });
    const [ended] = await app.database.dataSource.query('SELECT ends_at, own_end_at FROM entitlement WHERE id = $1', [
      own.id,
    ]);
    expect(ended).toEqual({ ends_at: NOW, own_end_at: later(200) });
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
    const { json } = await order((await offer()).json.totalPaise / 100);
    const { id } = await settle(json.orderId);
    await app.database.dataSource.transaction((manager) => app.app.get(EntitlementsService).revoke(manager, id, NOW));
    const [restored] = await app.database.dataSource.query(
      'SELECT ends_at, own_end_at FROM entitlement WHERE id = $1',
      [own.id],
    );
    expect(restored).toEqual({ ends_at: later(200), own_end_at: null });
    const firms = await app.app.inject({ url: '/api/firms', headers: asha.headers });
    expect(firms.json().firms[0].canWrite).toBe(false);
  });

  test('bought again adds a year, without a credit; an open order keeps its credit from another firm', async () => {
    await ownBasic();
    const { json } = await order((await offer()).json.totalPaise / 100);
    const first = firm;
    firm = await createFirmRow(app, [asha.user._id]);
    expect((await offer()).json.credits).toEqual([]);
    firm = first;
    await settle(json.orderId);
    const again = (await offer()).json;
    expect(again).toMatchObject({ credits: [], totalPaise: FIRM_PLAN.pricePaise });
    await settle((await order(again.totalPaise / 100)).json.orderId);
    const firms = await app.app.inject({ url: '/api/firms', headers: asha.headers });
    expect(firms.json().firms.find(({ id }: { id: string }) => id === first).planEndsAt).toBe(
      '2028-11-10T06:00:00.000Z',
    );
  });
});
