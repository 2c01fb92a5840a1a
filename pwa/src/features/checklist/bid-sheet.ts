/** The facts of a tender on a printed checklist. */

import { plural, t } from '@lingui/core/macro';
import { districtsText, formatDateTime, formatRupees } from '@nivida/contract/format';
import { placeName } from '@nivida/contract/regions/states';
import { closingText } from '@nivida/contract/tenders/closing';
import { missingValueText, tenderAmount } from '@nivida/contract/tenders/missing-value';
import type { ChecklistTender } from '../../data/bid-documents/checklist-rows.ts';

interface SheetFact {
  name: string;
  value: string;
}

/** What a bidder looks up while preparing a bid. Unknown facts are left out, except value, fee and EMD. */
export function sheetFacts(tender: ChecklistTender): SheetFact[] {
  const { state, price, tender_fee: fee, emd, opening_date, bid_validity_days: validity } = tender;
  const facts: [name: string, value: string | null | false][] = [
    [
      t`Closes`,
      tender.closing_date && closingText({ at: new Date(tender.closing_date), timeKnown: tender.closing_time_known }),
    ],
    [t`Opens`, opening_date && formatDateTime(opening_date)],
    [t`Office`, tender.org_name],
    [t`Place`, [districtsText(tender), placeName(state)].filter(Boolean).join(', ')],
    [t`Estimated value`, price === null ? (tender.price_text ?? missingValueText(tender)) : formatRupees(price)],
    [t`Tender fee`, tenderAmount(fee, tender)],
    ['EMD', tenderAmount(emd, tender)],
    [t`Bid validity`, validity !== null && plural(validity, { one: '# day', other: '# days' })],
    [t`Originals and opening at`, tender.bid_opening_place],
    [t`Contact`, tender.contact_designation],
  ];
  return facts.flatMap(([name, value]) => (value ? { name, value } : []));
}
