import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { IngestCounts } from '../ingest-run.ts';

/** How a feed of FEEDS fared. */
@Entity('feed')
export class FeedEntity {
  /** Of the portal. */
  @PrimaryColumn('text')
  name!: string;

  /** Address or folder. */
  @Column('text')
  source!: string;

  @Column('timestamptz', { name: 'tried_at' })
  triedAt!: Date;

  /** Also when it had nothing new. */
  @Column('timestamptz', { name: 'succeeded_at', nullable: true })
  succeededAt!: Date | null;

  /** Of the last try; null when it succeeded. */
  @Column('text', { nullable: true })
  error!: string | null;

  /** Of the last import that read something. */
  @Column('jsonb', { nullable: true })
  counts!: IngestCounts | null;

  /** The last try found a file that waits for the operator. */
  @Column('boolean', { name: 'held_back', default: false })
  heldBack!: boolean;

  /** `etag` and `last-modified` of an address; time and size of each file of a folder, by its name. */
  @Column('jsonb')
  seen!: Record<string, string>;
}
