/** Finds candidates for misspelt words by usual edits and confused sounds. Costs are in quarters of an edit. */

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
/** Maximum cost of a word with the same sound. */
const SAME_SOUND_COST = 2;
const MAX_CORRECTIONS = 5;
/** A word found in tenders is corrected only to a word at least this many times more frequent. */
const MIN_FREQUENCY_RATIO = 50;
/** A word in at least this many tenders is never corrected, because no term is enough times more frequent. */
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

/** Whether a correction may replace a word: it has Latin letters and is neither a dictionary word nor a place. */
export function isCorrectable(word: string): boolean {
  return CORRECTABLE_PATTERN.test(word) && !isDictionaryTerm(word) && !isPlaceName(word);
}

/** Maximum cost of the edits of a word of this length. */
function maxCost(length: number): number {
  if (length <= 4) return 3;
  if (length <= 6) return 4;
  return length <= 8 ? 6 : 8;
}

/** Cost of adding or removing a letter. A doubled letter and 'h' are cheap; a vowel is cheaper than a consonant. */
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

/** 1 for each pair of letters that are equal or sound similar. */
const sameSounds = Uint8Array.from(
  LETTERS.flatMap((one) => LETTERS.map((other) => Number(one === other || similarSounds.has(one + other)))),
);
const isSameSound = (one: number, other: number): boolean => sameSounds[one * LETTERS.length + other] === 1;

/** The costs of all pairs of letters, by their numbers. */
const replaceCosts = Uint8Array.from(LETTERS.flatMap((one) => LETTERS.map((other) => replaceCost(one, other))));

/** A word prepared for counting edits: the numbers of its letters, and the cost of adding or removing each letter. */
interface Spelling {
  letters: Uint8Array;
  gaps: Uint8Array;
}

function spellingOf(word: string): Spelling {
  const letters = new Uint8Array(word.length);
  const gaps = new Uint8Array(word.length);
  for (let at = 0; at < word.length; at += 1) {
    letters[at] = letterAt(word, at);
    gaps[at] = gapCost(word, at);
  }
  return { letters, gaps };
}

/** The cheapest edits between two words of Latin letters, or Infinity above `max`. */
export const editCost = (from: string, to: string, max: number): number =>
  spellingCost(spellingOf(from), spellingOf(to), max);

// Three lines of the table of costs. They are allocated once, because a search compares thousands of words.
let lineCosts = [new Uint16Array(32), new Uint16Array(32), new Uint16Array(32)];

function spellingCost(from: Spelling, to: Spelling, max: number): number {
  const { letters: rows, gaps: rowGaps } = from;
  const { letters: columns, gaps: columnGaps } = to;
  if (columns.length >= (lineCosts[0] as Uint16Array).length)
    lineCosts = lineCosts.map(() => new Uint16Array(2 * columns.length));
  let [before, above, line] = lineCosts as [Uint16Array, Uint16Array, Uint16Array];
  above[0] = 0;
  for (let column = 1; column <= columns.length; column += 1)
    above[column] = (above[column - 1] as number) + (columnGaps[column - 1] as number);
  for (let row = 1; row <= rows.length; row += 1) {
    const one = rows[row - 1] as number;
    const gap = rowGaps[row - 1] as number;
    let left = (above[0] as number) + gap;
    let least = left;
    line[0] = left;
    for (let column = 1; column <= columns.length; column += 1) {
      const other = columns[column - 1] as number;
      let cost = (above[column - 1] as number) + (replaceCosts[one * LETTERS.length + other] as number);
      cost = Math.min(cost, (above[column] as number) + gap, left + (columnGaps[column - 1] as number));
      const isSwap = row > 1 && column > 1 && one !== other && one === columns[column - 2] && rows[row - 2] === other;
      if (isSwap) cost = Math.min(cost, (before[column - 2] as number) + MEDIUM_COST);
      line[column] = cost;
      left = cost;
      if (cost < least) least = cost;
    }
    if (least > max) return Infinity;
    [before, above, line] = [above, line, before];
  }
  const cost = above[columns.length] as number;
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
  /** The number of its second letter. */
  second: number;
  /** The letters that it contains, one bit each. */
  letters: number;
  /** Computed when it is first compared. */
  skeleton: string | undefined;
  spelling: Spelling | undefined;
}

/** Candidates by their length and first letter. */
let candidateGroups: Candidate[][] | undefined;

const groupOf = (length: number, first: number): number => length * LETTERS.length + first;

function groupCandidates(): Candidate[][] {
  const frequencies = new Map<string, number>();
  const add = (word: string, frequency: number) => {
    if (CORRECTABLE_PATTERN.test(word)) frequencies.set(word, Math.max(frequencies.get(word) ?? 0, frequency));
  };
  for (const [word, frequency] of termFrequencies()) add(word, frequency);
  for (const word of DICTIONARY_WORDS) add(word, DICTIONARY_FREQUENCY);
  for (const word of PLACE_WORDS) add(word, PLACE_FREQUENCY);
  const groups: Candidate[][] = [];
  for (const [word, frequency] of frequencies) {
    const [first, second] = [letterAt(word, 0), letterAt(word, 1)];
    const candidate = { word, frequency, second, letters: letterBits(word), skeleton: undefined, spelling: undefined };
    const key = groupOf(word.length, first);
    const group = groups[key];
    if (group) group.push(candidate);
    else groups[key] = [candidate];
  }
  return groups;
}

const letterAt = (word: string, at: number): number => word.charCodeAt(at) - A_CODE;

function letterBits(word: string): number {
  let bits = 0;
  for (let at = 0; at < word.length; at += 1) bits |= 1 << letterAt(word, at);
  return bits;
}

/** The number of set bits, by sums of pairs, fours and bytes. */
function countBits(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The logarithm to base 2, rounded down to a whole number so that all devices rank alike. */
export const wholeLog2 = (count: number): number => 31 - Math.clz32(count + 1);

/**
 * The words that a misspelt word may mean, best first, at most five. `found` is the number of tenders that contain the word
 * as typed. If there are any, candidates must be far more frequent.
 */
export function correctionsOf(word: string, found: number): Correction[] {
  const minFrequency = MIN_FREQUENCY_RATIO * Math.max(termFrequency(word), found);
  const limit = minFrequency > 0 ? Math.min(MAX_COST_OF_FOUND_WORD, maxCost(word.length)) : maxCost(word.length);
  return correctionsNear(word)
    .filter(({ cost, frequency }) => cost <= limit && frequency >= minFrequency)
    .slice(0, MAX_CORRECTIONS)
    .map(({ word, cost, rank }) => ({ word, cost, rank }));
}

type RankedCandidate = Correction & { frequency: number };

/** Size of the cache. A search looks up each of its words twice, and once more for places and departments. */
const MAX_REMEMBERED = 16;
const remembered = new Map<string, readonly RankedCandidate[]>();

/** The words within the cost that the length of `word` allows, best first. */
function correctionsNear(word: string): readonly RankedCandidate[] {
  const known = remembered.get(word);
  if (known) return known;
  const found = readCorrections(word);
  remembered.set(word, found);
  for (const oldest of remembered.keys()) {
    if (remembered.size <= MAX_REMEMBERED) break;
    remembered.delete(oldest);
  }
  return found;
}

/**
 * Compares candidates that have about the same length and begin like the word: with its first letter or sound, or with the
 * first two letters swapped or shifted.
 */
function readCorrections(word: string): RankedCandidate[] {
  candidateGroups ??= groupCandidates();
  const [first, second] = [letterAt(word, 0), letterAt(word, 1)];
  const skeleton = soundSkeleton(word);
  const limit = maxCost(word.length);
  const letters = letterBits(word);
  const spelling = spellingOf(word);
  const corrections: RankedCandidate[] = [];
  for (let length = word.length - 2; length <= word.length + 2; length += 1)
    for (let one = 0; one < LETTERS.length; one += 1) {
      const hasSameSound = isSameSound(one, first);
      for (const each of candidateGroups[groupOf(length, one)] ?? []) {
        if (one !== second && !hasSameSound && each.second !== second && each.second !== first) continue;
        const { word: candidate, frequency } = each;
        if (candidate === word) continue;
        each.skeleton ??= soundSkeleton(candidate);
        const soundsAlike = each.skeleton === skeleton;
        // An edit changes at most two letters and costs at least two quarters.
        const mayBeNear = hasSameSound && countBits(each.letters ^ letters) <= limit;
        if (!mayBeNear && !soundsAlike) continue;
        each.spelling ??= spellingOf(candidate);
        const edits = spellingCost(spelling, each.spelling, soundsAlike ? 8 : limit);
        const cost = soundsAlike ? Math.min(edits, SAME_SOUND_COST) : edits;
        if (cost > limit) continue;
        corrections.push({ word: candidate, cost, rank: 2 * wholeLog2(frequency) - 3 * cost, frequency });
      }
    }
  return corrections.sort((one, other) => other.rank - one.rank || (one.word < other.word ? -1 : 1));
}
