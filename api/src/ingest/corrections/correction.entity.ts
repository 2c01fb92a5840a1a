import type { CorrectableField } from '@nivida/contract/desk/tenders';
import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** Why a correction ended: the source states another value, an operator ended it, or another correction follows it. */
export type CorrectionEnd = 'source' | 'operator' | 'replaced';

/** A field that an operator has corrected. Values are texts as in `CORRECTED_FIELDS`; null is an empty value. */
@Entity('tender_correction')
@Index('tender_correction_active', { synchronize: false })
@Index('tender_correction_tender', ['tenderId', 'id'])
@Index('tender_correction_ended', { synchronize: false })
export class CorrectionEntity {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' })
  id!: number;

  @Column('integer', { name: 'tender_id' })
  tenderId!: number;

  @Column('text')
  field!: CorrectableField;

  @Column('text', { nullable: true })
  value!: string | null;

  /** What is shown without the correction. The correction holds until the source states another value. */
  @Column('text', { name: 'source_value_when_made', nullable: true })
  sourceValue!: string | null;

  @Column('text')
  reason!: string;

  /** The member of staff; null for a command. */
  @Column('uuid', { nullable: true })
  actor!: string | null;

  @Column('timestamptz')
  at!: Date;

  @Column('timestamptz', { name: 'ended_at', nullable: true })
  endedAt!: Date | null;

  @Column('text', { name: 'ended_because', nullable: true })
  endedBecause!: CorrectionEnd | null;
}
