// @vitest-environment-options { "url": "http://localhost/" }
import { EMPTY_FILTER } from '@nivida/contract/filter/tender-filter';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { dismissToast, useToast } from '../../ui/feedback/toast.ts';
import { closeTestPages, openTestPage, type TestPage } from '../../ui/test-page.tsx';
import { ListFeedsDialog } from './ListFeedsDialog.tsx';
import { SearchFeedDialog } from './SearchFeedDialog.tsx';

const SEARCH = { id: 'b1f6a1f0-0000-4000-8000-000000000001', name: 'My bridges' };
const MADE_AT = '2026-11-10T06:00:00.000Z';

let page: TestPage;
let calls: string[];
/** The private address as the server has it. */
let feed: { createdAt: string; readAt: string | null } | null;
let isRefused: boolean;
let copied: string[];

beforeEach(() => {
  calls = [];
  copied = [];
  feed = null;
  isRefused = false;
  signInForTest('7');
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue({
    writeText: async (text: string) => void copied.push(text),
  } as Clipboard);
  vi.stubGlobal('fetch', async ({ method, url }: Request) => {
    const { pathname } = new URL(url);
    calls.push(`${method} ${pathname}`);
    if (isRefused) return Response.json({ code: 'NOT_FOUND', message: 'Search not found' }, { status: 404 });
    if (method === 'PUT') {
      feed = { createdAt: MADE_AT, readAt: null };
      const made = calls.filter((call) => call.startsWith('PUT')).length;
      return Response.json({ token: `secret-${made}`, createdAt: MADE_AT });
    }
    if (method === 'DELETE') feed = null;
    if (method === 'DELETE') return new Response(null, { status: 204 });
    return Response.json({ feeds: feed ? [{ searchId: SEARCH.id, ...feed }] : [] });
  });
});
afterEach(async () => {
  await closeTestPages();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  clearSession();
  localStorage.clear();
  while (useToast.getState().current) dismissToast();
});

const openSearchFeed = async () => {
  page = await openTestPage(<SearchFeedDialog userId="7" search={SEARCH} onClose={() => undefined} />);
};
const addresses = () => page.texts('code');

test('a list has three public addresses, and each can be copied', async () => {
  const search = { ...EMPTY_FILTER, state: 'Assam', sort: 'price', order: 'asc', page: 1 } as const;
  page = await openTestPage(<ListFeedsDialog search={search} onClose={() => undefined} />);
  expect(addresses()).toEqual([
    'http://localhost/feeds/tenders.atom?state=Assam&order=desc&sort=published_date',
    'http://localhost/feeds/tenders.csv?state=Assam&order=asc',
    'http://localhost/feeds/tenders.ics?state=Assam&order=asc&sort=closing_date',
  ]);
  for (const name of ['Feed', 'CSV', 'Calendar']) await page.press(`Copy the address: ${name}`);
  expect(copied).toEqual(addresses());
  await expect.poll(() => useToast.getState().current?.text).toBe('Copied');
  expect(calls).toEqual([]);
});

test('a saved search has no address until the user makes one, which is shown to be copied', async () => {
  await openSearchFeed();
  await expect.poll(() => calls).toEqual(['GET /api/search-feeds']);
  expect([addresses(), page.hasButton('End the address')]).toEqual([[], false]);
  await page.press('Make the address');
  await expect
    .poll(addresses)
    .toEqual([
      'http://localhost/feeds/searches/secret-1.atom',
      'http://localhost/feeds/searches/secret-1.csv',
      'http://localhost/feeds/searches/secret-1.ics',
    ]);
  expect(page.text()).toContain('Copy the address now: it is not shown again.');
  await page.press('Copy the address: Calendar');
  expect(copied).toEqual(['http://localhost/feeds/searches/secret-1.ics']);
});

test('an address that was made before is not shown, only when it was made and last read', async () => {
  feed = { createdAt: MADE_AT, readAt: '2026-11-11T07:30:00.000Z' };
  await openSearchFeed();
  await expect.poll(() => page.text()).toMatch(/The address was made on 10 Nov 2026.*Last read: 11 Nov 2026/);
  expect(addresses()).toEqual([]);
  expect(page.text()).toContain('A new address ends the old one at once.');
});

test('a new address replaces the old one', async () => {
  await openSearchFeed();
  await page.press('Make the address');
  await expect.poll(() => page.hasButton('Make a new address')).toBe(true);
  await page.press('Make a new address');
  await expect.poll(() => addresses()[0]).toBe('http://localhost/feeds/searches/secret-2.atom');
  expect(page.text()).not.toContain('secret-1');
});

test('an ended address is gone from the screen', async () => {
  await openSearchFeed();
  await page.press('Make the address');
  await expect.poll(() => page.hasButton('End the address')).toBe(true);
  await page.press('End the address');
  await expect.poll(() => page.hasButton('Make the address')).toBe(true);
  expect(calls).toContain(`DELETE /api/search-feeds/${SEARCH.id}`);
  expect([addresses(), page.hasButton('End the address')]).toEqual([[], false]);
});

test('an address that could not be made is not shown, and the error is said', async () => {
  await openSearchFeed();
  isRefused = true;
  await page.press('Make the address');
  await expect.poll(() => page.texts('[role="alert"]').join()).toContain('Search not found');
  expect(addresses()).toEqual([]);
});
