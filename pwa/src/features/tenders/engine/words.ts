/** Which rows of a pack have the words of a query. */
import type { QueryWord } from '@nivida/contract/search';
import type { Numbers } from './numbers.ts';
import type { Pack } from './pack.ts';
import { toBytes } from './texts.ts';

/** A word's alternatives as packs are asked for them: bytes of terms, of which the last may go on. */
export type AskedWord = readonly { terms: readonly Uint8Array[]; isPrefix: boolean }[];

/** Prepares words once for all packs. */
export function askWords(words: readonly QueryWord[]): AskedWord[] {
  return words.map(({ alternatives, prefix }) =>
    // Only what was typed, the first alternative, may go on.
    alternatives.map((terms, place) => ({ terms: terms.map(toBytes), isPrefix: prefix && place === 0 })),
  );
}

/** Raises what stands at `from` by one, for these rows; what is raised already stays, so a row may come twice. */
function raise(steps: Uint8Array, rows: Numbers, from: number): void {
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] as number;
    if (steps[row] === from) steps[row] = from + 1;
  }
}

/**
 * Sets `hits` of each row to the number of words that it has from the first one on without a gap: a row has all words
 * when its number is theirs. False when there can be no such row. Both arrays have a place for each row.
 */
export function hitWords(pack: Pack, words: readonly AskedWord[], hits: Uint8Array, scratch: Uint8Array): boolean {
  hits.fill(0, 0, pack.rows);
  for (const [index, word] of words.entries()) {
    let any = false;
    for (const alternative of word) {
      const rows = rowsOfTerms(pack, alternative);
      if (!rows) continue;
      any = true;
      const last = rows.at(-1) as Numbers;
      if (rows.length === 1) {
        raise(hits, last, index);
        continue;
      }
      scratch.fill(0, 0, pack.rows);
      for (const [step, each] of rows.entries()) raise(scratch, each, step);
      for (let at = 0; at < last.length; at += 1) {
        const row = last[at] as number;
        if (scratch[row] === rows.length && hits[row] === index) hits[row] = index + 1;
      }
    }
    if (!any) return false;
  }
  return true;
}

/** The rows of each term of an alternative; null when one of them is in no row. */
function rowsOfTerms(pack: Pack, { terms, isPrefix }: AskedWord[number]): Numbers[] | null {
  const rows: Numbers[] = [];
  for (const [at, term] of terms.entries()) {
    const found = pack.find(term, isPrefix && at === terms.length - 1);
    if (found.from === found.to) return null;
    rows.push(pack.rowsOf(found));
  }
  return rows;
}
