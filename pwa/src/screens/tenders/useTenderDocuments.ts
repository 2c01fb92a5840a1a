import { t } from '@lingui/core/macro';
import type { Tender } from '@nivida/contract/tenders/tender';
import { useState } from 'react';
import { whenDatabaseIsWanted } from '../../data/device/database.ts';
import { useLiveRows } from '../../data/device/live-query.ts';
import { useSite } from '../../data/server/site.ts';
import { useSession } from '../../data/session.ts';
import type { DocumentsAction } from '../../features/tender/documents/DocumentActions.tsx';
import { documentsAction, waitingText } from '../../features/tender/documents/documents-action.ts';
import { useOnline } from '../../ui/browser-state.ts';
import { showToast } from '../../ui/feedback/toast.ts';

/** The actions for a tender's documents, and the request for missing ones. */
export interface TenderDocuments {
  action: DocumentsAction;
  /** Requests the documents: at once when signed in, otherwise in a dialog. */
  ask: () => void;
  /** The dialog for the e-mail address is open. */
  isAsking: boolean;
  stopAsking: () => void;
  send: (email: string | null) => Promise<void>;
}

// A new device has requested nothing.
const loadRequests = async () => {
  await whenDatabaseIsWanted();
  return (await import('../../features/documents/requests.ts')).requestedIds;
};

/** The actions for the documents of `tender`. `isOwned` means that the user already has them. */
export function useTenderDocuments(tender: Tender, now: Date, isOwned: boolean): TenderDocuments {
  const session = useSession();
  const isOnline = useOnline();
  const isRequested = useLiveRows(loadRequests).rows?.includes(tender._id) ?? false;
  const [isAsking, setIsAsking] = useState(false);
  const { payments } = useSite();

  async function send(email: string | null): Promise<void> {
    setIsAsking(false);
    const problem = await import('../../features/documents/requests.ts').then(
      ({ tryRequestDocuments }) => tryRequestDocuments(tender._id, email),
      () => t`The request was not saved.`,
    );
    if (problem !== null) showToast({ text: t`${problem} Please ask through the contact form.` });
    else if (!navigator.onLine) showToast({ text: waitingText() });
  }

  return {
    action: documentsAction(tender, now, { isOwned, isRequested, isOnline, payments, isSignedIn: session !== null }),
    ask: () => (session ? void send(null) : setIsAsking(true)),
    isAsking,
    stopAsking: () => setIsAsking(false),
    send,
  };
}
