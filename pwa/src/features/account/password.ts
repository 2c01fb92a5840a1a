/** A new password in place of the present one. */
import { ChangePassword, Said } from '@nivida/contract/auth';
import * as v from 'valibot';
import { api } from '../../data/api.ts';

/** What the form holds. */
export interface Passwords {
  currentPassword: string;
  newPassword: string;
}

/** One message per wrong field. */
export type PasswordErrors = Partial<Record<keyof Passwords, string>>;

/** What is wrong with the form; empty when it can be sent. */
export function checkPasswords(passwords: Passwords): PasswordErrors {
  const { issues } = v.safeParse(ChangePassword, passwords);
  const wrong = issues ? v.flatten<typeof ChangePassword>(issues).nested : undefined;
  const errors: PasswordErrors = {};
  for (const name of ['currentPassword', 'newPassword'] as const) {
    const message = wrong?.[name]?.[0];
    if (message) errors[name] = message;
  }
  return errors;
}

/** Changes the password; the server then ends the user's other sessions. Returns what it said. */
export async function changePassword(passwords: Passwords): Promise<string> {
  const { message } = await api.post('api/auth/change-password', { json: passwords }).json(Said);
  return message;
}
