import { t } from '@lingui/core/macro';
import type { RecordFields } from '@nivida/contract/bids/records';
import type { ChecklistTender } from './checklist-rows.ts';

/** The fields of a tender for the checklist of an own entry. */
export const ownEntryTender = (bid: RecordFields<'bid'> & { id: string }): ChecklistTender => ({
  _id: bid.id,
  title: bid.title ?? t`Bid without a title`,
  org_name: bid.organisation || t`the office`,
  closing_date: bid.closingAt ?? '',
  closing_time_known: bid.closingTimeKnown ?? true,
  fetched_at: null,
  ...{ department: null, state: '', district: null, second_district: null, source_tender_id: null, documents: [] },
  ...{ opening_date: null, bid_validity_days: null, bid_opening_place: null, contact_designation: null },
  ...{ price: null, price_text: null, tender_fee: null, emd: null },
});
