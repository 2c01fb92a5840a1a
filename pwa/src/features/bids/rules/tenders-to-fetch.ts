/** Which tenders of bids to fetch again, because their source may have news. */
import { HOUR_MS } from '@nivida/contract/time';
import { type Bid, stageOf } from './bid.ts';
import { isFinished } from './stages.ts';

const FRESH_FOR_MS = 6 * HOUR_MS;

/** The tenders of undecided bids that were not stored in the last six hours; `savedAt` is in milliseconds by id. */
export function tendersToFetch(bids: readonly Bid[], savedAt: ReadonlyMap<string, number>, now: Date): string[] {
  return bids.flatMap((bid) => {
    if (bid.tenderId === undefined || isFinished(stageOf(bid))) return [];
    return now.getTime() - (savedAt.get(bid.tenderId) ?? 0) >= FRESH_FOR_MS ? bid.tenderId : [];
  });
}
