import { findRegion } from '@nivida/contract/regions/regions';
import { statusAt } from '@nivida/contract/tenders/status';
import type { TenderSummary } from '@nivida/contract/tenders/tender';
import { deriveDistrict, type PincodeTable } from '../places/places.ts';
import type { SourceTender } from '../source-tender.ts';
import { departmentOf } from '../stored-row.ts';

/** A source tender as its card would show it. It has no id yet. */
export function previewTender(tender: SourceTender, pincodes: PincodeTable, now: Date): TenderSummary {
  const region = findRegion(tender.state);
  if (!region) throw new Error(`unknown state ${tender.state}`);
  const { district, secondDistrict = null } = deriveDistrict(region, tender, pincodes);
  const dates = {
    published_date: tender.publishedAt.toISOString(),
    bid_start_date: tender.bidStartAt?.toISOString() ?? null,
    closing_date: tender.closesAt.toISOString(),
  };
  return {
    _id: '0',
    title: tender.title,
    description: tender.description,
    org_name: tender.organisationChain[0] ?? '',
    department: departmentOf(region, tender.organisationChain),
    category: tender.category,
    status: statusAt({ stage: tender.stage, ...dates }, now),
    stage: tender.stage,
    state: tender.state,
    district,
    second_district: secondDistrict,
    pincode: tender.pincode,
    address: tender.address,
    bid_opening_place: tender.bidOpeningPlace,
    price: tender.price === null ? null : Number(tender.price),
    price_text: tender.priceText,
    emd: tender.emd,
    ...dates,
    closing_time_known: tender.closingTimeKnown,
    source_portal: tender.portal,
    source_tender_id: tender.sourceId,
    reference_number: tender.reference,
    nit_works: 1,
    last_corrigendum: null,
    fetched_at: now.toISOString(),
    demonstration: false,
  };
}
