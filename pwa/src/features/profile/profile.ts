/** The profile: what its form holds, how it is checked, and its calls. */
import { MessageResponse, OtpVerifyRequest } from '@nivida/contract/account/auth';
import { MeResponse, ProfileForm, type User, UserInfoResponse } from '@nivida/contract/account/user';
import { isHTTPError } from 'ky';
import * as v from 'valibot';
import { api, fieldErrorsOf, isConnectionError, serverMessageOr } from '../../data/server/api.ts';
import { replaceUser } from '../../data/session.ts';

const MOBILE_DIGITS = 10;

/** What the form holds; `mobileNo` without +91. */
export interface ProfileFields {
  username: string;
  email: string;
  mobileNo: string;
}

/** The first message of each wrong field. */
export type ProfileErrors = Partial<Record<keyof ProfileFields, string>>;

/** Why a call failed, in words; `needsSignIn` when signing in anew would help. */
export interface ProfileFailure {
  message: string;
  needsSignIn: boolean;
}

/** What the form holds before anything is typed. */
export function profileFields({ username, email, mobileNo }: User): ProfileFields {
  return { username, email, mobileNo: normaliseMobile(mobileNo) };
}

/** The digits of what was typed or pasted, at most 10, without the country code. */
export function normaliseMobile(typed: string): string {
  return typed
    .replace(/^\s*\+91/, '')
    .replace(/\D/g, '')
    .slice(0, MOBILE_DIGITS);
}

/** An e-mail address as it would be sent, to be compared with the server's; '' when it is none. */
export function normaliseEmail(typed: string): string {
  const { output, success } = v.safeParse(ProfileForm.entries.email, typed);
  return success ? output : '';
}

/** What is wrong with the form; empty when it can be sent. */
export function validateProfile(fields: ProfileFields): ProfileErrors {
  const { issues } = v.safeParse(ProfileForm, fields);
  const wrong = issues ? v.flatten<typeof ProfileForm>(issues).nested : undefined;
  const errors: ProfileErrors = {};
  for (const name of ['username', 'email', 'mobileNo'] as const) {
    const message = wrong?.[name]?.[0];
    if (message) errors[name] = message;
  }
  // an empty number is one that has not 10 digits (SPEC section 5)
  if (fields.mobileNo.length !== MOBILE_DIGITS) errors.mobileNo = 'Please enter a valid 10-digit mobile number';
  return errors;
}

/** What is wrong with a code from the mail; undefined when it can be sent. */
export function validateCode(code: string): string | undefined {
  return v.safeParse(OtpVerifyRequest.entries.otp, code).issues?.[0].message;
}

/**
 * Sends the checked form and stores the user that the server answers. Returns the address whose code it waits for, or
 * null when everything counts.
 */
export async function saveProfile(userId: string, fields: ProfileFields): Promise<string | null> {
  const json = { ...v.parse(ProfileForm, fields), mobileNo: `+91${fields.mobileNo}` };
  const { user, pendingEmail } = await api.put(`api/user-info/${userId}`, { json }).json(UserInfoResponse);
  replaceUser(user);
  return pendingEmail;
}

/** Proves that the code that came to `email` is known here. */
export async function verifyChangedEmail(email: string, otp: string): Promise<void> {
  await api.post('api/auth/otp/verify', { json: { email, otp: otp.trim() } }).json(MessageResponse);
}

/** Takes what the user changed on another device; whatever fails leaves what is stored here. */
export async function refreshStoredUser(signal: AbortSignal): Promise<void> {
  const { user } = await api.get('api/me', { signal }).json(MeResponse);
  replaceUser(user);
}

/** Which fields the server refused, and why; empty when it is not about a field. */
export function refusedProfileFields(error: unknown): ProfileErrors & { otp?: string } {
  const { username, email, mobileNo, otp } = fieldErrorsOf(error);
  return Object.fromEntries(Object.entries({ username, email, mobileNo, otp }).filter(([, why]) => why !== undefined));
}

/** What to say when the profile could not be updated; without a reply the reason is added. */
export function profileFailure(error: unknown): ProfileFailure {
  const said = serverMessageOr(error, 'Failed to update profile');
  return {
    message: isConnectionError(error)
      ? `${said}. No response from server. Please check your internet connection.`
      : said,
    needsSignIn: isHTTPError(error) && error.response.status === 403,
  };
}
