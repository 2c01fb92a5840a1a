import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A user's consent to one use of personal data, with its time and the version of the terms. */
@Entity('consent')
@Index('consent_account', ['userId'])
export class ConsentEntity {
  /** A bigint as text. */
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column('uuid', { name: 'user_id' })
  userId!: string;

  @Column('text')
  purpose!: 'account' | 'alerts' | 'marketing';

  @Column('text', { name: 'terms_version' })
  termsVersion!: string;

  /** HMAC of the network address under a secret key: it can be compared, not read. */
  @Column('bytea', { name: 'address_hash' })
  addressHash!: Buffer;

  @Column('timestamptz', { name: 'given_at' })
  givenAt!: Date;
}
