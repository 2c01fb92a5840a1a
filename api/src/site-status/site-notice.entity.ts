import type { LanguageTexts, SiteNotice } from '@nivida/contract/site/status';
import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** One line for all users, between two instants. */
@Entity('site_notice')
@Index('site_notice_end', ['endsAt'])
export class SiteNoticeEntity {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' })
  id!: number;

  @Column('jsonb')
  texts!: LanguageTexts;

  @Column('text')
  tone!: SiteNotice['tone'];

  @Column('timestamptz', { name: 'starts_at' })
  startsAt!: Date;

  /** Null: until an operator ends it. */
  @Column('timestamptz', { name: 'ends_at', nullable: true })
  endsAt!: Date | null;

  @Column('timestamptz', { name: 'published_at' })
  publishedAt!: Date;
}
