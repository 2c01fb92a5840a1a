/** The bidder's rates for a BOQ and what they come to. Exact: rates are decimals in rupees, sums are rounded once. */
import { compactNumber } from '../digits.ts';
import { type Boq, isItem } from '../documents/boq.ts';
import { billionths, decimalOf, divided, paiseOf, product } from '../documents/decimals.ts';

const HUNDRED = 100n;
/** 100 per cent in billionths. */
const WHOLE = HUNDRED * 1_000_000_000n;

/** The bidder's rates by row of the sheet. */
export type RatesByRow = ReadonlyMap<number, string>;

/** A typed decimal in one spelling: '110' for '110.', '0.5' for '.50'. Undefined for another text; null for an empty one. */
function typedDecimal(text: string, pattern: RegExp): string | null | undefined {
  const plain = compactNumber(text)
    .replace(/\.$/, '')
    .replace(/^(-?)\./, '$10.');
  if (plain === '') return null;
  return pattern.test(plain) ? decimalOf(billionths(plain)) : undefined;
}

/** A typed rate of at most 12 digits and 4 places. */
export const typedRate = (text: string): string | null | undefined => typedDecimal(text, /^\d{1,12}(\.\d{1,4})?$/);

/** A typed per cent of at most 100 below. */
export function typedRatePercent(text: string): string | null | undefined {
  const percent = typedDecimal(text.replace(/^\s*\+/, ''), /^-?\d{1,3}(\.\d{1,4})?$/);
  return typeof percent === 'string' && billionths(percent) < -WHOLE ? undefined : percent;
}

/** What the rates of an item-rate BOQ come to. */
export interface RatedTotal {
  /** The sum of the items with a rate. */
  paise: number;
  items: number;
  /** Rows of the items without a rate, in the order of the sheet. */
  blanks: number[];
}

export function ratedTotal({ items }: Pick<Boq, 'items'>, rates: RatesByRow): RatedTotal {
  let total = 0n;
  const blanks: number[] = [];
  const priced = items.filter(isItem);
  for (const { row, quantity } of priced) {
    const rate = rates.get(row);
    if (rate === undefined || quantity === null) blanks.push(row);
    else total += product(quantity, rate);
  }
  return { paise: paiseOf(total), items: priced.length, blanks };
}

/** The office's total at `percent` above it, or below it when negative, in paise. */
export const totalAtPercent = (officePaise: number, percent: string): number =>
  Number(divided(BigInt(officePaise) * (WHOLE + billionths(percent)), WHOLE));

/** How far `paise` is from an estimate in per cent with two places: '-4.2' is below. Null without an estimate. */
export function percentOf(paise: number, estimatePaise: number | null): string | null {
  if (estimatePaise === null || estimatePaise <= 0) return null;
  const hundredths = divided(BigInt(paise - estimatePaise) * HUNDRED * HUNDRED, BigInt(estimatePaise));
  return decimalOf(hundredths * 10_000_000n);
}

/** One per cent of an amount, in paise. */
export const onePercentOf = (paise: number): number => Number(divided(BigInt(paise), HUNDRED));

/** Decimals of the same value: '110.50' and '110.5'. */
export const isSameDecimal = (one: string, other: string): boolean => billionths(one) === billionths(other);
