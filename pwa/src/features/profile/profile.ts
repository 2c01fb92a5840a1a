/** The profile: values of its form, their validation, and its API calls. */
import { t } from '@lingui/core/macro';
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

/**
 * An e-mail address in the form in which it is sent, for comparison with the server's. '' when it is invalid.
 */
export function normaliseEmail(typed: string): string {
  const { output, success } = v.safeParse(ProfileForm.entries.email, typed);
  return success ? output : '';
}

/** Validates the form. `otp` is the code from the mail; undefined when no code is needed. */
export function validateProfile(fields: ProfileFields, otp?: string): CheckedForm<ProfileFields> {
  const { sent, errors: invalid } = validateForm(ProfileForm, fields);
  const [wrongCode] = otp === undefined ? [] : (v.safeParse(OtpVerifyRequest.entries.otp, otp).issues ?? []);
  const errors = {
    ...invalid,
    // SPEC section 5 has the same message for an empty number.
    ...(fields.mobileNo.length !== MOBILE_DIGITS && { mobileNo: t`Please enter a valid 10-digit mobile number` }),
    ...(wrongCode && { otp: wrongCode.message }),
  };
  return sent && Object.keys(errors).length === 0 ? { sent, errors } : { errors };
}

/**
 * Sends the validated form, with the password if the server has asked for it. Stores the user from the
 * answer. Returns the e-mail address that waits for its code, or null.
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

/**
 * Loads the user from the server and stores it, because another device may have changed it. A failed call
 * changes nothing.
 */
export async function refreshStoredUser(signal: AbortSignal): Promise<void> {
  const { user } = await api.get('api/me', { signal }).json(MeResponse);
  replaceUser(user);
}
