/** Paid orders and plans in a database, without a provider. */
import { randomBytes } from 'node:crypto';
import { languages } from '@nivida/contract/languages';
import { PLANS } from '@nivida/contract/orders/plans';
import type { DataSource } from 'typeorm';
import { AttemptEntity } from '../../src/orders/checkout/attempt.entity.ts';
import { OrderEntity } from '../../src/orders/order.entity.ts';
import { newPublicId } from '../../src/orders/order-placement.service.ts';
import { PaymentEntity } from '../../src/orders/settlement/payment.entity.ts';
import { EntitlementEntity } from '../../src/plans/entitlement.entity.ts';

/** The names of the summaries in a package of documents, one for each language. */
export const SUMMARY_NAMES = languages().map((language) => `NIT-summary${language === 'en' ? '' : `-${language}`}.pdf`);

/** A paid order of the documents of tender 1 by a buyer without an account; `changes` have precedence. */
export function createOrderRow(changes: Partial<OrderEntity> = {}): OrderEntity {
  const at = new Date('2026-11-10T12:00:00+05:30');
  const isPlan = changes.product === 'yearly-subscription';
  return {
    publicId: newPublicId(),
    product: 'tender-documents',
    tenderId: isPlan ? null : 1,
    nit: isPlan ? null : 'tender-1',
    planId: null,
    states: [],
    title: 'Construction of footbridge',
    amountPaise: 9_900,
    currency: 'INR',
    userId: null,
    buyerName: 'Asha Verma',
    buyerEmail: 'asha@builders.example',
    buyerMobile: '+919805512345',
    billingState: 'Himachal Pradesh',
    gstin: '',
    buyerFirm: '',
    buyerAddress: '',
    returnPath: '/payment-status',
    idempotencyScope: 'anon',
    idempotencyKey: randomBytes(16).toString('hex'),
    bodySha256: '',
    provider: 'sandbox',
    live: false,
    status: 'SUCCESS',
    failure: null,
    createdAt: at,
    updatedAt: at,
    paidAt: at,
    expiresAt: at,
    lastCheckedAt: null,
    nextCheckAt: null,
    checks: 0,
    language: 'en',
    ...changes,
  } as OrderEntity;
}

export function storeOrder(dataSource: DataSource, changes: Partial<OrderEntity> = {}): Promise<OrderEntity> {
  return dataSource.getRepository(OrderEntity).save(createOrderRow(changes));
}

/** Stores an order of documents with its entitlement. */
export async function buyDocuments(
  dataSource: DataSource,
  changes: Partial<OrderEntity> = {},
): Promise<{ order: OrderEntity; entitlement: EntitlementEntity }> {
  const bought = await storeOrder(dataSource, changes);
  const entitlements = dataSource.getRepository(EntitlementEntity);
  const granted = entitlements.create({
    orderId: bought.id,
    kind: 'documents',
    userId: bought.userId,
    email: bought.buyerEmail,
    nit: bought.nit,
    tenderId: bought.tenderId,
    planId: null,
    states: [],
    statesChosenAt: null,
    startsAt: bought.createdAt,
    endsAt: null,
    isTest: !bought.live,
    revokedAt: null,
    createdAt: bought.createdAt,
  });
  return { order: bought, entitlement: await entitlements.save(granted) };
}

/** Stores a plan of an account with its order and its payment; it lasts from `startsAt` until `endsAt`. */
export async function buyPlan(
  dataSource: DataSource,
  plan: Pick<EntitlementEntity, 'userId' | 'planId' | 'states' | 'startsAt' | 'endsAt'>,
): Promise<EntitlementEntity> {
  const { planId, states, userId } = plan;
  const { id, buyerEmail, publicId, ...order } = await storeOrder(dataSource, {
    product: 'yearly-subscription',
    planId,
    states,
    userId,
    title: `${planId}`,
    amountPaise: PLANS[planId ?? 'basic'].pricePaise,
  });
  const ref = `${publicId}-1`;
  const { provider, createdAt, expiresAt, amountPaise, currency } = order;
  await dataSource.getRepository(AttemptEntity).insert({ ref, orderId: id, provider, createdAt, expiresAt });
  await dataSource.getRepository(PaymentEntity).insert({
    ...{ provider, providerPaymentId: `T-${publicId}`, orderId: id, attemptRef: ref, amountPaise, currency },
    ...{ method: 'UPI', kind: 'capture', noticedAt: createdAt },
  });
  const entitlements = dataSource.getRepository(EntitlementEntity);
  const granted = entitlements.create({
    orderId: id,
    kind: 'plan',
    email: buyerEmail,
    nit: null,
    tenderId: null,
    statesChosenAt: plan.startsAt,
    isTest: true,
    revokedAt: null,
    createdAt: plan.startsAt,
    ...plan,
  });
  return entitlements.save(granted);
}
