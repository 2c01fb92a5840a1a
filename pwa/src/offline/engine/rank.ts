/** Orders matching rows by their scores, and finds those that have most of the words. */
import type { QueryWord } from '@nivida/contract/search/query-words';
import { MAX_PARTIAL_MATCHES, partialRule, partialWords } from '@nivida/contract/search/ranking';
import type { SegmentIndex } from '../segments/segment-index.ts';
import { type FilterRows, MATCHES_ALL } from './filter-rows.ts';
import type { Matcher, Matches } from './matching.ts';
import type { RowRef } from './merge-page.ts';
import { TopRows } from './top-rows.ts';

/** The closing order of equal scores: soonest first for open tenders, last closed first for closed ones. */
const closingSign = (open: boolean): number => (open ? 1 : -1);

/** The rows `from` to `to` (exclusive) of the matches by score, then closing, then id. */
export function rankedRows(
  segments: readonly SegmentIndex[],
  { rows, starts, scores }: Matches,
  open: boolean,
  from: number,
  to: number,
): RowRef[] {
  const sign = closingSign(open);
  const top = new TopRows(segments, to);
  for (const [index, { closesAt }] of segments.entries()) {
    const own = scores[index] as Uint16Array;
    const end = starts[index + 1] as number;
    for (let at = starts[index] as number; at < end; at += 1) {
      const row = rows[at] as number;
      top.offer(index, row, -(own[row] as number), sign * (closesAt[row] as number));
    }
  }
  return top.sorted().slice(from);
}

/** Sums over the words of a partial match, one entry for each row. Reset for each index. */
interface PartialSums {
  coverage: Uint16Array;
  scores: Uint16Array;
  required: Uint8Array;
  decided: Uint8Array;
}

/**
 * Rows that have most of the words. `words` are the query's words; a phrase that no row contains is split
 * into words.
 */
export interface PartialMatches {
  rows: readonly RowRef[];
  words: readonly QueryWord[];
}

/**
 * At most 20 rows that have most of the words but not all, best coverage first; the rule is the contract's.
 * `under` are the rows that match the rest of the filter, `full` are the rows that have all words.
 */
export function partialRows(
  segments: readonly SegmentIndex[],
  matcher: Matcher,
  under: FilterRows,
  asked: readonly QueryWord[],
  open: boolean,
  full: readonly RowRef[],
): PartialMatches {
  const { wordRows } = matcher;
  const allowed = (index: number) => ({ bits: under.bits[index] as Uint8Array, wanted: MATCHES_ALL });
  const isFound = (words: readonly QueryWord[]) =>
    matcher
      .lookUp(words)
      .map((word) => segments.some((_, index) => wordRows.read(index, word, allowed(index)).count > 0));
  const askedFound = isFound(asked);
  const words = partialWords(asked, askedFound);
  const isSame = words.every((word, at) => word === asked[at]);
  const rule = partialRule(words, isSame ? askedFound : isFound(words));
  if (!rule) return { rows: [], words: asked };
  const sign = closingSign(open);
  const top = new TopRows(segments, MAX_PARTIAL_MATCHES);
  const lookedUp = matcher.lookUp(words);
  for (const [index, segment] of segments.entries()) {
    const sums: PartialSums = {
      coverage: new Uint16Array(segment.rows),
      scores: new Uint16Array(segment.rows),
      required: new Uint8Array(segment.rows),
      decided: new Uint8Array(segment.rows),
    };
    for (const [at, word] of lookedUp.entries()) {
      const { rows, count } = wordRows.read(index, word, allowed(index));
      for (let each = 0; each < count; each += 1) {
        const row = rows[each] as number;
        const value = wordRows.values[row] as number;
        add(sums.coverage, row, rule.weights[at] as number);
        add(sums.scores, row, word.weight * value);
        if (word.required) add(sums.required, row, 1);
        if (rule.decisive[at]) sums.decided[row] = 1;
      }
    }
    for (let row = 0; row < segment.rows; row += 1) {
      const coverage = sums.coverage[row] as number;
      if (coverage === 0 || 2 * coverage < rule.total) continue;
      if (sums.decided[row] === 0 && (sums.required[row] as number) < 2) continue;
      if (full.some((ref) => ref.segment === segment && ref.row === row)) continue;
      // Coverage decides first, then the score. A score has 16 bits.
      const key = -(coverage * 2 ** 16 + (sums.scores[row] as number));
      top.offer(index, row, key, sign * (segment.closesAt[row] as number));
    }
  }
  return { rows: top.sorted(), words };
}

function add(sums: Uint8Array | Uint16Array, row: number, value: number): void {
  sums[row] = (sums[row] as number) + value;
}
