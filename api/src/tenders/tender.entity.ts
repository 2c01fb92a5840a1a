import type { TenderStage } from '@nivida/contract/tenders/status';
import { Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** One document that the notice lists: its cover, its file type without the dot, its name. */
export interface ListedDocument {
  cover: string;
  type: string;
  name: string;
}

/**
 * One tender as last seen at its source. Money is rupees with two decimals as text, instants are UTC.
 * `nitKey` groups the works of one NIT; `changeNo` is null while the tender is a draft.
 */
@Entity('tender')
@Index('tender_source', ['portal', 'sourceId'], { unique: true })
@Index('tender_source_id', ['sourceId'])
@Index('tender_closing', ['closesAt'])
@Index('tender_change', ['changeNo', 'state'])
// Included columns, partial and GIN indexes exist in the migration only; TypeORM cannot describe them.
@Index('tender_place', { synchronize: false })
@Index('tender_second_district', { synchronize: false })
@Index('tender_state_closing', { synchronize: false })
@Index('tender_nit', { synchronize: false })
@Index('tender_draft', { synchronize: false })
@Index('tender_words', { synchronize: false })
@Index('tender_bare_id', { synchronize: false })
export class TenderEntity {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' })
  id!: number;

  @Column('text')
  portal!: string;

  @Column('text', { name: 'source_id' })
  sourceId!: string;

  @Column('text')
  state!: string;

  @Column('text', { nullable: true })
  district!: string | null;

  /** Another district of the work. */
  @Column('text', { name: 'second_district', nullable: true })
  secondDistrict!: string | null;

  @Column('real', { name: 'district_confidence', nullable: true })
  districtConfidence!: number | null;

  @Column('text', { nullable: true })
  department!: string | null;

  @Column('text')
  title!: string;

  @Column('text')
  description!: string;

  @Column('text', { nullable: true })
  reference!: string | null;

  @Column('text', { name: 'nit_key', nullable: true })
  nitKey!: string | null;

  @Column('jsonb', { name: 'organisation_chain' })
  organisationChain!: string[];

  @Column('text', { nullable: true })
  address!: string | null;

  @Column('text', { nullable: true })
  place!: string | null;

  @Column('text', { nullable: true })
  pincode!: string | null;

  @Column('text', { nullable: true })
  category!: string | null;

  @Column('text', { name: 'sub_category', nullable: true })
  subCategory!: string | null;

  @Column('text', { name: 'tender_type', nullable: true })
  tenderType!: string | null;

  @Column('text', { name: 'form_of_contract', nullable: true })
  formOfContract!: string | null;

  @Column('numeric', { precision: 16, scale: 2, nullable: true })
  price!: string | null;

  @Column('text', { name: 'price_text', nullable: true })
  priceText!: string | null;

  @Column('numeric', { precision: 16, scale: 2, nullable: true })
  emd!: string | null;

  @Column('numeric', { name: 'emd_percent', precision: 6, scale: 2, nullable: true })
  emdPercent!: string | null;

  @Column('boolean', { name: 'emd_exemption_allowed', nullable: true })
  emdExemptionAllowed!: boolean | null;

  @Column('numeric', { name: 'tender_fee', precision: 16, scale: 2, nullable: true })
  tenderFee!: string | null;

  @Column('integer', { nullable: true })
  covers!: number | null;

  @Column('integer', { name: 'period_of_work_days', nullable: true })
  periodOfWorkDays!: number | null;

  @Column('integer', { name: 'bid_validity_days', nullable: true })
  bidValidityDays!: number | null;

  @Column('text', { name: 'contact_designation', nullable: true })
  contactDesignation!: string | null;

  @Column('text', { name: 'bid_opening_place', nullable: true })
  bidOpeningPlace!: string | null;

  @Column('text', { name: 'pre_bid_place', nullable: true })
  preBidPlace!: string | null;

  @Column('timestamptz', { name: 'published_at' })
  publishedAt!: Date;

  @Column('timestamptz', { name: 'bid_start_at', nullable: true })
  bidStartAt!: Date | null;

  @Column('timestamptz', { name: 'closes_at' })
  closesAt!: Date;

  /** True some time after the closing. A tender that is not archived may be closed too. */
  @Column('boolean', { default: false })
  archived!: boolean;

  @Column('boolean', { name: 'closing_time_known' })
  closingTimeKnown!: boolean;

  @Column('timestamptz', { name: 'opens_at', nullable: true })
  opensAt!: Date | null;

  @Column('timestamptz', { name: 'pre_bid_at', nullable: true })
  preBidAt!: Date | null;

  @Column('jsonb')
  documents!: ListedDocument[];

  @Column('text')
  stage!: TenderStage;

  @Column('text', { name: 'last_corrigendum', nullable: true })
  lastCorrigendum!: 'date' | 'other' | null;

  /** Index terms of the searched fields; written by the ingest, never read as text. */
  @Column('tsvector', { select: false })
  words!: string;

  @Column('text')
  origin!: 'portal' | 'rebased' | 'generated';

  @Column('integer', { name: 'shift_days' })
  shiftDays!: number;

  /** What the package contains for this tender; null while its NIT is missing, and for demonstration tenders. */
  @Column('text', { name: 'package_kind', nullable: true })
  packageKind!: 'nit' | 'nit-boq' | null;

  /** Published works of the notice whose NIT is in the package. */
  @Column('integer', { name: 'package_works', nullable: true })
  packageWorks!: number | null;

  /** Known from a list alone, whose source does not have all fields: an empty field is not in the list. */
  @Column('boolean', { name: 'is_listed', default: false })
  isListed!: boolean;

  /** Digest of the source's unshifted content: equal means that nothing changed. */
  @Column('text', { name: 'content_hash' })
  contentHash!: string;

  @Column('integer', { default: 1 })
  version!: number;

  @Column('bigint', { name: 'change_no', nullable: true })
  changeNo!: string | null;

  /** When this version was first read. `tender_seen` has the time when it was last read unchanged. */
  @Column('timestamptz', { name: 'fetched_at' })
  fetchedAt!: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;
}

/** The contract's `isOpenForBids` in SQL, for the tender `t` at the instant `now`. */
export const openForBidsCondition = (t: string, now: string): string =>
  `(${t}.closes_at > ${now} AND ${t}.stage NOT IN ('cancelled', 'retendered'))`;

/** One change of one field, as stored in the history; dates are ISO 8601 UTC. */
export interface FieldChange {
  field: string;
  old: unknown;
  new: unknown;
}

/** One numbered change of a tender. Numbers rise in the order in which changes became visible. */
@Entity('tender_history')
@Index('tender_history_tender', ['tenderId', 'changeNo'])
@Index('tender_history_removed', { synchronize: false })
@Index('tender_history_changed', { synchronize: false })
export class TenderHistoryEntity {
  @PrimaryColumn('bigint', { name: 'change_no' })
  changeNo!: string;

  @Column('integer', { name: 'tender_id' })
  tenderId!: number;

  @Column('text')
  state!: string;

  @Column('integer')
  version!: number;

  @Column('text')
  kind!: 'published' | 'changed' | 'removed';

  @Column('jsonb')
  changes!: FieldChange[];

  @Column('timestamptz')
  at!: Date;
}

/** A corrigendum; `changes` is empty when the portal named it without its values. */
@Entity('corrigendum')
@Index('corrigendum_tender', ['tenderId', 'id'])
export class CorrigendumEntity {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' })
  id!: number;

  @Column('integer', { name: 'tender_id' })
  tenderId!: number;

  @Column('text')
  title!: string;

  @Column('text', { nullable: true })
  type!: string | null;

  @Column('jsonb')
  changes!: FieldChange[];

  @Column('timestamptz', { name: 'noticed_at' })
  noticedAt!: Date;
}
