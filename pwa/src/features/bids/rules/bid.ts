/**
 * A bid with the facts of its tender. A bid stores the facts that it needs, so that it is readable without
 * the tender.
 */
import { t } from '@lingui/core/macro';
import type { RecordFields } from '@nivida/contract/bids/records';
import { type Closing, closingText } from '@nivida/contract/tenders/closing';
import { isOpenForBids, statusAt, type TenderStatus } from '@nivida/contract/tenders/status';
import type { Tender } from '@nivida/contract/tenders/tender';
import type { BidStage } from './stages.ts';

/** A record of the kind `bid`. */
export type Bid = RecordFields<'bid'> & { id: string };

/** The stage of a bid; a new bid has none stored. */
export const stageOf = ({ stage }: Bid): BidStage => stage ?? 'preparing';

/**
 * The facts of a bid that screens show. They come from the tender where the device has it, otherwise from the
 * bid.
 */
export interface BidFacts {
  title: string;
  office: string;
  closing: Closing | null;
  openingAt: Date | null;
  /** The portal accepts bids. False when the closing is unknown. */
  isOpen: boolean;
  /** The status at the source; null for an own entry or while the device does not have the tender. */
  status: TenderStatus | null;
  /** Rupees; null when unknown. */
  estimate: number | null;
  /** Rupees; 0 when not required; null when unknown. */
  emd: number | null;
  tenderFee: number | null;
  /** The portal's id of the tender. */
  sourceTenderId: string | null;
  sourcePortal: string | null;
}

/**
 * The closing that a bid stores. The user types a closing with its hour. A tender's closing has an hour where
 * the source names it.
 */
function storedClosing({ closingAt, closingTimeKnown, tenderId }: Bid): Closing | null {
  return closingAt ? { at: new Date(closingAt), timeKnown: closingTimeKnown ?? tenderId === undefined } : null;
}

const rupees = (text: string | null | undefined): number | null =>
  text === null || text === undefined ? null : Number(text);

/** The facts of a bid at `now`. */
export function bidFacts(bid: Bid, tender: Tender | undefined, now: Date): BidFacts {
  if (tender) {
    return {
      title: tender.title,
      office: tender.org_name,
      closing: { at: new Date(tender.closing_date), timeKnown: tender.closing_time_known },
      openingAt: tender.opening_date === null ? null : new Date(tender.opening_date),
      isOpen: isOpenForBids(tender, now),
      status: statusAt(tender, now),
      estimate: tender.price,
      emd: rupees(tender.emd),
      tenderFee: rupees(tender.tender_fee),
      sourceTenderId: tender.source_tender_id,
      sourcePortal: tender.source_portal,
    };
  }
  const closing = storedClosing(bid);
  return {
    title: bid.title ?? t`Bid without a title`,
    office: bid.organisation ?? '',
    closing,
    openingAt: null,
    isOpen: closing !== null && now < closing.at,
    status: null,
    estimate: null,
    emd: null,
    tenderFee: null,
    sourceTenderId: null,
    sourcePortal: null,
  };
}

/** The change of the closing since the bid stored it; null when there is none. */
export function closingMove(bid: Bid, tender: Tender | undefined): { was: Date; now: Date } | null {
  if (!tender || !bid.closingAt) return null;
  const was = new Date(bid.closingAt);
  const now = new Date(tender.closing_date);
  return was.getTime() === now.getTime() ? null : { was, now };
}

/** The old and the new closing as text; null when the closing has not changed. */
export function closingMoveTexts(bid: Bid, tender: Tender | undefined): { was: string; now: string } | null {
  const stored = storedClosing(bid);
  if (!tender || !stored || !closingMove(bid, tender)) return null;
  return {
    was: closingText(stored),
    now: closingText({ at: new Date(tender.closing_date), timeKnown: tender.closing_time_known }),
  };
}

/** The bidder's rate in percent of the estimate, positive above it; null when unknown. */
export function ownRatePercent(bid: Bid, estimate: number | null): number | null {
  if (bid.rateKind === 'percent' && bid.ratePercent !== undefined) return bid.ratePercent;
  if (bid.ratePaise === undefined || !estimate) return null;
  return (bid.ratePaise / 100 / estimate - 1) * 100;
}

/** The bidder's rate in rupees; null when unknown. */
export function ownRateRupees(bid: Bid, estimate: number | null): number | null {
  if (bid.rateKind !== 'percent' && bid.ratePaise !== undefined) return bid.ratePaise / 100;
  if (bid.ratePercent === undefined || estimate === null) return null;
  return estimate * (1 + bid.ratePercent / 100);
}

/** True when the user asked to be reminded of the bid by `now`. */
export const isReminderDue = ({ reminderAt }: Bid, now: Date): boolean =>
  reminderAt !== undefined && new Date(reminderAt) <= now;
