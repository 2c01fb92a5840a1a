/** One page of matching rows by price or closing, from indexes that are each sorted. */
import type { CompactNumbers } from '../segments/compact-numbers.ts';
import type { SegmentIndex, SortColumn } from '../segments/segment-index.ts';
import type { Matches } from './matching.ts';
import type { EngineQuery } from './query.ts';
import { TopRows } from './top-rows.ts';

/** A row of a segment index. */
export interface RowRef {
  segment: SegmentIndex;
  row: number;
}

/** Iterates over the matching rows of one index. `key` ascends in both directions; Infinity for nulls and at the end. */
class Cursor {
  row = -1;
  key = Infinity;
  private at = -1;
  private readonly rows: CompactNumbers;
  private readonly keys: Float64Array;

  constructor(
    readonly segment: SegmentIndex,
    private readonly mask: Uint8Array,
    sort: EngineQuery['sort'],
    private readonly isDescending: boolean,
  ) {
    const key = sort === 'price' ? 'price' : 'closing';
    const order: SortColumn = `${key}${isDescending ? 'Desc' : 'Asc'}`;
    this.rows = segment.sortedBy(order);
    this.keys = sort === 'price' ? segment.price : segment.closesAt;
    this.advance();
  }

  get isAtEnd(): boolean {
    return this.at >= this.rows.length;
  }

  advance(): void {
    do this.at += 1;
    while (this.at < this.rows.length && this.mask[this.rows[this.at] as number] === 0);
    if (this.isAtEnd) return;
    this.row = this.rows[this.at] as number;
    const key = this.keys[this.row] as number;
    if (Number.isNaN(key)) this.key = Infinity;
    else this.key = this.isDescending ? -key : key;
  }

  isBefore(other: Cursor): boolean {
    if (this.key !== other.key) return this.key < other.key;
    return (this.segment.ids[this.row] as number) < (other.segment.ids[other.row] as number);
  }
}

type PageOrder = Pick<EngineQuery, 'sort' | 'order' | 'page' | 'limit'>;

/** Below this share of matching rows, choosing among them is faster than passing all others in their order. */
const MIN_SHARE_IN_ORDER = 1 / 16;

/** The page of the query, nulls last in both directions, ties by id. */
export function pageInOrder(segments: readonly SegmentIndex[], matches: Matches, query: PageOrder): RowRef[] {
  const rows = segments.reduce((sum, segment) => sum + segment.rows, 0);
  return matches.total < rows * MIN_SHARE_IN_ORDER
    ? choosePage(segments, matches, query)
    : mergePage(segments, matches.masks, query);
}

function choosePage(
  segments: readonly SegmentIndex[],
  { rows, starts, total }: Matches,
  { sort, order, page, limit }: PageOrder,
): RowRef[] {
  const sign = order === 'desc' ? -1 : 1;
  const top = new TopRows(segments, Math.min(page * limit, total));
  for (const [index, segment] of segments.entries()) {
    const keys = sort === 'price' ? segment.price : segment.closesAt;
    const end = starts[index + 1] as number;
    for (let at = starts[index] as number; at < end; at += 1) {
      const row = rows[at] as number;
      const key = keys[row] as number;
      top.offer(index, row, Number.isNaN(key) ? Infinity : sign * key, 0);
    }
  }
  return top.sorted().slice((page - 1) * limit);
}

function mergePage(
  segments: readonly SegmentIndex[],
  masks: readonly Uint8Array[],
  { sort, order, page, limit }: PageOrder,
): RowRef[] {
  const cursors = segments
    .map((segment, index) => new Cursor(segment, masks[index] as Uint8Array, sort, order === 'desc'))
    .filter((cursor) => !cursor.isAtEnd);
  const rowRefs: RowRef[] = [];
  const start = (page - 1) * limit;
  for (let passed = 0; passed < start + limit && cursors.length > 0; passed += 1) {
    const next = cursors.reduce((first, each) => (each.isBefore(first) ? each : first));
    if (passed >= start) rowRefs.push({ segment: next.segment, row: next.row });
    next.advance();
    if (next.isAtEnd) cursors.splice(cursors.indexOf(next), 1);
  }
  return rowRefs;
}
