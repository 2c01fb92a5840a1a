/** Statistics of a group of awards of one state. Unlike those of an office, they are not blended with other awards. */

import { type AwardRange, type GroupAwards, MIN_SHARE_AWARDS } from '@nivida/contract/awards/awards';
import { dayNumber, dayText } from '@nivida/contract/time';
import type { AwardFacts } from './statistics/award-facts.ts';
import { MAX_PRICE_WIDTH, type MeasureName, measureRange, measureValues } from './statistics/office-statistics.ts';
import type { Regimes } from './statistics/regimes.ts';

/** Statistics at the end of `day`. Statistics in `wrong` and prices of tenders from before a change of rules are withheld. */
export function groupAwards(
  facts: readonly AwardFacts[],
  day: string,
  wrong: ReadonlySet<MeasureName>,
  regimes: Regimes,
): Omit<GroupAwards, 'isOld'> {
  const known = facts.map(({ knownOn }) => knownOn);
  const isEnough = facts.length >= MIN_SHARE_AWARDS;
  const changedOn = (each: AwardFacts) => regimes.changedOn(each.department) ?? Number.NEGATIVE_INFINITY;
  const { compared = [], old = [] } = Object.groupBy(facts, (each) =>
    each.publishedOn >= changedOn(each) ? 'compared' : 'old',
  );
  const technical = sum(facts, ({ refusedTechnical }) => refusedTechnical);
  const notAdmitted = sum(facts, (each) => each.notAdmitted);
  const range = (name: MeasureName) => toRange(name, name === 'price' ? compared : facts, day, wrong.has(name));
  const price = range('price');
  return {
    awards: facts.length,
    firstKnownOn: known.length === 0 ? null : dayText(Math.min(...known)),
    lastKnownOn: known.length === 0 ? null : dayText(Math.max(...known)),
    bidders: range('bidders'),
    price:
      !price.isShown && price.reason === 'too-few' && old.length > 0
        ? { ...price, reason: 'rates-changed', changedOn: dayText(Math.max(...old.map(changedOn))) }
        : price,
    daysToContract: range('daysToContract'),
    // A source that never names a refused bid probably does not publish them.
    refused:
      isEnough && technical + notAdmitted > 0
        ? { count: technical + notAdmitted, of: sum(facts, ({ bidders }) => bidders), technical, notAdmitted }
        : null,
    singleBid: isEnough ? { count: sum(facts, ({ bidders }) => (bidders === 1 ? 1 : 0)), of: facts.length } : null,
  };
}

function toRange(name: MeasureName, facts: readonly AwardFacts[], day: string, isWrong: boolean): AwardRange {
  const values = measureValues(name, facts, dayNumber(day));
  const awards = values.length;
  const range = awards < MIN_SHARE_AWARDS ? null : measureRange(name, values);
  const isTooWide = name === 'price' && range !== null && range.high - range.low > MAX_PRICE_WIDTH;
  if (range === null || isTooWide || isWrong) {
    const reason = range === null ? 'too-few' : isTooWide ? 'too-wide' : 'past-ranges-wrong';
    return { isShown: false, reason, officeAwards: awards, changedOn: null };
  }
  return { isShown: true, basis: 'office', awards, officeAwards: awards, ...range, coverage: null };
}

const sum = (facts: readonly AwardFacts[], value: (each: AwardFacts) => number) =>
  facts.reduce((total, each) => total + value(each), 0);
