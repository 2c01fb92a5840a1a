/** The rows of a tender's checklist: what the portal's list names, what the user added, and what the user marked. */
import { formatDate, formatTime, fromIndianTime } from '@nivida/contract/format';
import { isBidderUpload } from '@nivida/contract/orders/document-package';
import { closingText, daysLeft, isClosed } from '@nivida/contract/tenders/closing';
import type { Tender } from '@nivida/contract/tenders/tender';
import { DAY_MS, HOUR_MS } from '@nivida/contract/time';
import type { CheckRow } from '../../data/device/schema.ts';
import type { Tone } from '../../ui/display/Badge.tsx';
import {
  ALL_READY_TEXT,
  BADGE_LABELS,
  DAY_BEFORE_SOURCE,
  DAY_BEFORE_TEXT,
  fixText,
  MAX_PORTAL_LINE,
  noExpiryText,
  noListText,
  notMarkedText,
  PRINT_PRIVACY,
  sheetFoot,
  standingRows,
  USUAL_TEXT,
} from './checklist-texts.ts';
import {
  type DocumentBadge,
  type DocumentKind,
  findKind,
  matchBadges,
  matchKinds,
  SEE_TENDER_DOCUMENT,
} from './match-kinds.ts';

/** State of a row: `ready` is the only green one, and no row is ready unless the user marked it. */
export type RowStatus =
  | 'ready'
  | 'expires'
  | 'expires_soon'
  | 'no_date'
  | 'make_new'
  | 'unmarked'
  | 'missing'
  | 'not_needed'
  | 'ask'
  | 'other';

/** One document of a checklist. */
export interface ChecklistRow {
  /** The kind's id, the portal's line, or the id of an own row. */
  key: string;
  kind: DocumentKind | undefined;
  name: string;
  /** The portal's lines that ask for it. */
  lines: string[];
  badges: DocumentBadge[];
  check: CheckRow | undefined;
  status: RowStatus;
  text: string;
  isOwn: boolean;
}

/** A row of every checklist. */
export interface StandingChecklistRow {
  key: string;
  name: string;
  hindi: string;
  why: string | undefined;
  isDone: boolean;
}

export interface TenderChecklist {
  rows: ChecklistRow[];
  standing: StandingChecklistRow[];
  /** The portal publishes no list; `rows` has the usual one. */
  hasNoList: boolean;
}

/** Kinds that more than a third of the notices of Himachal Pradesh since June 2025 name. */
const USUAL_KINDS = [
  'tender_fee',
  'emd',
  'enlistment',
  'pan',
  'gst_registration',
  'epf',
  'affidavit_correct',
  'tender_form',
  'machinery',
] as const;
export const USUAL_COUNT = USUAL_KINDS.length;

const STANDING_PREFIX = 'standing:';
const OWN_PREFIX = 'own:';
/** The key of a row that the user adds. */
export const ownKey = (id: string): string => `${OWN_PREFIX}${id}`;

const ROW_TONES: Record<RowStatus, Tone> = {
  ready: 'green',
  expires: 'red',
  missing: 'red',
  expires_soon: 'amber',
  no_date: 'amber',
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
  make_new: '✎',
  unmarked: '☐',
  missing: '✗',
  not_needed: '–',
  ask: '?',
  other: '?',
};
export const rowSign = (status: RowStatus): string => ROW_SIGNS[status];

const isAsked = (status: RowStatus): boolean => status === 'ask' || status === 'other' || status === 'expires_soon';
const isSettled = (status: RowStatus): boolean => status === 'ready' || status === 'not_needed';
/** A row that is missing by the user's mark or by its dates. A row without a mark is not missing. */
const isFault = (status: RowStatus): boolean => status === 'missing' || status === 'expires';
const isUnmarked = (status: RowStatus): boolean => status === 'unmarked' || status === 'make_new';

/** The end of the last day of validity. */
function endOfDay(day: string): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(fromIndianTime(year, month, date).getTime() + DAY_MS - 1);
}

/** Until when a document must be valid for the bid to be decided; null where the notice says nothing. */
function decisionAt(tender: Tender): Date | null {
  const times = [
    tender.opening_date && new Date(tender.opening_date).getTime(),
    tender.bid_validity_days && new Date(tender.closing_date).getTime() + tender.bid_validity_days * DAY_MS,
  ].filter((time) => typeof time === 'number');
  return times.length > 0 ? new Date(Math.max(...times)) : null;
}

function readyStatus(kind: DocumentKind | undefined, check: CheckRow, tender: Tender): [RowStatus, string] {
  if (!check.validUntil) {
    return kind?.life === 'expires'
      ? ['no_date', 'No expiry date saved. Read the date and enter it.']
      : ['ready', 'Ready'];
  }
  const end = endOfDay(check.validUntil);
  const day = formatDate(end);
  if (end < new Date(tender.closing_date)) return ['expires', `Expires ${day}, before closing. Renew first.`];
  const decision = decisionAt(tender);
  if (decision && end < decision) {
    return ['expires_soon', `Valid at closing, but ends ${day}, before the bid is opened/decided. Ask the office.`];
  }
  return ['ready', `Ready – valid till ${day}`];
}

type RowSource = Pick<ChecklistRow, 'kind' | 'lines' | 'badges' | 'check'>;

function unmarkedStatus({ kind, lines, badges }: RowSource, askText: string): [RowStatus, string] {
  const line = lines[0];
  if (line !== undefined && (!kind || kind.id === SEE_TENDER_DOCUMENT))
    return ['other', `The portal says: “${line}”. Read the tender document; then mark it.`];
  if (badges.includes('if_applicable')) return ['ask', askText];
  if (kind?.vault === 'template') return ['make_new', "Make a new one for this bid (must carry this work's name)."];
  return ['unmarked', 'Not marked yet'];
}

function rowStatus(source: RowSource, tender: Tender): [RowStatus, string] {
  const { kind, check } = source;
  const askText = `Ask the office: ${tender.contact_designation ?? tender.org_name}`;
  switch (check?.state) {
    case 'ready':
      return readyStatus(kind, check, tender);
    case 'missing':
      return ['missing', 'Missing'];
    case 'not_needed':
      return ['not_needed', `Not needed for me: ${check.reason ?? ''}`];
    case 'ask_office':
      return ['ask', askText];
    default:
      return unmarkedStatus(source, askText);
  }
}

const lineKey = (line: string): string => `line:${line.toLowerCase().replace(/\s+/g, ' ').trim()}`;

/** The kinds of the portal's list in its order, each with its lines; a line without a kind is a row of its own. */
function portalRows(tender: Tender): Map<string, { kind: DocumentKind | undefined; name: string; lines: string[] }> {
  const rows = new Map<string, { kind: DocumentKind | undefined; name: string; lines: string[] }>();
  for (const { cover, name: line } of tender.documents.filter(isBidderUpload)) {
    const kinds = matchKinds(cover, line).flatMap((id) => findKind(id) ?? []);
    const named =
      kinds.length > 0
        ? kinds.map((kind) => ({ key: kind.id, kind, name: kind.en }))
        : [{ key: lineKey(line), kind: undefined, name: line }];
    for (const { key, kind, name } of named) {
      const lines = rows.get(key)?.lines ?? [];
      rows.set(key, { kind, name, lines: lines.includes(line) ? lines : [...lines, line] });
    }
  }
  return rows;
}

const usualRows = () =>
  new Map(
    USUAL_KINDS.flatMap((id) => findKind(id) ?? []).map((kind) => [
      kind.id,
      { kind, name: kind.en, lines: [] as string[] },
    ]),
  );

/** Reading the lines takes longer than the rest, so their rows are cached for each list of documents. */
const rowsByDocuments = new WeakMap<Tender['documents'], ReturnType<typeof portalRows>>();

function knownPortalRows(tender: Tender): ReturnType<typeof portalRows> {
  const known = rowsByDocuments.get(tender.documents);
  if (known) return known;
  const rows = portalRows(tender);
  rowsByDocuments.set(tender.documents, rows);
  return rows;
}

/** The checklist of a tender with the user's marks. */
export function buildChecklist(tender: Tender, checks: readonly CheckRow[]): TenderChecklist {
  const checkByKey = new Map(checks.map((check) => [check.key, check]));
  const hasNoList = !tender.documents.some(isBidderUpload);
  const own = checks
    .filter(({ key }) => key.startsWith(OWN_PREFIX))
    .map((check) => [check.key, { kind: undefined, name: check.text ?? '', lines: [] as string[] }] as const);
  const rows = [...(hasNoList ? usualRows() : knownPortalRows(tender)), ...own].map(([key, { kind, name, lines }]) => {
    const source = { kind, lines, badges: [...new Set(lines.flatMap(matchBadges))], check: checkByKey.get(key) };
    const [status, text] = rowStatus(source, tender);
    return { key, name, ...source, status, text, isOwn: key.startsWith(OWN_PREFIX) };
  });
  const standing = standingRows(formatDate(tender.closing_date)).map(({ id, en, hi, why }) => {
    const key = `${STANDING_PREFIX}${id}`;
    return { key, name: en, hindi: hi, why, isDone: checkByKey.get(key)?.state === 'ready' };
  });
  return { rows, standing, hasNoList };
}

const countRows = ({ rows }: Pick<TenderChecklist, 'rows'>, isCounted: (status: RowStatus) => boolean): number =>
  rows.filter(({ status }) => isCounted(status)).length;

/** '3 ready · 4 to fix · 1 to ask'. Documents that are not needed or not marked are not counted. */
export function countText(checklist: TenderChecklist): string {
  const ready = countRows(checklist, (status) => status === 'ready');
  return `${ready} ready · ${countRows(checklist, isFault)} to fix · ${countRows(checklist, isAsked)} to ask`;
}

/**
 * The sentences under the count; null while rows are only to ask. Red only when the user or a date says that a document
 * is missing; green only when every row is settled.
 */
export function checklistSummary({ rows, standing, hasNoList }: TenderChecklist): { tone: Tone; text: string } | null {
  const fix = countRows({ rows }, isFault);
  const unmarked = countRows({ rows }, isUnmarked);
  const undated = countRows({ rows }, (status) => status === 'no_date');
  const texts = [
    fix > 0 && fixText(fix),
    unmarked > 0 && notMarkedText(unmarked),
    undated > 0 && noExpiryText(undated),
  ].filter((text) => text !== false);
  if (texts.length > 0) return { tone: fix > 0 ? 'red' : 'gray', text: texts.join(' ') };
  const isComplete =
    !hasNoList && rows.every(({ status }) => isSettled(status)) && standing.every(({ isDone }) => isDone);
  return isComplete ? { tone: 'green', text: ALL_READY_TEXT } : null;
}

/** The state whose bids were counted: elsewhere too few closing hours are known. */
const COUNTED_STATE = 'Assam';
const LAST_HOURS = 3;

/** A hint on the day before closing, with its source, and on the day of closing; null on other days. */
export function closingHint(
  tender: Tender,
  { rows, standing }: TenderChecklist,
  now: Date,
): { text: string; source: string | null } | null {
  const closing = { at: new Date(tender.closing_date), timeKnown: tender.closing_time_known };
  if (!tender.closing_time_known || isClosed(closing, now)) return null;
  const days = daysLeft(closing, now);
  if (days === 1 && tender.state === COUNTED_STATE) return { text: DAY_BEFORE_TEXT, source: DAY_BEFORE_SOURCE };
  if (days !== 0) return null;
  const open = rows.filter(({ status }) => !isSettled(status)).length + standing.filter(({ isDone }) => !isDone).length;
  const rest = open === 0 ? 'Upload now.' : `Upload now; check ${open} open ${open === 1 ? 'row' : 'rows'}.`;
  const isLast = closing.at.getTime() - now.getTime() < LAST_HOURS * HOUR_MS;
  const start = isLast ? `Less than ${LAST_HOURS} hours left.` : `Closes today at ${formatTime(closing.at)}.`;
  return { text: `${start} ${rest}`, source: null };
}

/** '9 papers named on the portal · closes 15 Apr 2026, 11:00 AM' */
export function subtitle(tender: Tender, { rows, hasNoList }: TenderChecklist): string {
  const named = hasNoList ? 0 : rows.filter(({ isOwn }) => !isOwn).length;
  const count = `${named} ${named === 1 ? 'paper' : 'papers'} named on the portal`;
  return `${count} · closes ${closesText(tender)}`;
}

const closesText = (tender: Tender): string =>
  closingText({ at: new Date(tender.closing_date), timeKnown: tender.closing_time_known });

/** True when the portal may have cut the line. */
export const isCutLine = (line: string): boolean => line.length >= MAX_PORTAL_LINE;

/** The head of a printed or shared list. */
export function sheetHead(tender: Tender): string {
  const covers = [...new Set(tender.documents.filter(isBidderUpload).map(({ cover }) => cover))];
  return [
    tender.title,
    tender.source_tender_id,
    `closes ${closesText(tender)}`,
    `${covers.length > 0 ? 'list' : 'notice'} read ${formatDate(tender.fetched_at)}`,
    covers.length > 0 && `cover ${covers.join(', ')}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** The checklist as a message; `onlyOpen` leaves out what is settled. */
export function checklistMessage(tender: Tender, checklist: TenderChecklist, onlyOpen: boolean): string {
  const rows = checklist.rows
    .filter(({ status }) => !onlyOpen || !isSettled(status))
    .map(({ status, name, text, badges }) => {
      const notes = badges.map((badge) => BADGE_LABELS[badge]).join(', ');
      return `${rowSign(status)} ${name}${notes && ` (${notes})`} – ${text}`;
    });
  const standing = checklist.standing
    .filter(({ isDone }) => !onlyOpen || !isDone)
    .map(({ isDone, name }) => `${isDone ? '✓' : '☐'} ${name}`);
  const { hasNoList } = checklist;
  const note = hasNoList ? [noListText(USUAL_COUNT), USUAL_TEXT] : [];
  return [sheetHead(tender), '', ...note, ...rows, '', ...standing, '', sheetFoot(hasNoList), PRINT_PRIVACY].join('\n');
}
