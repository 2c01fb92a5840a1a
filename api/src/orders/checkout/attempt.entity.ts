import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** One attempt to pay at the provider's page. */
@Entity('attempt')
@Index('attempt_order', ['orderId'])
export class AttemptEntity {
  /** `<public order id>-<n>`: the reference at the provider. */
  @PrimaryColumn('text')
  ref!: string;

  /** A bigint as text. */
  @Column('bigint', { name: 'order_id' })
  orderId!: string;

  @Column('text', { name: 'provider_ref', nullable: true })
  providerRef!: string | null;

  /** The provider's page; null until the provider has answered. */
  @Column('text', { nullable: true })
  url!: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  /** When a request began to open the page; null when no request is opening it. */
  @Column('timestamptz', { name: 'claimed_at', nullable: true })
  claimedAt!: Date | null;
}
