import { departmentOf, districtOf, type Region, regionOf } from '@nivida/contract/regions';
import type { TenderQuery } from '@nivida/contract/tender';

/** The place of a query in listed names; null means not asked for. */
export interface Places {
  state: string | null;
  district: string | null;
  department: string | null;
  /** A name was given that is no place: nothing can match. */
  unknown: boolean;
}

/** Listed names for what was asked; a slug or alias is understood, an unknown name is repeated as it came. */
export function understandPlaces({ state, district, department }: TenderQuery): Places {
  const region = state === '' ? undefined : regionOf(state);
  const inRegion = (asked: string, find: (region: Region, text: string) => { name: string } | undefined) =>
    asked === '' ? null : ((region && find(region, asked))?.name ?? undefined);
  const foundDistrict = inRegion(district, districtOf);
  const foundDepartment = inRegion(department, departmentOf);
  return {
    state: state === '' ? null : (region?.state.name ?? state),
    district: foundDistrict === undefined ? district : foundDistrict,
    department: foundDepartment === undefined ? department : foundDepartment,
    unknown: (state !== '' && !region) || foundDistrict === undefined || foundDepartment === undefined,
  };
}
