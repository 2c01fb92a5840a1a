// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import type { Tender } from '@nivida/contract/tenders/tender';
import { testTenderDetail } from '@nivida/contract/tenders/test-tender';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { TenderPreview } from './TenderPreview.tsx';

const NOW = new Date('2026-04-14T12:00:00+05:30');

/** Tenders that the server was asked for, by id. */
let asked: string[];
/** Tenders of the server. */
let served: Record<string, Tender>;

beforeEach(() => {
  asked = [];
  served = {};
  vi.stubGlobal('fetch', async (request: Request) => {
    const [, , path, id = ''] = new URL(request.url).pathname.split('/');
    if (path === 'tenders') asked.push(id);
    const tender = served[id];
    return tender ? Response.json({ tender }) : new Response('', { status: 404 });
  });
});
afterEach(async () => {
  await closeTestPages();
  vi.unstubAllGlobals();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

const store = (...tenders: Tender[]) =>
  withDatabase((db) => db.tenders.bulkPut(tenders.map((tender) => ({ id: tender._id, tender, savedAt: 1 }))));

async function openPreview(fields: Partial<Tender>) {
  const preview = (tender: Tender) => <TenderPreview tender={tender} now={NOW} />;
  const opened = await openTestPage(preview(testTenderDetail(fields)));
  const facts = () =>
    Object.fromEntries(
      [...opened.page.querySelectorAll('dt')].map((name) => [
        name.querySelector('button')?.textContent ?? name.textContent,
        name.nextElementSibling?.textContent?.trim(),
      ]),
    );
  const showTender = (tender: Tender) => opened.show(preview(tender));
  return { ...opened, facts, fee: () => facts()['Tender fee'], showTender };
}

test('the preview of another tender shows its own fee, and no fee until it is read', async () => {
  const road = testTenderDetail({ _id: '1', title: 'Village road', tender_fee: '1500.00' });
  const bridge = testTenderDetail({ _id: '2', title: 'Footbridge', tender_fee: '700.00' });
  await store(road, bridge);
  const { fee, showTender, texts } = await openPreview(road);
  await expect.poll(fee).toBe('₹1,500.00');
  await showTender(bridge);
  expect(texts('h2')).toEqual(['Footbridge']);
  expect(fee()).not.toContain('₹');
  await expect.poll(fee).toBe('₹700.00');
});

test('the preview of a tender has the facts of the list at once, then fee and opening', async () => {
  const fields: Partial<Tender> = {
    ...{ _id: '11', title: 'Village road', org_name: 'HPPWD', department: 'Public Works', price: 4_500_000 },
    ...{ emd: '90000.00', reference_number: 'NIT 12', nit_works: 3, source_tender_id: '2026_PWD_11_1' },
    ...{ tender_fee: '500.00', opening_date: '2026-04-16T05:30:00.000Z', demonstration: true },
  };
  await store(testTenderDetail(fields));
  const { page, text, facts, press, address, router } = await openPreview(fields);
  const atOnce = {
    ...{ 'Estimated value': '₹45.00 Lakh', EMD: '₹90,000.00', Department: 'Public Works' },
    ...{ NIT: 'NIT 123 works in this NIT', 'Tender ID': '2026_PWD_11_1' },
  };
  expect(facts()).toMatchObject(atOnce);
  expect(text()).toContain('ActiveDemonstration');
  expect(text()).toContain('HPPWD · Solan, Himachal Pradesh');
  expect(page.querySelector('aside')?.getAttribute('aria-label')).toBe('Preview');
  await expect.poll(facts).toEqual({ ...atOnce, 'Tender fee': '₹500.00', 'Bid opening': '16 Apr, 11:00\u00a0AM' });
  await press('Open tender');
  expect([address(), router.state.location.state]).toEqual(['/tenders/11', { fromList: true }]);
});

test('the preview leaves out what the list does not have, and a department that is the office', async () => {
  const { text, facts } = await openPreview({
    ...{ _id: '12', org_name: 'PWD', department: 'PWD', price: null, emd: null, reference_number: 'NIT 7' },
    closing_date: '2026-04-14T06:29:00.000Z',
  });
  expect(Object.keys(facts())).toEqual(['Estimated value', 'EMD', 'Tender fee', 'Bid opening', 'NIT', 'Tender ID']);
  expect(facts()).toMatchObject({
    ...{ 'Estimated value': '₹0 (estimate not published)', EMD: 'Not specified', NIT: 'NIT 7' },
  });
  expect(text()).toContain('Closed');
  expect(text()).not.toContain('Demonstration');
  const without = await openPreview({ _id: '13', department: null, reference_number: null });
  expect(Object.keys(without.facts())).toEqual(['Estimated value', 'EMD', 'Tender fee', 'Bid opening', 'Tender ID']);
});

test('the preview asks the server where the phone does not have the tender, and says when that fails', async () => {
  served = { 14: testTenderDetail({ _id: '14', tender_fee: '250.00' }) };
  const known = await openPreview({ _id: '14' });
  expect(known.fee()).not.toContain('₹');
  await expect.poll(known.facts).toMatchObject({ 'Tender fee': '₹250.00', 'Bid opening': 'Not specified' });
  const failed = await openPreview({ _id: '15' });
  await expect.poll(failed.facts).toMatchObject({ 'Tender fee': 'Not loaded', 'Bid opening': 'Not loaded' });
  expect(failed.text()).toContain('Server error occurred');
  served[16] = {} as Tender;
  const unreadable = await openPreview({ _id: '16' });
  await expect.poll(unreadable.text).toContain('Failed to fetch tender details');
  expect(asked).toEqual(['14', '15', '16']);
});

test('a preview that the pointer only passes reads nothing', async () => {
  await (await openPreview({ _id: '16' })).close();
  const { fee } = await openPreview({ _id: '17' });
  await expect.poll(fee).toBe('Not loaded');
  expect(asked).toEqual(['17']);
});
