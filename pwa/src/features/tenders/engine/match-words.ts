/** Which rows of a pack have the words of a query. */
import type { QueryWord } from '@nivida/contract/search/search';
import type { CompactNumbers } from '../segments/compact-numbers.ts';
import { encodeText } from '../segments/packed-texts.ts';
import type { SegmentIndex } from '../segments/segment-index.ts';

/** A word's alternatives as packs are asked for them: bytes of terms, of which the last may go on. */
export type EncodedWord = readonly { terms: readonly Uint8Array[]; isPrefix: boolean }[];

/** Prepares words once for all packs. */
export function encodeWords(words: readonly QueryWord[]): EncodedWord[] {
  return words.map(({ alternatives, prefix }) =>
    // Only what was typed, the first alternative, may go on.
    alternatives.map((terms, place) => ({ terms: terms.map(encodeText), isPrefix: prefix && place === 0 })),
  );
}

/** Raises what stands at `from` by one, for these rows; what is raised already stays, so a row may come twice. */
function incrementRows(steps: Uint8Array, rows: CompactNumbers, from: number): void {
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] as number;
    if (steps[row] === from) steps[row] = from + 1;
  }
}

/**
 * Sets `hits` of each row to the number of words that it has from the first one on without a gap: a row has all words
 * when its number is theirs. False when there can be no such row. Both arrays have a place for each row.
 */
export function countWordHits(
  segment: SegmentIndex,
  words: readonly EncodedWord[],
  hits: Uint8Array,
  scratch: Uint8Array,
): boolean {
  hits.fill(0, 0, segment.rows);
  for (const [index, word] of words.entries()) {
    let any = false;
    for (const alternative of word) {
      const rows = rowsOfTerms(segment, alternative);
      if (!rows) continue;
      any = true;
      const last = rows.at(-1) as CompactNumbers;
      if (rows.length === 1) {
        incrementRows(hits, last, index);
        continue;
      }
      scratch.fill(0, 0, segment.rows);
      for (const [step, each] of rows.entries()) incrementRows(scratch, each, step);
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
function rowsOfTerms(segment: SegmentIndex, { terms, isPrefix }: EncodedWord[number]): CompactNumbers[] | null {
  const rows: CompactNumbers[] = [];
  for (const [at, term] of terms.entries()) {
    const found = segment.find(term, isPrefix && at === terms.length - 1);
    if (found.from === found.to) return null;
    rows.push(segment.rowsOf(found));
  }
  return rows;
}
