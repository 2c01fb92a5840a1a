/** How hard a new password is to guess, by a light reckoning of our own. The server alone refuses known ones. */

import { isPatternPassword } from '@nivida/contract/account/password';

/** From what the server would hardly take to what nobody guesses. */
export type PasswordStrength = 'short' | 'weak' | 'fair' | 'good' | 'strong';

const MIN_LENGTH = 8;
const RECOMMENDED_LENGTH = 12;
const STRONG_LENGTH = 16;
/** Rows of keys as people slide over them. */
const KEYBOARD_ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
/** Part of a name that is worth finding in a password. */
const MIN_WORD_LENGTH = 3;

/** True when `next` follows `before` in the alphabet, among the digits or on a row of keys, either way. */
function isNextInSequence(before: string, next: string): boolean {
  const step = (next.codePointAt(0) ?? 0) - (before.codePointAt(0) ?? 0);
  const isAlnum = /[\p{L}\d]/u.test(before);
  if (step === 0 || (isAlnum && Math.abs(step) === 1)) return true;
  return KEYBOARD_ROWS.some((row) => row.includes(before + next) || row.includes(next + before));
}

/** Characters that had to be thought of: a run such as 'aaa', '1234' or 'qwer' counts once. */
function countUnpredictable(text: string): number {
  const characters = [...text];
  return characters.filter((each, index) => {
    const before = characters[index - 1];
    return before === undefined || !isNextInSequence(before, each);
  }).length;
}

/** Words of the person's own data that a guesser would try first. */
function personalWords(known: readonly string[]): string[] {
  const words = known.flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{M}\d]+/u));
  return [...words, 'nivida', 'password', 'tender'].filter((word) => [...word].length >= MIN_WORD_LENGTH);
}

/**
 * The strength of a password for somebody of whom `known` is known (name, e-mail, mobile number, company). Length comes
 * first; runs count once, own words not at all, and digits alone count half.
 */
export function passwordStrength(password: string, known: readonly string[]): PasswordStrength {
  if ([...password].length < MIN_LENGTH) return 'short';
  if (isPatternPassword(password)) return 'weak';
  const longestFirst = personalWords(known).sort((a, b) => b.length - a.length);
  const rest = longestFirst.reduce((text, word) => text.replaceAll(word, ''), password.toLowerCase());
  const count = countUnpredictable(rest) / (/^\d+$/.test(password) ? 2 : 1);
  if (count < MIN_LENGTH - 2) return 'weak';
  if (count < RECOMMENDED_LENGTH - 2) return 'fair';
  return count < STRONG_LENGTH - 2 ? 'good' : 'strong';
}
