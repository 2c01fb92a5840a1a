/** The stages of a bid, in the order of the work. */
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { BID_STAGES } from '@nivida/contract/bids/records';
import { i18n } from '@nivida/contract/i18n';

export type BidStage = (typeof BID_STAGES)[number];

const STAGE_LABELS: Record<BidStage, MessageDescriptor> = {
  considering: msg({ message: 'Considering', context: 'stage of a bid' }),
  preparing: msg({ message: 'Preparing', context: 'stage of a bid' }),
  submitted: msg({ message: 'Submitted', context: 'stage of a bid' }),
  opened: msg({ message: 'Opened', context: 'stage of a bid' }),
  won: msg({ message: 'Won', context: 'stage of a bid' }),
  lost: msg({ message: 'Lost', context: 'stage of a bid' }),
  dropped: msg({ message: 'Dropped', context: 'stage of a bid' }),
};

export const stageLabel = (stage: BidStage): string => i18n._(STAGE_LABELS[stage]);

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
