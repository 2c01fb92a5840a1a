/** What is new among the tenders that match. */
import type { TenderSummary } from '@nivida/contract/tender';
import type { Pack } from './pack.ts';
import type { Place } from './page.ts';

/** What an engine knows of the newest tenders that match a query. */
export interface EngineNews {
  /** How many of them have a larger id than the one asked about. */
  count: number;
  /** The largest id of all that match; 0 when none does. */
  highestId: number;
  /** The last published ones, the newest first. */
  tenders: TenderSummary[];
}

/** Counts and finds the newest of the matching rows; `masks` has an array for each pack, 1 where a row matches. */
export function newestOf(
  packs: readonly Pack[],
  masks: readonly Uint8Array[],
  above: number,
  most: number,
): Omit<EngineNews, 'tenders'> & { places: Place[] } {
  let count = 0;
  let highestId = 0;
  const matching: Place[] = [];
  for (const [index, pack] of packs.entries()) {
    const mask = masks[index] as Uint8Array;
    for (let row = 0; row < pack.rows; row += 1) {
      if (mask[row] === 0) continue;
      const id = pack.ids[row] as number;
      if (id > above) count += 1;
      highestId = Math.max(highestId, id);
      if (most > 0) matching.push({ pack, row });
    }
  }
  const publishedAt = ({ pack, row }: Place) => pack.publishedAt[row] as number;
  const id = ({ pack, row }: Place) => pack.ids[row] as number;
  matching.sort((one, other) => publishedAt(other) - publishedAt(one) || id(other) - id(one));
  return { count, highestId, places: matching.slice(0, most) };
}
