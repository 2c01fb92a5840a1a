/** Sentences, counts and colours of a tender's checklist. */
import { plural, t } from '@lingui/core/macro';
import { formatDate } from '@nivida/contract/format';
import { isBidderUpload } from '@nivida/contract/orders/document-package';
import { closingText, daysLeft, isClosed } from '@nivida/contract/tenders/closing';
import {
  type ChecklistTender,
  isAsked,
  isFault,
  isRowDone,
  isUnmarked,
  type RowStatus,
  type TenderChecklist,
} from '../../data/bid-documents/checklist-rows.ts';
import { timeLeftText } from '../../data/bid-documents/closing-day.ts';
import type { Tone } from '../../ui/display/Badge.tsx';
import {
  allReadyText,
  badgeLabel,
  dayBeforeSource,
  dayBeforeText,
  fixText,
  MAX_PORTAL_LINE,
  noExpiryText,
  noFileText,
  noListText,
  notMarkedText,
  printPrivacy,
  sheetFoot,
  usualText,
} from './checklist-texts.ts';

const ROW_TONES: Record<RowStatus, Tone> = {
  ready: 'green',
  expires: 'amber',
  missing: 'red',
  expires_soon: 'amber',
  no_date: 'amber',
  no_file: 'amber',
  old: 'amber',
  make_new: 'amber',
  ask: 'amber',
  other: 'amber',
  unmarked: 'gray',
  not_needed: 'gray',
};
export const rowTone = (status: RowStatus): Tone => ROW_TONES[status];

const ROW_SIGNS: Record<RowStatus, string> = {
  ready: '✓',
  expires: '!',
  expires_soon: '!',
  no_date: '?',
  no_file: '?',
  old: '!',
  make_new: '✎',
  unmarked: '☐',
  missing: '✗',
  not_needed: '–',
  ask: '?',
  other: '?',
};
export const rowSign = (status: RowStatus): string => ROW_SIGNS[status];

const countRows = ({ rows }: Pick<TenderChecklist, 'rows'>, isCounted: (status: RowStatus) => boolean): number =>
  rows.filter(({ status }) => isCounted(status)).length;

/** '3 ready · 4 to fix · 1 to ask'. Documents that are not needed or not marked are not counted. */
export function countText(checklist: TenderChecklist): string {
  const ready = countRows(checklist, (status) => status === 'ready');
  const [fix, ask] = [countRows(checklist, isFault), countRows(checklist, isAsked)];
  return t`${ready} ready · ${fix} to fix · ${ask} to ask`;
}

/**
 * The sentences under the count. Null when the only open rows are to ask. The tone is red when the user or a
 * date says that a document is missing, and green when every row is done.
 */
export function checklistSummary({ rows, standing, hasNoList }: TenderChecklist): { tone: Tone; text: string } | null {
  const fix = countRows({ rows }, isFault);
  const unmarked = countRows({ rows }, isUnmarked);
  const undated = countRows({ rows }, (status) => status === 'no_date');
  const withoutFile = countRows({ rows }, (status) => status === 'no_file');
  const texts = [
    fix > 0 && fixText(fix),
    unmarked > 0 && notMarkedText(unmarked),
    undated > 0 && noExpiryText(undated),
    withoutFile > 0 && noFileText(withoutFile),
  ].filter((text) => text !== false);
  if (texts.length > 0) return { tone: fix > 0 ? 'red' : 'gray', text: texts.join(' ') };
  const isComplete =
    !hasNoList && rows.every(({ status }) => isRowDone(status)) && standing.every(({ isDone }) => isDone);
  return isComplete ? { tone: 'green', text: allReadyText() } : null;
}

/** The only state whose bids were counted. Elsewhere too few closing hours are known. */
const COUNTED_STATE = 'Assam';

/**
 * A hint on the day before closing, with its source, and another on the day of closing. Null on other days.
 */
export function closingHint(
  tender: ChecklistTender,
  { rows, standing }: TenderChecklist,
  now: Date,
): { text: string; source: string | null } | null {
  const closing = { at: new Date(tender.closing_date), timeKnown: tender.closing_time_known };
  if (!tender.closing_date || !tender.closing_time_known || isClosed(closing, now)) return null;
  const days = daysLeft(closing, now);
  if (days === 1 && tender.state === COUNTED_STATE) return { text: dayBeforeText(), source: dayBeforeSource() };
  if (days !== 0) return null;
  const open = rows.filter(({ status }) => !isRowDone(status)).length + standing.filter(({ isDone }) => !isDone).length;
  const rest =
    open === 0
      ? t`Upload now.`
      : plural(open, { one: 'Upload now; check # open row.', other: 'Upload now; check # open rows.' });
  return { text: `${timeLeftText(closing.at, now)} ${rest}`, source: null };
}

/** '9 documents named on the portal · closes 15 Apr 2026, 11:00 AM' */
export function subtitle(tender: ChecklistTender, { rows, hasNoList }: TenderChecklist): string {
  if (tender.fetched_at === null) return `${t`Own entry`} · ${closesText(tender)}`;
  const named = hasNoList ? 0 : rows.filter(({ isOwn }) => !isOwn).length;
  const count = plural(named, { one: '# document named on the portal', other: '# documents named on the portal' });
  return `${count} · ${closesText(tender)}`;
}

const closesText = ({ closing_date, closing_time_known: timeKnown }: ChecklistTender): string =>
  closing_date
    ? t`closes ${{ closing: closingText({ at: new Date(closing_date), timeKnown }) }}`
    : t`closes on a day that is not entered`;

/** True when the portal may have cut the line. */
export const isCutLine = (line: string): boolean => line.length >= MAX_PORTAL_LINE;

/** The head of a printed or shared list. */
export function sheetHead(tender: ChecklistTender): string {
  const covers = [...new Set(tender.documents.filter(isBidderUpload).map(({ cover }) => cover))];
  const read = tender.fetched_at && formatDate(tender.fetched_at);
  return [
    tender.title,
    tender.source_tender_id,
    closesText(tender),
    read && (covers.length > 0 ? t`list read ${read}` : t`notice read ${read}`),
    covers.length > 0 && t`cover ${{ covers: covers.join(', ') }}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** The checklist as a message. `onlyOpen` leaves out what is done. */
export function checklistMessage(tender: ChecklistTender, checklist: TenderChecklist, onlyOpen: boolean): string {
  const rows = checklist.rows
    .filter(({ status }) => !onlyOpen || !isRowDone(status))
    .map(({ status, name, text, badges }) => {
      const notes = badges.map(badgeLabel).join(', ');
      return `${rowSign(status)} ${name}${notes && ` (${notes})`} – ${text}`;
    });
  const standing = checklist.standing
    .filter(({ isDone }) => !onlyOpen || !isDone)
    .map(({ isDone, name }) => `${isDone ? '✓' : '☐'} ${name}`);
  const { hasNoList, usual } = checklist;
  const note = hasNoList ? [noListText(usual, tender.fetched_at === null), usualText(usual)] : [];
  return [sheetHead(tender), '', ...note, ...rows, '', ...standing, '', sheetFoot(checklist), printPrivacy()].join(
    '\n',
  );
}
