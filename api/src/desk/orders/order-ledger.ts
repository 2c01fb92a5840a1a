/** Orders as the operator sees them. Instants are dates, money is in paise. */
import { readMobile } from '@nivida/contract/fields';
import type { DataSource } from 'typeorm';
import { AuditEntity } from '../../audit/audit.entity.ts';
import { AttemptEntity } from '../../orders/checkout/attempt.entity.ts';
import { OrderEntity, type StoredOrderStatus } from '../../orders/order.entity.ts';
import { FOUND_ORDER_CONDITION, INVOICE_NUMBERS_OF_ORDER } from '../../orders/orders.sql.ts';
import { RefundEntity } from '../../orders/refunds/refund.entity.ts';
import { PaymentEntity } from '../../orders/settlement/payment.entity.ts';
import { EntitlementEntity } from '../../plans/entitlement.entity.ts';

export const ORDERS_PER_PAGE = 100;

/** An order in the list. */
export interface ListedOrder {
  orderId: string;
  status: StoredOrderStatus;
  title: string;
  amountPaise: number;
  live: boolean;
  createdAt: Date;
}

/** Filter of the list; pages begin at 1. */
export interface OrderListQuery {
  status?: StoredOrderStatus | undefined;
  /**
   * An e-mail address, a mobile number, or the id of an order, attempt, payment, refund or receipt: exact match. The
   * letter case of addresses, payments and receipts is ignored.
   */
  find?: string | undefined;
  page?: number | undefined;
}

/** A page of 100 orders, those in review first, then the newest; `total` counts all matches. */
export async function listOrders(
  dataSource: DataSource,
  { status, find, page = 1 }: OrderListQuery = {},
): Promise<{ orders: ListedOrder[]; total: number }> {
  const query = dataSource.getRepository(OrderEntity).createQueryBuilder('listed');
  if (status) query.andWhere('listed.status = :status', { status });
  if (find) query.andWhere(FOUND_ORDER_CONDITION, { find, mobile: normaliseMobile(find) });
  const [orders, total] = await query
    .orderBy("CASE listed.status WHEN 'REVIEW' THEN 0 ELSE 1 END")
    .addOrderBy('listed.id', 'DESC')
    .limit(ORDERS_PER_PAGE)
    .offset((page - 1) * ORDERS_PER_PAGE)
    .getManyAndCount();
  const listed = orders.map(({ publicId: orderId, status, title, amountPaise, live, createdAt }) => ({
    orderId,
    status,
    title,
    amountPaise,
    live,
    createdAt,
  }));
  return { orders: listed, total };
}

/** '+919805512345' for a mobile number in any notation; 'none' for other texts. */
function normaliseMobile(text: string): string {
  const digits = readMobile(text);
  return digits ? `+91${digits}` : 'none';
}

/** Everything about one order for the operator; null when there is none. */
export async function readOrderFile(dataSource: DataSource, publicId: string) {
  const order = await dataSource.getRepository(OrderEntity).findOneBy({ publicId });
  if (!order) return null;
  const { id: orderId, buyerName, buyerEmail, buyerMobile, billingState, gstin } = order;
  const where = { orderId };
  const [attempts, payments, refunds, grants, invoices, events] = await Promise.all([
    dataSource.getRepository(AttemptEntity).find({ where, order: { createdAt: 'ASC' } }),
    dataSource.getRepository(PaymentEntity).find({ where, order: { noticedAt: 'ASC' } }),
    dataSource.getRepository(RefundEntity).find({ where, order: { createdAt: 'ASC' } }),
    dataSource.getRepository(EntitlementEntity).findBy(where),
    readInvoices(dataSource, orderId),
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
    /** The captured amount; null while unpaid. */
    paidPaise: payments.find(({ kind }) => kind === 'capture')?.amountPaise ?? null,
    currency: order.currency,
    buyer: { name: buyerName, email: buyerEmail, mobile: buyerMobile, billingState, gstin },
    userId: order.userId,
    provider: order.provider,
    live: order.live,
    createdAt: order.createdAt,
    paidAt: order.paidAt,
    expiresAt: order.expiresAt,
    nextCheckAt: order.nextCheckAt,
    attempts: attempts.map(({ ref, provider, providerRef, createdAt, expiresAt }) => ({
      ref,
      provider,
      providerRef,
      createdAt,
      expiresAt,
    })),
    payments: payments.map(({ orderId: _, ...payment }) => payment),
    // A refund of an accepted payment is dropped before it is sent.
    refunds: refunds.map(({ orderId: _, checks, ...refund }) => ({
      ...refund,
      isDropped: refund.state === 'FAILED' && checks === 0,
    })),
    grants: grants.map(({ kind, startsAt, endsAt, revokedAt, isTest }) => ({
      kind,
      startsAt,
      endsAt,
      revokedAt,
      isTest,
    })),
    invoices,
    auditEvents: events.map(({ at, action, detail }) => ({ at, action, detail })),
  };
}

export type OrderFile = NonNullable<Awaited<ReturnType<typeof readOrderFile>>>;

function readInvoices(
  dataSource: DataSource,
  orderId: string,
): Promise<{ kind: string; number: string; issuedAt: Date }[]> {
  return dataSource.query(INVOICE_NUMBERS_OF_ORDER, [orderId]);
}
