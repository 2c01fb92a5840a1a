/** How many tenders the districts and departments of a search have, from the server. */
import type { TenderFacetsResponse } from '@nivida/contract/tenders/tender';
import { createQueryCache, type QueryResult, useQuery } from './query-cache.ts';

/** The module that makes calls is loaded when a filter is first shown. */
async function fetchFacets(query: string): Promise<TenderFacetsResponse> {
  const [{ api }, contract] = await Promise.all([import('./api.ts'), import('@nivida/contract/tenders/tender')]);
  return api.get('api/facets', { searchParams: query }).json(contract.TenderFacetsResponse);
}

const facetsCache = createQueryCache(fetchFacets);

/** `query` is the query string of `GET /api/facets`; null asks nothing. */
export function useTenderFacets(query: string | null): QueryResult<TenderFacetsResponse> {
  return useQuery(facetsCache, query);
}
