// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import type { PurchasedPackage } from '@nivida/contract/orders/documents';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { hashContent } from '../../data/hash.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
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
  await closeTestPages();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  clearSession();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

/** Opens the library; `facts` and `buttons` are those of its nth package. */
async function open() {
  const library = await openTestPage(<Library userId={owner} now={NOW} />);
  const row = (nth: number) => `ul > li:nth-child(${nth + 1})`;
  return {
    ...library,
    row: (nth: number) => library.texts(row(nth))[0],
    facts: (nth: number) => library.texts(`${row(nth)} p > span`),
    buttons: (nth: number) => library.texts(`${row(nth)} button`),
    alert: () => library.texts('[role="alert"]')[0],
    status: () => library.texts('[role="status"]')[0],
  };
}

async function openLibrary(packages: PurchasedPackage[]) {
  list = () => Response.json({ packages });
  const library = await open();
  await expect.poll(() => library.page.querySelector('[aria-busy="true"]')).toBeNull();
  return library;
}

/** Puts a package on this phone. */
const store = (nit: string, version: number) =>
  withDatabase((db) => db.packageFiles.put({ owner, nit, version, file: ZIP.buffer, savedAt: 1 }));

test('each package has its tender, its files and their size, the Indian day and the way of its acquisition', async () => {
  const { page, row, texts, facts, buttons } = await openLibrary([
    owned({}),
    owned({ nit: 'B', tenderId: '8', title: 'Weir', files: ['1', '2'], bytes: 20_000, by: 'plan', hasNewer: true }),
  ]);
  expect(calls).toEqual(['GET /api/documents']);
  expect(texts('h3')).toEqual(['A road', 'Weir']);
  const links = [...page.querySelectorAll('a')].map((each) => each.getAttribute('href'));
  expect(links).toEqual(['/tenders/7', '/tenders/8']);
  expect(facts(0)).toEqual(['1 file, 1.8 MB', 'Bought 2 Nov 2026']);
  expect(facts(1)).toEqual(['2 files, 20 KB', 'With your plan 2 Nov 2026']);
  expect(row(0)).not.toContain('corrigendum');
  expect(row(1)).toContain('A corrigendum has changed the documents since you last downloaded them.');
  expect(buttons(0)).toEqual(['Download A road', 'Save on this phone · 1.8 MB']);
});

test('a package on the phone opens without a connection; an older version is updated, the present one is not saved again', async () => {
  await store('A', 2);
  await store('B', 1);
  const { row, facts, buttons } = await openLibrary([owned({}), owned({ nit: 'B', title: 'Weir' })]);
  await expect.poll(() => buttons(1)).toHaveLength(4);
  expect(buttons(0)).toEqual(['Open A road', 'Remove from this phone: A road', 'Download A road']);
  expect(buttons(1)).toEqual([
    'Open Weir',
    'Remove from this phone: Weir',
    'Download Weir',
    'Update on this phone · 1.8 MB',
  ]);
  expect(facts(0)).toContain('On this phone');
  expect(row(0)).not.toContain('corrigendum');
  expect(row(1)).toContain('A corrigendum has changed the documents since you saved them.');
});

test('a package is saved with its progress, and the list is read again', async () => {
  const { status, button, hasButton, press, facts } = await openLibrary([
    owned({ bytes: ZIP.length, sha256: await hashContent(ZIP) }),
  ]);
  const { promise, resolve } = Promise.withResolvers<Response>();
  file = () => promise;
  await press('Save on this phone · 1 KB');
  await expect.poll(status).toContain('Downloading: 1 KB of 1 KB');
  expect(button('Save on this phone · 1 KB').disabled).toBe(true);
  await expect.poll(() => calls).toContain('POST /d/token');
  resolve(new Response(ZIP));
  await expect.poll(() => facts(0)).toContain('On this phone');
  await expect.poll(status).toBeUndefined();
  expect(hasButton('Save on this phone · 1 KB')).toBe(false);
  await expect
    .poll(() => calls)
    .toEqual(['GET /api/documents', 'POST /api/tenders/7/documents', 'POST /d/token', 'GET /api/documents']);
});

test('a package whose file is another one is not saved, and says so', async () => {
  const { alert, press, button, hasButton } = await openLibrary([owned({})]);
  await press('Save on this phone · 1.8 MB');
  await expect.poll(alert).toBe('Failed to save the documents on this phone');
  expect(hasButton('Open A road')).toBe(false);
  expect(button('Save on this phone · 1.8 MB').disabled).toBe(false);
});

test('a package of the phone is saved as a file, removed, and says when it is gone', async () => {
  await store('A', 2);
  const saved: string[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => `blob:${(blob as Blob).type}`);
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(`${this.download} ${this.getAttribute('href')}`);
  });
  const { text, names, press } = await openLibrary([owned({})]);
  await expect.poll(() => names()).toContain('Open A road');
  await press('Open A road');
  await expect.poll(() => saved).toEqual(['nivida-A-road.zip blob:application/zip']);
  expect(text()).not.toContain('It is not on this phone any more.');
  // another tab has removed it
  await withDatabase((db) => db.packageFiles.clear());
  await press('Open A road');
  await expect.poll(text).toContain('It is not on this phone any more.');
  await store('A', 2);
  await press('Open A road');
  await expect.poll(text).not.toContain('It is not on this phone any more.');
  await press('Remove from this phone: A road');
  await expect.poll(() => names()).not.toContain('Open A road');
  expect(await withDatabase((db) => db.packageFiles.count())).toBe(0);
});

test('the download page of a package opens by its button, and a refusal is shown', async () => {
  const opened: string[] = [];
  vi.spyOn(location, 'assign').mockImplementation((address) => void opened.push(String(address)));
  const { alert, press } = await openLibrary([owned({ tenderId: '9' })]);
  await press('Download A road');
  await expect.poll(() => opened).toEqual(['/d/token']);
  expect(calls).toContain('POST /api/tenders/9/documents');
  vi.stubGlobal('fetch', async () => Response.json({ message: 'Documents are not available yet' }, { status: 409 }));
  await press('Download A road');
  await expect.poll(alert).toBe('Documents are not available yet');
});

test('without a connection the list of the last visit is shown with its age, and nothing is downloaded', async () => {
  await withDatabase((db) =>
    db.accountLists.put({ owner, kind: 'packages', list: [owned({})], savedAt: NOW.getTime() - 2 * 3_600_000 }),
  );
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  list = () => {
    throw new TypeError('Failed to fetch');
  };
  const { alert, button } = await open();
  await expect.poll(alert).toContain('You are offline. Documents saved on this phone still open. As of 2 h ago.');
  expect(button('Download A road').disabled).toBe(true);
  expect(button('Save on this phone · 1.8 MB').disabled).toBe(true);
});

test('a list that the server does not give says why, and is asked for again', async () => {
  list = () => Response.json({ message: 'Please wait a moment' }, { status: 429 });
  const { page, text, alert, press } = await open();
  expect(text()).toContain('Loading your documents');
  await expect.poll(alert).toContain('Please wait a moment');
  expect(text()).not.toContain('No documents yet.');
  list = () => Response.json({ packages: [] });
  await press('Try Again');
  await expect.poll(text).toContain("No documents yet. Buy them on a tender's page");
  expect(alert()).toBeUndefined();
  expect(page.querySelector('a')?.getAttribute('href')).toBe('/tenders');
});

test('a package that is bought now is known as owned when the purchase ends', async () => {
  let packages: PurchasedPackage[] = [owned({ tenderId: '8' })];
  list = () => Response.json({ packages });
  function Owned({ isBuying, user }: { isBuying: boolean; user: string | null }) {
    return `${useIsPackageOwned(user, '7', isBuying)} ${useIsPackageOwned(user, '8', isBuying)}`;
  }
  const { text, show, close } = await openTestPage(<Owned isBuying={false} user={null} />);
  expect([text(), calls]).toEqual(['false false', []]);
  await show(<Owned isBuying={true} user={owner} />);
  await expect.poll(text).toBe('false true');
  expect(calls).toEqual(['GET /api/documents']);
  packages = [owned({ tenderId: '7' })];
  await close();
  await expect.poll(() => calls).toHaveLength(2);
  const again = await openTestPage(<Owned isBuying={false} user={owner} />);
  await expect.poll(again.text).toBe('true false');
});
