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

/** An alternative whose terms are in an index. */
interface FoundAlternative {
  ranges: readonly TermRange[];
  quality: number;
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
  /** The rows with a value in `best`. */
  private readonly valued: Uint32Array;
  private valuedRows = 0;
  private readonly least: Uint8Array;
  private readonly factors: Uint8Array;
  private readonly steps: Uint8Array;

  constructor(private readonly segment: SegmentIndex) {
    this.required = new Uint8Array(segment.rows);
    this.scores = new Uint16Array(segment.rows);
    this.best = new Uint8Array(segment.rows);
    this.valued = new Uint32Array(segment.rows);
    this.least = new Uint8Array(segment.rows);
    this.factors = new Uint8Array(segment.rows);
    this.steps = new Uint8Array(segment.rows);
  }

  /** Reads all words; false when a required word is in no row, so no row has all. */
  read(words: readonly EncodedWord[]): boolean {
    const found = words.map((word) => this.findAlternatives(word));
    if (words.some(({ required }, at) => required && found[at]?.length === 0)) return false;
    this.required.fill(0);
    this.scores.fill(0);
    for (const [at, word] of words.entries()) {
      this.readBest(found[at] ?? []);
      const { best, required, scores, valued } = this;
      const step = word.required ? 1 : 0;
      for (let each = 0; each < this.valuedRows; each += 1) {
        const row = valued[each] as number;
        required[row] = (required[row] as number) + step;
        scores[row] = (scores[row] as number) + word.weight * (best[row] as number);
      }
    }
    return true;
  }

  /** The best value of each row for one word, 0 where a row lacks it; undefined when no row has it. Overwritten by the next call. */
  valuesOf(word: EncodedWord): Uint8Array | undefined {
    const found = this.findAlternatives(word);
    if (found.length === 0) return undefined;
    this.readBest(found);
    return this.best;
  }

  /** The alternatives whose terms are all in this index. */
  private findAlternatives(word: EncodedWord): FoundAlternative[] {
    const found: FoundAlternative[] = [];
    for (const { terms, quality, isPrefix } of word.alternatives) {
      const ranges: TermRange[] = [];
      for (const [at, term] of terms.entries()) {
        const range = this.segment.find(term, isPrefix && at === terms.length - 1);
        if (range.from === range.to) break;
        ranges.push(range);
      }
      if (ranges.length === terms.length) found.push({ ranges, quality });
    }
    return found;
  }

  private readBest(alternatives: readonly FoundAlternative[]): void {
    const { best, valued } = this;
    for (let each = 0; each < this.valuedRows; each += 1) best[valued[each] as number] = 0;
    this.valuedRows = 0;
    for (const { ranges, quality } of alternatives) {
      const [only] = ranges;
      if (only && ranges.length === 1) this.raiseBest(only, quality);
      else this.raiseBestOfAll(ranges, quality);
    }
  }

  private raise(row: number, value: number): void {
    const before = this.best[row] as number;
    if (value <= before) return;
    if (before === 0) {
      this.valued[this.valuedRows] = row;
      this.valuedRows += 1;
    }
    this.best[row] = value;
  }

  private raiseBest(range: TermRange, quality: number): void {
    const postings = this.segment.postingsOf(range);
    for (let at = 0; at < postings.length; at += 1) {
      const posting = postings[at] as number;
      this.raise(posting >>> CLASS_BITS, quality * (FACTORS[posting & CLASS_MASK] as number));
    }
  }

  /** Rows that have all terms score as the least of the terms' best fields. */
  private raiseBestOfAll(ranges: readonly TermRange[], quality: number): void {
    const { segment, least, steps, factors } = this;
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
      if (steps[row] === ranges.length) this.raise(row, quality * (least[row] as number));
    }
  }
}
