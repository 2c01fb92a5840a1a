/** Districts and departments of a search with the number of their tenders, for its filters. */
import { facetsQuery, type TenderListQuery } from '@nivida/contract/filter/tender-filter';
import type { TenderFacetsResponse } from '@nivida/contract/tenders/tender';
import { useRef } from 'react';
import { useTenderFacets } from '../../../data/server/facets.ts';
import type { LocalListState } from '../../../offline/queries/useLocalList.ts';

/** `counts` are undefined while they load, and where neither device nor server can count. */
export interface Facets {
  counts: TenderFacetsResponse | undefined;
  isLoading: boolean;
}

/**
 * The counts of a search within a state, from the device when it answers the list, else from the server. Null requests
 * nothing.
 */
export function useFacets(search: TenderListQuery | null, { local, isPending }: LocalListState): Facets {
  const state = search?.state ?? '';
  const isServed = state !== '' && !local && !isPending;
  const { answer, error } = useTenderFacets(search && isServed ? facetsQuery(search) : null);
  const latest = useRef<{ state: string; counts: TenderFacetsResponse }>(undefined);
  const counts = local?.facets ?? answer;
  if (counts) latest.current = { state, counts };
  // The last counts stay while the next ones load, so the user can change the choice at once.
  const before = latest.current?.state === state ? latest.current.counts : undefined;
  return { counts: counts ?? before, isLoading: !counts && !before && error === undefined };
}
