// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import type { Tender } from '@nivida/contract/tenders/tender';
import { testTender } from '@nivida/contract/tenders/test-tender';
import { afterEach, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { reportScreenReady } from '../../data/first-screen.ts';
import { refreshSite } from '../../data/server/site.ts';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { DocumentPurchase } from './DocumentPurchase.tsx';

afterEach(async () => {
  await closeTestPages();
  // The settings are loaded after the first screen; a later call would be one of another test.
  reportScreenReady();
  await refreshSite();
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
  const page = await openTestPage(
    <DocumentPurchase tender={TENDER} onAsk={() => calls.push('ask')} onClose={() => calls.push('close')} />,
    '/tenders/7',
  );
  return { page, bodies, calls };
}

test('the documents of a tender are ordered for ₹99 with its State, and a second purchase leads to the first', async () => {
  const { page, bodies } = await openDialog(OFFER);
  await expect.poll(() => page.button('Pay ₹99').disabled).toBe(false);
  expect(page.texts('dt, dd')).toEqual(['NIT', '₹99.00']);
  for (const text of [
    'Official documents are free at the portal. ₹99 pays for collecting, bundling and delivery.',
    'All payments are non-refundable, except duplicate debits and packages that could not be delivered, which are refunded automatically: refund policy.',
  ])
    expect(page.text()).toContain(text);
  expect(page.texts(`[id="${page.button('Pay ₹99').getAttribute('aria-describedby')}"]`)).toEqual([
    'Free at the portal. ₹99 to collect and email them.',
  ]);
  expect(page.texts('form a[href="/refund"]')).toEqual(['refund policy']);
  await page.fill({ Name: 'Asha', 'Mobile number': '9816041122', Email: 'asha@example.in' });
  await page.press('Pay ₹99');
  await expect.poll(page.address).toBe('/payment-status?id=a%2Fc');
  expect(bodies).toEqual([
    {
      ...{ name: 'Asha', mobileNo: '9816041122', email: 'asha@example.in', billingState: 'Goa' },
      ...{ gstin: '', firm: '', firmAddress: '', product: 'tender-documents', tenderId: '7', documentId: '7' },
      ...{ amount: 99, redirectUrl: '/tenders/7' },
    },
  ]);
});

test('the dialog is closed by Cancel', async () => {
  const { page, calls } = await openDialog(OFFER);
  await expect.poll(() => page.button('Pay ₹99').disabled).toBe(false);
  await page.press('Cancel');
  expect(calls).toEqual(['close']);
});

test('documents that are missing can be asked for, and are free at their portal', async () => {
  const { page, calls } = await openDialog({ ...OFFER, isReady: false, files: [] });
  await expect.poll(() => page.hasButton('Ask for the documents')).toBe(true);
  expect(page.text()).toContain('The official documents are free at hptenders.gov.in, under 2026_PWD_100001_1.');
  expect(page.page.querySelector('form')).toBeNull();
  await page.press('Ask for the documents');
  expect(calls).toEqual(['ask']);
});
