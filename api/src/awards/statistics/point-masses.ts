import { countValues } from './weighted-values.ts';

/** A price at which many works of an office were awarded, in hundredths of a percent of the estimate. */
export interface PointMass {
  /** Median of the mass. */
  centre: number;
  works: number;
}

/** Prices that differ by at most this, in hundredths of a percent, count as equal. */
const TOLERANCE = 10;
const MIN_PRICES = 20;
const MIN_SHARE = 0.25;
const MIN_WORKS = 8;
const MIN_CLOSING_DAYS = 4;

/** Whether two prices differ by rounding only. */
export const isSamePrice = (a: number, b: number) => Math.abs(a - b) <= TOLERANCE;

/** One awarded price with its tender's closing day. */
export interface DatedPrice {
  price: number;
  closesOn: number;
}

/** Point masses, largest first. Each price counts in one mass. A mass needs several closing days: tenders of one day are one decision. */
export function pointMasses(prices: readonly DatedPrice[]): PointMass[] {
  if (prices.length < MIN_PRICES) return [];
  const masses: PointMass[] = [];
  let left = [...prices];
  while (left.length >= MIN_WORKS) {
    const commonest = commonestPrice(left);
    const near = left.filter(({ price }) => isSamePrice(price, commonest));
    if (near.length < MIN_WORKS || near.length < MIN_SHARE * prices.length) break;
    if (new Set(near.map(({ closesOn }) => closesOn)).size >= MIN_CLOSING_DAYS)
      masses.push({ centre: median(near.map(({ price }) => price)), works: near.length });
    left = left.filter((each) => !near.includes(each));
  }
  return masses;
}

/** The commonest price. A tie goes to the price with more works near it, then to the one nearer to the estimate. */
export function commonestPrice(prices: readonly { price: number }[]): number {
  const exact = countValues(prices.map(({ price }) => price));
  const most = Math.max(...exact.values());
  let best = { price: 0, near: -1 };
  for (const [price, works] of exact) {
    if (works < most) continue;
    let near = 0;
    for (const [other, count] of exact) if (isSamePrice(other, price)) near += count;
    const order = near - best.near || Math.abs(best.price) - Math.abs(price);
    if (order > 0) best = { price, near };
  }
  return best.price;
}

/** The median; of an even number of values the larger middle one. */
function median(values: number[]): number {
  const middle = values.toSorted((a, b) => a - b)[values.length >> 1];
  if (middle === undefined) throw new Error('There is no median without values');
  return middle;
}
