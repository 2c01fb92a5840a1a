/** The account dialogs: at most one is open, over any screen. */
import { msg } from '@lingui/core/macro';
import { i18n } from '@nivida/contract/i18n';
import { create } from 'zustand';

/** Titles by SPEC. */
const DIALOG_TITLES = {
  'sign-in': msg`Welcome Back`,
  'reset-password': msg`Reset Password`,
  register: msg`Create Account`,
};

export type AuthDialogName = keyof typeof DIALOG_TITLES;

export const dialogTitle = (name: AuthDialogName): string => i18n._(DIALOG_TITLES[name]);

export const useAuthDialog = create<{ open: AuthDialogName | null }>(() => ({ open: null }));

/** Opens a dialog. Closes the one that is open. */
export function openAuthDialog(open: AuthDialogName): void {
  useAuthDialog.setState({ open });
}

/** Closes the open dialog; the registration's draft stays. */
export function closeAuthDialog(): void {
  useAuthDialog.setState({ open: null });
}
