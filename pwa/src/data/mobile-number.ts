const MOBILE_DIGITS = 10;

/** A mobile number as it was typed or pasted, capped at 10 characters; '+91 98765 43210' and the like lose their prefix. */
export function normaliseTypedMobile(text: string): string {
  const compact = text.replace(/[\s()-]/g, '').replace(/^\+91/, '');
  const [, number] = compact.match(/^(?:91|0)(\d{10})$/) ?? [];
  return number ?? compact.slice(0, MOBILE_DIGITS);
}
