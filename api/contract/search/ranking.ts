/**
 * The rules of ranking, in whole numbers so that server and device agree exactly. A tender scores for each word its weight
 * times the best of quality · field factor of the alternatives that it has; several terms score as their least field.
 */

import type { FieldClass } from './index-terms.ts';
import { isPlaceName } from './place-names.ts';
import { parseQuery, type QueryWord } from './query-words.ts';

/** Factor of a term by the best class of the fields that have it. */
export const FIELD_FACTOR: Readonly<Record<FieldClass, number>> = { A: 8, B: 4, C: 2 };

/** Above this many matches both sides order by closing: a rank does not help among so many results. */
export const MAX_RANKED = 20_000;
/** With fewer tenders that have all words, those that have most words follow. */
export const MIN_FULL_MATCHES = 5;
/** Maximum number of tenders that follow. */
export const MAX_PARTIAL_MATCHES = 20;
/** Maximum weight in a partial match of a word that no tender has. */
const MAX_WEIGHT_WITHOUT_MATCH = 4;

/** The rule of partial matches: words with their weights, and the weight that a tender must cover. */
export interface PartialRule {
  words: readonly QueryWord[];
  /** For each word: its share of the coverage. */
  weights: readonly number[];
  /** For each word: whether a tender with only this word and enough coverage counts. */
  decisive: readonly boolean[];
  /** Twice the coverage that a tender needs. */
  total: number;
}

/** True when tenders with most of the words should follow the `full` ones with all words. */
export function needsPartialMatches(words: readonly QueryWord[], full: number): boolean {
  return full < MIN_FULL_MATCHES && (words.length > 1 || words.some(({ typed }) => typed.includes(' ')));
}

/**
 * The words of partial matches. A phrase that no tender has is split: for 'bailey bridge' the bridge may be found.
 * Parts that name a place are left out: 'sabzi mandi' does not ask for Mandi. `isFound` says of each word whether a
 * tender has it under the filter.
 */
export function partialWords(words: readonly QueryWord[], isFound: readonly boolean[]): QueryWord[] {
  return words.flatMap((word, at) => {
    const terms = word.typed.split(' ');
    if (isFound[at] || terms.length === 1) return [word];
    return terms.filter((term) => !isPlaceName(term)).flatMap((term) => parseQuery(term, 'never'));
  });
}

/** The rule for `words`; `isFound` marks the words that some tender has. Undefined when no tender has one of them. */
export function partialRule(words: readonly QueryWord[], isFound: readonly boolean[]): PartialRule | undefined {
  if (words.length < 2 || !isFound.includes(true)) return undefined;
  const weights = words.map(({ weight }, at) => (isFound[at] ? weight : Math.min(weight, MAX_WEIGHT_WITHOUT_MATCH)));
  const heaviest = Math.max(...weights.filter((_, at) => isFound[at]));
  return {
    words,
    weights,
    decisive: weights.map((weight, at) => isFound[at] === true && weight === heaviest),
    total: weights.reduce((sum, weight) => sum + weight, 0),
  };
}
