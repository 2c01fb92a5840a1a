import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** Details of an audit row: never a name or a secret; addresses and numbers only masked. */
export type AuditDetail = Record<string, string | number | boolean | string[]>;

/** One thing that somebody did. The database refuses to change or remove a row. */
@Entity('audit')
@Index('audit_actor', ['actorId'])
@Index('audit_subject', ['subject'])
export class AuditEntity {
  /** A bigint as text. */
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column('timestamptz')
  at!: Date;

  /** Thing and deed, such as `account.deleted`. */
  @Column('text')
  action!: string;

  /** The account that acted; null when a job did, or somebody who was not signed in. */
  @Column('uuid', { name: 'actor_id', nullable: true })
  actorId!: string | null;

  /** Id of what was acted on. */
  @Column('text')
  subject!: string;

  @Column('jsonb')
  detail!: AuditDetail;

  /** Of the request that caused it; null when a job did. */
  @Column('text', { name: 'request_id', nullable: true })
  requestId!: string | null;
}
