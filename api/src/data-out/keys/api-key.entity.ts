import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A key with which a program of a user reads public data. Only its digest is stored. */
@Entity('api_key')
@Index('api_key_digest', ['keySha256'], { unique: true })
@Index('api_key_account', ['userId'])
export class ApiKeyEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'user_id' })
  userId!: string;

  @Column('text')
  name!: string;

  /** The beginning of the key. */
  @Column('text')
  hint!: string;

  @Column('text', { name: 'key_sha256' })
  keySha256!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  /** The last call, at most a minute late. */
  @Column('timestamptz', { name: 'used_at', nullable: true })
  usedAt!: Date | null;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;
}
