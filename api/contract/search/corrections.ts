/** Candidates for misspelt words, by the edits and sounds that people confuse. Costs are in quarters of an edit. */

import { isPlaceName, PLACE_WORDS } from './place-names.ts';
import { DICTIONARY_WORDS, isDictionaryTerm } from './query-words.ts';
import { termFrequencies, termFrequency } from './term-frequencies.ts';

/** A word that may be meant. */
export interface Correction {
  word: string;
  cost: number;
  /** Higher for frequent words and small costs. */
  rank: number;
}

const EDIT_COST = 4;
const CHEAP_COST = 2;
const MEDIUM_COST = 3;
/** A word of the same sound costs at most this. */
const SAME_SOUND_COST = 2;
const MAX_CORRECTIONS = 5;
/** A word found in tenders is corrected only to a word at least this many times more frequent. */
const MIN_FREQUENCY_RATIO = 50;
const MAX_COST_OF_FOUND_WORD = 4;
/** Assumed frequencies of words that people type and portals seldom write. */
const DICTIONARY_FREQUENCY = 64;
const PLACE_FREQUENCY = 16;

const CORRECTABLE_PATTERN = /^[a-z]{4,}$/;
const VOWELS = 'aeiou';
const KEY_ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const SOUND_PAIRS = ['bv', 'vw', 'bw', 'ck', 'cs', 'jz', 'sz', 'iy', 'gj', 'fp', 'dr'];

const pairs = (texts: readonly string[]) =>
  new Set(texts.flatMap(([one = '', other = '']) => [one + other, other + one]));
const similarSounds = pairs(SOUND_PAIRS);
const neighbourKeys = pairs(
  KEY_ROWS.flatMap((row, at) =>
    [...row].flatMap((key, column) =>
      [row[column + 1], KEY_ROWS[at + 1]?.[column], KEY_ROWS[at + 1]?.[column - 1]]
        .filter((near) => near !== undefined)
        .map((near) => key + near),
    ),
  ),
);

/** True for words that a correction may replace: Latin letters, no dictionary word, no place. */
export function isCorrectable(word: string): boolean {
  return CORRECTABLE_PATTERN.test(word) && !isDictionaryTerm(word) && !isPlaceName(word);
}

/** The most that edits of a word of this length may cost. */
function maxCost(length: number): number {
  if (length <= 4) return 3;
  if (length <= 6) return 4;
  return length <= 8 ? 6 : 8;
}

/** Insertion or removal of a letter: a doubled letter and 'h' are cheap, a vowel is cheaper than a consonant. */
function gapCost(word: string, at: number): number {
  const letter = word[at] as string;
  if (letter === 'h' || letter === word[at - 1] || letter === word[at + 1]) return CHEAP_COST;
  return VOWELS.includes(letter) ? MEDIUM_COST : EDIT_COST;
}

function replaceCost(one: string, other: string): number {
  if (one === other) return 0;
  if ((VOWELS.includes(one) && VOWELS.includes(other)) || similarSounds.has(one + other)) return CHEAP_COST;
  return neighbourKeys.has(one + other) ? MEDIUM_COST : EDIT_COST;
}

/** The cheapest edits between two words, or Infinity above `max`. */
export function editCost(from: string, to: string, max: number): number {
  let before: number[] = [];
  let above = [0];
  for (let column = 1; column <= to.length; column += 1)
    above.push((above[column - 1] as number) + gapCost(to, column - 1));
  for (let row = 1; row <= from.length; row += 1) {
    const line = [(above[0] as number) + gapCost(from, row - 1)];
    for (let column = 1; column <= to.length; column += 1) {
      const [one, other] = [from[row - 1] as string, to[column - 1] as string];
      let cost = Math.min(
        (above[column - 1] as number) + replaceCost(one, other),
        (above[column] as number) + gapCost(from, row - 1),
        (line[column - 1] as number) + gapCost(to, column - 1),
      );
      const isSwap = row > 1 && column > 1 && one !== other && one === to[column - 2] && from[row - 2] === other;
      if (isSwap) cost = Math.min(cost, (before[column - 2] as number) + MEDIUM_COST);
      line.push(cost);
    }
    if (Math.min(...line) > max) return Infinity;
    before = above;
    above = line;
  }
  const cost = above[to.length] as number;
  return cost <= max ? cost : Infinity;
}

/** Spellings that sound alike have one skeleton: 'skool' and 'school', 'bijalee' and 'bijali'. */
export function soundSkeleton(word: string): string {
  return word
    .replace(/^x/, 'z')
    .replace(/sch/g, 'sk')
    .replace(/ph/g, 'f')
    .replace(/ck|q/g, 'k')
    .replace(/x/g, 'ks')
    .replace(/c(?=[eiy])/g, 's')
    .replace(/ch/g, '+')
    .replace(/c/g, 'k')
    .replace(/sh/g, 's')
    .replace(/([bdgjkt])h/g, '$1')
    .replace(/w/g, 'v')
    .replace(/z/g, 'j')
    .replace(/ee|ea|ie|y|i+/g, 'i')
    .replace(/oo|ou|u+/g, 'u')
    .replace(/a+[iy]/g, 'e')
    .replace(/au|o+/g, 'o')
    .replace(/a+/g, 'a')
    .replace(/(.)\1+/g, '$1')
    .replace(/[ae]+$/, '');
}

let candidatesByLength: Map<number, Map<string, number>> | undefined;

/** All words that may be meant, with the frequency that their rank assumes. */
function candidatesOfLength(length: number): Map<string, number> {
  if (!candidatesByLength) {
    const found = new Map<number, Map<string, number>>();
    const add = (word: string, frequency: number) => {
      if (!CORRECTABLE_PATTERN.test(word)) return;
      const same = found.get(word.length) ?? new Map<string, number>();
      found.set(word.length, same);
      same.set(word, Math.max(same.get(word) ?? 0, frequency));
    };
    for (const [word, frequency] of termFrequencies()) add(word, frequency);
    for (const word of DICTIONARY_WORDS) add(word, DICTIONARY_FREQUENCY);
    for (const word of PLACE_WORDS) add(word, PLACE_FREQUENCY);
    candidatesByLength = found;
  }
  return candidatesByLength.get(length) ?? new Map();
}

/** A power of two as a whole number, so that all devices rank alike. */
export const wholeLog2 = (count: number): number => 31 - Math.clz32(count + 1);

/**
 * The words that a misspelt one may mean, best first, at most five. `found` is the number of tenders that hold the word as
 * it was typed; a word that tenders hold has candidates only when they are far more frequent.
 */
export function correctionsOf(word: string, found: number): Correction[] {
  const frequency = Math.max(termFrequency(word), found);
  const skeleton = soundSkeleton(word);
  const limit = frequency > 0 ? Math.min(MAX_COST_OF_FOUND_WORD, maxCost(word.length)) : maxCost(word.length);
  const corrections: Correction[] = [];
  for (let length = word.length - 2; length <= word.length + 2; length += 1) {
    for (const [candidate, assumed] of candidatesOfLength(length)) {
      if (candidate === word || assumed < MIN_FREQUENCY_RATIO * frequency) continue;
      const isSameLetter = candidate[0] === word[0] || similarSounds.has(`${candidate[0]}${word[0]}`);
      if (!isSameLetter && candidate[1] !== word[1] && candidate[0] !== word[1] && candidate[1] !== word[0]) continue;
      const soundsAlike = soundSkeleton(candidate) === skeleton;
      if (!isSameLetter && !soundsAlike) continue;
      const edits = editCost(word, candidate, soundsAlike ? 8 : limit);
      const cost = soundsAlike ? Math.min(edits, SAME_SOUND_COST) : edits;
      if (cost > limit) continue;
      corrections.push({ word: candidate, cost, rank: 2 * wholeLog2(assumed) - 3 * cost });
    }
  }
  return corrections
    .sort((one, other) => other.rank - one.rank || (one.word < other.word ? -1 : 1))
    .slice(0, MAX_CORRECTIONS);
}
