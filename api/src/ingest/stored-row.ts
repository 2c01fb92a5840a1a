/** Converts a source tender to a row of the tender table: shifted dates, derived places, index terms and a digest. */

import { hash } from 'node:crypto';
import { findDepartmentOfChain, findRegion, type Region } from '@nivida/contract/regions/regions';
import { indexTerms, type SearchedTender } from '@nivida/contract/search/index-terms';
import { TENDER_FIELD_LIST } from '@nivida/contract/tenders/tender-fields';
import { DAY_MS } from '@nivida/contract/time';
import { deriveDistrict, type PincodeTable } from './places/places.ts';
import type { SourceCells, SourceTender } from './source-tender.ts';

/** Values by column name, for json_populate_recordset. */
export interface StoredRow {
  portal: string;
  source_id: string;
  content_hash: string;
  shift_days: number;
  published_at: Date;
  closes_at: Date;
  words: string;
  [column: string]: unknown;
}

/** A stored row, and the corrigenda that its source names. */
export interface PreparedRow {
  row: StoredRow;
  corrigenda: SourceTender['corrigenda'];
  isPublishedInferred: boolean;
  isStageUnstated: boolean;
  cells?: SourceCells | undefined;
}

/** Shifts a date by whole days. India has no daylight saving time, so the hour stays. */
export function shiftDate<Shifted extends Date | null>(date: Shifted, days: number): Shifted {
  return (date && new Date(date.getTime() + days * DAY_MS)) as Shifted;
}

/** Digest of the source tender with the source's own dates: an equal digest means no change. */
export function contentHash(tender: SourceTender): string {
  return hash('sha1', JSON.stringify(tender), 'base64url');
}

/** The dates of a row, moved by whole days, by column name. */
export function shiftedDates(tender: SourceTender, shiftDays: number) {
  return {
    published_at: shiftDate(tender.publishedAt, shiftDays),
    bid_start_at: shiftDate(tender.bidStartAt, shiftDays),
    closes_at: shiftDate(tender.closesAt, shiftDays),
    opens_at: shiftDate(tender.opensAt, shiftDays),
    pre_bid_at: shiftDate(tender.preBidAt, shiftDays),
    shift_days: shiftDays,
  };
}

/** Adds the derived columns to a source tender. */
export function prepareRow(tender: SourceTender, hash: string, shiftDays: number, pincodes: PincodeTable): PreparedRow {
  const region = findRegion(tender.state);
  if (!region) throw new Error(`unknown state ${tender.state}`);
  const department = departmentOf(region, tender.organisationChain);
  const found = deriveDistrict(region, tender, pincodes);
  const row: StoredRow = {
    portal: tender.portal,
    source_id: tender.sourceId,
    state: tender.state,
    district: found.district,
    second_district: found.secondDistrict ?? null,
    district_confidence: found.confidence,
    department,
    title: tender.title,
    description: tender.description,
    reference: tender.reference,
    nit_key: tender.nitKey,
    organisation_chain: tender.organisationChain,
    category: tender.category,
    price: tender.price,
    price_text: tender.priceText,
    emd: tender.emd,
    ...shiftedDates(tender, shiftDays),
    closing_time_known: tender.closingTimeKnown,
    documents: tender.documents,
    stage: tender.stage,
    words: toTsvector(toSearchedTender(tender, found, department)),
    content_hash: hash,
    is_listed: tender.isListed ?? false,
  };
  for (const { key, name } of TENDER_FIELD_LIST) row[name] = tender[key] ?? null;
  return {
    row,
    corrigenda: tender.corrigenda,
    isPublishedInferred: tender.isPublishedInferred ?? false,
    isStageUnstated: tender.isStageUnstated ?? false,
  };
}

/** The listed department of each organisation chain; null for an unlisted one. */
const departments = new WeakMap<Region, Map<string, string | null>>();
/** Maximum number of cached chains of a state. */
const MAX_CHAINS = 10_000;

/** The listed department of the chain, else the first organisation itself. */
export const departmentOf = (region: Region, chain: readonly string[]): string | null =>
  findListedDepartment(region, chain) ?? (chain[0]?.trim() || null);

/** The listed department of the chain; null when none is known. */
export function findListedDepartment(region: Region, chain: readonly string[]): string | null {
  const known = departments.get(region) ?? new Map<string, string | null>();
  departments.set(region, known);
  const key = chain.join('||');
  let name = known.get(key);
  if (name === undefined) {
    if (known.size >= MAX_CHAINS) known.clear();
    name = findDepartmentOfChain(region, chain)?.name ?? null;
    known.set(key, name);
  }
  return name;
}

/** The searched fields of the contract, from a source tender and its derived values. */
export function toSearchedTender(
  tender: Pick<
    SourceTender,
    'title' | 'description' | 'sourceId' | 'reference' | 'organisationChain' | 'place' | 'pincode'
  >,
  { district, secondDistrict = null }: { district: string | null; secondDistrict?: string | null },
  department: string | null,
): SearchedTender {
  return {
    title: tender.title,
    description: tender.description,
    source_tender_id: tender.sourceId,
    reference_number: tender.reference,
    organisation_chain: tender.organisationChain,
    district,
    second_district: secondDistrict,
    department,
    place: tender.place,
    pincode: tender.pincode,
  };
}

/**
 * The index terms of a tender as a tsvector. Each term has one position. Its weight is the class of the best field that
 * has it. Terms contain no quotes and no backslashes, so they need no escapes.
 */
export function toTsvector(tender: SearchedTender): string {
  let words = '';
  for (const [term, fieldClass] of indexTerms(tender)) words += `'${term}':1${fieldClass} `;
  return words.trimEnd();
}
