/** The account dialogs: at most one is open, over any screen. */
import { create } from 'zustand';

/** Titles by SPEC. */
export const DIALOG_TITLES = {
  'sign-in': 'Welcome Back',
  'reset-password': 'Reset Password',
  register: 'Create Account',
} as const;

export type AuthDialogName = keyof typeof DIALOG_TITLES;

export const useAuthDialog = create<{ open: AuthDialogName | null }>(() => ({ open: null }));

/** Opens a dialog. Closes the one that is open. */
export function openAuthDialog(open: AuthDialogName): void {
  useAuthDialog.setState({ open });
}

/** Closes the open dialog; the registration's draft stays. */
export function closeAuthDialog(): void {
  useAuthDialog.setState({ open: null });
}
