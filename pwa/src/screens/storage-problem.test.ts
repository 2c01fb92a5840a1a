// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { testTender } from '@nivida/contract/tenders/test-tender';
import { type ComponentType, createElement as h, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { closeDatabase, storageProblem, withDatabase } from '../data/device/database.ts';
import { useLiveRows } from '../data/device/live-query.ts';
import { storageAdvice } from '../data/device/storage-advice.ts';
import { PAGE_ROUTE } from '../data/server/page.ts';
import { Vault } from '../features/bid-documents/Vault.tsx';
import { Checklist } from '../features/checklist/Checklist.tsx';
import { OnThisPhoneDialog } from '../features/tenders/on-this-phone/OnThisPhoneDialog.tsx';
import { Notices } from './alerts/Notices.tsx';
import { Analytics } from './bids/Analytics.tsx';
import { BidPage } from './bids/BidPage.tsx';
import { MyBids } from './bids/MyBids.tsx';
import { BookmarkedBlock, NextClosingBlock } from './dashboard/DashboardTenders.tsx';

const now = new Date('2026-11-10T12:00:00+05:30');
const tender = {
  ...testTender({ _id: '1' }),
  ...{ opening_date: null, documents: [], bid_validity_days: null, contact_designation: null, tender_fee: null },
};
const OfTender = () => h(Checklist, { tender, now, renderCopy: () => null, documents: [], renderDocument: () => null });

const screens: [string, ComponentType, string][] = [
  ['notices', Notices, ', so notices cannot be shown.'],
  ['bids', MyBids, ', so bids cannot be saved.'],
  ['a bid', BidPage, ', so bids cannot be read.'],
  ['figures of bids', Analytics, ', so bids cannot be saved.'],
  ['bookmarks on the dashboard', BookmarkedBlock, ', so bookmarks cannot be saved.'],
  ['bookmarks on home', NextClosingBlock, ', so bookmarks cannot be saved.'],
  ['documents', () => h(Vault, { now }), ', so documents cannot be saved here.'],
  ['the checklist', OfTender, ', so marks cannot be saved.'],
  ['the saved states', () => h(OnThisPhoneDialog, { now, onClose: () => undefined }), '. '],
];

const frames: (() => void)[] = [];

afterEach(async () => {
  for (const remove of frames.splice(0)) remove();
  vi.restoreAllMocks();
  await closeDatabase();
});

function show(Component: ComponentType): HTMLElement {
  const frame = document.createElement('div');
  document.body.append(frame);
  const router = createMemoryRouter([{ id: PAGE_ROUTE, path: '/', Component: Component as () => ReactNode }], {
    hydrationData: { loaderData: { [PAGE_ROUTE]: { site: {}, answer: null } } },
  });
  const root = createRoot(frame);
  root.render(h(RouterProvider, { router }));
  frames.push(() => {
    root.unmount();
    frame.remove();
  });
  return frame;
}

describe.each([
  ['QuotaExceededError', 'The storage of this phone is full'],
  ['SecurityError', 'This browser blocks storage'],
])('without storage by %s', (name, problem) => {
  test.each(screens)('the screen of %s names the reason', async (_what, Component, consequence) => {
    vi.spyOn(indexedDB, 'open').mockImplementation(() => {
      throw Object.assign(new Error('refused'), { name });
    });
    await withDatabase(async () => undefined).catch(() => undefined);
    const frame = show(Component);
    await expect.poll(() => frame.textContent).toContain(problem + consequence);
  });
});

const loadMissing = async (): Promise<never> => {
  throw new TypeError('Failed to fetch dynamically imported module: /assets/Missing.js');
};

test('a screen whose code could not be loaded does not blame the browser', async () => {
  await withDatabase(async () => undefined);
  function Screen() {
    const { error } = useLiveRows(loadMissing);
    return error === undefined ? 'Loading' : `${storageProblem()}, so bids cannot be read.`;
  }
  const frame = show(Screen as unknown as ComponentType);
  await expect.poll(() => frame.textContent).toBe('A part of the app could not be loaded, so bids cannot be read.');
  expect(storageAdvice()).toBe('A part of the app could not be loaded. Open Nivida again when there is signal.');
});
