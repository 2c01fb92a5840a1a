/** Districts and departments of the states. They are too large for the first load, so a form loads them when needed. */

import type { TenderFilter } from '@nivida/contract/filter/tender-filter';
import type { Region } from '@nivida/contract/regions/regions';
import { comparePlaces } from '@nivida/contract/regions/states';
import { useEffect, useMemo } from 'react';
import { create } from 'zustand';
import { whenPainted } from './first-screen.ts';

const useRegions = create<{ regions: readonly Region[] }>(() => ({ regions: [] }));

/** Loads the reference data once. After a failure the lists stay empty, and the next form tries again. */
async function loadRegions(): Promise<void> {
  if (useRegions.getState().regions.length > 0) return;
  try {
    const { REGIONS } = await import('@nivida/contract/regions/regions');
    useRegions.setState({ regions: REGIONS });
  } catch {
    // A search works with the state alone.
  }
}

/**
 * The region of a state's listed name. Undefined for '' or an unknown name, and before the data is loaded.
 */
export function useRegion(state: string): Region | undefined {
  useEffect(() => {
    void whenPainted().then(loadRegions);
  }, []);
  const region = useRegions(({ regions }) => regions.find((each) => each.state.name === state));
  // In the reference data, new districts are at the end. Only the names of the chosen state are sorted here:
  // sorting all states takes 15 ms on a phone.
  return useMemo(
    () =>
      region && {
        ...region,
        districts: region.districts.toSorted((one, other) => comparePlaces(one.name, other.name)),
      },
    [region],
  );
}

/**
 * A place with the listed names for slugs and aliases ('HP', 'sirmour'), as `listedPlace` finds them. Returns the place
 * unchanged when the list cannot be loaded, so that a search on the device does not need the network.
 */
export async function canonicalPlace<Place extends Pick<TenderFilter, 'state' | 'districts' | 'departments'>>(
  place: Place,
): Promise<Place> {
  const list = await import('@nivida/contract/regions/regions').catch(() => undefined);
  return list ? list.listedPlace(place) : place;
}
