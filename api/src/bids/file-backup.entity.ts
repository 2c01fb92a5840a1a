import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The switched-on backup of a user's files, with the key that seals them. */
@Entity('file_backup')
export class FileBackupEntity {
  @PrimaryColumn('uuid', { name: 'user_id' })
  userId!: string;

  @Column('bytea')
  key!: Buffer;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}

/** A sealed file in the file store. */
@Entity('backup_file')
@Index('backup_file_hash', ['userId', 'hash'], { unique: true, where: 'NOT is_dropped' })
export class BackupFileEntity {
  @PrimaryColumn('text', { name: 'file_key' })
  fileKey!: string;

  /** Null: of an erased account. */
  @Column('uuid', { name: 'user_id', nullable: true })
  userId!: string | null;

  /** SHA-256 of the content, in hexadecimal digits. */
  @Column('text')
  hash!: string;

  /** Of the content. */
  @Column('integer')
  bytes!: number;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  /** A job removes the file. */
  @Column('boolean', { name: 'is_dropped', default: false })
  isDropped!: boolean;
}
