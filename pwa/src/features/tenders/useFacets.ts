/** What the filters of a search can offer: districts and departments with the number of their tenders. */
import { type TenderSearch, toFacetsQuery } from '@nivida/contract/list-address';
import type { TenderFacets } from '@nivida/contract/tender';
import { useRef } from 'react';
import { useTenderFacets } from '../../data/facets.ts';
import type { LocalShown } from './packs/useLocalList.ts';

/** `counts` are undefined while they load, and where neither device nor server can count. */
export interface Facets {
  counts: TenderFacets | undefined;
  isLoading: boolean;
}

/** The counts of a search within a state, from the device when it answers the list, else from the server. */
export function useFacets(search: TenderSearch, { local, isAsked }: LocalShown): Facets {
  const isServed = search.state !== '' && !local && !isAsked;
  const { answer, error } = useTenderFacets(isServed ? toFacetsQuery(search) : null);
  const latest = useRef<{ state: string; counts: TenderFacets }>(undefined);
  const counts = local?.facets ?? answer;
  if (counts) latest.current = { state: search.state, counts };
  // The counts before stay while the next ones load, so that the choice can be changed again at once.
  const before = latest.current?.state === search.state ? latest.current.counts : undefined;
  return { counts: counts ?? before, isLoading: !counts && !before && error === undefined };
}
