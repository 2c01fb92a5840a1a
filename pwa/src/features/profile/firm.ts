/** The firm in the profile: values of its form, their validation, and its API calls. */
import { CompanyRequest } from '@nivida/contract/account/auth';
import { MeResponse } from '@nivida/contract/account/user';
import { apiOf } from '../../data/server/api.ts';
import { type CheckedForm, validateForm } from '../../ui/form/useForm.ts';
import { storeInterests } from './interests.ts';

/** Values of the form. */
export type FirmValues = Pick<
  MeResponse,
  'companyName' | 'companyType' | 'state' | 'districts' | 'departments' | 'address'
>;

function firmOf({ companyName, companyType, state, districts, departments, address }: MeResponse): FirmValues {
  return { companyName, companyType, state, districts, departments, address };
}

export async function fetchFirm(userId: string, signal: AbortSignal): Promise<FirmValues> {
  return firmOf(await apiOf(userId).get('api/me', { signal }).json(MeResponse));
}

export function validateFirm(values: FirmValues): CheckedForm<CompanyRequest> {
  return validateForm(CompanyRequest, values);
}

/**
 * Saves the validated firm. Its places become the interests of the dashboard. Returns what the server stored.
 */
export async function saveFirm(userId: string, json: CompanyRequest): Promise<FirmValues> {
  const account = await apiOf(userId).put('api/me/company', { json }).json(MeResponse);
  await storeInterests(userId, account);
  return firmOf(account);
}
