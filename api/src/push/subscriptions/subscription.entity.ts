import type { AlertPreferences } from '@nivida/contract/push/push';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A receiver of notices: a browser of a user or visitor, or the mails of an account. */
@Entity('push_subscription')
@Index('push_subscription_endpoint', ['endpointSha256'], { unique: true })
@Index('push_subscription_recipient', ['recipient'])
@Index('push_subscription_session', ['sessionId'])
@Index('push_subscription_host', ['host'])
@Index('push_subscription_email', { synchronize: false })
export class SubscriptionEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  channel!: 'push' | 'email';

  /** Null for a signed-out device. */
  @Column('uuid', { name: 'user_id', nullable: true })
  userId!: string | null;

  /** The row is deleted with this session. Null without a session and for mails. */
  @Column('uuid', { name: 'session_id', nullable: true })
  sessionId!: string | null;

  /** `userId`, or its own id. */
  @Column('uuid')
  recipient!: string;

  @Column('text', { name: 'secret_sha256', nullable: true })
  secretSha256!: string | null;

  @Column('text', { nullable: true })
  endpoint!: string | null;

  @Column('text', { name: 'endpoint_sha256', nullable: true })
  endpointSha256!: string | null;

  /** Host of the endpoint, with its port if it has one; 'email' for mails. */
  @Column('text')
  host!: string;

  /** Both keys in base64url. */
  @Column('text', { nullable: true })
  p256dh!: string | null;

  @Column('text', { nullable: true })
  auth!: string | null;

  /** Id of our key that signs its pushes. */
  @Column('text', { name: 'vapid_kid', nullable: true })
  vapidKid!: string | null;

  @Column('text')
  name!: string;

  @Column('jsonb')
  preferences!: AlertPreferences;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'last_ok_at', nullable: true })
  lastOkAt!: Date | null;

  @Column('timestamptz', { name: 'last_error_at', nullable: true })
  lastErrorAt!: Date | null;

  /** Refusals in a row. */
  @Column('integer', { default: 0 })
  errors!: number;

  @Column('timestamptz', { name: 'errors_since', nullable: true })
  errorsSince!: Date | null;

  /** Time of the first 404 or 410 when the service sent many of them. Then devices are not removed at once. */
  @Column('timestamptz', { name: 'gone_since', nullable: true })
  goneSince!: Date | null;
}
