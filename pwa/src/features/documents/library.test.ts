// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import type { PurchasedPackage } from '@nivida/contract/orders/documents';
import { act } from 'preact/test-utils';
import { createElement as h, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { hashContent } from '../../data/hash.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { Library } from './Library.tsx';
import { useIsPackageOwned } from './library.ts';

const NOW = new Date('2026-11-10T12:00:00+05:30');
const ZIP = new TextEncoder().encode('a zip file');

const owned = (fields: Partial<PurchasedPackage>): PurchasedPackage => ({
  nit: 'A',
  tenderId: '7',
  title: 'A road',
  files: ['NIT.pdf'],
  bytes: 1_800_000,
  sha256: 'ab',
  version: 2,
  hasNewer: false,
  acquiredAt: '2026-11-01T20:00:00.000Z',
  by: 'purchase',
  orderId: null,
  ...fields,
});

/** Each test has a user of its own: answers are cached for the whole app. */
let owner = '500';
let calls: string[];
let list: () => Response | Promise<Response>;
let file: () => Response | Promise<Response>;
const ends: (() => Promise<void>)[] = [];

beforeEach(() => {
  owner = String(Number(owner) + 1);
  signInForTest(owner);
  calls = [];
  file = () => new Response(ZIP);
  vi.stubGlobal('fetch', async ({ method, url }: Request) => {
    const { pathname } = new URL(url);
    calls.push(`${method} ${pathname}`);
    if (pathname === '/api/documents') return list();
    if (pathname.startsWith('/d/')) return file();
    return Response.json({ url: 'https://nivida.example/d/token', expiresAt: '2026-11-18T00:00:00Z' }, { status: 201 });
  });
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  clearSession();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

async function show(element: ReactNode) {
  const page = document.createElement('div');
  document.body.append(page);
  const root = createRoot(page);
  const render = (content: ReactNode) =>
    act(async () => root.render(h(RouterProvider, { router: createMemoryRouter([{ path: '/', element: content }]) })));
  await render(element);
  ends.push(async () => {
    await act(async () => root.unmount());
    page.remove();
  });
  const textOf = ({ textContent }: Element) => textContent?.replace(/\s+/g, ' ').trim();
  const button = (text: string, row: ParentNode = page) =>
    [...row.querySelectorAll('button')].find((each) => textOf(each) === text);
  const texts = (selector: string, row: ParentNode = page) => [...row.querySelectorAll(selector)].map(textOf);
  return { page, button, texts, press: (text: string) => act(async () => button(text)?.click()) };
}

async function openLibrary(packages: PurchasedPackage[]) {
  list = () => Response.json({ packages });
  const shown = await show(h(Library, { userId: owner, now: NOW }));
  const isRead = () => shown.page.querySelector('[aria-busy="true"]') === null;
  await expect.poll(isRead).toBe(true);
  return { ...shown, row: (nth: number) => shown.page.querySelectorAll('ul > li')[nth] as Element };
}

/** Puts a package on this phone. */
const store = (nit: string, version: number) =>
  withDatabase((db) => db.packageFiles.put({ owner, nit, version, file: ZIP.buffer, savedAt: 1 }));

test('each package has its tender, its files and their size, the Indian day and the way of its acquisition', async () => {
  const { row, texts } = await openLibrary([
    owned({}),
    owned({ nit: 'B', tenderId: '8', title: 'Weir', files: ['1', '2'], bytes: 20_000, by: 'plan', hasNewer: true }),
  ]);
  expect(calls).toEqual(['GET /api/documents']);
  expect(texts('h3')).toEqual(['A road', 'Weir']);
  expect([...row(0).querySelectorAll('a')].map((each) => each.getAttribute('href'))).toEqual(['/tenders/7']);
  expect(texts('p > span', row(0))).toEqual(['1 file, 1.8 MB', 'Bought 2 Nov 2026']);
  expect(texts('p > span', row(1))).toEqual(['2 files, 20 KB', 'With your plan 2 Nov 2026']);
  expect(row(0).textContent).not.toContain('corrigendum');
  expect(row(1).textContent).toContain('A corrigendum has changed the documents since you last downloaded them.');
  expect(texts('button', row(0))).toEqual(['Download A road', 'Save on this phone · 1.8 MB']);
});

test('a package on the phone opens without signal; an older version is updated, the present one is not saved again', async () => {
  await store('A', 2);
  await store('B', 1);
  const { row, texts } = await openLibrary([owned({}), owned({ nit: 'B', title: 'Weir' })]);
  await expect.poll(() => texts('button', row(1))).toHaveLength(4);
  expect(texts('button', row(0))).toEqual(['Open A road', 'Remove from this phone: A road', 'Download A road']);
  expect(texts('button', row(1))).toEqual([
    'Open Weir',
    'Remove from this phone: Weir',
    'Download Weir',
    'Update on this phone · 1.8 MB',
  ]);
  expect(texts('p > span', row(0))).toContain('On this phone');
  expect(row(0).textContent).not.toContain('corrigendum');
  expect(row(1).textContent).toContain('A corrigendum has changed the documents since you saved them.');
});

test('a package is saved with its progress, and the list is read again', async () => {
  const { page, button, press, row, texts } = await openLibrary([
    owned({ bytes: ZIP.length, sha256: await hashContent(ZIP) }),
  ]);
  let send: () => void = () => undefined;
  file = () =>
    new Promise((resolve) => {
      send = () => resolve(new Response(ZIP));
    });
  await press('Save on this phone · 1 KB');
  await expect.poll(() => page.querySelector('[role="status"]')?.textContent).toContain('Downloading: 1 KB of 1 KB');
  expect(button('Save on this phone · 1 KB')?.disabled).toBe(true);
  await expect.poll(() => calls).toContain('POST /d/token');
  send();
  await expect.poll(() => texts('p > span', row(0))).toContain('On this phone');
  await expect.poll(() => page.querySelector('[role="status"]')).toBeNull();
  expect(button('Save on this phone · 1 KB')).toBeUndefined();
  expect(calls).toEqual(['GET /api/documents', 'POST /api/tenders/7/documents', 'POST /d/token', 'GET /api/documents']);
});

test('a package whose file is another one is not saved, and says so', async () => {
  const { page, press, button } = await openLibrary([owned({})]);
  await press('Save on this phone · 1.8 MB');
  await expect
    .poll(() => page.querySelector('[role="alert"]')?.textContent)
    .toBe('Failed to save the documents on this phone');
  expect(button('Open A road')).toBeUndefined();
  expect(button('Save on this phone · 1.8 MB')?.disabled).toBe(false);
});

test('a package of the phone is saved as a file, removed, and says when it is gone', async () => {
  await store('A', 2);
  const saved: string[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => `blob:${(blob as Blob).type}`);
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(`${this.download} ${this.getAttribute('href')}`);
  });
  const { page, button, press } = await openLibrary([owned({})]);
  await expect.poll(() => button('Open A road')).toBeDefined();
  await press('Open A road');
  await expect.poll(() => saved).toEqual(['nivida-A-road.zip blob:application/zip']);
  expect(page.textContent).not.toContain('It is not on this phone any more.');
  // another tab has removed it
  await withDatabase((db) => db.packageFiles.clear());
  await press('Open A road');
  await expect.poll(() => page.textContent).toContain('It is not on this phone any more.');
  await store('A', 2);
  await press('Open A road');
  await expect.poll(() => page.textContent).not.toContain('It is not on this phone any more.');
  await press('Remove from this phone: A road');
  await expect.poll(() => button('Open A road')).toBeUndefined();
  expect(await withDatabase((db) => db.packageFiles.count())).toBe(0);
});

test('the download page of a package opens by its button, and a refusal is shown', async () => {
  const opened: string[] = [];
  vi.spyOn(location, 'assign').mockImplementation((address) => void opened.push(String(address)));
  const { page, press } = await openLibrary([owned({ tenderId: '9' })]);
  await press('Download A road');
  await expect.poll(() => opened).toEqual(['/d/token']);
  expect(calls).toContain('POST /api/tenders/9/documents');
  vi.stubGlobal('fetch', async () => Response.json({ message: 'Documents are not available yet' }, { status: 409 }));
  await press('Download A road');
  await expect.poll(() => page.querySelector('[role="alert"]')?.textContent).toBe('Documents are not available yet');
});

test('without signal the list of the last visit is shown with its age, and nothing is downloaded', async () => {
  await withDatabase((db) =>
    db.ownedLists.put({ owner, kind: 'packages', list: [owned({})], savedAt: NOW.getTime() - 2 * 3_600_000 }),
  );
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  list = () => {
    throw new TypeError('Failed to fetch');
  };
  const { page, button } = await show(h(Library, { userId: owner, now: NOW }));
  await expect
    .poll(() => page.querySelector('[role="alert"]')?.textContent?.trim())
    .toContain('You are offline. Documents saved on this phone still open. As of 2 h ago.');
  expect(button('Download A road')?.disabled).toBe(true);
  expect(button('Save on this phone · 1.8 MB')?.disabled).toBe(true);
});

test('a list that the server does not give says why, and is asked for again', async () => {
  list = () => Response.json({ message: 'Please wait a moment' }, { status: 429 });
  const { page, press } = await show(h(Library, { userId: owner, now: NOW }));
  expect(page.textContent).toContain('Loading your documents');
  await expect.poll(() => page.querySelector('[role="alert"]')?.textContent).toContain('Please wait a moment');
  expect(page.textContent).not.toContain('No documents yet.');
  list = () => Response.json({ packages: [] });
  await press('Try Again');
  await expect.poll(() => page.textContent).toContain("No documents yet. Buy them on a tender's page");
  expect(page.querySelector('[role="alert"]')).toBeNull();
  expect(page.querySelector('a')?.getAttribute('href')).toBe('/tenders');
});

test('a package that is bought now is known as owned when the purchase ends', async () => {
  let packages: PurchasedPackage[] = [owned({ tenderId: '8' })];
  list = () => Response.json({ packages });
  const page = document.createElement('div');
  const root = createRoot(page);
  function Owned({ isBuying, user }: { isBuying: boolean; user: string | null }) {
    return `${useIsPackageOwned(user, '7', isBuying)} ${useIsPackageOwned(user, '8', isBuying)}`;
  }
  const render = (props: { isBuying: boolean; user: string | null }) =>
    act(async () =>
      root.render(
        h(RouterProvider, { router: createMemoryRouter([{ path: '/', element: h(Owned, props) }]), key: 'page' }),
      ),
    );
  await render({ isBuying: false, user: null });
  expect([page.textContent, calls]).toEqual(['false false', []]);
  await render({ isBuying: true, user: owner });
  await expect.poll(() => page.textContent).toBe('false true');
  expect(calls).toEqual(['GET /api/documents']);
  packages = [owned({ tenderId: '7' })];
  await act(async () => root.unmount());
  await expect.poll(() => calls).toHaveLength(2);
  const again = createRoot(page);
  const router = createMemoryRouter([{ path: '/', element: h(Owned, { isBuying: false, user: owner }) }]);
  await act(async () => again.render(h(RouterProvider, { router })));
  await expect.poll(() => page.textContent).toBe('true false');
  await act(async () => again.unmount());
});
