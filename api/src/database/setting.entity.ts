import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A stored fact of the installation, such as that the demonstration tenders were imported. */
@Entity('setting')
export class SettingEntity {
  @PrimaryColumn('text')
  key!: string;

  @Column('jsonb')
  value!: unknown;
}
