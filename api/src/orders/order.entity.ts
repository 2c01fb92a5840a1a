import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** The states of an order; the database knows which of them follow each other. */
export type OrderState =
  | 'CREATED'
  | 'PENDING'
  | 'SUCCESS'
  | 'FAILED'
  | 'EXPIRED'
  | 'REVIEW'
  | 'REFUND_PENDING'
  | 'REFUNDED';

/** One purchase. What is bought, its price and its provider never change; only settle.service.ts makes it SUCCESS. */
@Entity('orders')
@Index('orders_public_id', ['publicId'], { unique: true })
@Index('orders_idempotency', ['idempotencyScope', 'idempotencyKey'], { unique: true })
// Partial ones and those with an expression or order exist in the migration only; TypeORM cannot say them.
@Index('orders_user', { synchronize: false })
@Index('orders_email', { synchronize: false })
@Index('orders_due', { synchronize: false })
@Index('orders_review', { synchronize: false })
export class OrderEntity {
  /** A bigint as text; it never leaves the server. */
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  /** 16 random bytes in base64url: whoever knows it may ask for the status. */
  @Column('text', { name: 'public_id' })
  publicId!: string;

  @Column('text')
  product!: 'tender-documents' | 'yearly-subscription';

  /** Of a document order. */
  @Column('integer', { name: 'tender_id', nullable: true })
  tenderId!: number | null;

  /** Of a document order: what the package is kept under, see `nitOf` (RESOLUTIONS R43). */
  @Column('text', { nullable: true })
  nit!: string | null;

  /** Of a plan order. */
  @Column('text', { name: 'plan_id', nullable: true })
  planId!: 'basic' | 'premium' | 'enterprise' | null;

  /** Of a plan order: listed names; empty when none was chosen yet, or all of India. */
  @Column('text', { array: true })
  states!: string[];

  /** The tender's title or the plan's name, as it was bought. */
  @Column('text')
  title!: string;

  @Column('integer', { name: 'amount_paise' })
  amountPaise!: number;

  @Column('text')
  currency!: string;

  /** Null while no account has it (RESOLUTIONS R45). */
  @Column('uuid', { name: 'user_id', nullable: true })
  userId!: string | null;

  @Column('text', { name: 'buyer_name' })
  buyerName!: string;

  @Column('text', { name: 'buyer_email' })
  buyerEmail!: string;

  /** With +91. */
  @Column('text', { name: 'buyer_mobile' })
  buyerMobile!: string;

  /** The buyer's State for the invoice, by its listed name; '' when nobody knows it. */
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

  /** Path of this app that the browser comes back to. */
  @Column('text', { name: 'return_path' })
  returnPath!: string;

  /** `user:<id>` or `anon`. */
  @Column('text', { name: 'idempotency_scope' })
  idempotencyScope!: string;

  @Column('text', { name: 'idempotency_key' })
  idempotencyKey!: string;

  @Column('text', { name: 'body_sha256' })
  bodySha256!: string;

  @Column('text')
  provider!: string;

  /** False: no money moved, and what it grants is a test. */
  @Column('boolean')
  live!: boolean;

  @Column('text')
  status!: OrderState;

  /** Why it is not paid: the provider's code, or REFUSED; not for buyers as it is. */
  @Column('text', { nullable: true })
  failure!: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;

  @Column('timestamptz', { name: 'paid_at', nullable: true })
  paidAt!: Date | null;

  /** Of the newest checkout. */
  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  /** When the provider was last asked for a buyer who waits. */
  @Column('timestamptz', { name: 'last_checked_at', nullable: true })
  lastCheckedAt!: Date | null;

  /** When the reconciler looks again; null: never. */
  @Column('timestamptz', { name: 'next_check_at', nullable: true })
  nextCheckAt!: Date | null;

  /** How often the reconciler has looked since the last checkout was opened. */
  @Column('integer')
  checks!: number;
}
