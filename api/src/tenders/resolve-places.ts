import { findDepartment, findDistrict, findRegion } from '@nivida/contract/regions/regions';
import type { TenderQuery } from '@nivida/contract/tenders/tender';

/** The place of a query in listed names; null means not asked for. */
export interface ResolvedPlaces {
  state: string | null;
  district: string | null;
  /** A listed name, or the name of an organisation as it came. */
  department: string | null;
  isDepartmentListed: boolean;
  /** A name was given that is no place: nothing can match. */
  hasUnknownPlace: boolean;
}

/**
 * Listed names for what was asked; a slug or alias is understood, an unknown name is repeated as it came. Within a state
 * an unlisted department is an organisation.
 */
export function resolvePlaces({ state, district, department }: TenderQuery): ResolvedPlaces {
  const region = state === '' ? undefined : findRegion(state);
  const listedDistrict = region && findDistrict(region, district);
  const listedDepartment = region && findDepartment(region, department);
  return {
    state: state === '' ? null : (region?.state.name ?? state),
    district: district === '' ? null : (listedDistrict?.name ?? district),
    department: department === '' ? null : (listedDepartment?.name ?? department),
    isDepartmentListed: listedDepartment !== undefined,
    hasUnknownPlace:
      (state !== '' && !region) || (district !== '' && !listedDistrict) || (department !== '' && !region),
  };
}
