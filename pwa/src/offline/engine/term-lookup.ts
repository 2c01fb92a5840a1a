/** Looks up the terms of words in all segment indexes. */

import { MATCH_QUALITY, type QueryWord } from '@nivida/contract/search/query-words';
import { encodeText } from '../segments/packed-texts.ts';
import type { SegmentIndex } from '../segments/segment-index.ts';

/** For each index two numbers: the first term and the end (exclusive). A prefix covers all its terms. */
type TermRanges = Uint32Array;

interface LookedUpAlternative {
  terms: readonly TermRanges[];
  quality: number;
}

/** A word of a query, looked up once for all indexes. */
export interface LookedUpWord {
  alternatives: readonly LookedUpAlternative[];
  weight: number;
  required: boolean;
}

/** A cached term takes eight bytes for each index. */
const MAX_KNOWN_TERMS = 1_000;

/** Caches where terms are: the counts of one search and the texts that a user types repeat them. */
export class TermLookup {
  private readonly known = new Map<string, TermRanges>();

  constructor(private readonly segments: readonly SegmentIndex[]) {}

  words(words: readonly QueryWord[]): LookedUpWord[] {
    return words.map(({ alternatives, weight, required }) => ({
      weight,
      required,
      alternatives: alternatives.map(({ terms, quality }) => ({
        quality,
        terms: terms.map((term, at) => this.ranges(term, quality === MATCH_QUALITY.prefix && at === terms.length - 1)),
      })),
    }));
  }

  private ranges(term: string, isPrefix: boolean): TermRanges {
    const key = isPrefix ? `${term}*` : term;
    let ranges = this.known.get(key);
    if (ranges) return ranges;
    if (this.known.size >= MAX_KNOWN_TERMS) this.known.clear();
    const bytes = encodeText(term);
    ranges = new Uint32Array(2 * this.segments.length);
    for (const [index, segment] of this.segments.entries()) {
      const { from, to } = segment.find(bytes, isPrefix);
      ranges[2 * index] = from;
      ranges[2 * index + 1] = to;
    }
    this.known.set(key, ranges);
    return ranges;
  }
}
