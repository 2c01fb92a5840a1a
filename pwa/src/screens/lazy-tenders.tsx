/** The components with tenders, offices, bids and payments that have a chunk of their own. Home does not load them. */
import { t } from '@lingui/core/macro';
import { useEffect } from 'react';
import { withDatabase } from '../data/device/database.ts';
import { firstScreen } from '../data/first-screen.ts';
import { loadBeforePreloads, preload } from '../data/preload.ts';
import { whenUsed } from '../data/when-used.ts';
import { lazyDialog, lazyPart, optionalPart } from '../ui/lazy/lazy.tsx';

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

export const TenderReadingBlock = lazyPart(
  async () => (await import('./readings/TenderReadingBlock.tsx')).TenderReadingBlock,
  {
    loading: () => t`Loading what the documents say`,
    failed: () => t`What the documents say could not be loaded.`,
  },
);

/** It asks the server, so it waits for the first screen. */
export const ReadingContradictions = optionalPart(async () => {
  await firstScreen;
  return (await import('./readings/ReadingContradictions.tsx')).ReadingContradictions;
});

export const BidReadingNotes = optionalPart(async () => (await import('./bids/BidReadingNotes.tsx')).BidReadingNotes);

export const OfficeBlock = optionalPart(async () => (await import('../features/awards/OfficeBlock.tsx')).OfficeBlock);

export const AskAboutTender = optionalPart(
  async () => (await import('../features/support/AskAboutTender.tsx')).AskAboutTender,
);

export const ReportMistake = optionalPart(
  async () => (await import('../features/reports/ReportMistake.tsx')).ReportMistake,
);

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

export const PaymentStatusDialog = lazyDialog(
  async () => (await import('./payment/PaymentStatusDialog.tsx')).PaymentStatusDialog,
  () => t`Checking your payment`,
);
