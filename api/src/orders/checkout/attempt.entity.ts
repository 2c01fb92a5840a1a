import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** One attempt to pay at the provider's page. */
@Entity('attempt')
@Index('attempt_order', ['orderId'])
@Index('attempt_provider_ref', { synchronize: false })
export class AttemptEntity {
  /** `<public order id>-<n>`: the reference at the provider. */
  @PrimaryColumn('text')
  ref!: string;

  /** A bigint as text. */
  @Column('bigint', { name: 'order_id' })
  orderId!: string;

  /** The provider of this page. It differs from the order's in attempts before the order went to another provider. */
  @Column('text')
  provider!: string;

  @Column('text', { name: 'provider_ref', nullable: true })
  providerRef!: string | null;

  /** The payment page; null until the provider has answered. Only then can the buyer have received it. */
  @Column('text', { nullable: true })
  url!: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  /** When the buyer came back without having paid; null when that is not known. */
  @Column('timestamptz', { name: 'left_at', nullable: true })
  leftAt!: Date | null;

  /** When a request began to open the page; null when no request is opening it. */
  @Column('timestamptz', { name: 'claimed_at', nullable: true })
  claimedAt!: Date | null;
}
