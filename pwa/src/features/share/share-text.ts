import { emdText, truncateText } from '@nivida/contract/format';
import { closingText } from '@nivida/contract/tenders/closing';
import { portalInfo } from '@nivida/contract/tenders/portals';
import type { TenderSummary } from '@nivida/contract/tenders/tender';

/** Short enough for two text messages and for the preview of every messenger. */
const MAX_CHARACTERS = 299;
/** Longer than any id or address of a real portal. */
const MAX_ID_CHARACTERS = 50;

/**
 * A tender as a text of under 300 characters: its id at the portal, the work, closing, EMD, portal and link. The work is
 * shortened first. `origin` is that of this app's pages.
 */
export function shareText(tender: TenderSummary, origin: string): string {
  const closing = closingText({ at: new Date(tender.closing_date), timeKnown: tender.closing_time_known });
  const isCancelled = tender.status === 'cancelled' || tender.status === 'retendered';
  const id = truncateText(tender.source_tender_id, MAX_ID_CHARACTERS);
  const facts = [
    `Closing: ${closing}${isCancelled ? ' (cancelled)' : ''}`,
    `EMD: ${emdText(tender.emd)}`,
    `Portal: ${truncateText(portalInfo(tender.source_portal).name, MAX_ID_CHARACTERS)}`,
    ...(tender.demonstration ? ['Demonstration, not a live tender'] : []),
    `${origin}/tenders/${tender._id}`,
  ].join('\n');
  const titleSpace = MAX_CHARACTERS - id.length - facts.length - 2;
  return `${id}\n${truncateText(tender.title.replace(/\s+/g, ' ').trim(), titleSpace)}\n${facts}`;
}
