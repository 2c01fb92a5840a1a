/** The components with alerts and notices that have a chunk of their own. Home does not load them. */
import { t } from '@lingui/core/macro';
import { useEffect } from 'react';
import { preload } from '../data/preload.ts';
import { lazyPart, optionalPart } from '../ui/lazy/lazy.tsx';

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

export const AnswerNotices = optionalPart(
  async () => (await import('../features/support/AnswerNotices.tsx')).AnswerNotices,
);

export const DepositNotes = optionalPart(
  async () => (await import('../features/deposits/DepositNotes.tsx')).DepositNotes,
);

export const LetterNotes = optionalPart(async () => (await import('../features/letters/LetterNotes.tsx')).LetterNotes);
