import { useEffect } from 'react';
import { useRecords } from '../../data/records/useRecords.ts';
import { ExpiryNotices, useReadWarnings } from '../../features/bid-documents/ExpiryNotices.tsx';
import { useVaultDocuments } from '../../features/bid-documents/useVault.ts';
import { BidReminders } from '../../features/bids/BidReminders.tsx';
import { OverdueNote } from '../../features/deposits/OverdueNote.tsx';

interface DashboardNotesProps {
  now: Date;
  /** Called when the device has been read. */
  onRead: () => void;
}

/**
 * Urgent notes: reminders that are due, overdue money and documents that expire. Renders nothing without any.
 */
export function DashboardNotes({ now, onRead }: DashboardNotesProps) {
  const bids = useRecords('bid');
  const deposits = useRecords('deposit');
  const documents = useVaultDocuments();
  const hiddenWarnings = useReadWarnings();
  const isRead = bids && deposits && documents && hiddenWarnings !== undefined;
  useEffect(() => {
    if (isRead) onRead();
  }, [isRead, onRead]);
  return (
    <>
      <BidReminders now={now} />
      <OverdueNote now={now} />
      <ExpiryNotices now={now} isLinked />
    </>
  );
}
