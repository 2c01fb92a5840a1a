import type { EntityManager } from 'typeorm';
import type { EntitlementEntity } from '../plans/entitlement.entity.ts';
import type { OrderEntity } from './order.entity.ts';

/** The name that a tender's documents are kept under: works of one NIT share theirs, others stand for themselves (RESOLUTIONS R43). */
export const packageKey = ({ id, nitKey }: { id: number; nitKey: string | null }): string => nitKey ?? `tender-${id}`;

/**
 * What orders need of whoever delivers documents; app.module binds the class that does. `promise` and `revoke` run inside
 * the transaction that settles or refunds: all they write goes through `manager`, and they wait for nothing outside.
 */
export abstract class DocumentDelivery {
  /** Whether the package of an NIT (`nitOf`) holds the NIT for this tender and can be delivered now; nothing is sold before. */
  abstract isReady(nit: string, tenderId: number): Promise<boolean>;

  /** Queues the mail with the way to the documents of a document order that has just been paid. */
  abstract queueDelivery(
    manager: EntityManager,
    order: OrderEntity,
    entitlement: EntitlementEntity,
    now: Date,
  ): Promise<void>;

  /** Ends every link to what was refunded; called for document orders. */
  abstract revokeLinks(manager: EntityManager, entitlement: EntitlementEntity, now: Date): Promise<void>;
}
