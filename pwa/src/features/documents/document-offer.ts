/** The way to a tender's documents: what the server offers, and what follows for whoever asks. */
import { DocumentLinkResponse, DocumentOfferResponse } from '@nivida/contract/orders/documents';
import { useEffect } from 'react';
import { api } from '../../data/server/api.ts';
import { createQueryCache, type QueryResult, useQuery } from '../../data/server/query-cache.ts';

// whose offer it is stands in the key, so that nobody is shown what the user before was answered
const offerCache = createQueryCache((key) =>
  api.get(`api/tenders/${key.split(' ')[0]}/documents`).json(DocumentOfferResponse),
);

/** What is offered to `owner` (the user's id, '' when signed out), asked for anew each time it is shown. */
export function useDocumentOffer(tenderId: string, owner: string): QueryResult<DocumentOfferResponse> {
  const key = `${tenderId} ${owner}`;
  useEffect(() => void offerCache.refresh(key), [key]);
  return useQuery(offerCache, key);
}

/**
 * 'missing': nothing can be delivered, so nothing is sold; 'owned': bought or downloaded before; 'plan': one of the plan's
 * downloads; 'buy': ₹99; 'closed': bids are over, so nothing is sold; 'loading': not known yet.
 */
export type DocumentAccess = 'loading' | 'missing' | 'owned' | 'plan' | 'buy' | 'closed';

/** What an offer means; without one whoever is signed out sees the form already, since he will have to pay. */
export function documentAccess(
  offer: DocumentOfferResponse | undefined,
  { isSignedIn, isLoading }: { isSignedIn: boolean; isLoading: boolean },
): DocumentAccess {
  if (!offer) return isSignedIn && isLoading ? 'loading' : 'buy';
  if (!offer.isReady) return 'missing';
  if (offer.isOwned) return 'owned';
  if (offer.planDownloads && offer.planDownloads.left !== 0) return 'plan';
  return offer.isOpen ? 'buy' : 'closed';
}

/** 'Download with your plan (3 of 10 left this month)'; without a monthly limit nothing is counted. */
export function planDownloadLabel({ planDownloads }: DocumentOfferResponse): string {
  const { left = null, perMonth = null } = planDownloads ?? {};
  if (left === null || perMonth === null) return 'Download with your plan';
  return `Download with your plan (${left} of ${perMonth} left this month)`;
}

/** Makes a link to the documents of a tender that the signed-in user may have; returns the path of its page, `/d/…`. */
export async function createDocumentLink(tenderId: string): Promise<string> {
  const { url } = await api.post(`api/tenders/${tenderId}/documents`).json(DocumentLinkResponse);
  return new URL(url, window.location.href).pathname;
}

/** Opens the download page of a tender's documents, which the server draws. */
export async function openDocumentPage(tenderId: string): Promise<void> {
  window.location.assign(await createDocumentLink(tenderId));
}

/** Opens the download page of a paid order, for its account, or without one for the device that has its id. */
export async function openOrderDocumentPage(orderId: string): Promise<void> {
  const { url } = await api.post(`api/orders/${orderId}/documents`).json(DocumentLinkResponse);
  window.location.assign(new URL(url, window.location.href).pathname);
}
