/** The dates of an EMD: until when its instrument must be valid, and when unsuccessful bidders get it back. */
import { t } from '@lingui/core/macro';
import { formatDate, indianDay, startOfIndianDay } from '../format.ts';
import type { Tender } from '../tenders/tender.ts';
import biddingRules from './bidding-rules.json' with { type: 'json' };
import { sourceText } from './may-i-bid.ts';

/** Days after the award within which unsuccessful bidders get their EMD back. */
export const EMD_RETURN_DAYS: number = biddingRules.emdReturn.days;

/** Until when the instrument of an EMD must be valid; `source` is the rule with its date. */
export interface EmdValidity {
  text: string;
  source: string;
}

/** The validity of an EMD. It has no day if the notice does not state the validity of bids. */
export function emdValidity(tender: Pick<Tender, 'closing_date' | 'bid_validity_days'>): EmdValidity {
  const { days, source } = biddingRules.emdValidity;
  const validity = tender.bid_validity_days;
  const text =
    validity === null
      ? t`An FDR or bank guarantee must be valid ${days} days beyond the bid's validity, which the notice does not state.`
      : t`An FDR or bank guarantee must be valid until ${{ day: formatDate(startOfIndianDay(indianDay(new Date(tender.closing_date)) + validity + days)) }}: ${days} days beyond the bid's validity of ${validity} days.`;
  return { text, source: sourceText(source) };
}
