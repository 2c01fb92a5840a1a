// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import type { BidPartner } from '@nivida/contract/rules/joint-bid';
import { EMPTY_BID_PROFILE } from '@nivida/contract/rules/may-i-bid';
import { testTenderDetail } from '@nivida/contract/tenders/test-tender';
import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../../data/device/database.ts';
import { deleteJointBidsOf, moveJointBidsAtSignIn, readJointBids } from '../../../data/joint-bids.ts';
import { dismissToast, useToast } from '../../../ui/feedback/toast.ts';
import { closeTestPages, openTestPage } from '../../../ui/test-page.tsx';
import { JointBids } from './JointBids.tsx';
import { savePartner } from './joint-actions.ts';

const requests = vi.fn(() => Promise.reject(new TypeError('offline')));
beforeEach(() => vi.stubGlobal('fetch', requests));
afterEach(async () => {
  await closeTestPages();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  while (useToast.getState().current) dismissToast();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

const NOW = new Date('2026-05-10T06:00:00Z');
const stored = (owner = '') => withDatabase((db) => readJointBids(db, owner));
const open = (id = '1') => {
  const tender = testTenderDetail({ _id: id, price: 10_000_000, period_of_work_days: 365 });
  const turnover = { '2025-26': 2_000_000, '2024-25': 2_000_000, '2023-24': 2_000_000 };
  const profile = { ...EMPTY_BID_PROFILE, turnover, commitments: 0 };
  return openTestPage(<JointBids tender={tender} profile={profile} now={NOW} />);
};
const partner = (id: string): BidPartner => {
  const turnover = { '2025-26': 900_000, '2024-25': 900_000, '2023-24': 900_000 };
  return { id, name: `Firm ${id}`, turnover, commitments: 0, works: [] };
};
const reasons = (page: Awaited<ReturnType<typeof open>>) => page.texts('[aria-labelledby="together"] li p');

test('a partner is entered once, its figures are added by the rule of the NIT, and none of them is sent', async () => {
  const page = await open();
  await page.press('Add partner');
  await page.press('Save');
  expect(page.errorAt('Name of the firm')).toBe('Name the firm');
  await page.fill({
    'Name of the firm': 'Asha & Co',
    'Turnover from works 2025-26 rupees': '12,00,000',
    'Turnover from works 2024-25 rupees': '12,00,000',
    'Turnover from works 2023-24 rupees': '12,00,000',
    'Works in hand rupees due while this work runs': '0',
    'Similar work 1 rupees': '85,00,000',
    'Completed, work 1': '2024-03-31',
  });
  await page.press('Save');
  await expect
    .poll(() => page.texts('li p'))
    .toEqual(['2025-26 ₹12.00 Lakh · 2024-25 ₹12.00 Lakh · 2023-24 ₹12.00 Lakh · similar works: 1']);
  await page.toggle('Bid with Asha & Co');
  await expect
    .poll(() => reasons(page))
    .toEqual(['Which rule for joint bids stands in the NIT? Choose it, and the figures are added by it.']);
  await page.press('Use this rule');
  expect(page.errorAt('Rule for joint bids in the NIT')).toBe('Choose what the NIT says');
  await page.fill({ 'Rule for joint bids in the NIT': 'sum' });
  await page.press('Use this rule');
  await expect
    .poll(() => reasons(page)[2])
    .toContain('Average turnover together ₹32.00 Lakh: You ₹20.00 Lakh, Asha & Co ₹12.00 Lakh.');
  await page.fill({ 'Rule for joint bids in the NIT': 'shares', 'Lead at least %': '70', 'Others at least %': '101' });
  await page.press('Use this rule');
  expect(page.errorAt('Others at least %')).toBe('Write a share from 0 to 100');
  await page.fill({ 'Others at least %': '30' });
  await page.press('Use this rule');
  await expect
    .poll(() => reasons(page)[2])
    .toContain('By the shares that you entered, too little alone: You (at least ₹21.00 Lakh).');

  // For the next tender the partner is there, and the rule is asked for again.
  const next = await open('2');
  await next.toggle('Bid with Asha & Co');
  await expect.poll(() => reasons(next)[0]).toContain('Which rule for joint bids stands in the NIT?');
  expect(requests).not.toHaveBeenCalled();
  const outside = await withDatabase(async (db) => [await db.records.count(), await db.outbox.count()]);
  expect(outside).toEqual([0, 0]);
});

test('three partners are the most; one is changed, removed and brought back', async () => {
  for (const id of ['A', 'B', 'C']) await savePartner(partner(id));
  const page = await open();
  await expect.poll(() => page.texts('label')).toEqual(['Bid with Firm A', 'Bid with Firm B', 'Bid with Firm C']);
  expect(page.hasButton('Add partner')).toBe(false);
  await page.press('Change Firm B');
  await page.fill({ 'Name of the firm': 'Firm D', 'Turnover from works 2023-24 rupees': '' });
  await page.press('Save');
  await expect
    .poll(async () => (await stored()).partners.map(({ name }) => name))
    .toEqual(['Firm A', 'Firm D', 'Firm C']);
  await page.press('Remove Firm A');
  await expect.poll(async () => (await stored()).partners).toHaveLength(2);
  await expect.poll(() => page.hasButton('Add partner')).toBe(true);
  useToast.getState().current?.action?.run();
  await expect.poll(async () => (await stored()).partners).toHaveLength(3);
});

test('two partners that are chosen one right after the other are both stored', async () => {
  for (const id of ['A', 'B']) await savePartner(partner(id));
  const page = await open();
  await expect.poll(() => page.texts('label')).toEqual(['Bid with Firm A', 'Bid with Firm B']);
  const boxes = ['Bid with Firm A', 'Bid with Firm B'].map(page.field);
  await act(async () => boxes.forEach((box) => void box.click()));
  await expect.poll(async () => (await stored()).bids['1']?.partnerIds).toEqual(['A', 'B']);
});

test('partners that were entered signed out become those of the user who signs in, and the erasure removes them', async () => {
  await savePartner(partner('A'));
  await withDatabase((db) => moveJointBidsAtSignIn(db, '7'));
  expect([await stored(), (await stored('7')).partners]).toEqual([{ partners: [], bids: {} }, [partner('A')]]);
  await withDatabase((db) => moveJointBidsAtSignIn(db, '8'));
  expect((await stored('8')).partners).toEqual([]);
  await withDatabase((db) => deleteJointBidsOf(db, '7'));
  expect((await stored('7')).partners).toEqual([]);
});

test('a phone that cannot store a partner says so and keeps the form', async () => {
  const page = await open();
  await page.press('Add partner');
  await page.fill({ 'Name of the firm': 'Asha & Co' });
  await withDatabase(async (db) => {
    vi.spyOn(db.settings, 'put').mockRejectedValueOnce(new DOMException('full', 'QuotaExceededError'));
  });
  await page.press('Save');
  await expect
    .poll(() => useToast.getState().current?.text)
    .toBe('Your figures were not saved. Free some storage and save again.');
  expect(page.field('Name of the firm').value).toBe('Asha & Co');
});
