import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A passkey of an account: the public key of a pair whose private key its device or password manager keeps. */
@Entity('passkey')
@Index('passkey_credential', ['credentialId'], { unique: true })
@Index('passkey_account', ['userId'])
export class PasskeyEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'user_id' })
  userId!: string;

  /** base64url, chosen by the authenticator. */
  @Column('text', { name: 'credential_id' })
  credentialId!: string;

  /** COSE key. */
  @Column('bytea', { name: 'public_key' })
  publicKey!: Buffer;

  /** Signatures so far, a bigint as text; always 0 for passkeys that are synchronised between devices. */
  @Column('bigint')
  counter!: string;

  @Column('text', { array: true })
  transports!: string[];

  @Column('text', { name: 'device_type' })
  deviceType!: 'singleDevice' | 'multiDevice';

  @Column('boolean', { name: 'backed_up' })
  backedUp!: boolean;

  /** The model of the authenticator; zeros when it does not say. */
  @Column('text')
  aaguid!: string;

  /** Chosen by the user. */
  @Column('text')
  name!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt!: Date | null;
}
