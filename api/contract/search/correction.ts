/**
 * Correction of misspelt words, asked for only when a search found nothing. Server and device look words up and count
 * tenders in their own ways; what is tried, and in which order, is the same on both.
 */
import { parseQuery, type QueryWord, rewriteQuery } from './search.ts';

/** Another reading of a query: its words, and what was put in for the asked ones (for `rewriteQuery`). */
export interface QueryCorrection {
  words: QueryWord[];
  replacements: ReadonlyMap<string, string>;
}

/** The asked words that a correction may replace: single ones of at least four letters. */
export function correctableWords(words: readonly QueryWord[]): string[] {
  return words.map((word) => word.typed).filter((word) => /^\p{L}{4,}$/u.test(word));
}

/**
 * What to try, in rounds: first each single word by each of its candidates, then all such words by their nearest
 * candidates together. The first round that finds anything decides, and in it what finds most, the earlier of equals.
 * `candidates` holds the answer of `corrections` for each of `correctableWords`.
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
