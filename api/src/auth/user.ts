import { t } from '@lingui/core/macro';
import type { User } from '@nivida/contract/account/user';
import { findDepartment, findDistrict, findRegion, type Region } from '@nivida/contract/regions/regions';
import { QueryFailedError } from 'typeorm';
import { AppError, invalidField } from '../base/app-error.ts';
import type { UserEntity } from './user.entity.ts';

/** The account as the API returns it. */
export function toUser({ id, username, email, mobileNo }: UserEntity): User {
  return { _id: id, username, email, mobileNo };
}

/** CONFLICT: another account has this value. */
const takenConflict = (field: 'email' | 'mobileNo', text: () => string) =>
  new AppError('CONFLICT', text, () => ({ [field]: text() }));

/** CONFLICT: another account has this e-mail. */
export const emailTaken = () => takenConflict('email', () => t`An account with this email already exists`);

/** CONFLICT if a statement failed because another account has this mobile number or e-mail. Other errors are returned unchanged. */
export function toConflict(error: unknown): unknown {
  if (!(error instanceof QueryFailedError)) return error;
  switch ((error.driverError as { constraint?: string }).constraint) {
    case 'account_mobile':
      return takenConflict('mobileNo', () => t`An account with this mobile number already exists`);
    case 'account_email':
      return emailTaken();
    default:
      return error;
  }
}

/** The places of a company as they are stored. */
export type ListedPlaces = Pick<UserEntity, 'state' | 'districts' | 'departments'>;

/** The listed names of the places in a registration or a changed company, without duplicates. INVALID for an unlisted place. */
export function listedPlaces(body: ListedPlaces): ListedPlaces {
  const region = findRegion(body.state);
  if (!region) throw invalidField('state', () => t`Please choose a state from the list`);
  return {
    state: region.state.name,
    districts: listedNames(body.districts, 'districts', region, findDistrict),
    departments: listedNames(body.departments, 'departments', region, findDepartment),
  };
}

function listedNames(
  names: string[],
  field: 'districts' | 'departments',
  region: Region,
  find: (region: Region, name: string) => { name: string } | undefined,
): string[] {
  const found = names.map((name) => find(region, name)?.name);
  if (found.includes(undefined))
    throw invalidField(field, () => {
      const state = region.state.name;
      return field === 'districts'
        ? t`Please choose districts of ${state} from the list`
        : t`Please choose departments of ${state} from the list`;
    });
  return [...new Set(found as string[])];
}
