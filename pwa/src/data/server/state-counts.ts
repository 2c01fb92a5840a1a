/** Number of open tenders in each state, for the search, home and empty views. */
import type { RegionListResponse } from '@nivida/contract/tenders/tender';
import { createQueryCache, type QueryResult, useQuery } from './query-cache.ts';

const REGIONS_PATH = 'api/regions';

/** Validated without the schema library, which is too large for the home page's first load. */
function parseCounts(value: unknown): RegionListResponse | undefined {
  const { states } = (value ?? {}) as Partial<RegionListResponse>;
  const isWhole = Array.isArray(states) && states.every(({ state, open }) => typeof state === 'string' && open >= 0);
  return isWhole ? (value as RegionListResponse) : undefined;
}

/** The API client, about 11 KB, is loaded with the first call. */
async function fetchCounts(): Promise<RegionListResponse> {
  const [{ api }, contract] = await Promise.all([import('./api.ts'), import('@nivida/contract/tenders/tender')]);
  return api.get(REGIONS_PATH).json(contract.RegionListResponse);
}
const countsCache = createQueryCache(fetchCounts, { prefix: REGIONS_PATH, check: parseCounts });

/**
 * The numbers of open tenders in the 36 states. They are requested at most once a minute, for all views
 * together.
 */
export function useStateCounts(): QueryResult<RegionListResponse> {
  return useQuery(countsCache, '');
}
