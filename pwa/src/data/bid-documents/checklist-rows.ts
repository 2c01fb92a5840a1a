/**
 * The rows of a tender's checklist: documents that the portal names, rows that the user added, the user's
 * marks, and documents in the vault.
 */

import { t } from '@lingui/core/macro';
import { endOfIndianDay, formatDate } from '@nivida/contract/format';
import { i18n } from '@nivida/contract/i18n';
import { isBidderUpload } from '@nivida/contract/orders/document-package';
import type { Tender } from '@nivida/contract/tenders/tender';
import { DAY_MS } from '@nivida/contract/time';
import {
  type DocumentBadge,
  type DocumentKind,
  findKind,
  matchBadges,
  matchKinds,
  SEE_TENDER_DOCUMENT,
} from './match-kinds.ts';
import { reasonLabel } from './not-needed-reasons.ts';
import { standingRows } from './standing-rows.ts';
import { type UsualList, usualList } from './usual-documents.ts';
import type { VaultDocument } from './vault-document.ts';

/** A mark in the checklist of a tender, of an owner of records. */
export interface CheckRow {
  owner: string;
  tenderId: string;
  /** The row of the checklist: a kind of document, a portal's line, a standing row or an own one. */
  key: string;
  /** Null for a row that is not marked: an own one, or one that has only an assignee. */
  state: 'ready' | 'missing' | 'not_needed' | 'ask_office' | null;
  /** Why the document is not needed. */
  reason?: string;
  /** Last day of validity, an Indian day: '2026-04-15'. */
  validUntil?: string;
  /** The document of the vault that serves the row. */
  documentId?: string;
  /** The member of the firm who does it. */
  assigneeId?: string;
  /** Name of an own row. */
  text?: string;
  /** When the mark was made (milliseconds since 1970). */
  at: number;
}

/** State of a row. Only `ready` is green. A row is ready by the user's mark or by a document of the vault. */
export type RowStatus =
  | 'ready'
  | 'expires'
  | 'expires_soon'
  | 'no_date'
  | 'no_file'
  | 'old'
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
  /** The lines of the portal that ask for the document. */
  lines: string[];
  badges: DocumentBadge[];
  check: CheckRow | undefined;
  /**
   * The document of the vault that serves the row: the user's choice, or the one of its kind that is valid
   * longest.
   */
  document: VaultDocument | undefined;
  status: RowStatus;
  text: string;
  isOwn: boolean;
}

/** A row of every checklist. */
export interface StandingChecklistRow {
  key: string;
  name: string;
  hindi: string;
  why?: string;
  isDone: boolean;
}

export interface TenderChecklist {
  rows: ChecklistRow[];
  standing: StandingChecklistRow[];
  /** The portal publishes no list; `rows` has the usual one. */
  hasNoList: boolean;
  /** The documents that the office usually asks for. `rows` has them when the portal publishes no list. */
  usual: UsualList;
}

/** The fields of a tender that a checklist reads. `_id` is the bid's id for an own entry. */
export type ChecklistTender = Pick<
  Tender,
  | ('_id' | 'title' | 'org_name' | 'department' | 'state' | 'district' | 'second_district' | 'documents')
  | ('opening_date' | 'bid_validity_days' | 'bid_opening_place' | 'contact_designation' | 'closing_time_known')
  | ('price' | 'price_text' | 'tender_fee' | 'emd' | 'is_listed')
> & {
  source_tender_id: string | null;
  /** '' for an own entry without a closing. */
  closing_date: string;
  /** When the notice was read; null for an own entry. */
  fetched_at: string | null;
};

const STANDING_PREFIX = 'standing:';
const OWN_PREFIX = 'own:';
/** The key of a row that the user adds. */
export const ownKey = (id: string): string => `${OWN_PREFIX}${id}`;

/** True for a row that the bidder has to ask the office about. */
export const isAsked = (status: RowStatus): boolean =>
  status === 'ask' || status === 'other' || status === 'expires_soon' || status === 'old';
/** True for a row that needs no more work. */
export const isRowDone = (status: RowStatus): boolean => status === 'ready' || status === 'not_needed';
/** True for a row that is missing by the user's mark or by its dates. A row without a mark is not missing. */
export const isFault = (status: RowStatus): boolean => status === 'missing' || status === 'expires';
/** True for a row without a mark and without a document that serves it. */
export const isUnmarked = (status: RowStatus): boolean => status === 'unmarked' || status === 'make_new';

/**
 * The instant until which a document must be valid: the opening, or the end of the bid's validity if that is
 * later. Null when the notice has neither.
 */
function decisionAt(tender: ChecklistTender): Date | null {
  const times = [
    tender.opening_date && new Date(tender.opening_date).getTime(),
    tender.bid_validity_days && new Date(tender.closing_date).getTime() + tender.bid_validity_days * DAY_MS,
  ].filter((time) => typeof time === 'number');
  return times.length > 0 ? new Date(Math.max(...times)) : null;
}

function readyStatus(
  kind: DocumentKind | undefined,
  validUntil: string | undefined,
  noDateText: string,
  tender: ChecklistTender,
): [RowStatus, string] {
  if (!validUntil) return kind?.life === 'expires' ? ['no_date', noDateText] : ['ready', t`Ready`];
  const end = endOfIndianDay(validUntil);
  const day = formatDate(end);
  if (end < new Date(tender.closing_date)) return ['expires', t`Expires ${day}, before closing. Renew first.`];
  const decision = decisionAt(tender);
  if (decision && end < decision) {
    return ['expires_soon', t`Valid at closing, but ends ${day}, before the bid is opened/decided. Ask the office.`];
  }
  return ['ready', t`Ready – valid till ${day}`];
}

/** For kinds that are issued regularly: after this many days a newer copy exists. */
const NEWER_COPY_DAYS: Partial<Record<DocumentKind['life'], number>> = { monthly: 60, yearly: 365 };

/**
 * When an old copy was saved. A copy is old when a newer one was due before the closing. Undefined for other
 * documents.
 */
function oldCopy(kind: DocumentKind | undefined, { createdAt }: VaultDocument, closing: string): Date | undefined {
  const days = kind && NEWER_COPY_DAYS[kind.life];
  if (!days || !createdAt || !closing) return undefined;
  const saved = new Date(createdAt);
  return saved.getTime() + days * DAY_MS < new Date(closing).getTime() ? saved : undefined;
}

function documentStatus(
  kind: DocumentKind | undefined,
  document: VaultDocument,
  tender: ChecklistTender,
): [RowStatus, string] {
  const noDateText = t`In your vault, but no expiry date saved. Read the date and enter it.`;
  const [status, text] = readyStatus(kind, document.validUntil, noDateText, tender);
  if (status === 'ready' && !document.files?.length)
    return ['no_file', t`In your vault, but without a photo or PDF. Add one.`];
  const saved = status === 'ready' ? oldCopy(kind, document, tender.closing_date) : undefined;
  if (saved) return ['old', t`Your copy was saved on ${{ day: formatDate(saved) }}. A newer one may be asked for.`];
  return [status, text];
}

/** The last day of validity of a document that does not expire. */
const LASTING = '9999-12-31';

/**
 * True for a document that is uploaded with every bid. The vault's document then serves without a choice of
 * the user.
 */
const isReused = (kind: DocumentKind | undefined, badges: readonly DocumentBadge[]): boolean =>
  kind?.vault === 'reuse' &&
  (kind.life === 'permanent' || kind.life === 'expires') &&
  !badges.includes('latest') &&
  !badges.includes('fresh_with_work_name');

/**
 * Documents of the vault that may serve a row. They have its kind and the tender's state. The one valid
 * longest is first.
 */
export function documentsForRow(
  kind: DocumentKind | undefined,
  vault: readonly VaultDocument[],
  tender: ChecklistTender,
): VaultDocument[] {
  if (!kind) return [];
  const last = ({ validUntil }: VaultDocument) => validUntil ?? (kind.life === 'expires' ? '' : LASTING);
  return vault
    .filter((each) => each.kind === kind.id && (!each.forState || !tender.state || each.forState === tender.state))
    .sort((a, b) => last(b).localeCompare(last(a)));
}

type RowSource = Pick<ChecklistRow, 'kind' | 'lines' | 'badges' | 'check' | 'document'>;

function unmarkedStatus({ kind, lines, badges }: RowSource, askText: string): [RowStatus, string] {
  const line = lines[0];
  if (line !== undefined && (!kind || kind.id === SEE_TENDER_DOCUMENT))
    return ['other', t`The portal says: “${line}”. Read the tender document; then mark it.`];
  if (badges.includes('if_applicable')) return ['ask', askText];
  if (kind?.vault === 'template') return ['make_new', t`Make a new one for this bid (must carry this work's name).`];
  return ['unmarked', t`Not marked yet`];
}

function rowStatus(source: RowSource, tender: ChecklistTender): [RowStatus, string] {
  const { kind, check, document } = source;
  const askText = t`Ask the office: ${{ office: tender.contact_designation ?? tender.org_name }}`;
  switch (check?.state) {
    case 'ready':
      if (document) return documentStatus(kind, document, tender);
      if (check.documentId !== undefined) return ['missing', t`Missing – not in your vault`];
      return readyStatus(kind, check.validUntil, t`No expiry date saved. Read the date and enter it.`, tender);
    case 'missing':
      return ['missing', t`Missing`];
    case 'not_needed':
      return ['not_needed', t`Not needed for me: ${{ reason: reasonLabel(check.reason ?? '') }}`];
    case 'ask_office':
      return ['ask', askText];
    default:
      return document ? documentStatus(kind, document, tender) : unmarkedStatus(source, askText);
  }
}

const lineKey = (line: string): string => `line:${line.toLowerCase().replace(/\s+/g, ' ').trim()}`;

/** A row as the portal describes it. `name` is for a row without a kind. */
type NamedRow = Pick<ChecklistRow, 'kind' | 'name' | 'lines' | 'badges'>;

const isRefreshed = ({ life }: DocumentKind): boolean => life === 'monthly' || life === 'yearly';

/**
 * What a line says about the form of one of its kinds. If a line names several kinds, 'latest' applies to
 * returns only, and no accountant signs a permanent document: 'Copy of PAN No. and latest income tax return'
 * asks for any PAN card.
 */
function badgesOf(kind: DocumentKind, kinds: readonly DocumentKind[], line: string): DocumentBadge[] {
  return matchBadges(line).filter((badge) => {
    if (badge === 'latest') return isRefreshed(kind) || !kinds.some(isRefreshed);
    if (badge === 'ca_signed') return kinds.length === 1 || kind.life !== 'permanent';
    return true;
  });
}

/**
 * The kinds of the portal's list in its order, each with its lines. A line without a kind is a separate row.
 */
function portalRows(tender: ChecklistTender): Map<string, NamedRow> {
  const rows = new Map<string, NamedRow>();
  for (const { cover, name: line } of tender.documents.filter(isBidderUpload)) {
    const kinds = matchKinds(cover, line).flatMap((id) => findKind(id) ?? []);
    const named =
      kinds.length > 0
        ? kinds.map((kind) => ({ key: kind.id, kind, badges: badgesOf(kind, kinds, line) }))
        : [{ key: lineKey(line), kind: undefined, badges: matchBadges(line) }];
    for (const { key, kind, badges } of named) {
      const before = rows.get(key) ?? { lines: [], badges: [] };
      rows.set(key, {
        ...{ kind, name: line },
        lines: [...new Set([...before.lines, line])],
        badges: [...new Set([...before.badges, ...badges])],
      });
    }
  }
  return rows;
}

const usualRows = ({ kinds }: UsualList): Map<string, NamedRow> =>
  new Map(
    kinds.flatMap((id) => findKind(id) ?? []).map((kind) => [kind.id, { kind, name: '', lines: [], badges: [] }]),
  );

/** Reading the lines is slow, so their rows are cached for each list of documents. */
const rowsByDocuments = new WeakMap<Tender['documents'], ReturnType<typeof portalRows>>();

function knownPortalRows(tender: ChecklistTender): ReturnType<typeof portalRows> {
  const known = rowsByDocuments.get(tender.documents);
  if (known) return known;
  const rows = portalRows(tender);
  rowsByDocuments.set(tender.documents, rows);
  return rows;
}

/**
 * The document that serves a row: the chosen one. Without any mark, the best one of a kind that is used again
 * for each bid.
 */
function servingDocument(
  row: Pick<ChecklistRow, 'kind' | 'badges' | 'check'>,
  vault: readonly VaultDocument[],
  tender: ChecklistTender,
): VaultDocument | undefined {
  const { kind, badges, check } = row;
  if (check?.state === 'ready')
    return check.documentId === undefined ? undefined : vault.find(({ id }) => id === check.documentId);
  if (check?.state || !isReused(kind, badges)) return undefined;
  return documentsForRow(kind, vault, tender)[0];
}

/** The checklist of a tender with the user's marks and documents. */
export function buildChecklist(
  tender: ChecklistTender,
  checks: readonly CheckRow[],
  documents: readonly VaultDocument[] = [],
): TenderChecklist {
  const checkByKey = new Map(checks.map((check) => [check.key, check]));
  const hasNoList = !tender.documents.some(isBidderUpload);
  const usual = usualList(tender);
  const own = checks
    .filter(({ key }) => key.startsWith(OWN_PREFIX))
    .map(({ key, text = '' }): [string, NamedRow] => [key, { kind: undefined, name: text, lines: [], badges: [] }]);
  const rows = [...(hasNoList ? usualRows(usual) : knownPortalRows(tender)), ...own].map(
    ([key, { kind, name, lines, badges }]) => {
      const check = checkByKey.get(key);
      const document = servingDocument({ kind, badges, check }, documents, tender);
      const source = { kind, lines, badges, check, document };
      const [status, text] = rowStatus(source, tender);
      return { key, name: kind ? i18n._(kind.name) : name, ...source, status, text, isOwn: key.startsWith(OWN_PREFIX) };
    },
  );
  const standing = standingRows(tender.closing_date ? formatDate(tender.closing_date) : null).map(
    ({ id, ...texts }) => {
      const key = `${STANDING_PREFIX}${id}`;
      return { key, ...texts, isDone: checkByKey.get(key)?.state === 'ready' };
    },
  );
  return { rows, standing, hasNoList, usual };
}
