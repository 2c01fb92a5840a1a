/** The profile: the values of its form, their check, and its calls. */
import { MessageResponse, OtpVerifyRequest } from '@nivida/contract/account/auth';
import { MeResponse, ProfileForm, type User, UserInfoResponse } from '@nivida/contract/account/user';
import { normaliseTypedMobile } from '@nivida/contract/fields';
import * as v from 'valibot';
import { api } from '../../data/server/api.ts';
import { replaceUser } from '../../data/session.ts';
import { type CheckedForm, validateForm } from '../../ui/form/useForm.ts';

const MOBILE_DIGITS = 10;

/** Values of the form; `mobileNo` without +91. */
export interface ProfileFields {
  username: string;
  email: string;
  mobileNo: string;
}

/** The initial values of the form. */
export function profileFields({ username, email, mobileNo }: User): ProfileFields {
  return { username, email, mobileNo: normaliseTypedMobile(mobileNo) };
}

/** An e-mail address as it is sent, for comparison with the server's; '' when it is invalid. */
export function normaliseEmail(typed: string): string {
  const { output, success } = v.safeParse(ProfileForm.entries.email, typed);
  return success ? output : '';
}

/** Checks the form, with the code from the mail unless it is undefined. */
export function validateProfile(fields: ProfileFields, otp?: string): CheckedForm<ProfileFields> {
  const { sent, errors: invalid } = validateForm(ProfileForm, fields);
  const [wrongCode] = otp === undefined ? [] : (v.safeParse(OtpVerifyRequest.entries.otp, otp).issues ?? []);
  const errors = {
    ...invalid,
    // an empty number too (SPEC section 5)
    ...(fields.mobileNo.length !== MOBILE_DIGITS && { mobileNo: 'Please enter a valid 10-digit mobile number' }),
    ...(wrongCode && { otp: wrongCode.message }),
  };
  return sent && Object.keys(errors).length === 0 ? { sent, errors } : { errors };
}

/**
 * Sends the checked form, with the password once the server has asked for it, and stores the user from the answer. Returns the e-mail address that waits for its code, or
 * null when there is none.
 */
export async function saveProfile(
  userId: string,
  checked: ProfileFields,
  password: string | undefined,
): Promise<string | null> {
  const json = { ...checked, ...(password !== undefined && { password }), mobileNo: `+91${checked.mobileNo}` };
  const { user, pendingEmail } = await api.put(`api/user-info/${userId}`, { json }).json(UserInfoResponse);
  replaceUser(user);
  return pendingEmail;
}

/** Verifies `email` by the code that was mailed to it. */
export async function verifyChangedEmail(email: string, otp: string): Promise<void> {
  await api.post('api/auth/otp/verify', { json: { email, otp: otp.trim() } }).json(MessageResponse);
}

/** Stores the user as the server knows it; another device may have changed it. A failed call changes nothing. */
export async function refreshStoredUser(signal: AbortSignal): Promise<void> {
  const { user } = await api.get('api/me', { signal }).json(MeResponse);
  replaceUser(user);
}
