/** Orders matching rows by their scores, and finds those that have most of the words. */
import type { QueryWord } from '@nivida/contract/search/query-words';
import { MAX_PARTIAL_MATCHES, partialRule, partialWords } from '@nivida/contract/search/ranking';
import type { SegmentIndex } from '../segments/segment-index.ts';
import { encodeWords, type WordHits } from './match-words.ts';
import type { RowRef } from './merge-page.ts';

/** The closing order of equal scores: soonest first for open tenders, last closed first for closed ones. */
function compareClosing(one: RowRef, other: RowRef, open: boolean): number {
  const [first, second] = [one, other].map(({ segment, row }) => segment.closesAt[row] as number) as [number, number];
  const [id, otherId] = [one, other].map(({ segment, row }) => segment.ids[row] as number) as [number, number];
  return (open ? first - second : second - first) || id - otherId;
}

/** The rows `from` to `to` (exclusive) of the matches by score, then closing, then id. */
export function rankedRows(
  segments: readonly SegmentIndex[],
  masks: readonly Uint8Array[],
  scores: readonly Uint16Array[],
  open: boolean,
  from: number,
  to: number,
): RowRef[] {
  const counts = new Uint32Array(2 ** 16);
  for (const [index, mask] of masks.entries()) {
    const own = scores[index] as Uint16Array;
    for (let row = 0; row < mask.length; row += 1)
      if (mask[row] === 1) counts[own[row] as number] = (counts[own[row] as number] as number) + 1;
  }
  // Only rows of the highest scores are sorted: enough of them for this page.
  let lowest = counts.length;
  for (let rows = 0; lowest > 0 && rows < to; ) {
    lowest -= 1;
    rows += counts[lowest] as number;
  }
  const best: { ref: RowRef; score: number }[] = [];
  for (const [index, mask] of masks.entries()) {
    const own = scores[index] as Uint16Array;
    const segment = segments[index] as SegmentIndex;
    for (let row = 0; row < mask.length; row += 1) {
      const score = own[row] as number;
      if (mask[row] === 1 && score >= lowest) best.push({ ref: { segment, row }, score });
    }
  }
  best.sort((one, other) => other.score - one.score || compareClosing(one.ref, other.ref, open));
  return best.slice(from, to).map(({ ref }) => ref);
}

/**
 * Rows that have most of the words but not all, best coverage first, at most 20; the rule is the contract's. `masks` has
 * the rows that match the rest of the filter, `isFound` says of each word whether such a row has it, and `full` are the
 * rows that have all words.
 */
export function partialRows(
  segments: readonly SegmentIndex[],
  masks: readonly Uint8Array[],
  hits: readonly WordHits[],
  asked: readonly QueryWord[],
  open: boolean,
  full: readonly RowRef[],
): RowRef[] {
  const isFound = (words: readonly QueryWord[]) =>
    encodeWords(words).map((word) =>
      hits.some((hit, index) => {
        const values = hit.valuesOf(word);
        return values?.some((value, row) => value > 0 && masks[index]?.[row] === 1) ?? false;
      }),
    );
  const words = partialWords(asked, isFound(asked));
  const rule = partialRule(words, isFound(words));
  if (!rule) return [];
  const encoded = encodeWords(words);
  const found: { ref: RowRef; coverage: number; score: number }[] = [];
  for (const [index, segment] of segments.entries()) {
    const coverage = new Uint16Array(segment.rows);
    const scores = new Uint16Array(segment.rows);
    const required = new Uint8Array(segment.rows);
    const decided = new Uint8Array(segment.rows);
    for (const [at, word] of encoded.entries()) {
      const values = hits[index]?.valuesOf(word);
      if (!values) continue;
      const weight = rule.weights[at] as number;
      for (let row = 0; row < values.length; row += 1) {
        const value = values[row] as number;
        if (value === 0) continue;
        coverage[row] = (coverage[row] as number) + weight;
        scores[row] = (scores[row] as number) + word.weight * value;
        if (word.required) required[row] = (required[row] as number) + 1;
        if (rule.decisive[at]) decided[row] = 1;
      }
    }
    for (let row = 0; row < segment.rows; row += 1) {
      if (masks[index]?.[row] !== 1 || 2 * (coverage[row] as number) < rule.total) continue;
      if (decided[row] === 0 && (required[row] as number) < 2) continue;
      if (full.some((ref) => ref.segment === segment && ref.row === row)) continue;
      found.push({ ref: { segment, row }, coverage: coverage[row] as number, score: scores[row] as number });
    }
  }
  found.sort(
    (one, other) =>
      other.coverage - one.coverage || other.score - one.score || compareClosing(one.ref, other.ref, open),
  );
  return found.slice(0, MAX_PARTIAL_MATCHES).map(({ ref }) => ref);
}
