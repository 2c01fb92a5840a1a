import type { DocumentOfferResponse } from '@nivida/contract/orders/documents';
import { describe, expect, test } from 'vitest';
import { documentAccess, planDownloadLabel } from './document-offer.ts';

const OFFER: DocumentOfferResponse = {
  isReady: true,
  files: ['NIT.pdf'],
  bytes: 1_800_000,
  isOwned: false,
  orderId: null,
  planDownloads: null,
  isDemonstration: false,
  contents: { kind: 'nit-boq', works: 1 },
  isOpen: true,
};
const known = { isSignedIn: true, isLoading: false };

describe('the access to the documents', () => {
  test.each<[string, Partial<DocumentOfferResponse>, string]>([
    ['is a purchase', {}, 'buy'],
    ['is none while there is no package', { isReady: false, isOwned: true }, 'missing'],
    ['is open to the owner', { isOwned: true, planDownloads: { left: 3, perMonth: 10 } }, 'owned'],
    ['is included in a plan', { planDownloads: { left: 1, perMonth: 10 } }, 'plan'],
    ['is included in a plan without a monthly limit', { planDownloads: { left: null, perMonth: null } }, 'plan'],
    ['is a purchase when the plan is used up', { planDownloads: { left: 0, perMonth: 10 } }, 'buy'],
    ['is none after the closing', { isOpen: false, planDownloads: { left: 0, perMonth: 10 } }, 'closed'],
    ['is included in a plan after the closing', { isOpen: false, planDownloads: { left: 1, perMonth: 10 } }, 'plan'],
    ['is open to the owner after the closing', { isOpen: false, isOwned: true }, 'owned'],
  ])('%s', (_case, changed, access) => {
    expect(documentAccess({ ...OFFER, ...changed }, known)).toBe(access);
  });

  test('shows the form at once to a signed-out buyer, and waits for a user', () => {
    expect(documentAccess(undefined, { isSignedIn: false, isLoading: true })).toBe('buy');
    expect(documentAccess(undefined, { isSignedIn: true, isLoading: true })).toBe('loading');
    expect(documentAccess(undefined, { isSignedIn: true, isLoading: false })).toBe('buy');
  });
});

test.each([
  [{ left: 7, perMonth: 10 }, 'Download with your plan (7 of 10 left this month)'],
  [{ left: null, perMonth: null }, 'Download with your plan'],
])('a plan with %j says "%s"', (planDownloads, label) => {
  expect(planDownloadLabel({ ...OFFER, planDownloads }, 'Download with your plan')).toBe(label);
});
