/** The list of bids: filter, order and groups. */
import { BID_STAGES } from '@nivida/contract/bids/records';
import { formatDate, indianDay } from '@nivida/contract/format';
import { DAY_MS } from '@nivida/contract/time';
import { type Bid, type BidFacts, stageOf } from './bid.ts';
import { type BidStage, isBeforeSubmission } from './stages.ts';

export interface ListedBid {
  bid: Bid;
  facts: BidFacts;
}

/** '' means all. */
export interface BidFilter {
  /** The Indian month of the closing: '2026-04'. */
  month: string;
  office: string;
}

/** The Indian month of an instant: '2026-04'. */
export function indianMonth(instant: Date): string {
  return new Date(indianDay(instant) * DAY_MS).toISOString().slice(0, 'YYYY-MM'.length);
}

/** '2026-04' as 'Apr 2026'. A date begins with its day in every language of India. */
export const monthLabel = (month: string): string => formatDate(`${month}-15`).replace(/^\d+ /, '');

const monthOf = ({ facts }: ListedBid): string => (facts.closing ? indianMonth(facts.closing.at) : '');

/** The months and offices that occur in the bids: months newest first, offices by name. */
export function filterChoices(bids: readonly ListedBid[]): { months: string[]; offices: string[] } {
  return {
    months: [...new Set(bids.map(monthOf))].filter((month) => month !== '').sort((a, b) => b.localeCompare(a)),
    offices: [...new Set(bids.map(({ facts }) => facts.office))].filter((office) => office !== '').sort(),
  };
}

/** The bids of the chosen month and office. */
export function filterBids(bids: readonly ListedBid[], { month, office }: BidFilter): ListedBid[] {
  return bids.filter(
    (each) => (month === '' || monthOf(each) === month) && (office === '' || each.facts.office === office),
  );
}

const closesAt = ({ facts }: ListedBid): number => facts.closing?.at.getTime() ?? Number.POSITIVE_INFINITY;

/**
 * Before submission, open bids are first, soonest closing first; closed bids follow. In later stages the
 * newest closing is first.
 */
function compareBids(stage: BidStage): (a: ListedBid, b: ListedBid) => number {
  const byClosing = (a: ListedBid, b: ListedBid) => closesAt(a) - closesAt(b) || a.bid.id.localeCompare(b.bid.id);
  if (!isBeforeSubmission(stage)) return (a, b) => byClosing(b, a);
  return (a, b) => Number(b.facts.isOpen) - Number(a.facts.isOpen) || byClosing(a, b);
}

/** The bids of each stage, in order. */
export function groupByStage(bids: readonly ListedBid[]): Record<BidStage, ListedBid[]> {
  const groups = Object.fromEntries(
    BID_STAGES.map((stage) => [stage, bids.filter(({ bid }) => stageOf(bid) === stage).sort(compareBids(stage))]),
  );
  return groups as Record<BidStage, ListedBid[]>;
}

/** The stage that a phone shows first: the one with the most urgent work. */
export function firstStage(groups: Record<BidStage, readonly ListedBid[]>): BidStage {
  const order: BidStage[] = ['preparing', 'considering', 'opened', 'submitted', 'won', 'lost', 'dropped'];
  return order.find((stage) => groups[stage].length > 0) ?? 'preparing';
}
