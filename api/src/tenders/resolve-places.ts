import { lacksState, type TenderFilter } from '@nivida/contract/filter/tender-filter';
import { findDepartment, findDistrict, findRegion, listedPlace } from '@nivida/contract/regions/regions';

/** The place of a filter in listed names. */
export interface ResolvedPlaces extends Pick<TenderFilter, 'state' | 'districts' | 'departments'> {
  /** Names among `departments` that are not listed: organisations of the state. */
  unlistedDepartments: readonly string[];
  /** True when nothing can match: the state, all districts, or the departments of a filter without a state are unknown. */
  hasUnknownPlace: boolean;
}

/**
 * The listed names of the places in a filter. Slugs and aliases are resolved. An unknown name is returned unchanged. Within
 * a state an unlisted department is an organisation.
 */
export function resolvePlaces({ state, districts, departments }: TenderFilter): ResolvedPlaces {
  const region = state === '' ? undefined : findRegion(state);
  const place = listedPlace({ state, districts, departments });
  const isKnown = (district: string) => region !== undefined && findDistrict(region, district) !== undefined;
  return {
    ...place,
    unlistedDepartments: region ? place.departments.filter((name) => !findDepartment(region, name)) : [],
    hasUnknownPlace: (state !== '' && !region) || lacksState(place) || !place.districts.every(isKnown),
  };
}
