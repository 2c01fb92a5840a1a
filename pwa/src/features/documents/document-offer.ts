/** Access to a tender's documents: the server's offer, and its meaning for the user. */
import { t } from '@lingui/core/macro';
import { DocumentLinkResponse, DocumentOfferResponse } from '@nivida/contract/orders/documents';
import { useEffect } from 'react';
import { api } from '../../data/server/api.ts';
import { createQueryCache, type QueryResult, useQuery } from '../../data/server/query-cache.ts';

// The cache is keyed by owner, so that an offer is never shown to the next user of the device.
const offerCache = createQueryCache((key) =>
  api.get(`api/tenders/${key.split(' ')[0]}/documents`).json(DocumentOfferResponse),
);

/** The offer for `owner` (the user's id, '' when signed out). It is loaded again each time it is shown. */
export function useDocumentOffer(tenderId: string, owner: string): QueryResult<DocumentOfferResponse> {
  const key = `${tenderId} ${owner}`;
  useEffect(() => void offerCache.refresh(key), [key]);
  return useQuery(offerCache, key);
}

/**
 * - 'loading': not known yet
 * - 'missing': there is no package to sell
 * - 'owned': bought or downloaded before
 * - 'plan': one of the plan's downloads
 * - 'buy': ₹99
 * - 'closed': bidding is over, so nothing is sold
 */
type DocumentAccess = 'loading' | 'missing' | 'owned' | 'plan' | 'buy' | 'closed';

/** The access that an offer gives. Without an offer a signed-out buyer already sees the payment form. */
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

/**
 * `label` with what is left of the plan: 'Download with your plan (3 of 10 left this month)'. Without a
 * monthly limit, no count.
 */
export function planDownloadLabel({ planDownloads }: DocumentOfferResponse, label: string): string {
  const { left = null, perMonth = null } = planDownloads ?? {};
  if (left === null || perMonth === null) return label;
  return t`${label} (${left} of ${perMonth} left this month)`;
}

/** Creates a link to a tender's documents for the signed-in user. Returns the path of its page, `/d/…`. */
export async function createDocumentLink(tenderId: string): Promise<string> {
  const { url } = await api.post(`api/tenders/${tenderId}/documents`).json(DocumentLinkResponse);
  return new URL(url, window.location.href).pathname;
}

/** Opens the download page of a tender's documents. The server renders that page. */
export async function openDocumentPage(tenderId: string): Promise<void> {
  window.location.assign(await createDocumentLink(tenderId));
}

/** Opens the download page of a paid order. An order without an account needs only its id. */
export async function openOrderDocumentPage(orderId: string): Promise<void> {
  const { url } = await api.post(`api/orders/${orderId}/documents`).json(DocumentLinkResponse);
  window.location.assign(new URL(url, window.location.href).pathname);
}
