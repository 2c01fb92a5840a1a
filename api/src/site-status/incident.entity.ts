import type { LanguageTexts } from '@nivida/contract/site/status';
import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A disturbance that users may notice. */
@Entity('incident')
@Index('incident_started', ['startedAt'])
export class IncidentEntity {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' })
  id!: number;

  @Column('timestamptz', { name: 'started_at' })
  startedAt!: Date;

  /** Null while it lasts. */
  @Column('timestamptz', { name: 'ended_at', nullable: true })
  endedAt!: Date | null;
}

/** What was said of an incident at an instant. */
@Entity('incident_update')
@Index('incident_update_incident', ['incidentId', 'id'])
export class IncidentUpdateEntity {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' })
  id!: number;

  @Column('integer', { name: 'incident_id' })
  incidentId!: number;

  @Column('jsonb')
  texts!: LanguageTexts;

  @Column('timestamptz')
  at!: Date;
}
