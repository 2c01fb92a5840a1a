/** Number of tenders in the districts and departments of a search, from the server. */
import type { TenderFacetsResponse } from '@nivida/contract/tenders/tender';
import { createQueryCache, type QueryResult, useQuery } from './query-cache.ts';

/** The API client is loaded only when a filter is first shown. */
async function fetchFacets(query: string): Promise<TenderFacetsResponse> {
  const [{ api }, contract] = await Promise.all([import('./api.ts'), import('@nivida/contract/tenders/tender')]);
  return api.get('api/facets', { searchParams: query }).json(contract.TenderFacetsResponse);
}

const facetsCache = createQueryCache(fetchFacets);

/** `query` is the query string of `GET /api/facets`; null makes no call. */
export function useTenderFacets(query: string | null): QueryResult<TenderFacetsResponse> {
  return useQuery(facetsCache, query);
}
