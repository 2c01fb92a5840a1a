/**
 * Finds the rows that pass a filter without its words. The result is cached: the user types several texts
 * under one filter.
 */

import type { ConditionBounds } from '@nivida/contract/conditions/conditions-in-query';
import type { QueryWord } from '@nivida/contract/search/query-words';
import { closingBounds, startOfPublicationWindow } from '@nivida/contract/tenders/closing';
import type { QueryPlace } from '@nivida/contract/tenders/tender';
import { CLOSING_TIME_KNOWN_FLAG } from '../segments/columns.ts';
import type { SegmentIndex } from '../segments/segment-index.ts';
import type { EngineFilter } from './matching.ts';

/**
 * Bits of a row: it passes all filters except district and department; its district passes; its department
 * passes.
 */
export const PASSES = 1;
const IN_DISTRICTS = 2;
const IN_DEPARTMENTS = 4;
export const MATCHES_ALL = PASSES | IN_DISTRICTS | IN_DEPARTMENTS;

/** True for bits of a row in one of the filter's districts (with the department: in one of its departments). */
export const isInDistrict = (bits: number): boolean => (bits & IN_DISTRICTS) !== 0;
export const isInDepartment = (bits: number): boolean => (bits & IN_DEPARTMENTS) !== 0;

type WordlessFilter = Omit<EngineFilter, 'words'>;

/** The rows of all indexes under a filter; 0 where a row does not pass. */
export interface FilterRows {
  bits: readonly Uint8Array[];
}

interface RememberedRows extends FilterRows {
  key: string;
  /** The rows stay the same from this instant until the next publication or closing. */
  from: number;
  until: number;
}

/** A cached result takes one byte for each tender. */
const MAX_REMEMBERED = 4;
const ANY_CODE = -1;
const NO_CODE = -2;

const nameCode = (segment: SegmentIndex, name: string | null): number =>
  name ? (segment.codeOf(name) ?? NO_CODE) : ANY_CODE;

/** The last filters, newest first. */
export class FilterRowsCache {
  private remembered: RememberedRows[] = [];

  constructor(
    private readonly segments: readonly SegmentIndex[],
    /** The rows of an index that have all words in the title or the description. */
    private readonly rowsWithText: (words: readonly QueryWord[], index: number) => Iterable<number>,
  ) {}

  /** The live rows that pass the filter at `now`. */
  find(filter: WordlessFilter, now: Date): FilterRows {
    const at = now.getTime();
    const bounds = timeBounds(filter, now);
    const { state, category, districts, departments, min, max, hour, place, conditions, open } = filter;
    const parts = [state, category, districts, departments, min, max, hour, place, conditions, open, bounds];
    const key = JSON.stringify(parts);
    const known = this.remembered.find((each) => each.key === key && each.from <= at && at < each.until);
    const rows = known ?? this.read(filter, bounds, key, at);
    this.remembered = [rows, ...this.remembered.filter((each) => each !== rows && each.key !== key)];
    this.remembered.length = Math.min(this.remembered.length, MAX_REMEMBERED);
    return rows;
  }

  private read(filter: WordlessFilter, bounds: TimeBounds, key: string, at: number): RememberedRows {
    let until = Infinity;
    const bits = this.segments.map((segment, index) => {
      const own = new Uint8Array(segment.rows);
      until = Math.min(until, readSegment(segment, filter, bounds, at, own));
      if (filter.conditions) this.applyConditions(filter.conditions, index, own);
      return own;
    });
    return { key, from: at, until, bits };
  }

  /** Clears the bits of rows that do not meet the conditions in the query's text. */
  private applyConditions(conditions: ConditionBounds, index: number, bits: Uint8Array): void {
    const segment = this.segments[index] as SegmentIndex;
    const meets = conditionOf(segment, conditions);
    for (let row = 0; row < bits.length; row += 1) if (bits[row] !== 0 && !meets(row)) bits[row] = 0;
    for (const { words, place } of conditions.exclusions) {
      if (place) clearPlace(segment, place, bits);
      else for (const row of this.rowsWithText(words, index)) bits[row] = 0;
    }
  }
}

/** Whether a row meets the conditions without the exclusions. */
function conditionOf(segment: SegmentIndex, conditions: ConditionBounds): (row: number) => boolean {
  const { min, max, emdMin, emdMax, isEmdExempt, closing, published } = conditions;
  const isOf = (values: Float64Array, from: number | null, to: number | null) => {
    if (from === null && to === null) return () => true;
    const [low, high] = [from ?? -Infinity, to ?? Infinity];
    // A row without the value is NaN and so in no range.
    return (row: number) => (values[row] as number) >= low && (values[row] as number) <= high;
  };
  const isBefore = (values: Float64Array, { from, before }: ConditionBounds['closing']) =>
    isOf(values, from?.getTime() ?? null, before === null ? null : before.getTime() - 1);
  const emd = emdMin !== null || emdMax !== null || isEmdExempt ? segment.emd : NO_NUMBERS;
  const categories = conditions.categories.map((name) => nameCode(segment, name));
  const ofRows = segment.codesOf('category');
  const tests = [
    isOf(segment.price, min, max),
    isOf(emd, emdMin, emdMax),
    isBefore(segment.closesAt, closing),
    isBefore(segment.publishedAt, published),
    (row: number) => categories.every((code) => ofRows[row] === code),
    (row: number) => !isEmdExempt || emd[row] === 0 || segment.valueAt('emdExemptionAllowed', row) === true,
  ];
  return (row) => tests.every((meets) => meets(row));
}

const NO_NUMBERS = new Float64Array();

/** Clears the bits of the rows in a place. */
function clearPlace(segment: SegmentIndex, place: Pick<QueryPlace, 'state' | 'districts'>, bits: Uint8Array): void {
  const state = nameCode(segment, place.state);
  const isInDistricts = place.districts.length > 0 ? placeTest(segment, place) : null;
  const states = segment.codesOf('state');
  for (let row = 0; row < bits.length; row += 1) {
    if (state !== ANY_CODE && states[row] !== state) continue;
    if (isInDistricts === null || isInDistricts(row)) bits[row] = 0;
  }
}

interface TimeBounds {
  /** Matching tenders close at `closesFrom` or later, and before `closesBefore`. */
  closesFrom: number;
  closesBefore: number;
  publishedFrom: number;
}

function timeBounds(filter: WordlessFilter, now: Date): TimeBounds {
  const closes = closingBounds(filter, now);
  const { publishedWithin } = filter;
  return {
    closesFrom: closes.from?.getTime() ?? -Infinity,
    closesBefore: closes.before?.getTime() ?? Infinity,
    publishedFrom: publishedWithin === null ? -Infinity : startOfPublicationWindow(publishedWithin, now).getTime(),
  };
}

/**
 * Sets the bits of one index, in one loop for speed. Returns the instant of the next publication or closing.
 */
function readSegment(
  segment: SegmentIndex,
  filter: WordlessFilter,
  { closesFrom, closesBefore, publishedFrom }: TimeBounds,
  at: number,
  bits: Uint8Array,
): number {
  let until = Infinity;
  const state = nameCode(segment, filter.state);
  const category = nameCode(segment, filter.category);
  if (state === NO_CODE || category === NO_CODE) return until;
  const { place } = filter;
  const placeState = nameCode(segment, place?.state ?? null);
  const isInPlace = place && place.districts.length > 0 ? placeTest(segment, place) : null;
  if (placeState === NO_CODE) return until;
  const inDistricts = codeFlags(segment, filter.districts);
  const inDepartments = codeFlags(segment, filter.departments);
  const { rows, live, publishedAt, closesAt, price, flags } = segment;
  const states = segment.codesOf('state');
  const categories = segment.codesOf('category');
  const districts = segment.codesOf('district');
  const secondDistricts = segment.codesOf('secondDistrict');
  const departments = segment.codesOf('department');
  const { min, max, hour, open } = filter;
  const hasRange = min !== null || max !== null;
  const lowestPrice = min ?? -Infinity;
  const highestPrice = max ?? Infinity;
  for (let row = 0; row < rows; row += 1) {
    if (live[row] === 0) continue;
    const ownState = states[row] as number;
    if (state !== ANY_CODE && ownState !== state) continue;
    if (placeState !== ANY_CODE && ownState !== placeState) continue;
    if (isInPlace !== null && !isInPlace(row)) continue;
    if (category !== ANY_CODE && categories[row] !== category) continue;
    const value = price[row] as number;
    // A tender without an estimate is NaN and so in no range; `<` and `>` would let it pass.
    if (hasRange && !(value >= lowestPrice && value <= highestPrice)) continue;
    const published = publishedAt[row] as number;
    const closes = closesAt[row] as number;
    if (published < publishedFrom || closes < closesFrom || closes >= closesBefore) continue;
    if (published > at && published < until) until = published;
    // A tender is closed from its closing instant on.
    if (closes > at && closes < until) until = closes;
    if (hour !== null && ((flags[row] as number) & CLOSING_TIME_KNOWN_FLAG) === 0) continue;
    if (published > at || closes > at !== open) continue;
    let own = PASSES;
    if (
      inDistricts === null ||
      inDistricts[districts[row] as number] === 1 ||
      inDistricts[secondDistricts[row] as number] === 1
    )
      own |= IN_DISTRICTS;
    if (inDepartments === null || inDepartments[departments[row] as number] === 1) own |= IN_DEPARTMENTS;
    bits[row] = own;
  }
  return until;
}

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

/** Whether a row is in one of the districts of a place. */
function placeTest(segment: SegmentIndex, { districts }: Pick<QueryPlace, 'districts'>): (row: number) => boolean {
  const [states, first, second] = [
    segment.codesOf('state'),
    segment.codesOf('district'),
    segment.codesOf('secondDistrict'),
  ];
  const flags = new Uint8Array(segment.names.length);
  // Districts of several states have the same name.
  const pairs = districts.map((each) => [nameCode(segment, each.state), nameCode(segment, each.district)] as const);
  for (const [, district] of pairs) if (district !== NO_CODE) flags[district] = 1;
  const isOne = (state: number, district: number) =>
    flags[district] === 1 && pairs.some(([inState, name]) => inState === state && name === district);
  return (row) =>
    isOne(states[row] as number, first[row] as number) || isOne(states[row] as number, second[row] as number);
}
