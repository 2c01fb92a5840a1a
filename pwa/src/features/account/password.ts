/** A new password in place of the present one. */
import { ChangePasswordRequest, MessageResponse } from '@nivida/contract/account/auth';
import * as v from 'valibot';
import { api } from '../../data/server/api.ts';

/** What the form holds. */
export interface PasswordFields {
  currentPassword: string;
  newPassword: string;
}

/** One message per wrong field. */
export type PasswordErrors = Partial<Record<keyof PasswordFields, string>>;

/** What is wrong with the form; empty when it can be sent. */
export function validatePasswords(passwords: PasswordFields): PasswordErrors {
  const { issues } = v.safeParse(ChangePasswordRequest, passwords);
  const wrong = issues ? v.flatten<typeof ChangePasswordRequest>(issues).nested : undefined;
  const errors: PasswordErrors = {};
  for (const name of ['currentPassword', 'newPassword'] as const) {
    const message = wrong?.[name]?.[0];
    if (message) errors[name] = message;
  }
  return errors;
}

/** Changes the password; the server then ends the user's other sessions. Returns what it said. */
export async function changePassword(passwords: PasswordFields): Promise<string> {
  const { message } = await api.post('api/auth/change-password', { json: passwords }).json(MessageResponse);
  return message;
}
