/** Access to a tender's documents: the server's offer and what it means for the user. */
import { DocumentLinkResponse, DocumentOfferResponse } from '@nivida/contract/orders/documents';
import { useEffect } from 'react';
import { api } from '../../data/server/api.ts';
import { createQueryCache, type QueryResult, useQuery } from '../../data/server/query-cache.ts';

// keyed by owner: an offer is never shown to the next user of the device
const offerCache = createQueryCache((key) =>
  api.get(`api/tenders/${key.split(' ')[0]}/documents`).json(DocumentOfferResponse),
);

/** The offer for `owner` (the user's id, '' when signed out), loaded again each time it is shown. */
export function useDocumentOffer(tenderId: string, owner: string): QueryResult<DocumentOfferResponse> {
  const key = `${tenderId} ${owner}`;
  useEffect(() => void offerCache.refresh(key), [key]);
  return useQuery(offerCache, key);
}

/**
 * 'missing': there is no package to sell; 'owned': bought or downloaded before; 'plan': one of the plan's downloads;
 * 'buy': ₹99; 'closed': bidding is over, nothing is sold; 'loading': not known yet.
 */
export type DocumentAccess = 'loading' | 'missing' | 'owned' | 'plan' | 'buy' | 'closed';

/** The access by an offer. Without one a signed-out buyer sees the payment form already. */
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

/** `label` with what is left: 'Download with your plan (3 of 10 left this month)'; no count without a monthly limit. */
export function planDownloadLabel({ planDownloads }: DocumentOfferResponse, label: string): string {
  const { left = null, perMonth = null } = planDownloads ?? {};
  if (left === null || perMonth === null) return label;
  return `${label} (${left} of ${perMonth} left this month)`;
}

/** Makes a link to the documents of a tender for the signed-in user; returns the path of its page, `/d/…`. */
export async function createDocumentLink(tenderId: string): Promise<string> {
  const { url } = await api.post(`api/tenders/${tenderId}/documents`).json(DocumentLinkResponse);
  return new URL(url, window.location.href).pathname;
}

/** Opens the download page of a tender's documents, which the server renders. */
export async function openDocumentPage(tenderId: string): Promise<void> {
  window.location.assign(await createDocumentLink(tenderId));
}

/** Opens the download page of a paid order; an order without an account needs its id only. */
export async function openOrderDocumentPage(orderId: string): Promise<void> {
  const { url } = await api.post(`api/orders/${orderId}/documents`).json(DocumentLinkResponse);
  window.location.assign(new URL(url, window.location.href).pathname);
}
