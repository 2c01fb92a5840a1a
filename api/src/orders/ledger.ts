/** What the operator reads of orders. Instants are dates, money is in paise. */
import type { DataSource } from 'typeorm';
import { AuditEntity } from '../audit/audit.entity.ts';
import { EntitlementEntity } from '../plans/entitlement.entity.ts';
import { AttemptEntity } from './attempt.entity.ts';
import { OrderEntity, type OrderState } from './order.entity.ts';
import { PaymentEntity } from './payment.entity.ts';
import { RefundEntity } from './refund.entity.ts';

const MOST = 100;

/** An order in the list. */
export interface ListedOrder {
  orderId: string;
  status: OrderState;
  title: string;
  amountPaise: number;
  live: boolean;
  createdAt: Date;
}

/** The newest 100 orders, those that wait for a person first; `status` leaves the others out. */
export async function listOrders(dataSource: DataSource, status?: OrderState): Promise<ListedOrder[]> {
  const query = dataSource.getRepository(OrderEntity).createQueryBuilder('listed');
  if (status) query.where('listed.status = :status', { status });
  const orders = await query
    .orderBy("CASE listed.status WHEN 'REVIEW' THEN 0 ELSE 1 END")
    .addOrderBy('listed.id', 'DESC')
    .limit(MOST)
    .getMany();
  return orders.map(({ publicId: orderId, ...order }) => ({
    orderId,
    status: order.status,
    title: order.title,
    amountPaise: order.amountPaise,
    live: order.live,
    createdAt: order.createdAt,
  }));
}

/** Everything about one order, for people who answer its buyer; null when there is none. */
export async function readOrder(dataSource: DataSource, publicId: string) {
  const order = await dataSource.getRepository(OrderEntity).findOneBy({ publicId });
  if (!order) return null;
  const { id: orderId, buyerName, buyerEmail, buyerMobile, billingState, gstin } = order;
  const where = { orderId };
  const [attempts, payments, refunds, grants, papers, deeds] = await Promise.all([
    dataSource.getRepository(AttemptEntity).find({ where, order: { createdAt: 'ASC' } }),
    dataSource.getRepository(PaymentEntity).find({ where, order: { noticedAt: 'ASC' } }),
    dataSource.getRepository(RefundEntity).find({ where, order: { createdAt: 'ASC' } }),
    dataSource.getRepository(EntitlementEntity).findBy(where),
    readPapers(dataSource, orderId),
    dataSource.getRepository(AuditEntity).find({ where: { subject: publicId }, order: { id: 'ASC' } }),
  ]);
  return {
    orderId: publicId,
    status: order.status,
    failure: order.failure,
    product: order.product,
    title: order.title,
    tenderId: order.tenderId,
    planId: order.planId,
    states: order.states,
    amountPaise: order.amountPaise,
    currency: order.currency,
    buyer: { name: buyerName, email: buyerEmail, mobile: buyerMobile, billingState, gstin },
    userId: order.userId,
    provider: order.provider,
    live: order.live,
    createdAt: order.createdAt,
    paidAt: order.paidAt,
    expiresAt: order.expiresAt,
    nextCheckAt: order.nextCheckAt,
    attempts: attempts.map(({ ref, providerRef, createdAt, expiresAt }) => ({
      ref,
      providerRef,
      createdAt,
      expiresAt,
    })),
    payments: payments.map(({ orderId: _, ...payment }) => payment),
    refunds: refunds.map(({ orderId: _, checks: __, ...refund }) => refund),
    grants: grants.map(({ kind, startsAt, endsAt, revokedAt, isTest }) => ({
      kind,
      startsAt,
      endsAt,
      revokedAt,
      isTest,
    })),
    papers,
    deeds: deeds.map(({ at, action, detail }) => ({ at, action, detail })),
  };
}

/** What `readOrder` gives. */
export type OrderFile = NonNullable<Awaited<ReturnType<typeof readOrder>>>;

function readPapers(
  dataSource: DataSource,
  orderId: string,
): Promise<{ kind: string; number: string; issuedAt: Date }[]> {
  return dataSource.query(
    'SELECT kind, number, issued_at AS "issuedAt" FROM invoice WHERE order_id = $1 ORDER BY issued_at',
    [orderId],
  );
}
