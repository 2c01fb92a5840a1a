/** Which of the account's dialogs is open: one at most, over whatever screen. */
import { create } from 'zustand';

/** The titles that SPEC gives them. */
export const DIALOG_TITLES = {
  'sign-in': 'Welcome Back',
  'reset-password': 'Reset Password',
  register: 'Create Account',
} as const;

export type AuthDialogName = keyof typeof DIALOG_TITLES;

/** The open dialog; null for none. */
export const useAuthDialog = create<{ open: AuthDialogName | null }>(() => ({ open: null }));

/** Opens a dialog, in place of the one that is open. Also for whoever must sign in again to go on. */
export function openAuthDialog(open: AuthDialogName): void {
  useAuthDialog.setState({ open });
}

/** Closes the open dialog; what was typed into the registration stays in its draft. */
export function closeAuthDialog(): void {
  useAuthDialog.setState({ open: null });
}
