/** Sentences of the checklist. */
import type { TenderChecklist } from '../../data/bid-documents/checklist-rows.ts';
import type { DocumentBadge } from '../../data/bid-documents/match-kinds.ts';
import type { UsualList } from '../../data/bid-documents/usual-documents.ts';

export const BADGE_LABELS: Record<DocumentBadge, string> = {
  notary: 'notary',
  magistrate: 'magistrate',
  stamp_paper: 'stamp paper',
  fresh_with_work_name: 'fresh, with name of work',
  original_by_hand: 'original by hand',
  countersigned_ee: "executive engineer's signature",
  ca_signed: 'signed by CA',
  latest: 'latest',
  online_only: 'online payment only',
  if_applicable: 'only if it applies',
};

/** Reasons why a document is not needed. `today` is the day on which the office answered. */
export const notNeededReasons = (today: string): string[] => [
  'I bid alone (no joint venture)',
  'I am the owner (no power of attorney)',
  'No exemption claimed',
  'Only if applicable',
  `Office said so on ${today}`,
];

/** The portal cuts longer lines. */
export const MAX_PORTAL_LINE = 100;
export const CUT_LINE_TEXT = 'The portal cuts this line at 100 letters. Read the rest in the tender document.';
const PRINT_FOOT = "Made from the portal's own list by Nivida, offline. The tender document prevails.";
/** Where the rows of a printed or shared list come from. */
export const sheetFoot = ({ hasNoList, usual }: Pick<TenderChecklist, 'hasNoList' | 'usual'>): string =>
  hasNoList
    ? `Usual documents of ${usual.name}, not from the portal; check the NIT. Made by Nivida, offline. The tender document prevails.`
    : PRINT_FOOT;
export const PRINT_PRIVACY = 'PAN, Aadhaar and file copies are not included.';
export const ALL_READY_TEXT = 'Everything the portal names is ready. The office decides; this is not a guarantee.';

/** Explains the usual list. An own entry has no notice inviting tenders. */
export const noListText = ({ name, kinds }: UsualList, isOwnEntry: boolean): string => {
  const start = isOwnEntry
    ? 'The list of documents is in the tender document.'
    : 'This notice names no documents on the portal. The list is in the tender document.';
  return `${start} Start from the usual list of ${name} (${kinds.length}), or add documents as you read.`;
};
export const usualText = ({ name }: UsualList): string => `Usual in ${name}, check the NIT:`;

export const fixText = (count: number): string =>
  count === 1
    ? '1 document can get this bid rejected. Fix it first.'
    : `${count} documents can get this bid rejected. Fix these first.`;

export const notMarkedText = (count: number): string => `${count} not marked yet.`;
export const noExpiryText = (count: number): string => `${count} without an expiry date.`;
export const noFileText = (count: number): string => `${count} without a photo or PDF.`;

export const staleText = (read: string, hasNoList: boolean): string =>
  `${hasNoList ? 'Notice' : 'List'} read on ${read}. A corrigendum may have changed it.`;

export const DAY_BEFORE_TEXT =
  'Submit by tonight, not tomorrow morning. In Assam, bids sent in the last hour were rejected for documents or qualification 30% of the time; bids sent three hours or more before closing, 15%. You can still replace your bid until closing.';
export const DAY_BEFORE_SOURCE =
  'Counted from 2,028 bids of the last hour and 12,624 bids sent three hours or more before closing, at the portal of Assam, tenders published since June 2025.';
