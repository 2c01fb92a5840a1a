import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Acts that need a second member of staff. */
export type ProposedAct = 'order.refund' | 'account.erase';

/** An act that waits for a second member of staff, or what came of it. */
@Entity('act_proposal')
@Index('act_proposal_open', ['act', 'subject'], { unique: true, where: 'decided_at IS NULL' })
export class ActProposalEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  act!: ProposedAct;

  /** Id of the object of the act. */
  @Column('text')
  subject!: string;

  @Column('text')
  reason!: string;

  @Column('uuid', { name: 'proposed_by' })
  proposedBy!: string;

  @Column('timestamptz', { name: 'proposed_at' })
  proposedAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  @Column('uuid', { name: 'decided_by', nullable: true })
  decidedBy!: string | null;

  @Column('timestamptz', { name: 'decided_at', nullable: true })
  decidedAt!: Date | null;

  @Column('text', { nullable: true })
  decision!: 'confirmed' | 'refused' | 'withdrawn' | null;
}
