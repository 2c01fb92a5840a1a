/** The private addresses of the user's saved searches. */
import { SearchFeedListResponse, SearchFeedToken } from '@nivida/contract/data-out/search-feeds';
import { exchangeChanges } from '../../data/outbox/outbox.ts';
import { api, apiOf, isNotFoundError } from '../../data/server/api.ts';
import { createQueryCache } from '../../data/server/query-cache.ts';

/** The addresses without their secrets, by user. */
export const searchFeedCache = createQueryCache((userId) =>
  apiOf(userId).get('api/search-feeds').json(SearchFeedListResponse),
);

/** Makes a new private address, which ends an earlier one. Returns its secret, which no later answer has. */
export async function makeSearchFeed(userId: string, searchId: string): Promise<string> {
  // A search that was saved a moment ago may not have reached the server. What fails here fails below, with its reason.
  await exchangeChanges().catch(() => undefined);
  const { token } = await api.put(`api/search-feeds/${searchId}`).json(SearchFeedToken);
  void searchFeedCache.refresh(userId);
  return token;
}

/** Ends the private address of a search. Does nothing when it has ended already. */
export async function endSearchFeed(userId: string, searchId: string): Promise<void> {
  await api.delete(`api/search-feeds/${searchId}`).catch((error: unknown) => {
    if (!isNotFoundError(error)) throw error;
  });
  await searchFeedCache.refresh(userId);
}
