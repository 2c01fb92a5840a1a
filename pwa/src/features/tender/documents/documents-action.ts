import { t } from '@lingui/core/macro';
import { sellablePackage } from '@nivida/contract/orders/document-package';
import type { Tender } from '@nivida/contract/tenders/tender';
import type { Site } from '../../../data/server/site.ts';
import { closingFacts } from '../labels.ts';
import type { DocumentsAction } from './DocumentActions.tsx';

/** The text while a request for documents waits in the outbox. */
export const waitingText = () => t`Saved on this phone. Sent when there is a connection.`;

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
  if (isOwned) return { way: 'owned', note: t`These documents are yours.` };
  if (payments === 'none' && contents)
    return { way: 'free', note: isSignedIn ? t`Free here, and at the portal.` : t`Free here. You need an account.` };
  if (closingFacts(tender, now).isOver)
    return {
      way: 'closed',
      note: payments === 'none' ? t`This tender has closed.` : t`This tender has closed. Its documents are not sold.`,
    };
  if (tender.demonstration && payments !== 'sandbox' && payments !== 'none')
    return { way: 'demonstration', note: t`Demonstration: no documents are sold for it.` };
  if (contents?.kind === 'nit') return { way: 'sold', note: t`NIT only, free at the portal. ₹99 to email it.` };
  if (contents) return { way: 'sold', note: t`Free at the portal. ₹99 to collect and email them.` };
  if (isRequested)
    return { way: 'asked', note: isOnline ? t`We write to you when they are available.` : waitingText() };
  return { way: 'ask', note: t`Not here yet. Free at the portal; asking is free too.` };
}
