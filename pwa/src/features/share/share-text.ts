import { t } from '@lingui/core/macro';
import { formatRupees, truncateText } from '@nivida/contract/format';
import { currentLanguage } from '@nivida/contract/i18n';
import { pathIn } from '@nivida/contract/languages';
import { closingText } from '@nivida/contract/tenders/closing';
import { tenderAmount } from '@nivida/contract/tenders/missing-value';
import { portalInfo } from '@nivida/contract/tenders/portals';
import type { TenderSummary } from '@nivida/contract/tenders/tender';

/** Fits into two text messages and into the preview of every messenger. */
const MAX_CHARACTERS = 299;
/** No id, value or address of a real portal is longer. */
const MAX_FACT_CHARACTERS = 50;

/**
 * A tender as a text of under 300 characters: its id at the portal, the work, closing, value if known, EMD,
 * portal and link, in the present language. If the text is too long, the work is shortened first. `origin` is the origin of this app's
 * pages.
 */
export function shareText(tender: TenderSummary, origin: string): string {
  const closing = closingText({ at: new Date(tender.closing_date), timeKnown: tender.closing_time_known });
  const isCancelled = tender.status === 'cancelled' || tender.status === 'retendered';
  const id = truncateText(tender.source_tender_id, MAX_FACT_CHARACTERS);
  const value = tender.price === null ? tender.price_text : formatRupees(tender.price);
  const facts = [
    isCancelled ? t`Closing: ${closing} (cancelled)` : t`Closing: ${closing}`,
    ...(value === null ? [] : [t`Value: ${truncateText(value, MAX_FACT_CHARACTERS)}`]),
    t`EMD: ${tenderAmount(tender.emd, tender)}`,
    t`Portal: ${truncateText(portalInfo(tender.source_portal).name, MAX_FACT_CHARACTERS)}`,
    ...(tender.demonstration ? [t`Demonstration, not a live tender`] : []),
    `${origin}${pathIn(currentLanguage(), `/tenders/${tender._id}`)}`,
  ].join('\n');
  const titleSpace = MAX_CHARACTERS - id.length - facts.length - 2;
  return `${id}\n${truncateText(tender.title.replace(/\s+/g, ' ').trim(), titleSpace)}\n${facts}`;
}
