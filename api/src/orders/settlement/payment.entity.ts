import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A capture reported by the provider. A `duplicate` is refunded. A `mismatch` (another amount or currency, or too late) is
 * refunded unless the operator accepts it.
 */
@Entity('payment')
@Index('payment_order', ['orderId'])
@Index('payment_capture', { synchronize: false })
export class PaymentEntity {
  @PrimaryColumn('text')
  provider!: string;

  @PrimaryColumn('text', { name: 'provider_payment_id' })
  providerPaymentId!: string;

  /** A bigint as text. */
  @Column('bigint', { name: 'order_id' })
  orderId!: string;

  @Column('text', { name: 'attempt_ref' })
  attemptRef!: string;

  @Column('integer', { name: 'amount_paise' })
  amountPaise!: number;

  @Column('text')
  currency!: string;

  @Column('text', { nullable: true })
  method!: string | null;

  @Column('text')
  kind!: 'capture' | 'duplicate' | 'mismatch';

  @Column('timestamptz', { name: 'noticed_at' })
  noticedAt!: Date;
}
