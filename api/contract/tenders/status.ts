/** The status of a tender. It depends on the clock while bids are accepted, and on the portal's stage after that. */

/** Stages of a tender at its portal, in the order of the numbers on the wire. */
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

/** The facts from which the status is derived. */
export interface StatusFacts {
  stage: TenderStage;
  bid_start_date: Instant | null;
  closing_date: Instant;
}

/** The status at `now`. At its closing instant a tender is closed; at its bid start it is active. */
export function statusAt(tender: StatusFacts, now: Date): TenderStatus {
  const { stage, bid_start_date: bidStart, closing_date: closing } = tender;
  if (stage === 'cancelled' || stage === 'retendered') return stage;
  if (now < new Date(closing)) return bidStart !== null && now < new Date(bidStart) ? 'upcoming' : 'active';
  return stage === 'under_evaluation' || stage === 'awarded' ? stage : 'closed';
}

/** Whether bids can still be submitted at `now`. Documents are sold only then. */
export function isOpenForBids(tender: Pick<StatusFacts, 'stage' | 'closing_date'>, now: Date): boolean {
  return statusAt({ ...tender, bid_start_date: null }, now) === 'active';
}
