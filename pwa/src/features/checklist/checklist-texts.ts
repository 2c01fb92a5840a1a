/** Sentences of the checklist. */
import { msg, plural, t } from '@lingui/core/macro';
import { i18n } from '@nivida/contract/i18n';
import type { TenderChecklist } from '../../data/bid-documents/checklist-rows.ts';
import type { DocumentBadge } from '../../data/bid-documents/match-kinds.ts';
import type { UsualList } from '../../data/bid-documents/usual-documents.ts';

const BADGE_LABELS = {
  notary: msg`notary`,
  magistrate: msg`magistrate`,
  stamp_paper: msg`stamp paper`,
  fresh_with_work_name: msg`fresh, with name of work`,
  original_by_hand: msg`original by hand`,
  countersigned_ee: msg`executive engineer's signature`,
  ca_signed: msg`signed by CA`,
  latest: msg({ message: 'latest', context: 'requirement of a document' }),
  online_only: msg`online payment only`,
  if_applicable: msg`only if it applies`,
} satisfies Record<DocumentBadge, unknown>;
export const badgeLabel = (badge: DocumentBadge): string => i18n._(BADGE_LABELS[badge]);

/** The portal cuts longer lines. */
export const MAX_PORTAL_LINE = 100;
export const cutLineText = () => t`The portal cuts this line at 100 letters. Read the rest in the tender document.`;
/** Where the rows of a printed or shared list come from. */
export const sheetFoot = ({ hasNoList, usual }: Pick<TenderChecklist, 'hasNoList' | 'usual'>): string =>
  hasNoList
    ? t`Usual documents of ${{ office: usual.name }}, not from the portal; check the NIT. Made by Nivida, offline. The tender document prevails.`
    : t`Made from the portal's own list by Nivida, offline. The tender document prevails.`;
export const printPrivacy = () => t`PAN, Aadhaar and file copies are not included.`;
export const allReadyText = () => t`Everything the portal names is ready. The office decides; this is not a guarantee.`;

/** Explains the usual list. An own entry has no notice inviting tenders. */
export const noListText = ({ name: office, kinds }: UsualList, isOwnEntry: boolean): string => {
  const start = isOwnEntry
    ? t`The list of documents is in the tender document.`
    : t`This notice names no documents on the portal. The list is in the tender document.`;
  const count = kinds.length;
  return `${start} ${t`Start from the usual list of ${office} (${count}), or add documents as you read.`}`;
};
export const usualText = ({ name: office }: UsualList): string => t`Usual in ${office}, check the NIT:`;

export const fixText = (count: number): string =>
  plural(count, {
    one: '# document can get this bid rejected. Fix it first.',
    other: '# documents can get this bid rejected. Fix these first.',
  });

export const notMarkedText = (count: number): string => plural(count, { other: '# not marked yet.' });
export const noExpiryText = (count: number): string => plural(count, { other: '# without an expiry date.' });
export const noFileText = (count: number): string => plural(count, { other: '# without a photo or PDF.' });

export const staleText = (read: string, hasNoList: boolean): string =>
  hasNoList
    ? t`Notice read on ${read}. A corrigendum may have changed it.`
    : t`List read on ${read}. A corrigendum may have changed it.`;

export const dayBeforeText = () =>
  t`Submit by tonight, not tomorrow morning. In Assam, bids sent in the last hour were rejected for documents or qualification 30% of the time; bids sent three hours or more before closing, 15%. You can still replace your bid until closing.`;
export const dayBeforeSource = () =>
  t`Counted from 2,028 bids of the last hour and 12,624 bids sent three hours or more before closing, at the portal of Assam, tenders published since June 2025.`;
