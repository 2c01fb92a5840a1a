// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { testTenderDetail } from '@nivida/contract/tenders/test-tender';
import { createElement as h, useState } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../../data/device/database.ts';
import { TenderPreview } from './TenderPreview.tsx';

const NOW = new Date('2026-04-14T12:00:00+05:30');
const ROAD = testTenderDetail({ _id: '1', title: 'Village road', tender_fee: '1500.00' });
const BRIDGE = testTenderDetail({ _id: '2', title: 'Footbridge', tender_fee: '700.00' });

afterEach(async () => {
  vi.unstubAllGlobals();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

test('the preview of another tender shows its own fee, and no fee until it is read', async () => {
  vi.stubGlobal('fetch', async () => new Response('', { status: 404 }));
  await withDatabase((db) =>
    db.tenders.bulkPut([ROAD, BRIDGE].map((tender) => ({ id: tender._id, tender, savedAt: 1 }))),
  );
  const page = document.createElement('div');
  let show: (tender: typeof ROAD) => void = () => undefined;
  const Preview = () => {
    const [tender, setTender] = useState(ROAD);
    show = setTender;
    return h(TenderPreview, { tender, now: NOW });
  };
  const root = createRoot(page);
  flushSync(() => root.render(h(RouterProvider, { router: createMemoryRouter([{ path: '/', Component: Preview }]) })));
  const fee = () =>
    [...page.querySelectorAll('dt')].find(({ textContent }) => textContent === 'Tender fee')?.nextElementSibling;
  await expect.poll(() => fee()?.textContent).toBe('₹1,500.00');
  flushSync(() => show(BRIDGE));
  expect(page.querySelector('h2')?.textContent).toBe('Footbridge');
  expect(fee()?.textContent).not.toContain('₹');
  await expect.poll(() => fee()?.textContent).toBe('₹700.00');
  root.unmount();
});
