import {
  type CountedTotal,
  formatDate,
  formatRupees,
  formatTime,
  formatTotal,
  truncateText,
} from '@nivida/contract/format';
import type { TenderSummary } from '@nivida/contract/tenders/tender';

/** More than a reader of a message scrolls through. The link leads to the whole list. */
const MAX_TENDERS = 20;
const MAX_TITLE_CHARACTERS = 90;

interface SharedList extends CountedTotal {
  /** 'Tenders in Himachal Pradesh'. */
  title: string;
  /** One page, or all of `total`. */
  tenders: readonly TenderSummary[];
  /** The address of the list; null for a list that only this device has. */
  path: string | null;
}

/** '23 Nov 2026, 11:00 AM'; without the hour where the source gives none. */
function closingOf({ closing_date, closing_time_known }: TenderSummary): string {
  const date = formatDate(closing_date);
  return closing_time_known ? `${date}, ${formatTime(new Date(closing_date))}` : date;
}

function valueText({ price, price_text }: TenderSummary): string {
  return price === null ? (price_text ?? 'Estimate not published') : formatRupees(price);
}

/** A list as a message: stars make a line bold in WhatsApp. `origin` is that of this app's pages. */
export function listText({ title, tenders, path, ...counted }: SharedList, origin: string): string {
  const shown = tenders.slice(0, MAX_TENDERS);
  const rows = shown.map((tender, index) =>
    [
      `${index + 1}. ${truncateText(tender.title.replace(/\s+/g, ' ').trim(), MAX_TITLE_CHARACTERS)}`,
      `*Closes ${closingOf(tender)}* · ${valueText(tender)}`,
      ...(tender.demonstration ? ['Demonstration, not a live tender'] : []),
      `${origin}/tenders/${tender._id}`,
    ].join('\n'),
  );
  const count = counted.total > shown.length ? ` (${shown.length} of ${formatTotal(counted)})` : '';
  return [`*${title}*${count}`, ...rows, ...(path === null ? [] : [`All: ${origin}${path}`])].join('\n\n');
}
