/** Plans which segments of a scope are written again. Each has a range of row numbers. Ranges without changes are kept. */
import type { StoredSegment } from './sync.entity.ts';

/** Rows of a full segment. */
const SEGMENT_ROWS = 5_000;
/** Late rows may enlarge a range in the middle up to this size before it is divided. */
const MAX_SEGMENT_ROWS = 6_000;
/** Two neighbours with fewer rows together become one segment, if one of them is written anyway. */
const MIN_PAIR_ROWS = 2_500;

/** Row numbers above `after` up to `upTo`; null has no upper end. */
export interface SegmentRange {
  after: number;
  upTo: number | null;
  /** The stored segment if it has exactly the rows of the range. Otherwise the range is written again. */
  segment?: StoredSegment;
  /** Maximum number of rows in a new segment. */
  maxRows: number;
}

/** The present rows in the range of a stored segment. */
export interface RangeState {
  rows: number;
  isChanged: boolean;
}

interface CountedRange extends SegmentRange {
  rows: number;
}

/** The first row number of each range but the first, for `width_bucket`. */
export function rangeStarts(segments: readonly StoredSegment[]): number[] {
  return segments.slice(0, -1).map(({ upTo }) => (upTo as number) + 1);
}

/** The ranges of the next pack. `states` has one entry for each stored segment; without segments there is one range. */
export function planRanges(segments: readonly StoredSegment[], states: readonly RangeState[]): SegmentRange[] {
  const ranges: CountedRange[] = [];
  for (const [n, segment] of segments.entries()) {
    const { rows, isChanged } = states[n] as RangeState;
    const before = segments[n - 1];
    addRange(ranges, {
      after: before?.upTo ?? 0,
      upTo: segment.upTo,
      rows,
      maxRows: rows <= MAX_SEGMENT_ROWS ? MAX_SEGMENT_ROWS : SEGMENT_ROWS,
      ...(!isChanged && rows === segment.rows && { segment }),
    });
  }
  const last = ranges.at(-1);
  // New rows have the highest numbers, so the last segment grows up to the full size.
  if (last) last.maxRows = SEGMENT_ROWS;
  return ranges.length > 0 ? ranges : [{ after: 0, upTo: null, maxRows: SEGMENT_ROWS }];
}

function addRange(ranges: CountedRange[], next: CountedRange): void {
  const last = ranges.at(-1);
  if (!last) ranges.push(next);
  // A range without rows is added to its neighbour, whose segment stays.
  else if (next.rows === 0) last.upTo = next.upTo;
  else if (last.rows === 0) Object.assign(last, next, { after: last.after });
  else if (!(last.segment && next.segment) && last.rows + next.rows <= MIN_PAIR_ROWS) {
    delete last.segment;
    Object.assign(last, { upTo: next.upTo, rows: last.rows + next.rows });
  } else ranges.push(next);
}
