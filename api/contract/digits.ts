/** Digits as people type them. */

/** The zeros of the scripts of India, of Urdu and of full width. The digits 1 to 9 follow each. */
const ZEROS = '०০੦૦୦௦౦೦൦٠۰᱐꯰᱀᥆𑄶０';

const ASCII_DIGITS = new Map(
  [...ZEROS].flatMap((zero) =>
    Array.from({ length: 10 }, (_, digit) => [
      String.fromCodePoint((zero.codePointAt(0) as number) + digit),
      String(digit),
    ]),
  ) as [string, string][],
);
const NON_ASCII_DIGITS = new RegExp(`[${[...ASCII_DIGITS.keys()].join('')}]`, 'gu');

/** Replaces the digits of all Indian scripts, of Urdu and of full width by 0 to 9. */
export const asciiDigits = (text: string): string =>
  text.replace(NON_ASCII_DIGITS, (digit) => ASCII_DIGITS.get(digit) as string);

/** A typed number with digits 0 to 9 and a hyphen as its minus sign, without spaces, commas, ₹ and %. */
export const compactNumber = (text: string): string =>
  asciiDigits(text)
    .replace(/[,\s₹%]/g, '')
    .replace('\u2212', '-');
