/** How hard a new password is to guess, by a light reckoning of our own. The server alone refuses known ones. */

import { isPattern } from '@nivida/contract/password';

/** From what the server would hardly take to what nobody guesses. */
export type Strength = 'short' | 'weak' | 'fair' | 'good' | 'strong';

const SHORTEST = 8;
const RECOMMENDED = 12;
const LONG = 16;
/** Rows of keys as people slide over them. */
const ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
/** Part of a name that is worth finding in a password. */
const SHORTEST_WORD = 3;

/** True when `next` follows `before` in the alphabet, among the digits or on a row of keys, either way. */
function follows(before: string, next: string): boolean {
  const step = (next.codePointAt(0) ?? 0) - (before.codePointAt(0) ?? 0);
  const isAlnum = /[\p{L}\d]/u.test(before);
  if (step === 0 || (isAlnum && Math.abs(step) === 1)) return true;
  return ROWS.some((row) => row.includes(before + next) || row.includes(next + before));
}

/** Characters that had to be thought of: a run such as 'aaa', '1234' or 'qwer' counts once. */
function thoughtOf(text: string): number {
  const characters = [...text];
  return characters.filter((each, index) => {
    const before = characters[index - 1];
    return before === undefined || !follows(before, each);
  }).length;
}

/** Words of the person's own data that a guesser would try first. */
function ownWords(known: readonly string[]): string[] {
  const words = known.flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{M}\d]+/u));
  return [...words, 'nivida', 'password', 'tender'].filter((word) => [...word].length >= SHORTEST_WORD);
}

/**
 * The strength of a password for somebody of whom `known` is known (name, e-mail, mobile number, company). Length comes
 * first; runs count once, own words not at all, and digits alone count half.
 */
export function strengthOf(password: string, known: readonly string[]): Strength {
  if ([...password].length < SHORTEST) return 'short';
  if (isPattern(password)) return 'weak';
  const longestFirst = ownWords(known).sort((a, b) => b.length - a.length);
  const rest = longestFirst.reduce((text, word) => text.replaceAll(word, ''), password.toLowerCase());
  const count = thoughtOf(rest) / (/^\d+$/.test(password) ? 2 : 1);
  if (count < SHORTEST - 2) return 'weak';
  if (count < RECOMMENDED - 2) return 'fair';
  return count < LONG - 2 ? 'good' : 'strong';
}
