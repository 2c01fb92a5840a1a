/** Hides by which number or address of a person a document could be found. Addresses of government offices stay. */

const MOBILE = /(?<![\d.०-९])(?:\+?91[ -]?|0)?[6-9६-९][\d०-९]{4}[ -]?[\d०-९]{5}(?![\d०-९]|\.\d|\/-|\/=)/g;
/** What stands before a number of ten digits that is no mobile number. */
const AMOUNT_OR_ACCOUNT = /(?:\brs|\binr|₹|\ba\/c|\baccount)[^\d\n]{0,12}$/i;
const AT = String.raw`(?:@|\[at\]|\(at\))`;
const DOT = String.raw`(?:\.|\[dot\]|\(dot\))`;
// Bounded, so that a text without spaces takes no longer.
const EMAIL = new RegExp(String.raw`(?<![\w.+-])[\w.+-]{1,64}(${AT})([\w-]{1,63}(?:${DOT}[\w-]{1,63}){1,5})`, 'gi');
const OFFICE = new RegExp(`(?:^|${DOT})(?:gov|nic)${DOT}in$`, 'i');
const LOOK_BACK = 24;

/** The text with '••••••••••' for mobile numbers and '•' for names in e-mail addresses. It does not become longer. */
export const maskPeople = (text: string): string =>
  text
    .replace(MOBILE, (number, at: number) =>
      AMOUNT_OR_ACCOUNT.test(text.slice(Math.max(0, at - LOOK_BACK), at)) ? number : '•'.repeat(10),
    )
    .replace(EMAIL, (address, at: string, domain: string) => (OFFICE.test(domain) ? address : `•${at}${domain}`));
