/** Finds the rows of a segment index that have the words of a query. */
import type { QueryWord } from '@nivida/contract/search/search';
import type { CompactNumbers } from '../segments/compact-numbers.ts';
import { encodeText } from '../segments/packed-texts.ts';
import type { SegmentIndex } from '../segments/segment-index.ts';

/** A word's alternatives as UTF-8 terms; with `isPrefix` the last term is a prefix. */
export type EncodedWord = readonly { terms: readonly Uint8Array[]; isPrefix: boolean }[];

/** Encodes words once for all indexes. */
export function encodeWords(words: readonly QueryWord[]): EncodedWord[] {
  return words.map(({ alternatives, prefix }) =>
    // Only the first alternative, the typed one, may be a prefix.
    alternatives.map((terms, place) => ({ terms: terms.map(encodeText), isPrefix: prefix && place === 0 })),
  );
}

/** Increments the rows whose value is `from`. A repeated row is incremented once. */
function incrementRows(steps: Uint8Array, rows: CompactNumbers, from: number): void {
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] as number;
    if (steps[row] === from) steps[row] = from + 1;
  }
}

/**
 * Sets `hits` of each row to the number of leading words that it has; a row matches when that is the number of words.
 * Returns false when no row can match. Both arrays have one entry per row.
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

/** The rows of each term of an alternative; null when a term is in no row. */
function rowsOfTerms(segment: SegmentIndex, { terms, isPrefix }: EncodedWord[number]): CompactNumbers[] | null {
  const rows: CompactNumbers[] = [];
  for (const [at, term] of terms.entries()) {
    const found = segment.find(term, isPrefix && at === terms.length - 1);
    if (found.from === found.to) return null;
    rows.push(segment.rowsOf(found));
  }
  return rows;
}
