import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/**
 * What a paid order, a trial or an operator grants. Valid while `revokedAt` is null and `startsAt <= now < endsAt`. With a live
 * provider, rows with `isTest` are ignored.
 */
@Entity('entitlement')
@Index('entitlement_order', ['orderId'], { unique: true })
@Index('entitlement_user', ['userId', 'kind'])
@Index('entitlement_firm', ['firmId'], { where: 'firm_id IS NOT NULL' })
@Index('entitlement_email', { synchronize: false })
@Index('entitlement_free_plan', { synchronize: false })
export class EntitlementEntity {
  /** A bigint as text. */
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  /** A bigint as text; null for a trial, a gift and the free plan (R81). */
  @Column('bigint', { name: 'order_id', nullable: true })
  orderId!: string | null;

  @Column('text')
  kind!: 'documents' | 'plan' | 'trial';

  /** Null until an account claims it. */
  @Column('uuid', { name: 'user_id', nullable: true })
  userId!: string | null;

  /** The firm of a firm's plan, which gives each member Enterprise; `userId` is then null. */
  @Column('uuid', { name: 'firm_id', nullable: true, default: null })
  firmId!: string | null;

  /** E-mail address of the buyer. */
  @Column('text')
  email!: string;

  /** Package key of documents. */
  @Column('text', { nullable: true })
  nit!: string | null;

  /** Tender of the order, for documents. */
  @Column('integer', { name: 'tender_id', nullable: true })
  tenderId!: number | null;

  /** The plan, for plans and trials. */
  @Column('text', { name: 'plan_id', nullable: true })
  planId!: 'basic' | 'premium' | 'enterprise' | null;

  /** Chosen states by their listed names; without meaning for a plan of all India. */
  @Column('text', { array: true })
  states!: string[];

  /** When states were last replaced; null: never. */
  @Column('timestamptz', { name: 'states_chosen_at', nullable: true })
  statesChosenAt!: Date | null;

  @Column('timestamptz', { name: 'starts_at' })
  startsAt!: Date;

  /** Exclusive; null for documents, which do not end. */
  @Column('timestamptz', { name: 'ends_at', nullable: true })
  endsAt!: Date | null;

  /** The original end of a plan that a higher plan has ended. */
  @Column('timestamptz', { name: 'own_end_at', nullable: true })
  ownEndAt!: Date | null;

  /** Order of the higher plan, a bigint as text. If that order is refunded, this plan continues until its original end. */
  @Column('bigint', { name: 'ended_by', nullable: true })
  endedBy!: string | null;

  @Column('boolean', { name: 'is_test' })
  isTest!: boolean;

  /** Given by an operator, without an order. */
  @Column('boolean', { name: 'is_gift', default: false })
  isGift!: boolean;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}
