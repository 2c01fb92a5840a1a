/** The user's bids as the screens show them. */
import { t } from '@lingui/core/macro';
import type { LiveRows } from '../../data/device/live-query.ts';
import { useSpaceRows } from '../../data/firms/useSpaceRows.ts';
import type { DeskRows } from './read-desk.ts';
import { bidFacts, closingMoveTexts, stageOf } from './rules/bid.ts';
import type { BidDeposit } from './rules/bid-changes.ts';
import type { ListedBid } from './rules/bid-list.ts';
import { type BidState, closingDayText, type DocumentState, type MoneyState } from './rules/next-step.ts';
import { sourceResult } from './rules/source-result.ts';
import { isBeforeSubmission } from './rules/stages.ts';

const loadDesk = async () => (await import('./read-desk.ts')).readDesk;

/** The current owner's bids, renewed after each change. */
export const useDesk = (): LiveRows<DeskRows> => useSpaceRows(loadDesk);

/** A bid of the list with its state. */
export interface DeskBid extends ListedBid {
  deposits: readonly BidDeposit[];
  state: BidState;
  /** Lines about news: the result, or a moved closing. */
  news: readonly string[];
}

const isHeldEmd = ({ kind, state = 'locked', mode }: BidDeposit): boolean =>
  kind === 'emd' && mode !== 'exempt' && ['locked', 'due_back', 'asked'].includes(state);

const moneyState = (deposits: readonly BidDeposit[]): MoneyState => ({
  hasEmd: deposits.some(({ kind }) => kind === 'emd'),
  hasPerformance: deposits.some(({ kind }) => kind === 'performance'),
  isEmdHeld: deposits.some(isHeldEmd),
});

/** The bids with their facts. `documentsOf` is null until the checklist's code is loaded. */
export function deskBids(
  { bids, deposits, tenders, firmNames }: DeskRows,
  documentsOf: ((bidId: string) => DocumentState | null) | null,
  now: Date,
): DeskBid[] {
  return bids.map((bid) => {
    const tender = bid.tenderId === undefined ? undefined : tenders.get(bid.tenderId);
    const facts = bidFacts(bid, tender, now);
    const own = deposits.filter(({ bidId }) => bidId === bid.id);
    const stage = stageOf(bid);
    const move = closingMoveTexts(bid, tender);
    const today = closingDayText(stage, facts.closing, now);
    const result = sourceResult(stage, facts.status, null, firmNames);
    return {
      bid,
      facts,
      deposits: own,
      state: {
        stage,
        // An own entry may have no closing.
        isOpen: facts.isOpen || (facts.closing === null && isBeforeSubmission(stage)),
        emd: facts.emd,
        openingAt: facts.openingAt,
        documents: documentsOf?.(bid.id) ?? null,
        money: moneyState(own),
      },
      news: [
        ...(today ? [today] : []),
        ...(result ? [result.text] : []),
        ...(move ? [t`Closing moved from ${{ was: move.was }} to ${{ now: move.now }}.`] : []),
      ],
    };
  });
}
