import type { HeldFile } from '@nivida/contract/desk/data-in';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { IngestCounts } from '../ingest-run.ts';

/** State of a feed of FEEDS. */
@Entity('feed')
export class FeedEntity {
  /** Name of the portal; of its feed of awards `portal:awards`. */
  @PrimaryColumn('text')
  name!: string;

  /** Address or folder. */
  @Column('text')
  source!: string;

  @Column('timestamptz', { name: 'tried_at' })
  triedAt!: Date;

  /** Time of the last success. Finding nothing new is a success. */
  @Column('timestamptz', { name: 'succeeded_at', nullable: true })
  succeededAt!: Date | null;

  /** Error of the last attempt; null when it succeeded. */
  @Column('text', { nullable: true })
  error!: string | null;

  /** Counts of the last import that read rows. */
  @Column('jsonb', { nullable: true })
  counts!: IngestCounts | null;

  /** Files that wait for the operator. */
  @Column('jsonb', { name: 'held_files', default: [] })
  heldFiles!: HeldFile[];

  /** A paused feed is read only when an operator asks for it. */
  @Column('timestamptz', { name: 'paused_at', nullable: true })
  pausedAt!: Date | null;

  @Column('text', { name: 'paused_reason', nullable: true })
  pausedReason!: string | null;

  /** `etag` and `last-modified` of an address; time and size of each file of a folder, by its name. */
  @Column('jsonb')
  seen!: Record<string, string>;
}
