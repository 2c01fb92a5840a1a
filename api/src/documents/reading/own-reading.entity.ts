import type { OwnReading } from '@nivida/contract/documents/tender-reading';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** What was read in a document; the texts of its pages are not stored. */
export type StoredReading = Pick<OwnReading, 'state' | 'pages' | 'unreadPages' | 'facts' | 'boq'>;

/** A document that a user shared into the app, and what was read in it for this user alone. */
@Entity('own_reading')
@Index('own_reading_file', ['userId', 'sha256'], { unique: true })
@Index('own_reading_tender', ['tenderId'])
@Index('own_reading_expiry', ['expiresAt'], { where: 'expires_at IS NOT NULL' })
export class OwnReadingEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'user_id' })
  userId!: string;

  /** Of the whole file, in hexadecimal digits. */
  @Column('text')
  sha256!: string;

  @Column('text')
  name!: string;

  /** Size of the stored parts. */
  @Column('integer')
  bytes!: number;

  /** Number of parts of the file. */
  @Column('smallint')
  parts!: number;

  /** Keys of the stored parts in the file store; empty when the file is read. */
  @Column('text', { name: 'file_keys', array: true })
  fileKeys!: string[];

  /** Null until the file is read. */
  @Column('jsonb', { nullable: true })
  reading!: StoredReading | null;

  /** The tender it is kept with. */
  @Column('integer', { name: 'tender_id', nullable: true })
  tenderId!: number | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  /** Null when it is kept. */
  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt!: Date | null;
}
