import { closingText } from '@nivida/contract/closing';
import { emdText, shorten } from '@nivida/contract/format';
import { portalOf } from '@nivida/contract/portals';
import type { TenderSummary } from '@nivida/contract/tender';

/** Short enough for two text messages and for the preview of every messenger. */
const MOST_CHARACTERS = 299;
/** Longer than any id or address of a real portal. */
const NAME_CHARACTERS = 50;

/**
 * A tender as a text to be sent, under 300 characters: its id at the portal, the work, closing, EMD, portal and link.
 * The work gives way first. `origin` is that of this app's pages.
 */
export function shareText(tender: TenderSummary, origin: string): string {
  const closing = closingText({ at: new Date(tender.closing_date), timeKnown: tender.closing_time_known });
  const isCancelled = tender.status === 'cancelled' || tender.status === 'retendered';
  const id = shorten(tender.source_tender_id, NAME_CHARACTERS);
  const facts = [
    `Closing: ${closing}${isCancelled ? ' (cancelled)' : ''}`,
    `EMD: ${emdText(tender.emd)}`,
    `Portal: ${shorten(portalOf(tender.source_portal).name, NAME_CHARACTERS)}`,
    ...(tender.demonstration ? ['Demonstration, not a live tender'] : []),
    `${origin}/tenders/${tender._id}`,
  ].join('\n');
  const room = MOST_CHARACTERS - id.length - facts.length - 2;
  return `${id}\n${shorten(tender.title.replace(/\s+/g, ' ').trim(), room)}\n${facts}`;
}
