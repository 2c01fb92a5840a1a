/** Finds the rows of a segment index that have the words of a query, and their scores. */

import { MATCH_QUALITY, type QueryWord } from '@nivida/contract/search/query-words';
import { FIELD_FACTOR } from '@nivida/contract/search/ranking';
import { encodeText } from '../segments/packed-texts.ts';
import { CLASS_BITS, CLASS_MASK, FIELD_CLASSES, type SegmentIndex, type TermRange } from '../segments/segment-index.ts';

/** An alternative of a word as UTF-8 terms. */
interface EncodedAlternative {
  terms: readonly Uint8Array[];
  quality: number;
  isPrefix: boolean;
}

/** A word of a query, encoded once for all indexes. */
export interface EncodedWord {
  alternatives: readonly EncodedAlternative[];
  weight: number;
  required: boolean;
}

export function encodeWords(words: readonly QueryWord[]): EncodedWord[] {
  return words.map(({ alternatives, weight, required }) => ({
    weight,
    required,
    alternatives: alternatives.map(({ terms, quality }) => ({
      terms: terms.map(encodeText),
      quality,
      isPrefix: quality === MATCH_QUALITY.prefix,
    })),
  }));
}

/** Field factors by the stored class of a term in a row. */
const FACTORS = Uint8Array.from(FIELD_CLASSES, (fieldClass) => FIELD_FACTOR[fieldClass]);

/** The rows of one index that have the words. Arrays have one entry for each row and are reused. */
export class WordHits {
  /** Number of required words that a row has. */
  readonly required: Uint8Array;
  /** Sum over the words of weight · best value. */
  readonly scores: Uint16Array;
  /** Best value of each row for the word that was read last. */
  private readonly best: Uint8Array;
  private readonly least: Uint8Array;
  private readonly factors: Uint8Array;
  private readonly steps: Uint8Array;

  constructor(private readonly segment: SegmentIndex) {
    this.required = new Uint8Array(segment.rows);
    this.scores = new Uint16Array(segment.rows);
    this.best = new Uint8Array(segment.rows);
    this.least = new Uint8Array(segment.rows);
    this.factors = new Uint8Array(segment.rows);
    this.steps = new Uint8Array(segment.rows);
  }

  /** Reads all words; false when a required word is in no row, so no row has all. */
  read(words: readonly EncodedWord[]): boolean {
    this.required.fill(0);
    this.scores.fill(0);
    for (const word of words) {
      if (!this.readBest(word) && word.required) return false;
      const { best, required, scores } = this;
      const step = word.required ? 1 : 0;
      for (let row = 0; row < best.length; row += 1) {
        const value = best[row] as number;
        if (value === 0) continue;
        required[row] = (required[row] as number) + step;
        scores[row] = (scores[row] as number) + word.weight * value;
      }
    }
    return true;
  }

  /** The best value of each row for one word, 0 where a row lacks it; undefined when no row has it. Overwritten by the next call. */
  valuesOf(word: EncodedWord): Uint8Array | undefined {
    return this.readBest(word) ? this.best : undefined;
  }

  private readBest(word: EncodedWord): boolean {
    this.best.fill(0);
    let any = false;
    for (const alternative of word.alternatives) any = this.readAlternative(alternative) || any;
    return any;
  }

  private readAlternative({ terms, quality, isPrefix }: EncodedAlternative): boolean {
    const ranges: TermRange[] = [];
    for (const [at, term] of terms.entries()) {
      const range = this.segment.find(term, isPrefix && at === terms.length - 1);
      if (range.from === range.to) return false;
      ranges.push(range);
    }
    const [only] = ranges;
    if (only && ranges.length === 1) this.raiseBest(only, quality);
    else this.raiseBestOfAll(ranges, quality);
    return true;
  }

  private raiseBest(range: TermRange, quality: number): void {
    const { segment, best } = this;
    const postings = segment.postingsOf(range);
    for (let at = 0; at < postings.length; at += 1) {
      const posting = postings[at] as number;
      const row = posting >>> CLASS_BITS;
      const value = quality * (FACTORS[posting & CLASS_MASK] as number);
      if (value > (best[row] as number)) best[row] = value;
    }
  }

  /** Rows that have all terms score as the least of the terms' best fields. */
  private raiseBestOfAll(ranges: readonly TermRange[], quality: number): void {
    const { segment, best, least, steps, factors } = this;
    steps.fill(0);
    for (const [step, range] of ranges.entries()) {
      const postings = segment.postingsOf(range);
      // A prefix has a row once for each of its terms.
      for (let at = 0; at < postings.length; at += 1) {
        const posting = postings[at] as number;
        const row = posting >>> CLASS_BITS;
        const factor = FACTORS[posting & CLASS_MASK] as number;
        if (factor > (factors[row] as number)) factors[row] = factor;
      }
      for (let at = 0; at < postings.length; at += 1) {
        const row = (postings[at] as number) >>> CLASS_BITS;
        const factor = factors[row] as number;
        factors[row] = 0;
        if (steps[row] !== step || factor === 0) continue;
        least[row] = step === 0 ? factor : Math.min(least[row] as number, factor);
        steps[row] = step + 1;
      }
    }
    const last = segment.postingsOf(ranges.at(-1) as TermRange);
    for (let at = 0; at < last.length; at += 1) {
      const row = (last[at] as number) >>> CLASS_BITS;
      if (steps[row] !== ranges.length) continue;
      const value = quality * (least[row] as number);
      if (value > (best[row] as number)) best[row] = value;
    }
  }
}
