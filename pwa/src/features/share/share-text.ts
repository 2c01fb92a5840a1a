import { amountText, formatRupees, truncateText } from '@nivida/contract/format';
import { closingText } from '@nivida/contract/tenders/closing';
import { portalInfo } from '@nivida/contract/tenders/portals';
import type { TenderSummary } from '@nivida/contract/tenders/tender';

/** Short enough for two text messages and for the preview of every messenger. */
const MAX_CHARACTERS = 299;
/** Longer than any id, value or address of a real portal. */
const MAX_FACT_CHARACTERS = 50;

/**
 * A tender as a text of under 300 characters: its id at the portal, the work, closing, value where it is known, EMD, portal
 * and link. The work is shortened first. `origin` is that of this app's pages.
 */
export function shareText(tender: TenderSummary, origin: string): string {
  const closing = closingText({ at: new Date(tender.closing_date), timeKnown: tender.closing_time_known });
  const isCancelled = tender.status === 'cancelled' || tender.status === 'retendered';
  const id = truncateText(tender.source_tender_id, MAX_FACT_CHARACTERS);
  const value = tender.price === null ? tender.price_text : formatRupees(tender.price);
  const facts = [
    `Closing: ${closing}${isCancelled ? ' (cancelled)' : ''}`,
    ...(value === null ? [] : [`Value: ${truncateText(value, MAX_FACT_CHARACTERS)}`]),
    `EMD: ${amountText(tender.emd)}`,
    `Portal: ${truncateText(portalInfo(tender.source_portal).name, MAX_FACT_CHARACTERS)}`,
    ...(tender.demonstration ? ['Demonstration, not a live tender'] : []),
    `${origin}/tenders/${tender._id}`,
  ].join('\n');
  const titleSpace = MAX_CHARACTERS - id.length - facts.length - 2;
  return `${id}\n${truncateText(tender.title.replace(/\s+/g, ' ').trim(), titleSpace)}\n${facts}`;
}
