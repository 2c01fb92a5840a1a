// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { testTender } from '@nivida/contract/tenders/test-tender';
import type { ComponentType } from 'react';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { closeDatabase, storageProblem, withDatabase } from '../data/device/database.ts';
import { useLiveRows } from '../data/device/live-query.ts';
import { storageAdvice } from '../data/device/storage-advice.ts';
import { Vault } from '../features/bid-documents/Vault.tsx';
import { Checklist } from '../features/checklist/Checklist.tsx';
import { OnThisPhoneDialog } from '../features/on-this-phone/OnThisPhoneDialog.tsx';
import { openTestPage } from '../ui/test-page.tsx';
import { Notices } from './alerts/Notices.screen.tsx';
import { Analytics } from './bids/Analytics.screen.tsx';
import { BidPage } from './bids/BidPage.screen.tsx';
import { MyBids } from './bids/MyBids.screen.tsx';
import { BookmarkedBlock, NextClosingBlock } from './dashboard/DashboardTenders.tsx';

const now = new Date('2026-11-10T12:00:00+05:30');
const tender = {
  ...testTender({ _id: '1' }),
  ...{ opening_date: null, documents: [], bid_validity_days: null, contact_designation: null, tender_fee: null },
};
const OfTender = () => (
  <Checklist tender={tender} now={now} renderCopy={() => null} documents={[]} renderDocument={() => null} />
);

const screens: [string, ComponentType, string][] = [
  ['notices', Notices, ', so notices cannot be shown.'],
  ['bids', MyBids, ', so bids cannot be saved.'],
  ['a bid', BidPage, ', so bids cannot be read.'],
  ['figures of bids', Analytics, ', so bids cannot be saved.'],
  ['bookmarks on the dashboard', BookmarkedBlock, ', so bookmarks cannot be saved.'],
  ['bookmarks on home', NextClosingBlock, ', so bookmarks cannot be saved.'],
  ['documents', () => <Vault now={now} />, ', so documents cannot be saved here.'],
  ['the checklist', OfTender, ', so marks cannot be saved.'],
  ['the saved states', () => <OnThisPhoneDialog now={now} onClose={() => undefined} />, '. '],
];

describe.each([
  ['QuotaExceededError', 'The storage of this phone is full'],
  ['SecurityError', 'This browser blocks storage'],
])('without storage by %s', (name, problem) => {
  beforeAll(async () => {
    await closeDatabase();
    vi.spyOn(indexedDB, 'open').mockImplementation(() => {
      throw Object.assign(new Error('refused'), { name });
    });
    await withDatabase(async () => undefined).catch(() => undefined);
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await closeDatabase();
  });

  test.each(screens)('the screen of %s names the reason', async (_what, Screen, consequence) => {
    const { text } = await openTestPage(<Screen />);
    await expect.poll(text).toContain(problem + consequence);
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
  const { text } = await openTestPage(<Screen />);
  await expect.poll(text).toBe('A part of the app could not be loaded, so bids cannot be read.');
  expect(storageAdvice()).toBe('A part of the app could not be loaded. Open Nivida again when there is a connection.');
});
