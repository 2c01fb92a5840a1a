import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A fact that the installation remembers, such as that it was filled with demonstration tenders. */
@Entity('setting')
export class SettingEntity {
  @PrimaryColumn('text')
  key!: string;

  @Column('jsonb')
  value!: unknown;
}
