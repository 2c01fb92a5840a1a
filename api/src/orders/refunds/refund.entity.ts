import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A refund. `QUEUED` means that the provider has not been asked yet or did not answer. */
@Entity('refund')
@Index('refund_payment', { synchronize: false })
@Index('refund_due', { synchronize: false })
export class RefundEntity {
  /** `R-<public order id>-<n>`: the reference at the provider, the same in every call. */
  @PrimaryColumn('text')
  ref!: string;

  /** A bigint as text. */
  @Column('bigint', { name: 'order_id' })
  orderId!: string;

  @Column('text')
  provider!: string;

  @Column('text', { name: 'provider_payment_id' })
  providerPaymentId!: string;

  @Column('integer', { name: 'amount_paise' })
  amountPaise!: number;

  @Column('text')
  reason!: string;

  @Column('text')
  state!: 'QUEUED' | 'PENDING' | 'SUCCEEDED' | 'FAILED';

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;

  /** When the reconciler checks it; null: never again. */
  @Column('timestamptz', { name: 'next_check_at', nullable: true })
  nextCheckAt!: Date | null;

  @Column('integer')
  checks!: number;
}
