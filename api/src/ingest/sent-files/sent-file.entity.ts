import type { ColumnMapping, MappingPreview } from '@nivida/contract/desk/mapping';
import type { Acceptance, RejectedRow, SENT_STATUSES, SentFile } from '@nivida/contract/ingest/sent-files';
import type { TenderSummary } from '@nivida/contract/tenders/tender';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { IngestCounts } from '../ingest-run.ts';

/** A file that was sent for import. */
@Entity('sent_file')
@Index('sent_file_portal', { synchronize: false })
@Index('sent_file_sent', ['sentAt'])
export class SentFileEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  /** Parts of the file in the file store; empty when they are removed. */
  @Column('text', { name: 'file_keys', array: true })
  fileKeys!: string[];

  /** A bigint as text. */
  @Column('bigint')
  bytes!: string;

  /** Null for a file that came in several parts. */
  @Column('text', { nullable: true })
  sha256!: string | null;

  @Column('uuid', { name: 'key_id', nullable: true })
  keyId!: string | null;

  /** The member of staff who sent it. */
  @Column('uuid', { name: 'actor_id', nullable: true })
  actorId!: string | null;

  @Column('text', { nullable: true })
  portal!: string | null;

  @Column('text', { nullable: true })
  state!: string | null;

  @Column('text')
  format!: string;

  @Column('text')
  status!: (typeof SENT_STATUSES)[number];

  @Column('boolean', { name: 'is_dry_run' })
  isDryRun!: boolean;

  @Column('text', { array: true })
  accepts!: Acceptance[];

  @Column('integer', { name: 'read_rows', nullable: true })
  readRows!: number | null;

  @Column('integer', { name: 'all_rows', nullable: true })
  allRows!: number | null;

  @Column('jsonb', { nullable: true })
  counts!: IngestCounts | null;

  @Column('jsonb', { nullable: true })
  problem!: SentFile['problem'];

  /** The first rejected rows. */
  @Column('jsonb', { nullable: true })
  rejects!: RejectedRow[] | null;

  /** The complete report in the file store. */
  @Column('text', { name: 'rejects_key', nullable: true })
  rejectsKey!: string | null;

  /** The first tenders of a dry run. */
  @Column('jsonb', { nullable: true })
  tenders!: TenderSummary[] | null;

  /** A mapping that is not saved, for a dry run. */
  @Column('jsonb', { nullable: true })
  mapping!: ColumnMapping | null;

  /** Reasons of rejected rows. */
  @Column('jsonb', { nullable: true })
  rejections!: MappingPreview['rejections'] | null;

  /** Sentences of the import in English. */
  @Column('jsonb', { nullable: true })
  notes!: string[] | null;

  @Column('timestamptz', { name: 'sent_at' })
  sentAt!: Date;

  @Column('timestamptz', { name: 'ended_at', nullable: true })
  endedAt!: Date | null;
}
