import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A code that takes the place of a passkey once, at a sign-in with a second factor. */
@Entity('recovery_code')
export class RecoveryCodeEntity {
  @PrimaryColumn('uuid', { name: 'user_id' })
  userId!: string;

  /** 0 to 9. The code begins with it. */
  @PrimaryColumn('smallint')
  number!: number;

  /** argon2id with its parameters. */
  @Column('text', { name: 'code_hash' })
  codeHash!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'used_at', nullable: true })
  usedAt!: Date | null;
}
