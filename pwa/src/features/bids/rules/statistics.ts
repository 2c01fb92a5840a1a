/** Figures of the user's own bids. */
import { t } from '@lingui/core/macro';
import { ownRatePercent, ownRateRupees, stageOf } from './bid.ts';
import { indianMonth, type ListedBid } from './bid-list.ts';
import { isBeforeSubmission, isPending } from './stages.ts';

/** With fewer decided bids there is no rate. */
export const MIN_DECIDED_BIDS = 5;

export interface HitRate {
  name: string;
  won: number;
  decided: number;
  /** 0 to 1; null with fewer than `MIN_DECIDED_BIDS` decided bids. */
  rate: number | null;
}

export interface BidStatistics {
  /**
   * Bids that are not decided: their number, the number with a known value, and the sum of these in rupees.
   */
  pipeline: { bids: number; valued: number; rupees: number };
  /** Bids by the month of submission, oldest first, without gaps. */
  months: { month: string; bids: number }[];
  /** Bids whose day of submission must be wrong, for example a mistyped year. `months` leaves them out. */
  wrongDates: number;
  won: number;
  lost: number;
  all: HitRate;
  /** Offices with a decided bid, the one with most decided bids first. */
  offices: HitRate[];
  /** Bands of the estimate that have a decided bid, smallest first. */
  bands: HitRate[];
  /**
   * Average own rate and awarded rate in percent of the estimate, over the bids where both are known; null
   * without such a bid.
   */
  rates: { bids: number; own: number; awarded: number } | null;
}

function hitRate(name: string, bids: readonly ListedBid[]): HitRate {
  const won = bids.filter(({ bid }) => stageOf(bid) === 'won').length;
  const decided = won + bids.filter(({ bid }) => stageOf(bid) === 'lost').length;
  return { name, won, decided, rate: decided < MIN_DECIDED_BIDS ? null : won / decided };
}

/** The months from the first to the last, '2026-04' each. */
function monthsBetween(first: string, last: string): string[] {
  const [year = 0, month = 1] = first.split('-').map(Number);
  const months: string[] = [];
  for (let at = year * 12 + month - 1; ; at++) {
    const name = `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`;
    if (name > last) return months;
    months.push(name);
  }
}

/** Bands of the estimate in rupees. */
const bandsOfEstimate = () => [
  { name: t`Below ₹5 Lakh`, from: 0, below: 500_000 },
  { name: t`₹5 to ₹25 Lakh`, from: 500_000, below: 2_500_000 },
  { name: t`₹25 Lakh to ₹1 Cr`, from: 2_500_000, below: 10_000_000 },
  { name: t`₹1 Cr and above`, from: 10_000_000, below: Number.POSITIVE_INFINITY },
];

/** Maximum number of months in a plot; the newest are shown. */
const MAX_MONTHS = 12;

/** An earlier month is a mistyped date: portals have accepted bids since this one. */
const FIRST_MONTH = '2005-01';

function bidsByMonth(bids: readonly ListedBid[], now: Date): Pick<BidStatistics, 'months' | 'wrongDates'> {
  const submitted = bids.flatMap(({ bid: { submittedAt } }) => submittedAt ?? []).map((at) => new Date(at));
  const possible = submitted.filter((at) => at <= now && indianMonth(at) >= FIRST_MONTH);
  const counts = new Map<string, number>();
  for (const at of possible) counts.set(indianMonth(at), (counts.get(indianMonth(at)) ?? 0) + 1);
  const wrongDates = submitted.length - possible.length;
  const [first] = [...counts.keys()].sort();
  if (first === undefined) return { months: [], wrongDates };
  const months = monthsBetween(first, indianMonth(now)).slice(-MAX_MONTHS);
  return { months: months.map((month) => ({ month, bids: counts.get(month) ?? 0 })), wrongDates };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function averageRates(bids: readonly ListedBid[]): BidStatistics['rates'] {
  const pairs = bids.flatMap(({ bid, facts: { estimate } }) => {
    const own = ownRatePercent(bid, estimate);
    if (own === null || bid.awardedPaise === undefined || !estimate) return [];
    return [{ own, awarded: (bid.awardedPaise / 100 / estimate - 1) * 100 }];
  });
  if (pairs.length === 0) return null;
  return {
    bids: pairs.length,
    own: mean(pairs.map(({ own }) => own)),
    awarded: mean(pairs.map(({ awarded }) => awarded)),
  };
}

/** The figures of an owner's bids at `now`. */
export function bidStatistics(bids: readonly ListedBid[], now: Date): BidStatistics {
  const undecided = bids.filter(({ bid }) => isBeforeSubmission(stageOf(bid)) || isPending(stageOf(bid)));
  const values = undecided.flatMap(({ bid, facts: { estimate } }) => ownRateRupees(bid, estimate) ?? estimate ?? []);
  const offices = [...new Set(bids.map(({ facts }) => facts.office))].map((office) =>
    hitRate(
      office,
      bids.filter(({ facts }) => facts.office === office),
    ),
  );
  const bands = bandsOfEstimate().map(({ name, from, below }) =>
    hitRate(
      name,
      bids.filter(({ facts: { estimate } }) => estimate !== null && estimate >= from && estimate < below),
    ),
  );
  const all = hitRate(t`All offices`, bids);
  return {
    pipeline: { bids: undecided.length, valued: values.length, rupees: values.reduce((sum, value) => sum + value, 0) },
    ...bidsByMonth(bids, now),
    won: all.won,
    lost: all.decided - all.won,
    all,
    offices: offices
      .filter(({ decided }) => decided > 0)
      .sort((a, b) => b.decided - a.decided || a.name.localeCompare(b.name)),
    bands: bands.filter(({ decided }) => decided > 0),
    rates: averageRates(bids),
  };
}
