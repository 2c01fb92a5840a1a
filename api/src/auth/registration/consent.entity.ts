import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** That a user agreed to one use of his data, when, and to which version of the terms. */
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

  /** Of the network address under a secret key: it can be compared, not read. */
  @Column('bytea', { name: 'address_hash' })
  addressHash!: Buffer;

  @Column('timestamptz', { name: 'given_at' })
  givenAt!: Date;
}
