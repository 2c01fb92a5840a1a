/** Finds the tenders that match a filter, and counts them by district and department. */

import type { TenderFilter } from '@nivida/contract/filter/tender-filter';
import { foldDepartment } from '@nivida/contract/regions/fold-name';
import type { QueryWord } from '@nivida/contract/search/query-words';
import { endOfClosingWindow, startOfPublicationWindow } from '@nivida/contract/tenders/closing';
import type { QueryPlace } from '@nivida/contract/tenders/tender';
import type { CompactNumbers } from '../segments/compact-numbers.ts';
import type { SegmentIndex } from '../segments/segment-index.ts';
import { TextNumbering } from '../segments/shown-values.ts';
import { type EncodedWord, encodeWords, WordHits } from './match-words.ts';
import type { EngineAnswer } from './query.ts';

/** A filter with the words and the place of its text. */
export type EngineFilter = Omit<TenderFilter, 'q' | 'literal'> & {
  words: readonly QueryWord[];
  place: QueryPlace | null;
};

/** Arrays have one entry for each row of an index. The next search overwrites them. */
export interface Matches {
  /** 1 where a row matches. */
  masks: readonly Uint8Array[];
  scores: readonly Uint16Array[];
  total: number;
  facets: EngineAnswer['facets'];
}

const ANY_CODE = -1;
const NO_CODE = -2;

const nameCode = (segment: SegmentIndex, name: string | null): number =>
  name ? (segment.codeOf(name) ?? NO_CODE) : ANY_CODE;

/** 1 for the code of each name; null without names, which is any. */
function codeFlags(segment: SegmentIndex, names: readonly string[]): Uint8Array | null {
  if (names.length === 0) return null;
  const flags = new Uint8Array(segment.names.length);
  for (const name of names) {
    const code = segment.codeOf(name);
    if (code !== undefined) flags[code] = 1;
  }
  return flags;
}

/** Tenders of each name, by the name's number over all indexes. */
interface NameCounts {
  districts: Uint32Array;
  departments: Uint32Array;
}

/** Finds matches in a fixed set of indexes and reuses its buffers. */
export class Matcher {
  private readonly masks: Uint8Array[];
  /** The words of each index. */
  readonly hits: readonly WordHits[];
  /** For each index: the number over all indexes of each of its codes. */
  private readonly numbersOf: CompactNumbers[];
  private readonly names: string[];
  private departments: string[] | undefined;

  constructor(private readonly segments: readonly SegmentIndex[]) {
    this.masks = segments.map((segment) => new Uint8Array(segment.rows));
    this.hits = segments.map((segment) => new WordHits(segment));
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
      for (const [row, code] of segment.codesOf('department').entries())
        if (segment.live[row] === 1) increment(counts, numbers[code] as number);
    }
    const used = [...counts.keys()].filter((name) => name > 0 && (counts[name] as number) > 0);
    return used
      .sort((one, other) => (counts[other] as number) - (counts[one] as number))
      .map((name) => this.names[name] as string);
  }

  /** All live tenders that match at `now`. */
  match(query: EngineFilter, now: Date): Matches {
    const filter = { ...query, departments: query.departments.map((name) => this.spelled(name)) };
    const words = encodeWords(filter.words);
    const counts: NameCounts = {
      districts: new Uint32Array(this.names.length),
      departments: new Uint32Array(this.names.length),
    };
    let total = 0;
    for (const index of this.segments.keys()) total += this.matchSegment(index, filter, words, now, counts);
    const byName = (numbers: Uint32Array) => {
      const named = [...numbers].map((count, name) => [this.names[name] as string, count] as const);
      // Number 0 is null.
      return Object.fromEntries(named.filter(([, count], name) => name > 0 && count > 0));
    };
    const facets = { districts: byName(counts.districts), departments: byName(counts.departments) };
    return { masks: this.masks, scores: this.hits.map(({ scores }) => scores), total, facets };
  }

  /** One pass over the rows, in one function for speed. */
  private matchSegment(
    index: number,
    filter: EngineFilter,
    asked: readonly EncodedWord[],
    now: Date,
    counts: NameCounts,
  ): number {
    const segment = this.segments[index] as SegmentIndex;
    const mask = this.masks[index] as Uint8Array;
    const numbers = this.numbersOf[index] as CompactNumbers;
    mask.fill(0);
    const state = nameCode(segment, filter.state);
    const category = nameCode(segment, filter.category);
    if (state === NO_CODE || category === NO_CODE) return 0;
    const hits = this.hits[index] as WordHits;
    if (!hits.read(asked)) return 0;
    const inPlace = placeTest(segment, filter.place);
    const inDistricts = codeFlags(segment, filter.districts);
    const inDepartments = codeFlags(segment, filter.departments);
    const { rows, live, publishedAt, closesAt, price } = segment;
    const states = segment.codesOf('state');
    const categories = segment.codesOf('category');
    const districts = segment.codesOf('district');
    const departments = segment.codesOf('department');
    const found = hits.required;
    const words = asked.filter(({ required }) => required).length;
    const at = now.getTime();
    const { after, before } = closingBounds(filter, now);
    const { min, max, publishedWithin } = filter;
    const publishedFrom =
      publishedWithin === null ? -Infinity : startOfPublicationWindow(publishedWithin, now).getTime();
    const hasRange = min !== null || max !== null;
    const lowestPrice = min ?? -Infinity;
    const highestPrice = max ?? Infinity;
    let total = 0;
    for (let row = 0; row < rows; row += 1) {
      if (live[row] === 0 || found[row] !== words) continue;
      const published = publishedAt[row] as number;
      if (published > at || published < publishedFrom) continue;
      const closes = closesAt[row] as number;
      if (closes <= after || closes >= before) continue;
      if (state !== ANY_CODE && states[row] !== state) continue;
      if (category !== ANY_CODE && categories[row] !== category) continue;
      const value = price[row] as number;
      // Written so that NaN, a tender without an estimate, is in no range.
      if (hasRange && !(value >= lowestPrice && value <= highestPrice)) continue;
      if (inPlace && !inPlace(row)) continue;
      const inDistrict = inDistricts === null || inDistricts[districts[row] as number] === 1;
      const inDepartment = inDepartments === null || inDepartments[departments[row] as number] === 1;
      if (inDepartment) increment(counts.districts, numbers[districts[row] as number] as number);
      if (inDistrict) increment(counts.departments, numbers[departments[row] as number] as number);
      if (!inDistrict || !inDepartment) continue;
      mask[row] = 1;
      total += 1;
    }
    return total;
  }
}

/** Tests whether a row lies in the place of the words; null without one. */
function placeTest(segment: SegmentIndex, place: QueryPlace | null): ((row: number) => boolean) | null {
  if (!place) return null;
  const states = segment.codesOf('state');
  const districts = segment.codesOf('district');
  const state = nameCode(segment, place.state);
  const pairs = place.districts.map(
    (each) => [nameCode(segment, each.state), nameCode(segment, each.district)] as const,
  );
  return (row) =>
    (state === ANY_CODE || states[row] === state) &&
    (pairs.length === 0 || pairs.some(([inState, name]) => states[row] === inState && districts[row] === name));
}

/** Matching closing instants are strictly between these two. */
function closingBounds({ open, within }: EngineFilter, now: Date): { after: number; before: number } {
  const at = now.getTime();
  // A tender is closed from its closing instant on; instants are whole milliseconds.
  if (!open) return { after: -Infinity, before: at + 1 };
  return {
    after: at,
    before: within === null ? Infinity : endOfClosingWindow(within, now).getTime(),
  };
}

function increment(counts: Uint32Array, name: number): void {
  counts[name] = (counts[name] as number) + 1;
}
