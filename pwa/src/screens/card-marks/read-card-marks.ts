/**
 * Marks of cards from the user's bids and enlistments on the device. In a separate chunk, because no list
 * needs it for its first paint.
 */
import { listVerdict } from '@nivida/contract/rules/may-i-bid';
import type { TenderSummary } from '@nivida/contract/tenders/tender';
import type { DeviceDatabase } from '../../data/device/schema.ts';
import { readRecords } from '../../data/records/record-rows.ts';
import { type OwnMark, ownMark } from '../../features/bids/rules/card-mark.ts';
import { readBidProfile } from '../../features/eligibility/bid-profile.ts';

export interface ReadCardMarks {
  /** The user has an enlistment, so works can be above its limit. */
  hasEnlistment: boolean;
  markOf: (tender: TenderSummary) => OwnMark | null;
  /** True only when the user certainly may not bid. */
  isRefused: (tender: TenderSummary) => boolean;
}

/** The marks of cards from an owner's bids and enlistments. */
export async function readCardMarks(db: DeviceDatabase, owner: string): Promise<ReadCardMarks> {
  // At once: a live query loses track of what nested functions read one after the other.
  const [profile, bids] = await Promise.all([readBidProfile(db, owner), readRecords(db, owner, 'bid')]);
  const stages = new Map(bids.map(({ fields: { tenderId = '', stage = 'preparing' } }) => [tenderId, stage]));
  return {
    hasEnlistment: profile.enlistments.length > 0,
    markOf: (tender) => ownMark(stages.get(tender._id), listVerdict(tender, profile)),
    isRefused: (tender) => listVerdict(tender, profile) === 'no',
  };
}
