import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A key with which a program or the bookmarklet sends files. Only its digest is stored. */
@Entity('import_key')
@Index('import_key_digest', ['keySha256'], { unique: true })
// A partial index, which TypeORM cannot describe.
@Index('import_key_name', { synchronize: false })
export class ImportKeyEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  @Column('text', { name: 'key_sha256' })
  keySha256!: string;

  /** The only portal for which it sends files; null: any. */
  @Column('text', { nullable: true })
  portal!: string | null;

  /** Whether it sends copied lists only. */
  @Column('boolean', { name: 'lists_only' })
  listsOnly!: boolean;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('text', { name: 'created_by' })
  createdBy!: string;

  /** Its last use, at most a minute late. */
  @Column('timestamptz', { name: 'used_at', nullable: true })
  usedAt!: Date | null;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;
}
