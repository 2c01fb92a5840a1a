import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One file of a segment in brotli 11. Its hash is the SHA-256 of the uncompressed bytes in hexadecimal. */
@Entity('sync_segment')
export class SyncSegmentEntity {
  @PrimaryColumn('text')
  hash!: string;

  @Column('bytea')
  body!: Buffer;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  /** When the last manifest dropped it. Devices that are still downloading may request it. */
  @Column('timestamptz', { name: 'left_at', nullable: true })
  leftAt!: Date | null;
}

/** A file of a segment as its manifest names it; `bytes` on the wire, `size` uncompressed. */
export interface StoredSegmentFile {
  hash: string;
  bytes: number;
  size: number;
}

/** One segment of a manifest. */
export interface StoredSegment {
  rows: number;
  /** The last row number of its range; null in the last segment. */
  upTo: number | null;
  list: StoredSegmentFile;
  detail: StoredSegmentFile;
}

/** The segments of a scope, complete up to the change number `cursor`. */
@Entity('sync_manifest')
export class SyncManifestEntity {
  @PrimaryColumn('text')
  scope!: string;

  @Column('text')
  epoch!: string;

  @Column('bigint')
  cursor!: string;

  @Column('jsonb')
  segments!: StoredSegment[];

  /** When each portal was last compared, by portal, as of the cursor. */
  @Column('jsonb')
  checked!: Record<string, string>;

  @Column('timestamptz', { name: 'built_at' })
  builtAt!: Date;
}
