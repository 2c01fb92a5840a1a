/** Positions on the plots of awards: a linear scale of 0 to 100. */
import type { AwardRange, PriceMass } from '@nivida/contract/awards/awards';

/**
 * The scale of prices goes from 30 % below to 10 % above the estimate. A wider range extends it in steps of
 * 10 %.
 */
const LOWEST_PRICE = -3_000;
const HIGHEST_PRICE = 1_000;
const STEP = 1_000;

interface Scale {
  low: number;
  high: number;
  /** The position of a value, 0 to 100. A value outside the scale is at its edge. */
  at: (value: number) => number;
}

function scaleOf(low: number, high: number): Scale {
  const span = Math.max(1, high - low);
  return { low, high, at: (value) => Math.min(100, Math.max(0, ((value - low) / span) * 100)) };
}

/** The scale of prices in hundredths of a percent. It contains the estimate (0), the range and all masses. */
export function priceScale(range: AwardRange, masses: readonly PriceMass[]): Scale {
  const values = [...masses.map(({ price }) => price), ...(range.isShown ? [range.low, range.high] : [])];
  const low = Math.min(LOWEST_PRICE, Math.floor(Math.min(...values, 0) / STEP) * STEP);
  const high = Math.max(HIGHEST_PRICE, Math.ceil(Math.max(...values, 0) / STEP) * STEP);
  return scaleOf(low, high);
}

/** One dot for each number of bidders from 1 to at least 8. `isTypical` is true within the range. */
export function bidderDots(range: AwardRange & { isShown: true }): { bidders: number; isTypical: boolean }[] {
  const most = Math.max(8, Math.ceil(range.high));
  return Array.from({ length: Math.min(most, 20) }, (_, at) => {
    const bidders = at + 1;
    return { bidders, isTypical: bidders >= range.low && bidders <= range.high };
  });
}
