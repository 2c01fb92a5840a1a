import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The newest file of the OCDS export of a state and an Indian year. */
@Entity('ocds_dump')
export class OcdsDumpEntity {
  @PrimaryColumn('text')
  state!: string;

  @PrimaryColumn('integer')
  year!: number;

  /** Its key in the file store. */
  @Column('text', { name: 'file_key' })
  fileKey!: string;

  /** A bigint as text. */
  @Column('bigint')
  bytes!: string;

  @Column('text')
  sha256!: string;

  @Column('integer')
  records!: number;

  @Column('timestamptz', { name: 'made_at' })
  madeAt!: Date;
}
