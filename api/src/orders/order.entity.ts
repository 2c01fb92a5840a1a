import { t } from '@lingui/core/macro';
import type { PlanCredit } from '@nivida/contract/firms/firms';
import type { Language } from '@nivida/contract/languages';
import { Column, Entity, type EntityManager, Index, PrimaryGeneratedColumn } from 'typeorm';
import { AppError } from '../base/app-error.ts';

/** The stored statuses of an order; a trigger of the database allows only valid changes. Clients see `OrderStatus`. */
export type StoredOrderStatus =
  | 'CREATED'
  | 'PENDING'
  | 'SUCCESS'
  | 'FAILED'
  | 'EXPIRED'
  | 'REVIEW'
  | 'REFUND_PENDING'
  | 'REFUNDED';

/** A credit with the entitlement that the order ends. */
export interface StoredCredit extends PlanCredit {
  entitlementId: string;
}

/**
 * One purchase. Product and price never change, the provider only until the buyer has received a payment page. It becomes
 * paid in settle.service.ts only.
 */
@Entity('orders')
@Index('orders_public_id', ['publicId'], { unique: true })
@Index('orders_idempotency', ['idempotencyScope', 'idempotencyKey'], { unique: true })
// Partial and expression indexes exist in the migrations only; TypeORM cannot describe them.
@Index('orders_user', { synchronize: false })
@Index('orders_email', { synchronize: false })
@Index('orders_due', { synchronize: false })
@Index('orders_review', { synchronize: false })
export class OrderEntity {
  /** A bigint as text; it never leaves the server. */
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  /** 16 random bytes in base64url. Anyone who knows it may read the status. */
  @Column('text', { name: 'public_id' })
  publicId!: string;

  @Column('text')
  product!: 'tender-documents' | 'yearly-subscription';

  /** The tender of a document order. */
  @Column('integer', { name: 'tender_id', nullable: true })
  tenderId!: number | null;

  /** The package key of a document order, see `packageKey` (R43). */
  @Column('text', { nullable: true })
  nit!: string | null;

  /** The plan of a plan order. */
  @Column('text', { name: 'plan_id', nullable: true })
  planId!: 'basic' | 'premium' | 'enterprise' | null;

  /** The states of a plan order, by listed names. Empty for plans of all India and when none is chosen yet. */
  @Column('text', { array: true })
  states!: string[];

  /** The firm of an order of a firm's plan. */
  @Column('uuid', { name: 'firm_id', nullable: true, default: null })
  firmId!: string | null;

  /** What was credited for the buyer's own plans. */
  @Column('jsonb', { default: [] })
  credits!: StoredCredit[];

  /** The tender's title or the plan's name at the time of purchase. */
  @Column('text')
  title!: string;

  @Column('integer', { name: 'amount_paise' })
  amountPaise!: number;

  @Column('text')
  currency!: string;

  /** Null for a guest's order that no account has claimed (R45). */
  @Column('uuid', { name: 'user_id', nullable: true })
  userId!: string | null;

  @Column('text', { name: 'buyer_name' })
  buyerName!: string;

  @Column('text', { name: 'buyer_email' })
  buyerEmail!: string;

  /** With +91. */
  @Column('text', { name: 'buyer_mobile' })
  buyerMobile!: string;

  /** The buyer's state for the invoice, by its listed name; '' when unknown. */
  @Column('text', { name: 'billing_state' })
  billingState!: string;

  /** '' when none was given. */
  @Column('text')
  gstin!: string;

  /** Name and address of the registered firm; '' without a GSTIN. */
  @Column('text', { name: 'buyer_firm', default: '' })
  buyerFirm!: string;

  @Column('text', { name: 'buyer_address', default: '' })
  buyerAddress!: string;

  /** Path of this app that the buyer returns to. */
  @Column('text', { name: 'return_path' })
  returnPath!: string;

  /** The language of its mails and documents: that of the app in which it was placed. */
  @Column('text', { default: 'en' })
  language!: Language;

  /** `user:<id>` or `anon`. It does not change when an account claims the order. */
  @Column('text', { name: 'idempotency_scope' })
  idempotencyScope!: string;

  @Column('text', { name: 'idempotency_key' })
  idempotencyKey!: string;

  @Column('text', { name: 'body_sha256' })
  bodySha256!: string;

  @Column('text')
  provider!: string;

  /** False when no money moved; the entitlement is then a test. */
  @Column('boolean')
  live!: boolean;

  @Column('text')
  status!: StoredOrderStatus;

  /** Why it is unpaid: the provider's code, or REFUSED. Not shown to buyers. */
  @Column('text', { nullable: true })
  failure!: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;

  @Column('timestamptz', { name: 'paid_at', nullable: true })
  paidAt!: Date | null;

  /** End of the newest checkout. */
  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  /** When a buyer's status call last asked the provider. */
  @Column('timestamptz', { name: 'last_checked_at', nullable: true })
  lastCheckedAt!: Date | null;

  /** When the reconciler checks again; null: never. */
  @Column('timestamptz', { name: 'next_check_at', nullable: true })
  nextCheckAt!: Date | null;

  /** Checks of the reconciler since the last checkout was opened. */
  @Column('integer')
  checks!: number;
}

/** Whether a visitor without an account placed it. */
export const isGuestOrder = ({ idempotencyScope }: Pick<OrderEntity, 'idempotencyScope'>): boolean =>
  idempotencyScope === 'anon';

/** Locks the order's row until the transaction ends. NOT_FOUND. */
export async function lockOrder(
  manager: EntityManager,
  id: { id: string } | { publicId: string },
): Promise<OrderEntity> {
  const order = await manager.getRepository(OrderEntity).findOne({ where: id, lock: { mode: 'pessimistic_write' } });
  if (!order) throw new AppError('NOT_FOUND', () => t`Order not found`);
  return order;
}
