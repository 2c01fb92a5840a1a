/** The user's own mark on a tender's card. */
import { t } from '@lingui/core/macro';
import type { BidVerdict } from '@nivida/contract/rules/may-i-bid';
import type { Tone } from '../../../ui/display/Badge.tsx';
import { type BidStage, STAGE_LABELS } from './stages.ts';

export interface OwnMark {
  tone: Tone;
  text: string;
}

/**
 * The user's mark of a card: the stage of the bid. Without a bid: whether the estimate is within the limit of
 * the enlistment. Null while the user has to answer a question first.
 */
export function ownMark(stage: BidStage | undefined, verdict: BidVerdict): OwnMark | null {
  if (stage) return { tone: 'blue', text: STAGE_LABELS[stage] };
  if (verdict === 'ask') return null;
  return verdict === 'no' ? { tone: 'gray', text: t`Above my limit` } : { tone: 'green', text: t`In my limit` };
}

/** The line at the switch "Works I may bid": how many works of the page are above the limit; '' for none. */
export function limitLine(isFiltered: boolean, count: number): string {
  if (count === 0) return '';
  const works = count === 1 ? '1 work on this page is' : `${count} works on this page are`;
  return `${works} above the limit of your enlistment${isFiltered ? ' and hidden' : ''}.`;
}
