import { dayText } from '@nivida/contract/time';
import type { AwardFacts } from './award-facts.ts';
import type { TestPeriod } from './back-test.ts';
import { StateAwards } from './office-statistics.ts';

const MIN_TENDERS = 100;
/** Maximum ratio of the error of the offices' rates to the error of the state's rate. */
const MAX_ERROR_RATIO = 0.97;

/** Whether the offices' earlier rates of refused bids predicted those of a period better than the state's rate did. */
export function refusalsPredict(facts: readonly AwardFacts[], { from, until }: TestPeriod): boolean {
  const known = new StateAwards(facts, dayText(from - 1));
  const rates = new Map<string, { rate: number; stateRate: number } | null>();
  let tenders = 0;
  let ownError = 0;
  let stateError = 0;
  for (const { office, department, publishedOn, bidders, refusedTechnical, notAdmitted } of facts) {
    if (publishedOn < from || publishedOn >= until || bidders === 0) continue;
    let rate = rates.get(office);
    if (rate === undefined) {
      const { refused } = known.statistics(office, department);
      rate = refused.isShown ? refused : null;
      rates.set(office, rate);
    }
    if (rate === null) continue;
    const actual = (refusedTechnical + notAdmitted) / bidders;
    tenders++;
    ownError += (actual - rate.rate) ** 2;
    stateError += (actual - rate.stateRate) ** 2;
  }
  return tenders >= MIN_TENDERS && ownError < MAX_ERROR_RATIO * stateError;
}
