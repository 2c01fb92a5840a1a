import { t } from '@lingui/core/macro';
import { sellablePackage } from '@nivida/contract/orders/document-package';
import type { Tender } from '@nivida/contract/tenders/tender';
import type { Site } from '../../../data/server/site.ts';
import { closingFacts } from '../labels.ts';
import type { DocumentsAction } from './DocumentActions.tsx';

/** The text while a request for documents waits in the outbox. */
export const WAITING = 'Saved on this phone. Sent when there is a connection.';

const NOTES = {
  owned: 'These documents are yours.',
  ask: 'Not here yet. Free at the portal; asking is free too.',
  asked: 'We write to you when they are available.',
  closed: 'This tender has closed. Its documents are not sold.',
  demonstration: 'Demonstration: no documents are sold for it.',
};
const FREE = { signedIn: 'Free here, and at the portal.', signedOut: 'Free here. You need an account.' };
const PRICE = 'Free at the portal. ₹99 to collect and email them.';
const NIT_PRICE = 'NIT only, free at the portal. ₹99 to email it.';

interface Known {
  isOwned: boolean;
  isRequested: boolean;
  isOnline: boolean;
  payments: Site['payments'];
  isSignedIn: boolean;
}

/**
 * The document action of a tender at `now`. A demonstration can be bought only where payments are known to be
 * tests.
 */
export function documentsAction(
  tender: Tender,
  now: Date,
  { isOwned, isRequested, isOnline, payments, isSignedIn }: Known,
): DocumentsAction {
  const contents = sellablePackage(tender);
  if (isOwned) return { way: 'owned', note: NOTES.owned };
  if (payments === 'none' && contents) return { way: 'free', note: isSignedIn ? FREE.signedIn : FREE.signedOut };
  if (closingFacts(tender, now).isOver)
    return { way: 'closed', note: payments === 'none' ? t`This tender has closed.` : NOTES.closed };
  if (tender.demonstration && payments !== 'sandbox' && payments !== 'none')
    return { way: 'demonstration', note: NOTES.demonstration };
  if (contents) return { way: 'sold', note: contents.kind === 'nit' ? NIT_PRICE : PRICE };
  if (isRequested) return { way: 'asked', note: isOnline ? NOTES.asked : WAITING };
  return { way: 'ask', note: NOTES.ask };
}
