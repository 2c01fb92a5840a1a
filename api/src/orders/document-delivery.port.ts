import type { EntityManager } from 'typeorm';
import type { EntitlementEntity } from '../plans/entitlement.entity.ts';
import type { OrderEntity } from './order.entity.ts';

/**
 * Key of a tender's document package. Works of one NIT share a package; any other tender has its own (R43).
 */
export const packageKey = ({ id, nitKey }: { id: number; nitKey: string | null }): string => nitKey ?? `tender-${id}`;

/**
 * The port to document delivery; app.module binds it. `queueDelivery` and `revokeLinks` run in the transaction that
 * settles or refunds: they write through `manager` only and make no external calls.
 */
export abstract class DocumentDelivery {
  /**
   * Whether the package (`packageKey`) contains the NIT of this tender and can be delivered now. Otherwise it is not sold.
   */
  abstract isReady(nit: string, tenderId: number): Promise<boolean>;

  /** Queues the mail with the link to the documents of an order that has just been paid. */
  abstract queueDelivery(
    manager: EntityManager,
    order: OrderEntity,
    entitlement: EntitlementEntity,
    now: Date,
  ): Promise<void>;

  /** Ends all links of a refunded document order. */
  abstract revokeLinks(manager: EntityManager, entitlement: EntitlementEntity, now: Date): Promise<void>;
}
