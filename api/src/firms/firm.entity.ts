import type { FirmRole } from '@nivida/contract/firms/firms';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A firm that several accounts share. Its records have its id as their owner. */
@Entity('firm')
export class FirmEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  /** For invoices; '' when none was given. */
  @Column('text')
  address!: string;

  @Column('text')
  gstin!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}

/** A present member, or one who has left and keeps only the name on comments. */
@Entity('firm_member')
@Index('firm_member_account', ['userId'], { where: 'left_at IS NULL' })
export class FirmMemberEntity {
  @PrimaryColumn('uuid', { name: 'firm_id' })
  firmId!: string;

  @PrimaryColumn('uuid', { name: 'user_id' })
  userId!: string;

  @Column('text')
  role!: FirmRole;

  @Column('timestamptz', { name: 'joined_at' })
  joinedAt!: Date;

  @Column('timestamptz', { name: 'left_at', nullable: true })
  leftAt!: Date | null;
}

/** An open invitation to a firm. */
@Entity('firm_invitation')
@Index('firm_invitation_token', ['tokenHash'], { unique: true })
@Index('firm_invitation_address', ['firmId', 'email'], { unique: true })
@Index('firm_invitation_inviter', ['invitedBy'])
@Index('firm_invitation_expiry', ['expiresAt'])
export class FirmInvitationEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'firm_id' })
  firmId!: string;

  /** In lower case. */
  @Column('text')
  email!: string;

  @Column('text')
  role!: FirmRole;

  /** SHA-256 of the token in the mailed link. */
  @Column('text', { name: 'token_hash' })
  tokenHash!: string;

  @Column('uuid', { name: 'invited_by' })
  invitedBy!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;
}
