import { DECIMAL_PATTERN, decimalOf, divided } from '@nivida/contract/documents/decimals';

/** Numbers of a workbook have 15 digits; the others are noise of binary fractions. */
const EXACT_DIGITS = 15;
const PLACES = 9;
const GROUPED = /^\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d+)?$/;
const PLAIN = /^\d+(?:\.\d+)?$/;

/** The decimal of a cell; null for another text, a negative text or a number that is too large. */
export function cellDecimal(cell: { text: string; number: number | null } | undefined): string | null {
  if (!cell) return null;
  if (cell.number !== null) return Number.isFinite(cell.number) ? plainDecimal(cell.number) : null;
  const text = cell.text
    .trim()
    .replace(/^(?:rs\.?|₹)\s*/i, '')
    .replace(/\s*\/-$/, '');
  return GROUPED.test(text) || PLAIN.test(text) ? rounded(text.replaceAll(',', '')) : null;
}

function plainDecimal(number: number): string | null {
  const [digits = '', exponent = '0'] = Math.abs(number)
    .toExponential(EXACT_DIGITS - 1)
    .split('e');
  const places = Number(exponent);
  if (places > 14) return null;
  const all = digits.replace('.', '');
  const text =
    places < 0 ? `0.${'0'.repeat(-places - 1)}${all}` : `${all.slice(0, places + 1)}.${all.slice(places + 1)}`;
  const size = rounded(text.replace(/\.$/, ''));
  return size === null || size === '0' ? size : `${number < 0 ? '-' : ''}${size}`;
}

/** At most nine places, without needless zeros. */
function rounded(text: string): string | null {
  const [whole = '', fraction = ''] = text.split('.');
  const more = fraction.slice(PLACES);
  const value = divided(
    BigInt(whole + fraction.slice(0, PLACES).padEnd(PLACES, '0') + more),
    10n ** BigInt(more.length),
  );
  const decimal = decimalOf(value);
  return DECIMAL_PATTERN.test(decimal) ? decimal : null;
}
