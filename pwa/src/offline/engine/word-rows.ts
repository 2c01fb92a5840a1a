/** Finds the rows of a segment index that contain words, and the value of each word in a row. */

import { FIELD_FACTOR } from '@nivida/contract/search/ranking';
import type { CompactNumbers } from '../segments/compact-numbers.ts';
import { CLASS_BITS, CLASS_MASK, FIELD_CLASSES, type SegmentIndex } from '../segments/segment-index.ts';
import type { LookedUpWord } from './term-lookup.ts';

/** Field factors by the stored class of a term in a row. */
const FACTORS = Uint8Array.from(FIELD_CLASSES, (fieldClass) => FIELD_FACTOR[fieldClass]);
/** A binary search for each sought row is faster when the list has at least this many postings a row. */
const MIN_POSTINGS_PER_SOUGHT_ROW = 16;

/** The rows that may be found: those with all bits of `wanted`. */
interface AllowedRows {
  bits: Uint8Array;
  wanted: number;
}

/** Rows in no order; the first `count` entries are valid. */
interface RowList {
  rows: Uint32Array;
  count: number;
}

/** The postings of one term, or of all terms with one prefix; a row is repeated for each of its terms. */
interface TermPostings {
  postings: CompactNumbers;
  isOneTerm: boolean;
}

/** An alternative whose terms are all in the index, shortest list first. */
interface FoundAlternative {
  terms: readonly TermPostings[];
  quality: number;
}

interface FoundWord {
  alternatives: readonly FoundAlternative[];
  weight: number;
  required: boolean;
  /** Estimated number of postings to read. */
  cost: number;
}

/** Reads words of one index after the other; its buffers are reused. */
export class WordRows {
  /**
   * Value of each row for the word that was read last: its best quality · field factor; 0 where a row lacks
   * the word.
   */
  readonly values: Uint8Array;
  private found: RowList;
  private before: RowList;
  /** 1 for rows that have all words read so far. */
  private readonly marks: Uint8Array;
  private readonly least: Uint8Array;
  private readonly factors: Uint8Array;
  /** Above `stepStart`: how many terms of the current alternative a row has. */
  private readonly steps: Uint32Array;
  private stepStart = 0;

  constructor(private readonly segments: readonly SegmentIndex[]) {
    const rows = Math.max(0, ...segments.map((segment) => segment.rows));
    this.values = new Uint8Array(rows);
    this.found = { rows: new Uint32Array(rows), count: 0 };
    this.before = { rows: new Uint32Array(rows), count: 0 };
    this.marks = new Uint8Array(rows);
    this.least = new Uint8Array(rows);
    this.factors = new Uint8Array(rows);
    this.steps = new Uint32Array(rows);
  }

  /**
   * The rows of an index that have all required words; `scores` gets their sums of weight · value. Overwritten by the next
   * call.
   */
  readAll(index: number, words: readonly LookedUpWord[], allowed: AllowedRows, scores: Uint16Array): RowList {
    const found = words.map((word) => this.findWord(index, word));
    this.clearValues();
    this.before.count = 0;
    if (found.some(({ required, alternatives }) => required && alternatives.length === 0)) return this.found;
    // Each word is looked for only in the rows that have all earlier words.
    const required = found.filter((word) => word.required).sort((one, other) => one.cost - other.cost);
    for (const [at, word] of required.entries()) {
      if (at === 0) this.readValues(word, allowed, null);
      else this.readValues(word, { bits: this.marks, wanted: 1 }, this.before);
      this.addScores(word.weight, scores, at === 0);
      this.moveMarks();
      if (this.before.count === 0) break;
    }
    for (const word of found) {
      if (word.required || word.alternatives.length === 0 || this.before.count === 0) continue;
      this.readValues(word, { bits: this.marks, wanted: 1 }, this.before);
      this.addScores(word.weight, scores, false);
      this.clearValues();
    }
    const { rows, count } = this.before;
    for (let each = 0; each < count; each += 1) this.marks[rows[each] as number] = 0;
    return this.before;
  }

  /** The rows of an index that have a word; `values` has its value for them. Overwritten by the next call. */
  read(index: number, word: LookedUpWord, allowed: AllowedRows): RowList {
    this.clearValues();
    this.readValues(this.findWord(index, word), allowed, null);
    return this.found;
  }

  /** The alternatives whose terms are all in the index. */
  private findWord(index: number, { alternatives, weight, required }: LookedUpWord): FoundWord {
    const segment = this.segments[index] as SegmentIndex;
    const found: FoundAlternative[] = [];
    let cost = 0;
    for (const { terms, quality } of alternatives) {
      const lists: TermPostings[] = [];
      for (const ranges of terms) {
        const [from, to] = [ranges[2 * index] as number, ranges[2 * index + 1] as number];
        if (from === to) break;
        lists.push({ postings: segment.postingsOf({ from, to }), isOneTerm: to - from === 1 });
      }
      if (lists.length < terms.length) continue;
      lists.sort((one, other) => one.postings.length - other.postings.length);
      cost += lists[0]?.postings.length ?? 0;
      found.push({ terms: lists, quality });
    }
    return { alternatives: found, weight, required, cost };
  }

  private clearValues(): void {
    const { rows, count } = this.found;
    for (let each = 0; each < count; each += 1) this.values[rows[each] as number] = 0;
    this.found.count = 0;
  }

  private addScores(weight: number, scores: Uint16Array, isFirst: boolean): void {
    const { values } = this;
    const { rows, count } = this.found;
    for (let each = 0; each < count; each += 1) {
      const row = rows[each] as number;
      const own = weight * (values[row] as number);
      scores[row] = isFirst ? own : (scores[row] as number) + own;
    }
  }

  /** Marks the rows of the last word; only these may match the next word. */
  private moveMarks(): void {
    const { marks, before, found } = this;
    for (let each = 0; each < before.count; each += 1) marks[before.rows[each] as number] = 0;
    for (let each = 0; each < found.count; each += 1) {
      const row = found.rows[each] as number;
      marks[row] = 1;
      this.values[row] = 0;
    }
    this.before = found;
    this.found = before;
    this.found.count = 0;
  }

  /** Sets `values` and `found`. `among` lists the allowed rows where they are known. */
  private readValues({ alternatives }: FoundWord, allowed: AllowedRows, among: RowList | null): void {
    for (const { terms, quality } of alternatives) {
      const [first] = terms;
      if (terms.length > 1) this.readAlternative(terms, quality, allowed);
      else if (first?.isOneTerm && among && among.count * MIN_POSTINGS_PER_SOUGHT_ROW < first.postings.length)
        this.seekRows(first.postings, quality, among);
      else if (first) this.readTerm(first.postings, quality, allowed);
    }
  }

  private raise(row: number, value: number): void {
    const { values, found } = this;
    const earlier = values[row] as number;
    if (value <= earlier) return;
    if (earlier === 0) {
      found.rows[found.count] = row;
      found.count += 1;
    }
    values[row] = value;
  }

  private readTerm(postings: CompactNumbers, quality: number, { bits, wanted }: AllowedRows): void {
    for (let at = 0; at < postings.length; at += 1) {
      const posting = postings[at] as number;
      const row = posting >>> CLASS_BITS;
      if (((bits[row] as number) & wanted) === wanted)
        this.raise(row, quality * (FACTORS[posting & CLASS_MASK] as number));
    }
  }

  /** Looks up each row in the postings of one term, which ascend. */
  private seekRows(postings: CompactNumbers, quality: number, { rows, count }: RowList): void {
    for (let each = 0; each < count; each += 1) {
      const row = rows[each] as number;
      let [low, high] = [0, postings.length];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((postings[middle] as number) >>> CLASS_BITS < row) low = middle + 1;
        else high = middle;
      }
      const posting = postings[low];
      if (posting !== undefined && posting >>> CLASS_BITS === row)
        this.raise(row, quality * (FACTORS[posting & CLASS_MASK] as number));
    }
  }

  /** For rows that have all terms: the value is the lowest among the best fields of the terms. */
  private readAlternative(terms: readonly TermPostings[], quality: number, { bits, wanted }: AllowedRows): void {
    const { least, steps, factors } = this;
    const start = this.stepStart;
    // All steps of earlier alternatives are lower.
    this.stepStart += terms.length + 1;
    for (const [step, { postings, isOneTerm }] of terms.entries()) {
      // A prefix repeats a row for each of its terms; the best field counts.
      for (let at = 0; at < postings.length && !isOneTerm; at += 1) {
        const posting = postings[at] as number;
        const row = posting >>> CLASS_BITS;
        const factor = FACTORS[posting & CLASS_MASK] as number;
        if (factor > (factors[row] as number)) factors[row] = factor;
      }
      for (let at = 0; at < postings.length; at += 1) {
        const posting = postings[at] as number;
        const row = posting >>> CLASS_BITS;
        let factor = FACTORS[posting & CLASS_MASK] as number;
        if (!isOneTerm) {
          factor = factors[row] as number;
          factors[row] = 0;
          if (factor === 0) continue;
        }
        if (step === 0) {
          if (((bits[row] as number) & wanted) !== wanted) continue;
          least[row] = factor;
        } else {
          if (steps[row] !== start + step) continue;
          if (factor < (least[row] as number)) least[row] = factor;
        }
        steps[row] = start + step + 1;
        if (step === terms.length - 1) this.raise(row, quality * (least[row] as number));
      }
    }
  }
}
