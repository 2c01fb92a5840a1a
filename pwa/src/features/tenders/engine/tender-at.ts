/** A row of a pack as the contract's tender. */
import type { Tender, TenderStatus, TenderSummary } from '@nivida/contract/tender';
import { CLOSING_TIME_KNOWN } from './columns.ts';
import type { Place } from './page.ts';

/** When each portal was last compared (ISO 8601), by portal: the manifest's. */
export type Checked = Readonly<Record<string, string>>;

const iso = (ms: number): string => new Date(ms).toISOString();
const isoOrNull = (ms: number | null | undefined): string | null =>
  ms === null || ms === undefined || Number.isNaN(ms) ? null : iso(ms);

/** SPEC's status by the clock and the portal's stage, as the server derives it. */
export function statusAt({ pack, row }: Place, now: Date): TenderStatus {
  const at = now.getTime();
  const stage = pack.nameAt('stage', row);
  if (stage === 'cancelled' || stage === 'retendered') return stage;
  if ((pack.closesAt[row] as number) > at) return (pack.bidStartAt[row] as number) > at ? 'upcoming' : 'active';
  return stage === 'under_evaluation' || stage === 'awarded' ? stage : 'closed';
}

/** What a card shows. Fields of the detail file are null while it is not there, and the description is the title. */
export function toSummary(place: Place, checked: Checked, now: Date): TenderSummary {
  const { pack, row } = place;
  const title = pack.valueAt('title', row) as string;
  const price = pack.price[row] as number;
  const published = iso(pack.publishedAt[row] as number);
  const portal = pack.nameAt('portal', row) ?? '';
  return {
    _id: String(pack.ids[row]),
    title,
    description: pack.valueAt('description', row) || title,
    org_name: pack.valueAt('orgName', row) as string,
    department: pack.nameAt('department', row),
    category: pack.nameAt('category', row),
    status: statusAt(place, now),
    state: pack.nameAt('state', row) ?? '',
    district: pack.nameAt('district', row),
    pincode: pack.valueAt('pincode', row) ?? null,
    address: pack.valueAt('address', row) ?? null,
    bid_opening_place: pack.valueAt('bidOpeningPlace', row) ?? null,
    price: Number.isNaN(price) ? null : price,
    price_text: pack.valueAt('priceText', row) ?? null,
    emd: pack.valueAt('emd', row) ?? null,
    published_date: published,
    closing_date: iso(pack.closesAt[row] as number),
    closing_time_known: ((pack.flags[row] as number) & CLOSING_TIME_KNOWN) !== 0,
    source_portal: portal,
    source_tender_id: pack.valueAt('sourceTenderId', row) as string,
    reference_number: pack.valueAt('reference', row) ?? null,
    nit_works: pack.valueAt('nitWorks', row) as number,
    last_corrigendum: pack.valueAt('lastCorrigendum', row) ?? null,
    // Published is the latest that we can be sure of when the manifest does not name the portal.
    fetched_at: checked[portal] ?? published,
    demonstration: pack.isDemonstration(row),
  };
}

/** Everything of a tender whose pack has its details; `siblings` are the other works of its NIT. */
export function toTender(place: Place, siblings: Tender['nit_siblings'], checked: Checked, now: Date): Tender {
  const { pack, row } = place;
  const updatedAt = pack.valueAt('updatedAt', row) as number;
  return {
    ...toSummary(place, checked, now),
    nit_id: pack.valueAt('nitId', row) ?? null,
    organisation_chain: pack.valueAt('organisationChain', row) ?? [],
    place: pack.valueAt('place', row) ?? null,
    contact_designation: pack.valueAt('contactDesignation', row) ?? null,
    sub_category: pack.valueAt('subCategory', row) ?? null,
    tender_type: pack.valueAt('tenderType', row) ?? null,
    form_of_contract: pack.valueAt('formOfContract', row) ?? null,
    covers: pack.valueAt('covers', row) ?? null,
    tender_fee: pack.valueAt('tenderFee', row) ?? null,
    emd_percent: pack.valueAt('emdPercent', row) ?? null,
    emd_exemption_allowed: pack.valueAt('emdExemptionAllowed', row) ?? null,
    period_of_work_days: pack.valueAt('periodOfWorkDays', row) ?? null,
    bid_validity_days: pack.valueAt('bidValidityDays', row) ?? null,
    bid_start_date: isoOrNull(pack.bidStartAt[row]),
    opening_date: isoOrNull(pack.valueAt('opensAt', row)),
    pre_bid_date: isoOrNull(pack.valueAt('preBidAt', row)),
    pre_bid_place: pack.valueAt('preBidPlace', row) ?? null,
    documents: pack.valueAt('documents', row) ?? [],
    document_package: pack.valueAt('documentPackage', row) ?? null,
    nit_siblings: siblings,
    corrigenda: pack.valueAt('corrigenda', row) ?? [],
    district_confidence: pack.valueAt('districtConfidence', row) ?? null,
    version: pack.valueAt('version', row) as number,
    updated_at: iso(updatedAt),
  };
}
