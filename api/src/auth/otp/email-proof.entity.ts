import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * One code that was mailed, and whether the browser that asked for it has entered it. The row goes when it is used up
 * by registering or by a change of e-mail, or a day after it was made.
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

  /** The account whose e-mail is being changed; null when nobody's. */
  @Column('uuid', { name: 'user_id', nullable: true })
  userId!: string | null;

  /** HMAC-SHA256 of id, e-mail and code under the pepper. */
  @Column('bytea', { name: 'code_hash' })
  codeHash!: Buffer;

  /** Codes that were tried, right or wrong. */
  @Column('smallint', { default: 0 })
  tries!: number;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  @Column('timestamptz', { name: 'verified_at', nullable: true })
  verifiedAt!: Date | null;
}
