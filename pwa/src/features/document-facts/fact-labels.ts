/** Texts about the lines and files of official documents. */
import { plural, t } from '@lingui/core/macro';
import type { FactTopic, FactValue } from '@nivida/contract/documents/document-facts';
import type { ReadFile, TenderFact } from '@nivida/contract/documents/tender-reading';
import { formatFullRupees } from '@nivida/contract/format';

export const topicLabels = (): Record<FactTopic, string> => ({
  originals: t`Originals by hand: where and until when`,
  emd: t`EMD`,
  documents: t`Documents to upload`,
  class: t`Class of contractor`,
  registration: t`Registration`,
  similarWorks: t`Similar works done`,
  turnover: t`Turnover`,
  preBid: t`Pre-bid meeting`,
  fee: t`Tender fee`,
  estimate: t`Estimated value`,
  period: t`Period of work`,
  validity: t`Bid validity`,
  security: t`Security deposit`,
  jointVenture: t`Joint venture`,
  mse: t`Small firms (MSE)`,
  priceVariation: t`Price variation`,
  defectLiability: t`Defect liability`,
});

/** '₹23,500', '180 days', '6 months'. */
export function factValueText({ unit, amount }: FactValue): string {
  if (unit === 'rupees') return formatFullRupees(amount);
  return unit === 'days'
    ? plural(amount, { one: '# day', other: '# days' })
    : plural(amount, { one: '# month', other: '# months' });
}

/** What the operator did with a line; null for a line that only the reader found. */
export function checkedText(state: TenderFact['state']): string | null {
  if (state === 'found') return null;
  return state === 'confirmed' ? t`Checked by us` : t`Corrected by us`;
}

/** '3 to 7, 9': pages in ascending order, neighbours joined. */
export function pageRanges(pages: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const page of [...new Set(pages)].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last?.[1] === page - 1) last[1] = page;
    else ranges.push([page, page]);
  }
  return ranges.map(([first, last]) => (first === last ? String(first) : t`${first} to ${last}`)).join(', ');
}

type UnreadReason = ReadFile['unreadPages'][number]['why'];

function unreadPagesText(why: UnreadReason, pages: readonly number[]): string {
  const ranges = pageRanges(pages);
  const count = pages.length;
  switch (why) {
    case 'picture':
      return plural(count, {
        one: `Page ${ranges} is a picture: read it yourself.`,
        other: `Pages ${ranges} are pictures: read them yourself.`,
      });
    case 'font':
      return plural(count, {
        one: `Page ${ranges} has an old font that could not be read: read it yourself.`,
        other: `Pages ${ranges} have an old font that could not be read: read them yourself.`,
      });
    case 'broken':
      return plural(count, {
        one: `Page ${ranges} is damaged: read it yourself.`,
        other: `Pages ${ranges} are damaged: read them yourself.`,
      });
    case 'limit':
      return plural(count, {
        one: `Page ${ranges} was not read, because the document is too long.`,
        other: `Pages ${ranges} were not read, because the document is too long.`,
      });
  }
}

const UNREAD_ORDER: readonly UnreadReason[] = ['picture', 'font', 'broken', 'limit'];

function partTexts({ unreadPages }: ReadFile): string[] {
  return UNREAD_ORDER.flatMap((why) => {
    const pages = unreadPages.filter((each) => each.why === why).map(({ page }) => page);
    return pages.length > 0 ? [unreadPagesText(why, pages)] : [];
  });
}

/** What the reader could do with a file, in full sentences. */
export function fileStateTexts(file: ReadFile): string[] {
  switch (file.state) {
    case 'waiting':
      return [t`Not read yet. Its lines appear here later.`];
    case 'done':
      return [file.pages === null ? t`Read.` : plural(file.pages, { one: '# page read.', other: '# pages read.' })];
    case 'part':
      return partTexts(file);
    case 'pictures':
      return [t`All its pages are pictures: read them yourself.`];
    case 'font':
      return [t`It has an old font that could not be read: read it yourself.`];
    case 'locked':
      return [
        file.isOwn
          ? t`It is locked with a password. Save it without the password and share it again.`
          : t`It is locked with a password, so it could not be read.`,
      ];
    case 'broken':
      return [
        file.isOwn
          ? t`The file is damaged, so it could not be read. Get it again from where it came, then share it.`
          : t`The file is damaged, so it could not be read.`,
      ];
    case 'too-large':
      return [t`It is too large to be read here: read it yourself.`];
    case 'template':
      return [t`It is an empty form without items.`];
    case 'other':
      return [t`This kind of file is not read here: read it yourself.`];
  }
}

/** Whether the reader got any text of a file. */
export const hasText = ({ state }: ReadFile): boolean => state === 'done' || state === 'part';
/** Whether something of a file must be read by the user. */
export const hasUnreadText = ({ state }: ReadFile): boolean => state !== 'done';
