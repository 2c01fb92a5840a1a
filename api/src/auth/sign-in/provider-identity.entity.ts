import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The identity at a provider with which an account signs in. */
@Entity('provider_identity')
@Index('provider_identity_account', ['userId', 'provider'], { unique: true })
export class ProviderIdentityEntity {
  @PrimaryColumn('text')
  provider!: 'google';

  /** The provider's `sub`: never given to another user, unlike an e-mail address. */
  @PrimaryColumn('text')
  subject!: string;

  @Column('uuid', { name: 'user_id' })
  userId!: string;

  @Column('timestamptz', { name: 'linked_at' })
  linkedAt!: Date;
}
