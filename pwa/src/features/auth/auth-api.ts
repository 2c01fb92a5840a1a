/** The API calls of sign-in, registration and password reset. All throw ky's errors. */
import {
  MessageResponse,
  SessionStartResponse,
  SignInResponse,
  TERMS_VERSION,
  TokenRefreshResponse,
} from '@nivida/contract/account/auth';
import * as v from 'valibot';
import { api } from '../../data/server/api.ts';
import { startSession } from '../../data/session.ts';
import { writeAccountLanguage } from '../../data/texts/account-language.ts';

/** The values of the sign-in form; `mobileNo` is 10 digits. */
interface Credentials {
  mobileNo: string;
  password: string;
  rememberMe: boolean;
}

/** Signs in on this device. Throws SessionNotStoredError. */
export function startSessionOf({ token, user, language }: SessionStartResponse): void {
  writeAccountLanguage(language);
  startSession(token, user);
}

/**
 * Signs in on this device, or returns the token of a sign-in that needs a passkey or a recovery code too. Also throws
 * SessionNotStoredError.
 */
export async function signIn(credentials: Credentials): Promise<string | undefined> {
  const json = { ...credentials, countryCode: '+91' };
  const answer = await api.post('api/auth/login', { json }).json(SignInResponse);
  if ('secondFactorToken' in answer) return answer.secondFactorToken;
  startSessionOf(answer);
  return undefined;
}

/** SPEC's registration payload; `mobileNo` is 10 digits, amounts are rupees. */
export interface RegistrationBody {
  name: string;
  email: string;
  mobileNo: string;
  countryCode: string;
  password: string;
  companyName: string;
  companyType: string;
  state: string;
  districts: readonly string[];
  departments: readonly string[];
  address: string;
  minPrice: number;
  maxPrice: number | null;
}

/** Registers. If the answer has a token, signs in on this device. Also throws SessionNotStoredError. */
export async function register(json: RegistrationBody): Promise<void> {
  const headers = { 'X-Terms-Version': TERMS_VERSION };
  const answer = await api.post('api/auth/register', { json, headers }).json(v.partial(SessionStartResponse));
  const { token, user, language } = answer;
  if (!token || !user) return;
  startSessionOf({ token, user, language });
}

/** Requests a code by mail to this address. */
export async function requestEmailCode(email: string): Promise<void> {
  await api.post('api/auth/otp/generate', { json: { email } }).json(MessageResponse);
}

/** Verifies the address by its code. The verification is valid in this browser for half an hour. */
export async function verifyEmailCode(email: string, otp: string): Promise<void> {
  await api.post('api/auth/otp/verify', { json: { email, otp } }).json(MessageResponse);
}

/** Requests the mail with the link for setting a new password. */
export async function requestResetLink(email: string): Promise<void> {
  await api.post('api/auth/forgot-password', { json: { email } }).json(MessageResponse);
}

/** Sets the new password. `token` comes from the link in the mail. */
export async function resetPassword(token: string, newPassword: string): Promise<void> {
  await api.post('api/auth/reset-password', { json: { token, newPassword } }).json(MessageResponse);
}

/** Renews the session's token and returns the new one. */
export async function renewToken(): Promise<string> {
  const { token } = await api.post('api/auth/refresh').json(TokenRefreshResponse);
  return token;
}
