/**
 * The rules of ranking, in whole numbers so that server and device agree exactly. For each word a tender scores the word's
 * weight times the best product of quality and field factor among the alternatives that it has. An alternative of several
 * terms has the field factor of its worst term.
 */

import type { FieldClass } from './index-terms.ts';
import { isPlaceName } from './place-names.ts';
import { parseQuery, type QueryWord } from './query-words.ts';

/** Factor of a term by the best class of the fields that have it. */
export const FIELD_FACTOR: Readonly<Record<FieldClass, number>> = { A: 8, B: 4, C: 2 };

/** With more matches both sides order by closing, because a rank does not help among so many results. */
export const MAX_RANKED = 20_000;
/** If fewer tenders have all words, tenders with most of the words follow. */
export const MIN_FULL_MATCHES = 5;
/** Maximum number of tenders with most of the words. */
export const MAX_PARTIAL_MATCHES = 20;
/** Maximum weight, in a partial match, of a word that no tender has. */
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

/** Whether tenders with most of the words should follow the `full` tenders with all words. */
export function needsPartialMatches(words: readonly QueryWord[], full: number): boolean {
  return full < MIN_FULL_MATCHES && (words.length > 1 || words.some(({ typed }) => typed.includes(' ')));
}

/**
 * The words of partial matches. A phrase that no tender has is split, so that 'bailey bridge' may find bridges. Parts that
 * name a place are left out, because 'sabzi mandi' does not mean Mandi. `isFound` has for each word whether a tender under
 * the filter has it.
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
