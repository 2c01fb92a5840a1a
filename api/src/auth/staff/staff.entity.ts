import type { StaffRole } from '@nivida/contract/desk/act';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A member of the staff, who may use the desk. Rows change by command only. */
@Entity('staff')
export class StaffEntity {
  @PrimaryColumn('uuid', { name: 'user_id' })
  userId!: string;

  @Column('text')
  role!: StaffRole;

  @Column('timestamptz', { name: 'granted_at' })
  grantedAt!: Date;

  /** Name of the operator's login on the server. */
  @Column('text', { name: 'granted_by' })
  grantedBy!: string;
}
