/** Districts and departments of a search with the number of their tenders, for its filters. */
import { facetsQuery, type TenderListQuery } from '@nivida/contract/filter/tender-filter';
import type { TenderFacetsResponse } from '@nivida/contract/tenders/tender';
import { useRef } from 'react';
import { createQueryCache, useQuery } from '../../../data/server/query-cache.ts';
import type { LocalListState } from '../../../offline/queries/useLocalList.ts';

/** The API client is loaded only when a filter is first shown. */
async function fetchFacets(query: string): Promise<TenderFacetsResponse> {
  const [{ api }, contract] = await Promise.all([
    import('../../../data/server/api.ts'),
    import('@nivida/contract/tenders/tender'),
  ]);
  return api.get('api/facets', { searchParams: query }).json(contract.TenderFacetsResponse);
}

const facetsCache = createQueryCache(fetchFacets);

/** `counts` is undefined while they load, and where neither the device nor the server can count. */
export interface Facets {
  counts: TenderFacetsResponse | undefined;
  isLoading: boolean;
}

/**
 * The counts of a search within a state. They come from the device when it answers the list, otherwise from
 * the server. A null search requests nothing.
 */
export function useFacets(search: TenderListQuery | null, { local, isPending }: LocalListState): Facets {
  const state = search?.state ?? '';
  const isServed = state !== '' && !local && !isPending;
  const { answer, error } = useQuery(facetsCache, search && isServed ? facetsQuery(search) : null);
  const latest = useRef<{ state: string; counts: TenderFacetsResponse }>(undefined);
  const counts = local?.facets ?? answer;
  if (counts) latest.current = { state, counts };
  // The last counts stay while the next ones load, so that the user can continue at once.
  const before = latest.current?.state === state ? latest.current.counts : undefined;
  return { counts: counts ?? before, isLoading: !counts && !before && error === undefined };
}
