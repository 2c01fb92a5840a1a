import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A mailed code, and whether the browser that requested it has entered it. The row is deleted by a registration or a change
 * of e-mail that uses it, or after one day.
 */
@Entity('email_proof')
@Index('email_proof_context', ['context'], { unique: true })
@Index('email_proof_account', ['userId'])
@Index('email_proof_created', ['createdAt'])
export class EmailProofEntity {
  /** Salts the code's hash. */
  @PrimaryColumn('uuid')
  id!: string;

  /** Digest of the browser's cookie. */
  @Column('text')
  context!: string;

  /** In lower case. */
  @Column('text')
  email!: string;

  /** The account whose e-mail is being changed; null for a registration. */
  @Column('uuid', { name: 'user_id', nullable: true })
  userId!: string | null;

  /** HMAC-SHA256 of id, e-mail and code under the pepper. */
  @Column('bytea', { name: 'code_hash' })
  codeHash!: Buffer;

  /** Number of codes entered, right or wrong. */
  @Column('smallint', { default: 0 })
  tries!: number;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  @Column('timestamptz', { name: 'verified_at', nullable: true })
  verifiedAt!: Date | null;
}
