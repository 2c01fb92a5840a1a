/** Finds the tenders that match a filter with words, and counts them by district and department. */

import type { ConditionBounds } from '@nivida/contract/conditions/conditions-in-query';
import type { TenderFilter } from '@nivida/contract/filter/tender-filter';
import { foldDepartment } from '@nivida/contract/regions/fold-name';
import { MATCH_QUALITY, type QueryWord } from '@nivida/contract/search/query-words';
import { FIELD_FACTOR } from '@nivida/contract/search/ranking';
import type { QueryPlace } from '@nivida/contract/tenders/tender';
import type { CompactNumbers } from '../segments/compact-numbers.ts';
import type { SegmentIndex } from '../segments/segment-index.ts';
import { TextNumbering } from '../segments/shown-values.ts';
import { type FilterRows, FilterRowsCache, isInDepartment, isInDistrict, MATCHES_ALL, PASSES } from './filter-rows.ts';
import type { EngineAnswer } from './query.ts';
import { type LookedUpWord, TermLookup } from './term-lookup.ts';
import { WordRows } from './word-rows.ts';

/** A filter with the words, the place and the conditions of its text. */
export type EngineFilter = Omit<TenderFilter, 'q' | 'literal'> & {
  words: readonly QueryWord[];
  place: QueryPlace | null;
  conditions: ConditionBounds | null;
};

/** Arrays have one entry for each row of an index. The next search overwrites them. */
export interface Matches {
  /** 1 where a row matches. */
  masks: readonly Uint8Array[];
  /** Valid where a row matches. */
  scores: readonly Uint16Array[];
  /** The matching rows of each index in no order; those of index n are from `starts[n]` to `starts[n + 1]` (exclusive). */
  rows: Uint32Array;
  starts: Uint32Array;
  total: number;
  facets: EngineAnswer['facets'];
}

/** Tenders of each name, by the name's number over all indexes. */
interface NameCounts {
  districts: Uint32Array;
  departments: Uint32Array;
}

/** The least value of a row that has a typed word in its description. */
const MIN_TEXT_VALUE = MATCH_QUALITY.typed * FIELD_FACTOR.B;

/** Finds matches in a fixed set of indexes and reuses its buffers. */
export class Matcher {
  /** Finds the rows of each word, for tenders that have most but not all of the words. */
  readonly wordRows: WordRows;
  private readonly terms: TermLookup;
  private readonly filterRows: FilterRowsCache;
  private readonly masks: readonly Uint8Array[];
  private readonly scores: readonly Uint16Array[];
  private readonly rows: Uint32Array;
  private readonly starts: Uint32Array;
  /** For each index: the number over all indexes of each of its codes. */
  private readonly numbersOf: CompactNumbers[];
  private readonly names: string[];
  private departments: string[] | undefined;

  constructor(private readonly segments: readonly SegmentIndex[]) {
    this.wordRows = new WordRows(segments);
    this.terms = new TermLookup(segments);
    this.filterRows = new FilterRowsCache(segments, (words, index) => this.rowsWithText(words, index));
    this.masks = segments.map((segment) => new Uint8Array(segment.rows));
    this.scores = segments.map((segment) => new Uint16Array(segment.rows));
    this.rows = new Uint32Array(segments.reduce((sum, segment) => sum + segment.rows, 0));
    this.starts = new Uint32Array(segments.length + 1);
    const names = new TextNumbering('');
    this.numbersOf = segments.map((pack) => Uint32Array.from(pack.names, (name) => names.of(name)));
    this.names = names.texts;
  }

  /** A department in the tenders' spelling: 'Works Department' finds 'Works Deptt.'. */
  private spelled(department: string): string {
    this.departments ??= this.countDepartments();
    if (this.departments.includes(department)) return department;
    const folded = foldDepartment(department);
    return (folded && this.departments.find((name) => foldDepartment(name) === folded)) || department;
  }

  /** The departments of all live tenders, most frequent first. */
  private countDepartments(): string[] {
    const counts = new Uint32Array(this.names.length);
    for (const [index, segment] of this.segments.entries()) {
      const numbers = this.numbersOf[index] as CompactNumbers;
      const codes = segment.codesOf('department');
      for (let row = 0; row < codes.length; row += 1)
        if (segment.live[row] === 1) increment(counts, numbers[codes[row] as number] as number);
    }
    const used = [...counts.keys()].filter((name) => name > 0 && (counts[name] as number) > 0);
    return used
      .sort((one, other) => (counts[other] as number) - (counts[one] as number))
      .map((name) => this.names[name] as string);
  }

  /** The live rows that pass a filter without its words. */
  rowsUnder(filter: Omit<EngineFilter, 'words'>, now: Date): FilterRows {
    return this.filterRows.find({ ...filter, departments: filter.departments.map((name) => this.spelled(name)) }, now);
  }

  /** The rows of an index that have all words in title or description. */
  private rowsWithText(words: readonly QueryWord[], index: number): Uint32Array {
    const all = { bits: new Uint8Array((this.segments[index] as SegmentIndex).rows), wanted: 0 };
    const [first, ...others] = this.lookUp(words).map((word) => {
      const { rows, count } = this.wordRows.read(index, word, all);
      return rows.slice(0, count).filter((row) => (this.wordRows.values[row] as number) >= MIN_TEXT_VALUE);
    });
    const sets = others.map((rows) => new Set(rows));
    return first?.filter((row) => sets.every((rows) => rows.has(row))) ?? new Uint32Array();
  }

  lookUp(words: readonly QueryWord[]): LookedUpWord[] {
    return this.terms.words(words);
  }

  /** All live tenders that match at `now`. */
  match(filter: EngineFilter, now: Date): Matches {
    const { bits } = this.rowsUnder(filter, now);
    const words = this.lookUp(filter.words);
    const counts: NameCounts = {
      districts: new Uint32Array(this.names.length),
      departments: new Uint32Array(this.names.length),
    };
    let total = 0;
    for (const index of this.segments.keys()) {
      const ofIndex = bits[index] as Uint8Array;
      const mask = (this.masks[index] as Uint8Array).fill(0);
      if (words.length === 0) total = this.countSegment(index, ofIndex, mask, null, ofIndex.length, counts, total);
      else {
        const { rows, count } = this.readSegment(index, words, ofIndex, PASSES);
        total = this.countSegment(index, ofIndex, mask, rows, count, counts, total);
      }
      this.starts[index + 1] = total;
    }
    const facets = { districts: this.byName(counts.districts), departments: this.byName(counts.departments) };
    return { masks: this.masks, scores: this.scores, rows: this.rows, starts: this.starts, total, facets };
  }

  /** The number of tenders that match at `now`; counting stops at `atMost`. */
  count(filter: EngineFilter, now: Date, atMost = Infinity): number {
    const { bits } = this.rowsUnder(filter, now);
    const words = this.lookUp(filter.words);
    let total = 0;
    for (const index of this.segments.keys()) {
      if (total >= atMost) return atMost;
      const ofIndex = bits[index] as Uint8Array;
      if (words.length > 0) total += this.readSegment(index, words, ofIndex, MATCHES_ALL).count;
      else for (let row = 0; row < ofIndex.length; row += 1) total += ofIndex[row] === MATCHES_ALL ? 1 : 0;
    }
    return Math.min(total, atMost);
  }

  private readSegment(index: number, words: readonly LookedUpWord[], bits: Uint8Array, wanted: number) {
    return this.wordRows.readAll(index, words, { bits, wanted }, this.scores[index] as Uint16Array);
  }

  /** Counts the first `count` of `rows` (null for all) by name, and notes those that match after the first `total`; the new total. */
  private countSegment(
    index: number,
    bits: Uint8Array,
    mask: Uint8Array,
    rows: Uint32Array | null,
    count: number,
    counts: NameCounts,
    total: number,
  ): number {
    const segment = this.segments[index] as SegmentIndex;
    const districts = segment.codesOf('district');
    const secondDistricts = segment.codesOf('secondDistrict');
    const departments = segment.codesOf('department');
    const numbers = this.numbersOf[index] as CompactNumbers;
    let end = total;
    for (let each = 0; each < count; each += 1) {
      const row = rows === null ? each : (rows[each] as number);
      const own = bits[row] as number;
      if (own === 0) continue;
      if (isInDepartment(own)) {
        increment(counts.districts, numbers[districts[row] as number] as number);
        increment(counts.districts, numbers[secondDistricts[row] as number] as number);
      }
      if (isInDistrict(own)) increment(counts.departments, numbers[departments[row] as number] as number);
      if (own !== MATCHES_ALL) continue;
      mask[row] = 1;
      this.rows[end] = row;
      end += 1;
    }
    return end;
  }

  private byName(counts: Uint32Array): Record<string, number> {
    const named: Record<string, number> = {};
    // Number 0 is null.
    for (let name = 1; name < counts.length; name += 1)
      if (counts[name] !== 0) named[this.names[name] as string] = counts[name] as number;
    return named;
  }
}

function increment(counts: Uint32Array, name: number): void {
  counts[name] = (counts[name] as number) + 1;
}
