/** Lists in which the works of one NIT are one entry. */
import type { SegmentIndex } from '../segments/segment-index.ts';
import type { Matches } from './matching.ts';
import type { RowRef } from './merge-page.ts';
import { TopRows } from './top-rows.ts';

/** Digests with equal lowest bits may belong to one NIT. With more bits fewer NITs are compared as text. */
const DIGEST_BITS = 20;
const DIGEST_MASK = (1 << DIGEST_BITS) - 1;

/** The NIT of each row as a number, the same in all indexes; a tender without one has its own number. */
export class NoticeNumbers {
  /** How many numbers there are. */
  readonly count: number;
  /** One array for each index, with the numbers of its live rows. */
  private readonly numbers: readonly Uint32Array[];

  constructor(segments: readonly SegmentIndex[]) {
    const named = new Map<string, number>();
    const isShared = sharedDigests(segments);
    let count = 0;
    this.numbers = segments.map((segment) => {
      const own = new Uint32Array(segment.rows);
      for (let row = 0; row < segment.rows; row += 1) {
        if (segment.live[row] === 0) continue;
        const nit = segment.hasDetails && !isShared(segment, row) ? null : segment.nitAt(row);
        const known = nit === null ? undefined : named.get(nit);
        own[row] = known ?? count;
        if (known !== undefined) continue;
        if (nit !== null) named.set(nit, count);
        count += 1;
      }
      return own;
    });
    this.count = count;
  }

  of(index: number, row: number): number {
    return (this.numbers[index] as Uint32Array)[row] as number;
  }
}

/**
 * Returns a test: may another live row have the same NIT as this one? Comparing the texts of all NITs would
 * take too long.
 */
function sharedDigests(segments: readonly SegmentIndex[]): (segment: SegmentIndex, row: number) => boolean {
  const counts = new Uint8Array(DIGEST_MASK + 1);
  for (const { rows, live, nitDigests } of segments)
    for (let row = 0; row < rows; row += 1) {
      const at = (nitDigests?.[row] ?? 0) & DIGEST_MASK;
      if (live[row] === 1 && (counts[at] as number) < 2) counts[at] = (counts[at] as number) + 1;
    }
  return ({ nitDigests }, row) => counts[(nitDigests?.[row] ?? 0) & DIGEST_MASK] === 2;
}

/** A page of notices, each with its works in the order of the list. */
interface NoticePage {
  works: readonly (readonly RowRef[])[];
  /** Notices of all pages. */
  notices: number;
  /** Number of tenders on the earlier pages; 0 after the last page. */
  before: number;
}

/** The sort key of a row; keys ascend. */
type RowKey = (row: number) => number;

/** The sort keys of an index's matching rows. Rows with equal keys are in the order of their ids. */
export type KeysOfIndex = (index: number) => { key: RowKey; laterKey: RowKey };

interface PageRange {
  page: number;
  limit: number;
}

/** A page of the notices of all matches. A notice is listed at the place of its first work. */
export function noticesInOrder(
  segments: readonly SegmentIndex[],
  { rows, starts, total }: Matches,
  numbers: NoticeNumbers,
  keysOf: KeysOfIndex,
  { page, limit }: PageRange,
): NoticePage {
  const sizes = new Uint32Array(numbers.count);
  /** The place of each notice's first work among the matches, counted from 1. */
  const firsts = new Uint32Array(numbers.count);
  const keys = new Float64Array(total);
  const laterKeys = new Float64Array(total);
  const ids = new Int32Array(total);
  const isBefore = (one: number, other: number) =>
    ((keys[one] as number) - (keys[other] as number) ||
      (laterKeys[one] as number) - (laterKeys[other] as number) ||
      (ids[one] as number) - (ids[other] as number)) < 0;
  const visit = (see: (at: number, index: number, row: number, number: number) => void) => {
    for (const index of segments.keys())
      for (let at = starts[index] as number; at < (starts[index + 1] as number); at += 1) {
        const row = rows[at] as number;
        see(at, index, row, numbers.of(index, row));
      }
  };
  const ofIndex = segments.map((_, index) => keysOf(index));
  let notices = 0;
  visit((at, index, row, number) => {
    const { key, laterKey } = ofIndex[index] as ReturnType<KeysOfIndex>;
    keys[at] = key(row);
    laterKeys[at] = laterKey(row);
    ids[at] = segments[index]?.ids[row] as number;
    sizes[number] = (sizes[number] as number) + 1;
    const first = firsts[number] as number;
    if (first === 0) notices += 1;
    if (first === 0 || isBefore(at, first - 1)) firsts[number] = at + 1;
  });
  const end = Math.min(page * limit, notices);
  const top = new TopRows(segments, end);
  visit((at, index, row, number) => {
    if (firsts[number] === at + 1) top.offer(index, row, keys[at] as number, laterKeys[at] as number);
  });
  const numberOf = ({ segment, row }: RowRef) => numbers.of(segments.indexOf(segment), row);
  const ordered = top.sorted().map(numberOf);
  const start = (page - 1) * limit;
  const shown = ordered.slice(start);
  const works = new Map(shown.map((number) => [number, new TopRows(segments, sizes[number] as number)]));
  visit((at, index, row, number) => works.get(number)?.offer(index, row, keys[at] as number, laterKeys[at] as number));
  return {
    works: shown.map((number) => works.get(number)?.sorted() ?? []),
    notices,
    before: shown.length === 0 ? 0 : sumOf(ordered.slice(0, start).map((number) => sizes[number] as number)),
  };
}

/**
 * A page of the notices of a few rows, in the order of the rows. Works with different `partOf` are in
 * different entries.
 */
export function noticesOfRows(
  segments: readonly SegmentIndex[],
  rows: readonly RowRef[],
  numbers: NoticeNumbers,
  partOf: (row: RowRef) => string,
  { page, limit }: PageRange,
): NoticePage {
  const notices = new Map<string, RowRef[]>();
  for (const row of rows) {
    const name = `${partOf(row)} ${numbers.of(segments.indexOf(row.segment), row.row)}`;
    const works = notices.get(name);
    if (works) works.push(row);
    else notices.set(name, [row]);
  }
  const all = [...notices.values()];
  const start = (page - 1) * limit;
  const works = all.slice(start, start + limit);
  const earlier = works.length === 0 ? [] : all.slice(0, start);
  return { works, notices: all.length, before: sumOf(earlier.map(({ length }) => length)) };
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0);
