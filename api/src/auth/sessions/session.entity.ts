import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** One sign-in of a user on one device. Every request looks it up, so its end takes effect at once on every server. */
@Entity('session')
@Index('session_account', ['userId'])
export class SessionEntity {
  /** The `sid` of its tokens. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'user_id' })
  userId!: string;

  /** The `jti` of the token in use. */
  @Column('uuid', { name: 'token_id' })
  tokenId!: string;

  /** The `jti` before the last renewal: other tabs still use it for a minute. */
  @Column('uuid', { name: 'previous_token_id', nullable: true })
  previousTokenId!: string | null;

  @Column('timestamptz', { name: 'renewed_at', nullable: true })
  renewedAt!: Date | null;

  /** 'Remember me' was ticked. */
  @Column('boolean')
  remembered!: boolean;

  /** The User-Agent header, shown in the user's list of sessions. */
  @Column('text', { name: 'user_agent' })
  userAgent!: string;

  /** The time of the sign-in. */
  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  /** Exact to the hour. */
  @Column('timestamptz', { name: 'last_used_at' })
  lastUsedAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;

  /** When a passkey was last verified in this session; the desk and dangerous acts need a recent one. */
  @Column('timestamptz', { name: 'passkey_at', nullable: true })
  passkeyAt!: Date | null;

  /** The passkey that was verified then. */
  @Column('uuid', { name: 'passkey_id', nullable: true })
  passkeyId!: string | null;

  /** Whether that passkey is on the device of this session, not on a phone beside it. */
  @Column('boolean', { name: 'is_passkey_here', default: false })
  isPasskeyHere!: boolean;

  /** When the password was last entered again in this session. */
  @Column('timestamptz', { name: 'password_at', nullable: true })
  passwordAt!: Date | null;

  /** When the desk was last used in this session, exact to the minute. */
  @Column('timestamptz', { name: 'desk_used_at', nullable: true })
  deskUsedAt!: Date | null;
}
