/** The screens' components that have a chunk of their own. Each has the name of the component that it loads. */
import { t } from '@lingui/core/macro';
import { useEffect } from 'react';
import { hasDatabase, withDatabase } from '../data/device/database.ts';
import { firstScreen } from '../data/first-screen.ts';
import { loadBeforePreloads, preload } from '../data/preload.ts';
import { whenUsed } from '../data/when-used.ts';
import { type AuthDialogName, DIALOG_TITLES } from '../features/auth/dialogs.ts';
import { lazyDialog, lazyPart, optionalPart } from '../ui/lazy/lazy.tsx';
import today from './home/Today.module.css';

// Every page

/** The unfinished payment of this device. It is loaded after the first screen, because it reads the database. */
export const PendingOrderBanner = optionalPart(async () => {
  await firstScreen;
  if (!(await hasDatabase())) return () => null;
  return (await import('../features/orders/payment/PendingOrderBanner.tsx')).PendingOrderBanner;
});

/** The offer of alerts or of the installation. It loads after the first screen. */
export const Offer = optionalPart(async () => {
  await firstScreen;
  return (await import('./alerts/AlertOrInstallOffer.tsx')).AlertOrInstallOffer;
});

const loadSignIn = async () => (await import('../features/auth/SignInDialog.tsx')).SignInDialog;
const loadRegister = async () =>
  (await import('../features/auth/registration/CreateAccountDialog.tsx')).CreateAccountDialog;

export const AUTH_DIALOGS = {
  'sign-in': lazyDialog(loadSignIn, () => DIALOG_TITLES['sign-in']),
  'reset-password': lazyDialog(
    async () => (await import('../features/auth/password/ResetPasswordDialog.tsx')).ResetPasswordDialog,
    () => DIALOG_TITLES['reset-password'],
  ),
  register: lazyDialog(loadRegister, () => DIALOG_TITLES.register),
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

// Tenders, offices and bids

const loadBidPreparation = async () => (await import('./tenders/BidPreparation.tsx')).BidPreparation;

const checklistTexts = {
  loading: () => t`Loading the checklist`,
  failed: () => t`The checklist cannot be loaded now.`,
};

export const BidPreparation = lazyPart(loadBidPreparation, checklistTexts);

/** Loads the checklist's code once the page is used. Returns a function that loads it before other code. */
export function usePreparedChecklist(): () => void {
  useEffect(() => whenUsed(() => preload(loadBidPreparation)), []);
  // The checklist loads both again and reports failures.
  return () => loadBeforePreloads(() => Promise.all([loadBidPreparation(), withDatabase(async () => undefined)]));
}

export const BidChecklist = lazyPart(
  async () => (await import('./bids/BidChecklist.tsx')).BidChecklist,
  checklistTexts,
);

export const OfficeBlock = optionalPart(async () => (await import('../features/awards/OfficeBlock.tsx')).OfficeBlock);

/** Loaded later, because it imports the code of tender lists (31 KB), which the page does not need. */
export const CopyAwards = optionalPart(async () => (await import('./awards/CopyAwards.tsx')).CopyAwards);

export const DocumentPurchase = lazyDialog(
  async () => (await import('./payment/DocumentPurchase.tsx')).DocumentPurchase,
  () => t`Tender documents`,
  preload,
);

export const RequestDialog = lazyDialog(
  async () => (await import('../features/documents/RequestDialog.tsx')).RequestDialog,
  () => t`Ask for the documents`,
  preload,
);

// Payments, alerts and notices

export const PaymentStatusDialog = lazyDialog(
  async () => (await import('./payment/PaymentStatusDialog.tsx')).PaymentStatusDialog,
  () => t`Checking your payment`,
);

export const OwnPlan = optionalPart(async () => (await import('./payment/OwnPlan.tsx')).OwnPlan);

const loadAlerts = async () => (await import('./alerts/DeviceAlerts.tsx')).DeviceAlerts;

export const DeviceAlerts = lazyPart(loadAlerts, {
  loading: () => t`Loading the alerts`,
  failed: () => t`The alerts cannot be loaded now.`,
});

/** Loads the code of the alerts' settings after the first screen. */
export function usePreparedAlerts(): void {
  useEffect(() => preload(loadAlerts), []);
}

export const ExpiryNotices = optionalPart(
  async () => (await import('../features/bid-documents/ExpiryNotices.tsx')).ExpiryNotices,
);

export const BidReminders = optionalPart(async () => (await import('../features/bids/BidReminders.tsx')).BidReminders);

export const OverdueNote = optionalPart(async () => (await import('../features/deposits/OverdueNote.tsx')).OverdueNote);
