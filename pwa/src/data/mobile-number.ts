const MOBILE_DIGITS = 10;

/**
 * A mobile number as it is typed or pasted, at most `maxDigits` long. Prefixes such as '+91', letters and spaces are
 * removed. The '+' of another country stays, which makes the number visibly wrong.
 */
export function normaliseTypedMobile(text: string, maxDigits = MOBILE_DIGITS): string {
  const compact = text.replace(/[^\d+]/g, '').replace(/^\+91/, '');
  const [, number] = compact.match(/^(?:91|0)(\d{10})$/) ?? [];
  return number ?? compact.slice(0, maxDigits);
}
