import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** Details of an audit row: never a name or a secret; addresses and numbers only masked. */
export type AuditDetail = Record<string, string | number | boolean | string[]>;

/** One audit event. The database refuses to change a row, and to delete it before its retention ends. */
@Entity('audit')
@Index('audit_actor', ['actorId'])
@Index('audit_subject', ['subject'])
@Index('audit_at', ['at'])
export class AuditEntity {
  /** A bigint as text. */
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column('timestamptz')
  at!: Date;

  /** Object and action, such as `account.deleted`. */
  @Column('text')
  action!: string;

  /** The account that acted; null for a job or a visitor who is not signed in. */
  @Column('uuid', { name: 'actor_id', nullable: true })
  actorId!: string | null;

  /** Id of the object. */
  @Column('text')
  subject!: string;

  @Column('jsonb')
  detail!: AuditDetail;

  /** Id of the request that caused it; null for a job. */
  @Column('text', { name: 'request_id', nullable: true })
  requestId!: string | null;
}
