import type { TenderSummary } from '@nivida/contract/tenders/tender';

/**
 * Returns the address to open after a search for a received id:
 * - One tender has the id: its page.
 * - Several tenders have the id: null, so the list stays.
 * - No tender has the id: the same search in closed tenders; after closed tenders, in open ones.
 *
 * A tender that only mentions the id does not count. `state` is the searched state, '' for all.
 */
export function nextPageForSourceId(
  sourceId: string,
  isOpen: boolean,
  found: readonly TenderSummary[],
  state = '',
): string | null {
  const wantedId = sourceId.toUpperCase();
  const [one, ...more] = found.filter((tender) => tender.source_tender_id.toUpperCase() === wantedId);
  if (one) return more.length === 0 ? `/tenders/${one._id}` : null;
  const search = new URLSearchParams({ ...(state && { state }), q: sourceId });
  if (isOpen) search.set('open', '0');
  return `/tenders/results?${search}`;
}
