import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The private address of a saved search's feeds. Only the digest of its token is stored. */
@Entity('search_feed')
@Index('search_feed_token', ['tokenSha256'], { unique: true })
export class SearchFeedEntity {
  @PrimaryColumn('uuid', { name: 'search_id' })
  searchId!: string;

  @Column('text', { name: 'token_sha256' })
  tokenSha256!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  /** The last read, at most an hour late. */
  @Column('timestamptz', { name: 'read_at', nullable: true })
  readAt!: Date | null;
}
