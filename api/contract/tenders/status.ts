/** The status of a tender: by the clock while bids are taken, by the portal's stage after that. */

/** Where the portal sees a tender, in the order of the numbers on the wire. */
export const TENDER_STAGES = ['published', 'under_evaluation', 'awarded', 'cancelled', 'retendered'] as const;
export type TenderStage = (typeof TENDER_STAGES)[number];

/** A draft never leaves the server. */
export const TENDER_STATUSES = [
  'upcoming',
  'active',
  'closed',
  'under_evaluation',
  'awarded',
  'cancelled',
  'retendered',
] as const;
export type TenderStatus = (typeof TENDER_STATUSES)[number];

type Instant = string | number | Date;

/**
 * The facts from which the status is derived. A tender that an older version stored has neither stage nor bid start.
 */
export interface StatusFacts {
  stage?: TenderStage | undefined;
  bid_start_date?: Instant | null | undefined;
  closing_date: Instant;
  /** The status when the tender was written, used where the other facts are absent. */
  status?: TenderStatus | undefined;
}

/** The status at `now`. At its closing instant a tender is closed; at its bid start it is active. */
export function statusAt(tender: StatusFacts, now: Date): TenderStatus {
  const { closing_date, status } = tender;
  const stage = tender.stage ?? status;
  if (stage === 'cancelled' || stage === 'retendered') return stage;
  if (now < new Date(closing_date)) {
    const unknownStart = status === 'upcoming' ? closing_date : null;
    const bidStart = tender.bid_start_date === undefined ? unknownStart : tender.bid_start_date;
    return bidStart !== null && now < new Date(bidStart) ? 'upcoming' : 'active';
  }
  return stage === 'under_evaluation' || stage === 'awarded' ? stage : 'closed';
}

/** Whether bids can still be made at `now`, and documents therefore be sold. */
export function isOpenForBids(tender: StatusFacts, now: Date): boolean {
  const status = statusAt(tender, now);
  return status === 'active' || status === 'upcoming';
}
