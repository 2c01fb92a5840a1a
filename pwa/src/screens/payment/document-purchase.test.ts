// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import type { Tender } from '@nivida/contract/tenders/tender';
import { testTender } from '@nivida/contract/tenders/test-tender';
import { act } from 'preact/test-utils';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { reportScreenReady } from '../../data/first-screen.ts';
import { refreshSite } from '../../data/server/site.ts';
import { DocumentPurchase } from './DocumentPurchase.tsx';

afterEach(async () => {
  // The settings are loaded after the first screen; a later call would be one of another test.
  reportScreenReady();
  await refreshSite();
  vi.unstubAllGlobals();
  sessionStorage.clear();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

const TENDER = {
  ...testTender({ _id: '7', state: 'Goa', source_portal: 'hptenders' }),
  ...{ document_package: { kind: 'nit', works: 1 }, nit_siblings: [] },
} as unknown as Tender;

const OFFER = {
  ...{ isReady: true, files: ['Notice.pdf'], bytes: 1_000, contents: { kind: 'nit', works: 1 }, isOpen: true },
  ...{ isOwned: false, orderId: null, planDownloads: null, isDemonstration: false },
};

/** Opens the access dialog of the tender; `bodies` are the orders that the server receives. */
async function openDialog(offer: object) {
  const bodies: object[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (pathname.endsWith('/documents')) return Response.json(offer);
    if (!pathname.endsWith('/create-order')) return Response.json({});
    bodies.push(await request.json());
    return Response.json({ url: '/payment-status', orderId: 'a/c', alreadyEntitled: true });
  });
  const calls: string[] = [];
  const dialog = createElement(DocumentPurchase, {
    tender: TENDER,
    onAsk: () => calls.push('ask'),
    onClose: () => calls.push('close'),
  });
  const router = createMemoryRouter(
    [
      { path: '/tenders/:id', element: dialog },
      { path: '*', element: null },
    ],
    { initialEntries: ['/tenders/7'] },
  );
  const page = document.createElement('div');
  document.body.append(page);
  const root = createRoot(page);
  await act(async () => root.render(createElement(RouterProvider, { router })));
  const button = (label: string) =>
    [...page.querySelectorAll('button')].find(({ textContent }) => textContent?.trim() === label);
  return {
    ...{ page, bodies, calls, router, button },
    press: (label: string) => act(async () => button(label)?.click()),
    close: async () => {
      await act(async () => root.unmount());
      page.remove();
    },
  };
}

test('the documents of a tender are ordered for ₹99 with its State, and a second purchase leads to the first', async () => {
  const { page, bodies, router, button, close } = await openDialog(OFFER);
  await expect.poll(() => button('Pay ₹99')?.disabled).toBe(false);
  expect([...page.querySelectorAll('dt, dd')].map(({ textContent }) => textContent?.trim())).toEqual(['NIT', '₹99.00']);
  for (const text of [
    'Official documents are free at the portal. ₹99 pays for collecting, bundling and delivery.',
    'All payments are non-refundable, except duplicate debits and packages that could not be delivered, which are refunded automatically: refund policy.',
  ])
    expect(page.textContent).toContain(text);
  const reason = page.querySelector(`[id="${button('Pay ₹99')?.getAttribute('aria-describedby')}"]`);
  expect(reason?.textContent).toBe('Free at the portal. ₹99 to collect and email them.');
  expect(page.querySelector('form a[href="/refund"]')?.textContent).toBe('refund policy');
  for (const [name, value] of Object.entries({ name: 'Asha', mobileNo: '9816041122', email: 'asha@example.in' })) {
    const input = page.querySelector(`[name="${name}"]`) as HTMLInputElement;
    input.value = value;
    await act(async () => void input.dispatchEvent(new Event('input', { bubbles: true })));
  }
  await act(async () => page.querySelector('form')?.requestSubmit());
  await expect.poll(() => router.state.location.pathname).toBe('/payment-status');
  expect(router.state.location.search).toBe('?id=a%2Fc');
  expect(bodies).toEqual([
    {
      ...{ name: 'Asha', mobileNo: '9816041122', email: 'asha@example.in', billingState: 'Goa' },
      ...{ gstin: '', firm: '', firmAddress: '', product: 'tender-documents', tenderId: '7', documentId: '7' },
      ...{ amount: 99, redirectUrl: '/tenders/7' },
    },
  ]);
  await close();
});

test('the dialog is closed by Cancel', async () => {
  const { button, press, calls, close } = await openDialog(OFFER);
  await expect.poll(() => button('Pay ₹99')?.disabled).toBe(false);
  await press('Cancel');
  expect(calls).toEqual(['close']);
  await close();
});

test('documents that are missing can be asked for, and are free at their portal', async () => {
  const { page, button, press, calls, close } = await openDialog({ ...OFFER, isReady: false, files: [] });
  await expect.poll(() => button('Ask for the documents')).toBeDefined();
  expect(page.textContent).toContain('The official documents are free at hptenders.gov.in, under 2026_PWD_100001_1.');
  expect(page.querySelector('form')).toBeNull();
  await press('Ask for the documents');
  expect(calls).toEqual(['ask']);
  await close();
});
