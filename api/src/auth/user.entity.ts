import { randomUUID } from 'node:crypto';
import type { Language } from '@nivida/contract/languages';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An account: a company and the person who signs in. The table is `account`, because `user` is reserved in SQL. */
@Entity('account')
@Index('account_mobile', ['mobileNo'], { unique: true })
// TypeORM cannot express indexes on lower(…).
@Index('account_email', { synchronize: false })
@Index('account_name', { synchronize: false })
@Index('account_firm', { synchronize: false })
@Index('account_closing', ['deletedAt'], { where: "deleted_at IS NOT NULL AND mobile_no NOT LIKE 'erased-%'" })
export class UserEntity {
  /** A random UUID. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  username!: string;

  @Column('text')
  email!: string;

  /** With +91; the user signs in with it. */
  @Column('text', { name: 'mobile_no' })
  mobileNo!: string;

  /** argon2id with its parameters; null without a password. */
  @Column('text', { name: 'password_hash', nullable: true, select: false })
  passwordHash!: string | null;

  @Column('text', { name: 'company_name' })
  companyName!: string;

  @Column('text', { name: 'company_type' })
  companyType!: 'private' | 'public' | 'partnership' | 'proprietorship';

  @Column('text')
  state!: string;

  @Column('text', { array: true })
  districts!: string[];

  @Column('text', { array: true })
  departments!: string[];

  /** '' when none was given. */
  @Column('text', { default: '' })
  address!: string;

  /** The GSTIN for tax invoices, from the newest order that had one; '' without one. */
  @Column('text', { default: '' })
  gstin!: string;

  @Column('text', { name: 'billing_firm', default: '' })
  billingFirm!: string;

  @Column('text', { name: 'billing_address', default: '' })
  billingAddress!: string;

  /** The language of mails: that of the registration, then the one chosen last in the app. */
  @Column('text', { default: 'en' })
  language!: Language;

  /** Rupees. */
  @Column('numeric', { name: 'min_price', precision: 16, scale: 2, default: 0 })
  minPrice!: string;

  /** Rupees; null for no limit. */
  @Column('numeric', { name: 'max_price', precision: 16, scale: 2, nullable: true })
  maxPrice!: string | null;

  /** A sign-in by password or Google needs a passkey or a recovery code too. */
  @Column('boolean', { name: 'second_factor', default: false })
  secondFactor!: boolean;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  /** Set when the owner deletes the account; it has no sessions from then on. */
  @Column('timestamptz', { name: 'deleted_at', nullable: true })
  deletedAt!: Date | null;
}

type EnteredFields =
  | 'username'
  | 'email'
  | 'mobileNo'
  | 'passwordHash'
  | 'companyName'
  | 'companyType'
  | 'state'
  | 'createdAt';

/** The row of a new account. What is not given is empty. */
export const newAccountRow = (fields: Pick<UserEntity, EnteredFields> & Partial<UserEntity>): UserEntity => ({
  id: randomUUID(),
  districts: [],
  departments: [],
  address: '',
  gstin: '',
  billingFirm: '',
  billingAddress: '',
  language: 'en',
  minPrice: '0.00',
  maxPrice: null,
  secondFactor: false,
  deletedAt: null,
  ...fields,
});
