/** Converts a row of a segment index to the contract's tender. */
import { statusAt, type TenderStage } from '@nivida/contract/tenders/status';
import type { Tender, TenderSummary } from '@nivida/contract/tenders/tender';
import { TENDER_FIELD_LIST, type TENDER_FIELDS, type TenderFieldKey } from '@nivida/contract/tenders/tender-fields';
import type { RowRef } from '../engine/merge-page.ts';
import { CLOSING_TIME_KNOWN_FLAG, LISTED_FLAG } from './columns.ts';

/** When each portal was last compared (ISO 8601), from the manifest. */
export type CheckedTimes = Readonly<Record<string, string>>;

type TenderFields = Pick<Tender, (typeof TENDER_FIELDS)[TenderFieldKey]['name']>;

const toIso = (ms: number): string => new Date(ms).toISOString();
const toIsoOrNull = (ms: number | null | undefined): string | null =>
  ms === null || ms === undefined || Number.isNaN(ms) ? null : toIso(ms);

/** The fields of a card. Without details their fields are null, and the description is the title. */
export function readTenderSummary(rowRef: RowRef, checked: CheckedTimes, now: Date): TenderSummary {
  const { segment, row } = rowRef;
  const title = segment.valueAt('title', row) as string;
  const price = segment.price[row] as number;
  const published = toIso(segment.publishedAt[row] as number);
  const portal = segment.nameAt('portal', row) ?? '';
  const facts = {
    stage: segment.nameAt('stage', row) as TenderStage,
    bid_start_date: toIsoOrNull(segment.bidStartAt[row]),
    closing_date: toIso(segment.closesAt[row] as number),
  };
  return {
    _id: String(segment.ids[row]),
    title,
    description: segment.valueAt('description', row) || title,
    org_name: segment.valueAt('orgName', row) as string,
    department: segment.nameAt('department', row),
    category: segment.nameAt('category', row),
    ...facts,
    status: statusAt(facts, now),
    state: segment.nameAt('state', row) ?? '',
    district: segment.nameAt('district', row),
    second_district: segment.nameAt('secondDistrict', row),
    pincode: segment.valueAt('pincode', row) ?? null,
    address: segment.valueAt('address', row) ?? null,
    bid_opening_place: segment.valueAt('bidOpeningPlace', row) ?? null,
    price: Number.isNaN(price) ? null : price,
    price_text: segment.valueAt('priceText', row) ?? null,
    emd: segment.valueAt('emd', row) ?? null,
    published_date: published,
    closing_time_known: ((segment.flags[row] as number) & CLOSING_TIME_KNOWN_FLAG) !== 0,
    source_portal: portal,
    source_tender_id: segment.valueAt('sourceTenderId', row) as string,
    reference_number: segment.valueAt('reference', row) ?? null,
    nit_works: segment.valueAt('nitWorks', row) as number,
    last_corrigendum: segment.valueAt('lastCorrigendum', row) ?? null,
    // The manifest may lack the portal. Then the publishing time is the last one at which the data was surely
    // right.
    fetched_at: checked[portal] ?? published,
    is_listed: ((segment.flags[row] as number) & LISTED_FLAG) !== 0,
    demonstration: segment.isDemonstration(row),
  };
}

/** A whole tender. The index must have details. `siblings` are the other works of its NIT. */
export function readTender(rowRef: RowRef, siblings: Tender['nit_siblings'], checked: CheckedTimes, now: Date): Tender {
  const { segment, row } = rowRef;
  const fields = Object.fromEntries(
    TENDER_FIELD_LIST.map(({ key, name }) => [name, segment.valueAt(key, row) ?? null]),
  );
  const updatedAt = segment.valueAt('updatedAt', row) as number;
  return {
    ...readTenderSummary(rowRef, checked, now),
    ...(fields as TenderFields),
    nit_id: segment.valueAt('nitId', row) ?? null,
    organisation_chain: segment.valueAt('organisationChain', row) ?? [],
    bid_start_date: toIsoOrNull(segment.bidStartAt[row]),
    opening_date: toIsoOrNull(segment.valueAt('opensAt', row)),
    pre_bid_date: toIsoOrNull(segment.valueAt('preBidAt', row)),
    documents: segment.valueAt('documents', row) ?? [],
    document_package: segment.valueAt('documentPackage', row) ?? null,
    nit_siblings: siblings,
    corrigenda: segment.valueAt('corrigenda', row) ?? [],
    other_sources: segment.valueAt('otherSources', row) ?? [],
    district_confidence: segment.valueAt('districtConfidence', row) ?? null,
    version: segment.valueAt('version', row) as number,
    updated_at: toIso(updatedAt),
  };
}
