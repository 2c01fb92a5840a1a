import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A tender that a user keeps. */
@Entity('bookmark')
@Index('bookmark_tender', ['tenderId'])
export class BookmarkEntity {
  @PrimaryColumn('uuid', { name: 'user_id' })
  userId!: string;

  @PrimaryColumn('integer', { name: 'tender_id' })
  tenderId!: number;

  /** Rises with every new bookmark; those of one sync share their instant, this keeps their order. */
  @Column('bigint', { name: 'bookmark_no' })
  bookmarkNo!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}
