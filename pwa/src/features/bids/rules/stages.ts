/** The stages of a bid, in the order of the work. */
import type { BID_STAGES } from '@nivida/contract/bids/records';

export type BidStage = (typeof BID_STAGES)[number];

export const STAGE_LABELS: Record<BidStage, string> = {
  considering: 'Considering',
  preparing: 'Preparing',
  submitted: 'Submitted',
  opened: 'Opened',
  won: 'Won',
  lost: 'Lost',
  dropped: 'Dropped',
};

export const STAGE_LABELS_HINDI: Record<BidStage, string> = {
  considering: 'विचार में',
  preparing: 'तैयारी में',
  submitted: 'जमा',
  opened: 'खुली',
  won: 'मिली',
  lost: 'नहीं मिली',
  dropped: 'छोड़ी',
};

/** The stages before the bid is at the portal. */
export const isBeforeSubmission = (stage: BidStage): boolean => stage === 'considering' || stage === 'preparing';

/** The stages in which the office decides. */
export const isPending = (stage: BidStage): boolean => stage === 'submitted' || stage === 'opened';

/** The stages of a bid that is decided or given up. */
export const isFinished = (stage: BidStage): boolean => stage === 'won' || stage === 'lost' || stage === 'dropped';

export const isBidStage = (text: string): text is BidStage => Object.hasOwn(STAGE_LABELS, text);
