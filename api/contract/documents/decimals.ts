/** Exact decimals of workbooks: quantities, rates and amounts in rupees. Sums of floating-point numbers lose paise. */
import * as v from 'valibot';

/** '12', '0.5' or '-1234.567': at most 15 digits before the point and 9 after it, no exponent. */
export const DECIMAL_PATTERN = /^-?\d{1,15}(\.\d{1,9})?$/;

export const Decimal = v.pipe(v.string(), v.regex(DECIMAL_PATTERN, 'a decimal looks like 1234.5'));

const PLACES = 9;
const UNIT = 10n ** BigInt(PLACES);

/** A decimal in billionths. Throws SyntaxError for another text. */
export function billionths(decimal: string): bigint {
  if (!DECIMAL_PATTERN.test(decimal)) throw new SyntaxError(`"${decimal}" is not a decimal`);
  const [whole = '', fraction = ''] = decimal.replace('-', '').split('.');
  const size = BigInt(whole + fraction.padEnd(PLACES, '0'));
  return decimal.startsWith('-') ? -size : size;
}

/** The decimal of a number of billionths, without needless zeros. */
export function decimalOf(value: bigint): string {
  const size = value < 0n ? -value : value;
  const fraction = String(size % UNIT)
    .padStart(PLACES, '0')
    .replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}${size / UNIT}${fraction && `.${fraction}`}`;
}

/** The product of two decimals in billionths; digits after the ninth are rounded half away from zero. */
export function product(first: string, second: string): bigint {
  return divided(billionths(first) * billionths(second), UNIT);
}

/** `value / by`, rounded half away from zero. `by` is positive. */
export function divided(value: bigint, by: bigint): bigint {
  return value < 0n ? -((-value * 2n + by) / (by * 2n)) : (value * 2n + by) / (by * 2n);
}

/** Billionths as paise, rounded half away from zero. */
export const paiseOf = (value: bigint): number => Number(divided(value, UNIT / 100n));
