/** The user's own mark on a tender's card. */
import { plural, t } from '@lingui/core/macro';
import type { BidVerdict } from '@nivida/contract/rules/may-i-bid';
import type { Tone } from '../../../ui/display/Badge.tsx';
import { type BidStage, stageLabel } from './stages.ts';

export interface OwnMark {
  tone: Tone;
  text: string;
}

/**
 * The user's mark of a card: the stage of the bid. Without a bid: whether the estimate is within the limit of
 * the enlistment. Null while the user has to answer a question first.
 */
export function ownMark(stage: BidStage | undefined, verdict: BidVerdict): OwnMark | null {
  if (stage) return { tone: 'blue', text: stageLabel(stage) };
  if (verdict === 'ask') return null;
  return verdict === 'no' ? { tone: 'gray', text: t`Above my limit` } : { tone: 'green', text: t`In my limit` };
}

/** The line at the switch "Works I may bid": how many works of the page are above the limit; '' for none. */
export function limitLine(isFiltered: boolean, count: number): string {
  if (count === 0) return '';
  if (isFiltered)
    return plural(count, {
      one: '# work on this page is above the limit of your enlistment and hidden.',
      other: '# works on this page are above the limit of your enlistment and hidden.',
    });
  return plural(count, {
    one: '# work on this page is above the limit of your enlistment.',
    other: '# works on this page are above the limit of your enlistment.',
  });
}
