import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The newest reset link of an account; a new request replaces it. */
@Entity('password_reset')
@Index('password_reset_token', ['tokenHash'], { unique: true })
export class PasswordResetEntity {
  @PrimaryColumn('uuid', { name: 'user_id' })
  userId!: string;

  /** Digest of the token in the link. */
  @Column('text', { name: 'token_hash' })
  tokenHash!: string;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  @Column('timestamptz', { name: 'used_at', nullable: true })
  usedAt!: Date | null;
}
