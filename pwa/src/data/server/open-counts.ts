/** How many tenders are open in each state, for the search, home and empty views. */
import type { RegionListResponse } from '@nivida/contract/tenders/tender';
import { createQueryCache, type QueryResult, useQuery } from './query-cache.ts';

const REGIONS_PATH = 'api/regions';

/** Read by hand: home shows it at first, for which the schema's library is too much. */
function parseCounts(value: unknown): RegionListResponse | undefined {
  const { states } = (value ?? {}) as Partial<RegionListResponse>;
  const isWhole = Array.isArray(states) && states.every(({ state, open }) => typeof state === 'string' && open >= 0);
  return isWhole ? (value as RegionListResponse) : undefined;
}

/** What makes calls, some 11 KB, is loaded when one is made. */
async function fetchCounts(): Promise<RegionListResponse> {
  const [{ api }, contract] = await Promise.all([import('./api.ts'), import('@nivida/contract/tenders/tender')]);
  return api.get(REGIONS_PATH).json(contract.RegionListResponse);
}
const countsCache = createQueryCache(fetchCounts, { prefix: REGIONS_PATH, check: parseCounts });

/** The open counts of the 36 states; asked for once a minute at most, however many views show them. */
export function useStateCounts(): QueryResult<RegionListResponse> {
  return useQuery(countsCache, '');
}
