import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A bookmarked tender of a user. */
@Entity('bookmark')
@Index('bookmark_tender', ['tenderId'])
export class BookmarkEntity {
  @PrimaryColumn('uuid', { name: 'user_id' })
  userId!: string;

  @PrimaryColumn('integer', { name: 'tender_id' })
  tenderId!: number;

  /** Orders bookmarks, because bookmarks of one sync have the same instant. */
  @Column('bigint', { name: 'bookmark_no' })
  bookmarkNo!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}
