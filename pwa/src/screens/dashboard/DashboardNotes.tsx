import { useEffect } from 'react';
import { useReadWarnings } from '../../data/bid-documents/expiry-read.ts';
import { useDeposits } from '../../data/records/useDeposits.ts';
import { useRecords } from '../../data/records/useRecords.ts';
import { ExpiryNotices } from '../../features/bid-documents/ExpiryNotices.tsx';
import { useVaultDocuments } from '../../features/bid-documents/useVault.ts';
import { BidReminders } from '../../features/bids/BidReminders.tsx';
import { DepositNotes } from '../../features/deposits/DepositNotes.tsx';
import { LetterNotes } from '../../features/letters/LetterNotes.tsx';

interface DashboardNotesProps {
  now: Date;
  /** Called when the device has been read. */
  onRead: () => void;
}

/**
 * Urgent notes: reminders that are due, overdue money and answers, guarantees and documents that expire. Renders nothing without any.
 */
export function DashboardNotes({ now, onRead }: DashboardNotesProps) {
  const bids = useRecords('bid');
  const deposits = useDeposits();
  const letters = useRecords('letter');
  const documents = useVaultDocuments();
  const hiddenWarnings = useReadWarnings();
  const isRead = bids && deposits && letters && documents && hiddenWarnings !== undefined;
  useEffect(() => {
    if (isRead) onRead();
  }, [isRead, onRead]);
  return (
    <>
      <BidReminders now={now} />
      <DepositNotes now={now} />
      <LetterNotes now={now} />
      <ExpiryNotices now={now} isLinked />
    </>
  );
}
