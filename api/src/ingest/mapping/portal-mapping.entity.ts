import type { ColumnMapping } from '@nivida/contract/desk/mapping';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A version of the mapping of a portal's tables. Versions are added and never changed. */
@Entity('portal_mapping')
export class PortalMappingEntity {
  @PrimaryColumn('text')
  portal!: string;

  @PrimaryColumn('integer')
  version!: number;

  @Column('jsonb')
  columns!: ColumnMapping;

  /** Account of the member of staff; null for a command. */
  @Column('uuid', { name: 'made_by', nullable: true })
  madeBy!: string | null;

  @Column('timestamptz')
  at!: Date;
}
