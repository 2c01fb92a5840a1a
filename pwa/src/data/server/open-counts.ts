/** How many tenders are open in each state, for the search, home and empty views. */
import type { RegionListResponse } from '@nivida/contract/tenders/tender';
import { type EmbeddedAnswer, embeddedAnswerFor } from './embedded-answer.ts';
import { createQueryCache, type QueryResult, useQuery } from './query-cache.ts';

const REGIONS_PATH = 'api/regions';

/** Read by hand: home shows it at first, for which the schema's library is too much. */
function parseCounts(value: unknown): RegionListResponse | undefined {
  const { states } = (value ?? {}) as Partial<RegionListResponse>;
  const isWhole = Array.isArray(states) && states.every(({ state, open }) => typeof state === 'string' && open >= 0);
  return isWhole ? (value as RegionListResponse) : undefined;
}

const readEmbeddedCounts = (written?: Partial<EmbeddedAnswer>) => embeddedAnswerFor(REGIONS_PATH, parseCounts, written);

/** What makes calls, some 11 KB, is loaded when one is made. */
async function fetchCounts(): Promise<RegionListResponse> {
  const [{ api }, contract] = await Promise.all([import('./api.ts'), import('@nivida/contract/tenders/tender')]);
  return api.get(REGIONS_PATH).json(contract.RegionListResponse);
}
const countsCache = createQueryCache(fetchCounts, readEmbeddedCounts());

/** For a page that the server draws: what it brings is all that is known. */
export function setEmbeddedCounts(written: Partial<EmbeddedAnswer>): void {
  countsCache.store.setState(readEmbeddedCounts(written), true);
}

/** The open counts of the 36 states; asked for once a minute at most, however many views show them. */
export function useStateCounts(): QueryResult<RegionListResponse> {
  return useQuery(countsCache, '');
}
