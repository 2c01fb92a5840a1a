import type { SavedSearch } from '@nivida/contract/search/saved-search';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A search that a user saved. */
@Entity('saved_search')
@Index('saved_search_account', ['userId', 'searchNo'])
export class SavedSearchEntity {
  /** Made by the device. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'user_id' })
  userId!: string;

  /** Grows with each saved search: the newest has the largest. */
  @Column({
    type: 'bigint',
    name: 'search_no',
    insert: false,
    update: false,
    default: () => "nextval('saved_search_no')",
  })
  searchNo!: string;

  @Column('text')
  name!: string;

  @Column('jsonb')
  filter!: SavedSearch['filter'];

  /** Tenders with a larger id are its new hits. */
  @Column('integer', { name: 'opened_up_to' })
  openedUpTo!: number;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}
