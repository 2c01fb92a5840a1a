import type { TenderSummary } from '@nivida/contract/tenders/tender';
import type { SegmentIndex } from '../segments/segment-index.ts';
import type { RowRef } from './merge-page.ts';

/** The newest tenders that match a query. */
export interface NewestResult {
  /** How many matches have an id above the given one. */
  count: number;
  /** The largest id of all matches; 0 without matches. */
  highestId: number;
  /** The last published matches, newest first. */
  tenders: TenderSummary[];
}

/** `masks` has an array for each index, 1 where a row matches. */
export function findNewest(
  segments: readonly SegmentIndex[],
  masks: readonly Uint8Array[],
  above: number,
  limit: number,
): Omit<NewestResult, 'tenders'> & { places: RowRef[] } {
  let count = 0;
  let highestId = 0;
  const matching: RowRef[] = [];
  for (const [index, segment] of segments.entries()) {
    const mask = masks[index] as Uint8Array;
    for (let row = 0; row < segment.rows; row += 1) {
      if (mask[row] === 0) continue;
      const id = segment.ids[row] as number;
      if (id > above) count += 1;
      highestId = Math.max(highestId, id);
      if (limit > 0) matching.push({ segment, row });
    }
  }
  const publishedAt = ({ segment, row }: RowRef) => segment.publishedAt[row] as number;
  const id = ({ segment, row }: RowRef) => segment.ids[row] as number;
  matching.sort((one, other) => publishedAt(other) - publishedAt(one) || id(other) - id(one));
  return { count, highestId, places: matching.slice(0, limit) };
}
