import { officeOf } from '@nivida/contract/awards/office';
import { dayNumber } from '@nivida/contract/time';
import { type Award, type AwardBid, isAcceptedBid } from '../award.entity.ts';

/** Longer between publishing and closing means a wrong year in one of them. */
const MAX_OPEN_DAYS = 180;
/** Longer between closing and contract means a wrong year in one of them. */
const MAX_DAYS_TO_CONTRACT = 730;
/** A smaller amount is a rate or a percentage in the rupee column. */
const MIN_RUPEES = 1_000;
const MIN_PRICE_RATIO = 0.5;
const MAX_PRICE_RATIO = 1.5;

/** Why an award counts in no statistic. */
export type AwardExclusion =
  | 'no-organisation'
  | 'not-awarded'
  | 'bids-unknown'
  | 'no-dates'
  | 'published-after-closing'
  | 'awarded-before-closing'
  | 'open-too-long';

/** Why the awarded value counts in no price statistic. */
export type PriceExclusion =
  | 'no-estimate'
  | 'no-value'
  | 'several-winners'
  | 'value-too-small'
  | 'estimate-too-small'
  | 'value-far-from-estimate'
  | 'other-currency'
  /** Published before a change of rules. */
  | 'old-rule';

/** What one award adds to the statistics. Days are day numbers. */
export interface AwardFacts {
  office: string;
  department: string;
  /** The first day on which the award can be known: the later of contract and newest update of an accepted bid. */
  knownOn: number;
  publishedOn: number;
  closesOn: number;
  bidders: number;
  /** Bids refused in the technical evaluation. */
  refusedTechnical: number;
  /** Bids that were not admitted before the financial opening. */
  notAdmitted: number;
  /** Awarded value against the estimate in hundredths of a percent (-1000: 10 % below), or why it does not count. */
  price: number | PriceExclusion;
  /** From closing to contract; null when the contract's day is unknown or cannot be right. */
  daysToContract: number | null;
}

/** The facts of an award, or the reason why it counts in no statistic. */
export function awardFacts(award: Award): AwardFacts | AwardExclusion {
  const office = officeOf(award);
  if (!office) return 'no-organisation';
  if (award.areBidsUnknown) return 'bids-unknown';
  const days = knownDays(award);
  if (typeof days === 'string') return days;
  const contractOn = award.contractOn === null ? null : dayNumber(award.contractOn);
  const untilContract = contractOn === null ? null : contractOn - days.closesOn;
  return {
    office: office.key,
    department: office.department,
    ...days,
    bidders: award.bids.length,
    refusedTechnical: count(award.bids, isRefusedTechnical),
    notAdmitted: count(award.bids, isNotAdmitted),
    price: awardPrice(award),
    daysToContract:
      untilContract === null || untilContract < 0 || untilContract > MAX_DAYS_TO_CONTRACT ? null : untilContract,
  };
}

function knownDays(award: Award): Pick<AwardFacts, 'knownOn' | 'publishedOn' | 'closesOn'> | AwardExclusion {
  const updates = award.bids.flatMap((bid) => (isAcceptedBid(bid) && bid.updatedOn !== null ? [bid.updatedOn] : []));
  const known = [...updates, ...(award.contractOn === null ? [] : [award.contractOn])].map(dayNumber);
  if (known.length === 0) return 'not-awarded';
  if (award.publishedOn === null || award.closesOn === null) return 'no-dates';
  const knownOn = Math.max(...known);
  const publishedOn = dayNumber(award.publishedOn);
  const closesOn = dayNumber(award.closesOn);
  if (publishedOn > closesOn) return 'published-after-closing';
  if (knownOn < closesOn) return 'awarded-before-closing';
  if (closesOn - publishedOn > MAX_OPEN_DAYS) return 'open-too-long';
  return { knownOn, publishedOn, closesOn };
}

/** The `contract_value` of the sources is never used: it repeats the estimate in most rows where it differs. */
function awardPrice({ estimate, awardedValue, bids, currency }: Award): number | PriceExclusion {
  if (currency !== undefined) return 'other-currency';
  if (estimate === null) return 'no-estimate';
  if (awardedValue === null) return 'no-value';
  if (count(bids, isAcceptedBid) !== 1) return 'several-winners';
  if (awardedValue < MIN_RUPEES) return 'value-too-small';
  if (estimate < MIN_RUPEES) return 'estimate-too-small';
  const ratio = awardedValue / estimate;
  if (ratio < MIN_PRICE_RATIO || ratio > MAX_PRICE_RATIO) return 'value-far-from-estimate';
  return Math.round(10_000 * (ratio - 1)) + 0;
}

/** A bid that was refused in the technical evaluation. */
export const isRefusedTechnical = ({ status }: AwardBid): boolean => status === 'Rejected-Technical';

/** Whether a bid was refused before the prices were read. A bid rejected in the financial opening was read. */
export const isNotAdmitted = ({ status }: AwardBid): boolean =>
  status.startsWith('Not Admitted') && status !== 'Not Admitted-Finance';

const count = (bids: AwardBid[], test: (bid: AwardBid) => boolean) => bids.filter(test).length;
