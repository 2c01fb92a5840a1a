/** Chooses the tenders of bids to fetch again, because their source may have news. */
import { TENDER_FRESH_FOR_MS } from '../../../data/tenders/tender-rows.ts';
import { type Bid, stageOf } from './bid.ts';
import { isFinished } from './stages.ts';

/**
 * The tenders of undecided bids that were not fetched in the last six hours; the one that has waited longest
 * is first. `askedAt` is the time of the last fetch in milliseconds, by id.
 */
export function tendersToFetch(bids: readonly Bid[], askedAt: ReadonlyMap<string, number>, now: Date): string[] {
  const lastAsked = (id: string) => askedAt.get(id) ?? 0;
  const ids = bids.flatMap((bid) => (bid.tenderId === undefined || isFinished(stageOf(bid)) ? [] : bid.tenderId));
  return ids
    .filter((id) => now.getTime() - lastAsked(id) >= TENDER_FRESH_FOR_MS)
    .sort((one, other) => lastAsked(one) - lastAsked(other));
}
