/** A notice as a row of the tender table: shifted dates, derived places, index terms and the digest of its content. */
import { createHash } from 'node:crypto';
import { departmentName, departmentOf, type Region, regionOf } from '@nivida/contract/regions';
import { type SearchedTender, tenderTerms } from '@nivida/contract/search';
import type { Notice } from './notice.ts';
import { findDistrict, type PincodeTable } from './places.ts';

const DAY_MS = 86_400_000;

/** Column values in the table's names, ready for json_populate_recordset. */
export interface StoredRow {
  portal: string;
  source_id: string;
  content_hash: string;
  shift_days: number;
  published_at: Date;
  words: string;
  [column: string]: unknown;
}

/** A stored row, the words that it adds to the vocabulary, and the corrigenda that its source names. */
export interface PreparedRow {
  row: StoredRow;
  words: string[];
  corrigenda: Notice['corrigenda'];
  publishedIsConcluded: boolean;
}

/** Shifts a date by whole days; India has no daylight saving, so the hour stays. */
export function shiftDate<Shifted extends Date | null>(date: Shifted, days: number): Shifted {
  return (date && new Date(date.getTime() + days * DAY_MS)) as Shifted;
}

/** Digest of what the source says, with its own dates: the same digest means that nothing changed. */
export function contentHash(notice: Notice): string {
  return createHash('sha1').update(JSON.stringify(notice)).digest('base64url');
}

/** The dates of a row, moved by whole days, in the table's names. */
export function shiftedDates(notice: Notice, shiftDays: number) {
  return {
    published_at: shiftDate(notice.publishedAt, shiftDays),
    bid_start_at: shiftDate(notice.bidStartAt, shiftDays),
    closes_at: shiftDate(notice.closesAt, shiftDays),
    opens_at: shiftDate(notice.opensAt, shiftDays),
    pre_bid_at: shiftDate(notice.preBidAt, shiftDays),
    shift_days: shiftDays,
  };
}

/** Derives everything that is stored of a notice beside the notice itself. */
export function prepareRow(notice: Notice, hash: string, shiftDays: number, pincodes: PincodeTable): PreparedRow {
  const region = regionOf(notice.state);
  if (!region) throw new Error(`${notice.state} is no state`);
  const department = departmentFor(region, notice.organisationChain);
  const found = findDistrict(region, notice, pincodes);
  const words = tenderTerms(toSearched(notice, found.district, department));
  return {
    words,
    corrigenda: notice.corrigenda,
    publishedIsConcluded: notice.publishedIsConcluded ?? false,
    row: {
      portal: notice.portal,
      source_id: notice.sourceId,
      state: notice.state,
      district: found.district,
      district_confidence: found.confidence,
      department,
      title: notice.title,
      description: notice.description,
      reference: notice.reference,
      nit_key: notice.nitKey,
      organisation_chain: notice.organisationChain,
      address: notice.address,
      place: notice.place,
      pincode: notice.pincode,
      category: notice.category,
      sub_category: notice.subCategory,
      tender_type: notice.tenderType,
      form_of_contract: notice.formOfContract,
      price: notice.price,
      price_text: notice.priceText,
      emd: notice.emd,
      emd_percent: notice.emdPercent,
      emd_exemption_allowed: notice.emdExemptionAllowed,
      tender_fee: notice.tenderFee,
      covers: notice.covers,
      period_of_work_days: notice.periodOfWorkDays,
      bid_validity_days: notice.bidValidityDays,
      contact_designation: notice.contactDesignation,
      bid_opening_place: notice.bidOpeningPlace,
      pre_bid_place: notice.preBidPlace,
      ...shiftedDates(notice, shiftDays),
      closing_time_known: notice.closingTimeKnown,
      documents: notice.documents,
      stage: notice.stage,
      words: toTsvector(words),
      content_hash: hash,
    },
  };
}

const departments = new WeakMap<Region, Map<string, string | null>>();
/** Beyond this many chains of a state they are looked up anew. */
const MAX_CHAINS = 10_000;

/** The listed department of the first organisation of the chain that is one, else the first organisation itself. */
export function departmentFor(region: Region, chain: readonly string[]): string | null {
  const known = departments.get(region) ?? new Map<string, string | null>();
  departments.set(region, known);
  const key = chain.join('\n');
  let department = known.get(key);
  if (department === undefined) {
    if (known.size >= MAX_CHAINS) known.clear();
    const listed = chain.map((organisation) => departmentOf(region, organisation)).find((each) => each !== undefined);
    department = listed?.name ?? departmentName(region, chain[0] ?? '');
    known.set(key, department);
  }
  return department;
}

/** The searched fields of the contract, of a notice and of what was derived from it. */
export function toSearched(
  notice: Pick<Notice, 'title' | 'description' | 'sourceId' | 'reference' | 'organisationChain' | 'place'>,
  district: string | null,
  department: string | null,
): SearchedTender {
  return {
    title: notice.title,
    description: notice.description,
    source_tender_id: notice.sourceId,
    reference_number: notice.reference,
    organisation_chain: notice.organisationChain,
    district,
    department,
    place: notice.place,
  };
}

/** Terms hold neither quotes nor backslashes, so quoting them is all that a tsvector literal needs. */
export function toTsvector(words: string[]): string {
  return words.map((word) => `'${word}'`).join(' ');
}
