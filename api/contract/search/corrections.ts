/** Candidates for misspelt words, by the edits and sounds that people confuse. Costs are in quarters of an edit. */

import { isPlaceName, PLACE_WORDS } from './place-names.ts';
import { DICTIONARY_WORDS, isDictionaryTerm } from './query-words.ts';
import { REFERENCE_TENDERS, termFrequencies, termFrequency } from './term-frequencies.ts';

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
/** A word that so many tenders have is never corrected: no term is frequent enough. */
export const MIN_COUNT_WITHOUT_CORRECTION = Math.floor(REFERENCE_TENDERS / MIN_FREQUENCY_RATIO) + 1;
const MAX_COST_OF_FOUND_WORD = 4;
/** Assumed frequencies of words that people type and portals seldom write. */
const DICTIONARY_FREQUENCY = 64;
const PLACE_FREQUENCY = 16;

const CORRECTABLE_PATTERN = /^[a-z]{4,}$/;
const A_CODE = 'a'.charCodeAt(0);
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
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

/** The costs of all pairs of letters, by their numbers. */
const replaceCosts = Uint8Array.from(LETTERS.flatMap((one) => LETTERS.map((other) => replaceCost(one, other))));
const letterNumbers = (word: string): number[] => Array.from(word, (letter) => letter.charCodeAt(0) - A_CODE);
const gapCosts = (word: string): number[] => Array.from(word, (_, at) => gapCost(word, at));

/** The cheapest edits between two words of Latin letters, or Infinity above `max`. */
export function editCost(from: string, to: string, max: number): number {
  const [rows, columns] = [letterNumbers(from), letterNumbers(to)];
  const [rowGaps, columnGaps] = [gapCosts(from), gapCosts(to)];
  let before: number[] = [];
  let above = [0];
  for (const [column, gap] of columnGaps.entries()) above.push((above[column] as number) + gap);
  for (let row = 1; row <= rows.length; row += 1) {
    const one = rows[row - 1] as number;
    const gap = rowGaps[row - 1] as number;
    let least = (above[0] as number) + gap;
    const line = [least];
    for (let column = 1; column <= columns.length; column += 1) {
      const other = columns[column - 1] as number;
      let cost = Math.min(
        (above[column - 1] as number) + (replaceCosts[one * LETTERS.length + other] as number),
        (above[column] as number) + gap,
        (line[column - 1] as number) + (columnGaps[column - 1] as number),
      );
      const isSwap = row > 1 && column > 1 && one !== other && one === columns[column - 2] && rows[row - 2] === other;
      if (isSwap) cost = Math.min(cost, (before[column - 2] as number) + MEDIUM_COST);
      line.push(cost);
      least = Math.min(least, cost);
    }
    if (least > max) return Infinity;
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

/** A word that may be meant. */
interface Candidate {
  word: string;
  /** The frequency that its rank assumes. */
  frequency: number;
  /** Which of the letters it has, one bit each. */
  letters: number;
  /** Computed when it is first compared. */
  skeleton: string | undefined;
}

let candidatesByLength: Map<number, Candidate[]> | undefined;

function candidatesOfLength(length: number): readonly Candidate[] {
  if (!candidatesByLength) {
    const frequencies = new Map<string, number>();
    const add = (word: string, frequency: number) => {
      if (CORRECTABLE_PATTERN.test(word)) frequencies.set(word, Math.max(frequencies.get(word) ?? 0, frequency));
    };
    for (const [word, frequency] of termFrequencies()) add(word, frequency);
    for (const word of DICTIONARY_WORDS) add(word, DICTIONARY_FREQUENCY);
    for (const word of PLACE_WORDS) add(word, PLACE_FREQUENCY);
    candidatesByLength = new Map();
    for (const [word, frequency] of frequencies) {
      const candidate = { word, frequency, letters: letterBits(word), skeleton: undefined };
      const same = candidatesByLength.get(word.length);
      if (same) same.push(candidate);
      else candidatesByLength.set(word.length, [candidate]);
    }
  }
  return candidatesByLength.get(length) ?? [];
}

function letterBits(word: string): number {
  let bits = 0;
  for (let at = 0; at < word.length; at += 1) bits |= 1 << (word.charCodeAt(at) - A_CODE);
  return bits;
}

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
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
  const letters = letterBits(word);
  const corrections: Correction[] = [];
  for (let length = word.length - 2; length <= word.length + 2; length += 1) {
    for (const each of candidatesOfLength(length)) {
      const { word: candidate, frequency: assumed } = each;
      if (candidate === word || assumed < MIN_FREQUENCY_RATIO * frequency) continue;
      const isSameLetter = candidate[0] === word[0] || similarSounds.has(`${candidate[0]}${word[0]}`);
      if (!isSameLetter && candidate[1] !== word[1] && candidate[0] !== word[1] && candidate[1] !== word[0]) continue;
      each.skeleton ??= soundSkeleton(candidate);
      const soundsAlike = each.skeleton === skeleton;
      // An edit changes at most two letters and costs at least two quarters.
      const mayBeNear = isSameLetter && countBits(each.letters ^ letters) <= limit;
      if (!mayBeNear && !soundsAlike) continue;
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
