/** The components of every page and of Home that have a chunk of their own. Each has the name of the component that it loads. */
import { t } from '@lingui/core/macro';
import { useEffect } from 'react';
import { firstScreen } from '../data/first-screen.ts';
import { preload } from '../data/preload.ts';
import { whenUsed } from '../data/when-used.ts';
import { type AuthDialogName, dialogTitle } from '../features/auth/dialogs.ts';
import { lazyDialog, optionalPart } from '../ui/lazy/lazy.tsx';
import today from './home/Today.module.css';

// Every page

/** Banners at the top of every page that are not known when it is rendered. They load after the first screen. */
export const LateBanners = optionalPart(async () => {
  await firstScreen;
  return (await import('./frame/LateBanners.tsx')).LateBanners;
});

/** What the app offers by itself. It loads after the first screen. */
export const Offers = optionalPart(async () => {
  await firstScreen;
  return (await import('./frame/Offers.tsx')).Offers;
});

const loadSignIn = async () => (await import('../features/auth/SignInDialog.tsx')).SignInDialog;
const loadRegister = async () =>
  (await import('../features/auth/registration/CreateAccountDialog.tsx')).CreateAccountDialog;

export const AUTH_DIALOGS = {
  'sign-in': lazyDialog(loadSignIn, () => dialogTitle('sign-in')),
  'reset-password': lazyDialog(
    async () => (await import('../features/auth/password/ResetPasswordDialog.tsx')).ResetPasswordDialog,
    () => dialogTitle('reset-password'),
  ),
  register: lazyDialog(loadRegister, () => dialogTitle('register')),
} satisfies Record<AuthDialogName, unknown>;

/**
 * Loads the visitor's dialogs. Home has a button that registers, so their code is loaded at once. On other pages it
 * is loaded at the first use of the page.
 */
export function usePreparedAuthDialogs(isSignedIn: boolean, isHome: boolean): void {
  useEffect(() => {
    if (isSignedIn) return;
    const prepare = () => [loadSignIn, loadRegister].forEach(preload);
    if (!isHome) return whenUsed(prepare);
    prepare();
  }, [isSignedIn, isHome]);
}

// Home

export const UserHome = optionalPart(async () => (await import('./dashboard/DashboardHome.screen.tsx')).UserHome);

/** It reads the device's packs. */
export const TodayOnDevice = optionalPart(
  async () => (await import('./home/TodayOnDevice.tsx')).TodayOnDevice,
  <div className={today.waiting} />,
);

export const TrialDialog = lazyDialog(
  async () => (await import('../features/plans/TrialDialog.tsx')).TrialDialog,
  () => t`Your 7-day free trial`,
  preload,
);
