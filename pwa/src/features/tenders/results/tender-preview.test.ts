// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import type { Tender } from '@nivida/contract/tenders/tender';
import { testTenderDetail } from '@nivida/contract/tenders/test-tender';
import { createElement as h, useState } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, describe, expect, test, vi } from 'vitest';
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

describe('the preview of a tender', () => {
  async function showPreview(fields: Partial<Tender>) {
    const page = document.createElement('div');
    const tender = testTenderDetail(fields);
    const Preview = () => h(TenderPreview, { tender, now: NOW });
    const router = createMemoryRouter([
      { path: '/', Component: Preview },
      { path: '*', element: null },
    ]);
    const root = createRoot(page);
    flushSync(() => root.render(h(RouterProvider, { router })));
    const facts = () =>
      Object.fromEntries(
        [...page.querySelectorAll('dt')].map((name) => [
          name.querySelector('button')?.textContent ?? name.textContent,
          name.nextElementSibling?.textContent?.trim(),
        ]),
      );
    return { page, facts, router, end: () => root.unmount() };
  }

  test('has the facts of the list at once, then fee and opening', async () => {
    vi.stubGlobal('fetch', async () => new Response('', { status: 404 }));
    const fields: Partial<Tender> = {
      ...{ _id: '11', title: 'Village road', org_name: 'HPPWD', department: 'Public Works', price: 4_500_000 },
      ...{ emd: '90000.00', reference_number: 'NIT 12', nit_works: 3, source_tender_id: '2026_PWD_11_1' },
      ...{ tender_fee: '500.00', opening_date: '2026-04-16T05:30:00.000Z', demonstration: true },
    };
    await withDatabase((db) => db.tenders.put({ id: '11', tender: testTenderDetail(fields), savedAt: 1 }));
    const { page, facts, router, end } = await showPreview(fields);
    const atOnce = {
      ...{ 'Estimated value': '₹45.00 Lakh', EMD: '₹90,000.00', Department: 'Public Works' },
      ...{ NIT: 'NIT 123 works in this NIT', 'Tender ID': '2026_PWD_11_1' },
    };
    expect(facts()).toMatchObject(atOnce);
    expect(page.textContent).toContain('ActiveDemonstration');
    expect(page.textContent).toContain('HPPWD · Solan, Himachal Pradesh');
    expect(page.querySelector('aside')?.getAttribute('aria-label')).toBe('Preview');
    await expect.poll(facts).toEqual({ ...atOnce, 'Tender fee': '₹500.00', 'Bid opening': '16 Apr, 11:00 AM' });
    const link = page.querySelector<HTMLElement>('aside a');
    expect([link?.textContent, link?.getAttribute('href')]).toEqual(['Open tender', '/tenders/11']);
    link?.click();
    await expect.poll(() => router.state.location.state).toEqual({ fromList: true });
    end();
  });

  test('leaves out what the list does not have, and a department that is the office', async () => {
    vi.stubGlobal('fetch', async () => new Response('', { status: 404 }));
    const { page, facts, end } = await showPreview({
      ...{ _id: '12', org_name: 'PWD', department: 'PWD', price: null, emd: null, reference_number: 'NIT 7' },
      closing_date: '2026-04-14T06:29:00.000Z',
    });
    expect(Object.keys(facts())).toEqual(['Estimated value', 'EMD', 'Tender fee', 'Bid opening', 'NIT', 'Tender ID']);
    expect(facts()).toMatchObject({
      ...{ 'Estimated value': '₹0 (estimate not published)', EMD: 'Not specified', NIT: 'NIT 7' },
    });
    expect(page.textContent).toContain('Closed');
    expect(page.textContent).not.toContain('Demonstration');
    end();
    const without = await showPreview({ _id: '13', department: null, reference_number: null });
    expect(Object.keys(without.facts())).toEqual(['Estimated value', 'EMD', 'Tender fee', 'Bid opening', 'Tender ID']);
    without.end();
  });

  test('asks the server where the phone does not have the tender, and says when that fails', async () => {
    const asked: string[] = [];
    vi.stubGlobal('fetch', async (request: Request) => {
      const { pathname } = new URL(request.url);
      asked.push(pathname);
      return pathname === '/api/tenders/14'
        ? Response.json({ tender: testTenderDetail({ _id: '14', tender_fee: '250.00' }) })
        : new Response('', { status: 404 });
    });
    const served = await showPreview({ _id: '14' });
    expect(served.facts()['Tender fee']).not.toContain('₹');
    await expect.poll(() => served.facts()).toMatchObject({ 'Tender fee': '₹250.00', 'Bid opening': 'Not specified' });
    served.end();
    const failed = await showPreview({ _id: '15' });
    await expect.poll(() => failed.facts()).toMatchObject({ 'Tender fee': 'Not loaded', 'Bid opening': 'Not loaded' });
    expect(asked.filter((path) => path.startsWith('/api/tenders/'))).toEqual(['/api/tenders/14', '/api/tenders/15']);
    failed.end();
  });

  test('that the pointer only passes reads nothing', async () => {
    const asked: string[] = [];
    vi.stubGlobal('fetch', async (request: Request) => {
      asked.push(new URL(request.url).pathname);
      return new Response('', { status: 404 });
    });
    const { end } = await showPreview({ _id: '16' });
    end();
    const { facts, end: endNext } = await showPreview({ _id: '17' });
    await expect.poll(() => facts()['Tender fee']).toBe('Not loaded');
    expect(asked.filter((path) => path.startsWith('/api/tenders/'))).toEqual(['/api/tenders/17']);
    endNext();
  });
});
