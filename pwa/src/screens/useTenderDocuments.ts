import { packageOf } from '@nivida/contract/document-package';
import type { Tender } from '@nivida/contract/tender';
import { useState } from 'react';
import { useSession } from '../data/session.ts';
import { useRequested } from '../features/documents/useRequested.ts';
import type { DocumentsAction } from '../features/tenders/Download.tsx';
import { closingFacts } from '../features/tenders/facts.ts';
import { showToast } from '../ui/toast.ts';
import { useOnline } from '../ui/useOnline.ts';

const NOTES = {
  owned: 'These documents are yours.',
  ask: 'Not here yet. Free at the portal; asking is free too.',
  asked: 'We write to you when they can be had.',
  waiting: 'Kept on this phone. Sent when there is signal.',
  closed: 'This tender has closed. Its documents are not sold.',
};
const PRICE = 'Free at the portal. ₹99 collects, bundles, delivers.';
const NIT_PRICE = 'NIT only; free at the portal. ₹99 bundles, delivers.';

/** What can be done about a tender's documents, and the request for those that are missing. */
export interface TenderDocuments {
  action: DocumentsAction;
  /** Asks for the documents: at once when signed in, else in a dialog. */
  ask: () => void;
  /** The dialog for the address is open. */
  isAsking: boolean;
  stopAsking: () => void;
  send: (email: string | null) => Promise<void>;
}

/** The documents of `tender`; `isOwned`: the user has them already. */
export function useTenderDocuments(tender: Tender, now: Date, isOwned: boolean): TenderDocuments {
  const session = useSession();
  const isOnline = useOnline();
  const isRequested = useRequested(tender._id);
  const [isAsking, setIsAsking] = useState(false);
  const contents = packageOf(tender);

  function actionOf(): DocumentsAction {
    if (isOwned) return { way: 'owned', note: NOTES.owned };
    if (closingFacts(tender, now).isOver) return { way: 'closed', note: NOTES.closed };
    if (contents) return { way: 'sold', note: contents.kind === 'nit' ? NIT_PRICE : PRICE };
    if (isRequested) return { way: 'asked', note: isOnline ? NOTES.asked : NOTES.waiting };
    return { way: 'ask', note: NOTES.ask };
  }

  async function send(email: string | null): Promise<void> {
    setIsAsking(false);
    try {
      const { requestDocuments } = await import('../features/documents/requests.ts');
      await requestDocuments(tender._id, email);
      if (!navigator.onLine) showToast({ text: NOTES.waiting });
    } catch {
      showToast({ text: 'This browser keeps nothing on this device. Please ask through the contact form.' });
    }
  }

  return {
    action: actionOf(),
    ask: () => (session ? void send(null) : setIsAsking(true)),
    isAsking,
    stopAsking: () => setIsAsking(false),
    send,
  };
}
