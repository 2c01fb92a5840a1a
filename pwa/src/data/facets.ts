/** How many tenders the districts and departments of a search have, from the server. */
import type { TenderFacets } from '@nivida/contract/tender';
import { keepAnswers, type Shown, useAnswer } from './answers.ts';

/** The module that makes calls is loaded when a filter is first shown. */
async function ask(query: string): Promise<TenderFacets> {
  const [{ api }, contract] = await Promise.all([import('./api.ts'), import('@nivida/contract/tender')]);
  return api.get('api/facets', { searchParams: query }).json(contract.TenderFacets);
}

const facets = keepAnswers(ask);

/** `query` is the query string of `GET /api/facets`; null asks nothing. */
export function useTenderFacets(query: string | null): Shown<TenderFacets> {
  return useAnswer(facets, query);
}
