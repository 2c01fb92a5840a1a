import { departmentOf, districtOf, regionOf } from '@nivida/contract/regions';
import type { TenderQuery } from '@nivida/contract/tender';

/** The place of a query in listed names; null means not asked for. */
export interface Places {
  state: string | null;
  district: string | null;
  /** A listed name, or the name of an organisation as it came. */
  department: string | null;
  isDepartmentListed: boolean;
  /** A name was given that is no place: nothing can match. */
  unknown: boolean;
}

/**
 * Listed names for what was asked; a slug or alias is understood, an unknown name is repeated as it came. Within a state
 * an unlisted department is an organisation.
 */
export function understandPlaces({ state, district, department }: TenderQuery): Places {
  const region = state === '' ? undefined : regionOf(state);
  const listedDistrict = region && districtOf(region, district);
  const listedDepartment = region && departmentOf(region, department);
  return {
    state: state === '' ? null : (region?.state.name ?? state),
    district: district === '' ? null : (listedDistrict?.name ?? district),
    department: department === '' ? null : (listedDepartment?.name ?? department),
    isDepartmentListed: listedDepartment !== undefined,
    unknown: (state !== '' && !region) || (district !== '' && !listedDistrict) || (department !== '' && !region),
  };
}
