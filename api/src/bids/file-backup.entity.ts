import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A row while the backup of a user's files is switched on, with the key that seals them. */
@Entity('file_backup')
export class FileBackupEntity {
  @PrimaryColumn('uuid', { name: 'owner_id' })
  ownerId!: string;

  @Column('bytea')
  key!: Buffer;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}

/** A part of a file. Its sealed content is one file of the file store. */
@Entity('backup_file')
@Index('backup_file_part', ['ownerId', 'hash', 'part'], { unique: true, where: 'NOT is_dropped' })
export class BackupFileEntity {
  @PrimaryColumn('text', { name: 'file_key' })
  fileKey!: string;

  /** Null when the account was erased. */
  @Column('uuid', { name: 'owner_id', nullable: true })
  ownerId!: string | null;

  /** SHA-256 of the whole content, in hexadecimal digits. */
  @Column('text')
  hash!: string;

  @Column('smallint')
  part!: number;

  /** How many parts the file has. */
  @Column('smallint')
  parts!: number;

  /** Size of the part's content in bytes. */
  @Column('integer')
  bytes!: number;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  /** No document needs it any more; a job removes the file. */
  @Column('boolean', { name: 'is_dropped', default: false })
  isDropped!: boolean;
}
