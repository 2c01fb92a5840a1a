/**
 * Correction of misspelt words when a search finds nothing. Server and device look up words and count tenders in their
 * own ways, but try the same corrections in the same order.
 */
import { parseQuery, type QueryWord, rewriteQuery } from './search.ts';

/** A corrected query: its words, and the replacements by typed word (for `rewriteQuery`). */
export interface QueryCorrection {
  words: QueryWord[];
  replacements: ReadonlyMap<string, string>;
}

/** The typed words that a correction may replace: single words of at least four letters. */
export function correctableWords(words: readonly QueryWord[]): string[] {
  return words.map((word) => word.typed).filter((word) => /^\p{L}{4,}$/u.test(word));
}

/**
 * Corrections to try, in rounds: first each single word by each of its candidates, then all such words by their nearest
 * candidates together. The first round with results decides; in it the correction with most results wins, the earlier
 * of equals. `candidates` has the result of `spellingCorrections` for each of `correctableWords`.
 */
export function correctionRounds(
  words: readonly QueryWord[],
  candidates: ReadonlyMap<string, readonly string[]>,
): QueryCorrection[][] {
  const misspeltWords = words.map((word) => word.typed).join(' ');
  const replace = (replacements: Map<string, string>): QueryCorrection => ({
    words: parseQuery(rewriteQuery(misspeltWords, replacements)),
    replacements,
  });
  const single = [...candidates].flatMap(([word, options]) =>
    options.map((option) => replace(new Map([[word, option]]))),
  );
  const nearest = [...candidates].flatMap(([word, [option]]) =>
    option === undefined ? [] : [[word, option] as const],
  );
  return nearest.length < 2 ? [single] : [single, [replace(new Map(nearest))]];
}
