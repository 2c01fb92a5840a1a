/** The allowed changes of an order's status, and the audit events of orders. Every change holds the order's row lock. */
import type { EntityManager } from 'typeorm';
import { recordAuditEvent } from '../audit/record-audit-event.ts';
import { OrderEntity, type StoredOrderStatus } from './order.entity.ts';

const NEXT_STATUSES: Readonly<Record<StoredOrderStatus, readonly StoredOrderStatus[]>> = {
  CREATED: ['PENDING', 'SUCCESS', 'FAILED', 'EXPIRED', 'REVIEW'],
  PENDING: ['SUCCESS', 'FAILED', 'EXPIRED', 'REVIEW'],
  // Another attempt or a late payment may still pay an unpaid order.
  FAILED: ['PENDING', 'SUCCESS', 'REVIEW'],
  EXPIRED: ['PENDING', 'SUCCESS', 'REVIEW'],
  REVIEW: ['SUCCESS', 'REFUND_PENDING'],
  SUCCESS: ['REFUND_PENDING'],
  // A refund that fails returns the order to its earlier status, unless it was paid but has granted nothing.
  REFUND_PENDING: ['REFUNDED', 'SUCCESS', 'REVIEW'],
  REFUNDED: [],
};

/** The statuses that may change to `status`. */
export const statusesBefore = (status: StoredOrderStatus): StoredOrderStatus[] =>
  (Object.keys(NEXT_STATUSES) as StoredOrderStatus[]).filter((before) => NEXT_STATUSES[before].includes(status));

/** Changes the status in a transaction that holds the order's row. Throws for a change that is not allowed. */
export async function changeOrderStatus(
  manager: EntityManager,
  order: OrderEntity,
  status: StoredOrderStatus,
  now: Date,
  more: Partial<OrderEntity> = {},
): Promise<void> {
  if (!NEXT_STATUSES[order.status].includes(status))
    throw new Error(`Order ${order.publicId} cannot change from ${order.status} to ${status}`);
  const change = { ...more, status, updatedAt: now };
  Object.assign(order, change);
  await manager.getRepository(OrderEntity).update({ id: order.id }, change);
}

/** Records an audit event of an order, by its buyer unless another one did it. Null is the operator or a job. */
export function recordOrderEvent(
  manager: EntityManager,
  { publicId, userId }: Pick<OrderEntity, 'publicId' | 'userId'>,
  action: string,
  detail: Record<string, string | number | boolean>,
  now: Date,
  actorId: string | null = userId,
): Promise<void> {
  return recordAuditEvent(manager, { action, actorId, subject: publicId, detail }, now);
}
