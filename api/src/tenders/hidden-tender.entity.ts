import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The publishing date of hidden tenders: no clock reaches it, so they are drafts in every list, search, pack and alert. */
export const HIDDEN_UNTIL = new Date('9999-12-31T00:00:00Z');

/** Whether a stored tender is hidden. */
export const isHidden = ({ publishedAt }: { publishedAt: Date }): boolean =>
  publishedAt.getTime() === HIDDEN_UNTIL.getTime();

/** A tender that an operator has hidden. */
@Entity('hidden_tender')
export class HiddenTenderEntity {
  @PrimaryColumn('integer', { name: 'tender_id' })
  tenderId!: number;

  /** The source's own publishing date, never moved by a rebase. */
  @Column('timestamptz', { name: 'published_at' })
  publishedAt!: Date;

  /** Whether devices may have it. */
  @Column('boolean', { name: 'was_public' })
  wasPublic!: boolean;

  @Column('text')
  reason!: string;

  /** The member of staff; null for a command. */
  @Column('uuid', { name: 'hidden_by', nullable: true })
  hiddenBy!: string | null;

  @Column('timestamptz', { name: 'hidden_at' })
  hiddenAt!: Date;
}
