import { t } from '@lingui/core/macro';
import {
  type CountedTotal,
  formatDate,
  formatDateTime,
  formatRupees,
  formatTotal,
  moreWorksText,
  truncateText,
} from '@nivida/contract/format';
import { currentLanguage } from '@nivida/contract/i18n';
import { pathIn } from '@nivida/contract/languages';
import { type Closing, isClosed } from '@nivida/contract/tenders/closing';
import { missingEstimate } from '@nivida/contract/tenders/missing-value';
import type { ListedTender, TenderSummary } from '@nivida/contract/tenders/tender';

/** More works would be too long for a message. The link leads to the whole list. */
const MAX_WORKS = 20;
const MAX_TITLE_CHARACTERS = 90;

/** A work of a list. */
export interface ListedWork {
  title: string;
  /** The line under the title. '' for none. */
  facts: string;
  isDemonstration: boolean;
  /** The path of its page. Null for a work that only this device has. */
  path: string | null;
}

interface ListHeading extends CountedTotal {
  /** 'Tenders in Himachal Pradesh'. */
  title: string;
  /** The path of the list. Null for a list that only this device has. */
  path: string | null;
}

interface SharedWorks extends ListHeading {
  /** One page, or all of `total`. */
  works: readonly ListedWork[];
}

interface SharedTenders extends ListHeading {
  /** One page, or all of `total`. */
  tenders: readonly ListedTender[];
}

/**
 * '*Closes 23 Nov 2026, 11:00 AM*', which is bold in WhatsApp. Without the hour where the source gives none.
 * '*Closed …*' when the closing is not after `now`.
 */
export function closesText(closing: Closing, now: Date): string {
  const { at, timeKnown } = closing;
  const when = timeKnown ? formatDateTime(at) : formatDate(at);
  return `*${isClosed(closing, now) ? t`Closed ${when}` : t`Closes ${when}`}*`;
}

function valueText(tender: TenderSummary): string {
  const { price, price_text } = tender;
  return price === null ? (price_text ?? missingEstimate(tender)) : formatRupees(price);
}

/** A tender as a work of a list, with its closing and value. The closing may be before `now`. */
export function tenderAsWork(tender: ListedTender, now: Date): ListedWork {
  const closing = { at: new Date(tender.closing_date), timeKnown: tender.closing_time_known };
  const more = tender.works?.length ? [moreWorksText(tender.works.length)] : [];
  return {
    title: tender.title,
    facts: [closesText(closing, now), valueText(tender), ...more].join(' · '),
    isDemonstration: tender.demonstration,
    path: `/tenders/${tender._id}`,
  };
}

/**
 * A list of works as a message, with links in the present language. Stars make a line bold in WhatsApp. `origin` is the origin
 * of this app's pages.
 */
export function worksText({ title, works, path, ...counted }: SharedWorks, origin: string): string {
  const shown = works.slice(0, MAX_WORKS);
  const addressOf = (page: string) => `${origin}${pathIn(currentLanguage(), page)}`;
  const rows = shown.map((work, index) =>
    [
      `${index + 1}. ${truncateText(work.title.replace(/\s+/g, ' ').trim(), MAX_TITLE_CHARACTERS)}`,
      ...(work.facts === '' ? [] : [work.facts]),
      ...(work.isDemonstration ? [t`Demonstration, not a live tender`] : []),
      ...(work.path === null ? [] : [addressOf(work.path)]),
    ].join('\n'),
  );
  const count =
    counted.total > shown.length ? ` ${t`(${{ shown: shown.length }} of ${{ total: formatTotal(counted) }})`}` : '';
  return [`*${title}*${count}`, ...rows, ...(path === null ? [] : [t`All: ${{ address: addressOf(path) }}`])].join(
    '\n\n',
  );
}

/** A list of tenders at `now` as a message. `origin` is the origin of this app's pages. */
export function listText({ tenders, ...heading }: SharedTenders, origin: string, now: Date): string {
  return worksText({ ...heading, works: tenders.map((tender) => tenderAsWork(tender, now)) }, origin);
}
