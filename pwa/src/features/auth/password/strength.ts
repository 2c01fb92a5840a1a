/** An estimate of how hard a new password is to guess. Only the server refuses known passwords. */

import { isPatternPassword } from '@nivida/contract/account/password';

export type PasswordStrength = 'short' | 'weak' | 'fair' | 'good' | 'strong';

const MIN_LENGTH = 8;
const RECOMMENDED_LENGTH = 12;
const STRONG_LENGTH = 16;
/** Rows of a keyboard. */
const KEYBOARD_ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
/** A shorter part of a name is not looked for in the password. */
const MIN_WORD_LENGTH = 3;

/**
 * True when `next` follows `before` in the alphabet, among the digits or on a row of keys, in either
 * direction.
 */
function isNextInSequence(before: string, next: string): boolean {
  const step = (next.codePointAt(0) ?? 0) - (before.codePointAt(0) ?? 0);
  const isAlnum = /[\p{L}\d]/u.test(before);
  if (step === 0 || (isAlnum && Math.abs(step) === 1)) return true;
  return KEYBOARD_ROWS.some((row) => row.includes(before + next) || row.includes(next + before));
}

/** Number of characters; a run such as 'aaa', '1234' or 'qwer' counts once. */
function countUnpredictable(text: string): number {
  const characters = [...text];
  return characters.filter((each, index) => {
    const before = characters[index - 1];
    return before === undefined || !isNextInSequence(before, each);
  }).length;
}

/** Words of the user's own data, which are guessed first. */
function personalWords(known: readonly string[]): string[] {
  const words = known.flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{M}\d]+/u));
  const withoutCountry = words.map((word) => word.replace(/^91(?=\d{10}$)/, ''));
  return [...withoutCountry, 'nivida', 'password', 'tender'].filter((word) => [...word].length >= MIN_WORD_LENGTH);
}

/**
 * The strength of a password. `known` are the user's name, e-mail, mobile number and company. The strength
 * follows the length: a run counts as one character, known words do not count, and in a password of digits
 * only each digit counts half.
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
