import type { APIRequestContext, Page } from '@playwright/test';
import { ageStoredPages, deleteListCode, storedPages, unstoredFiles } from '../site/stored-pages.ts';
import { waitForWholeApp, waitForWorker } from '../support/phone.ts';
import { cards, openTenders, resultCount } from '../support/tenders.ts';
import { test as base, expect } from '../support/test.ts';
import { type HeldAnswer, WeakProxy } from './weak-proxy.ts';

/** Maximum number of bytes that are sent again after a broken connection. */
export const MAX_BYTES_AGAIN = 8_192;

/** The list to which the user returns, and after which time. */
export const RETURN_LIST = '/tenders/results?state=Himachal+Pradesh';
export const AWAY_MS = 2 * 3_600_000;

/** A journey whose network can be broken. */
export const weakNetworkTest = base.extend<{ network: WeakProxy }>({
  // Chromium logs a broken connection.
  expectedErrors: /^Failed to load resource: net::ERR_/,
  network: async ({ baseURL }, use) => {
    const proxy = await WeakProxy.start(baseURL ?? '');
    await use(proxy);
    await proxy.close();
  },
});

/** A file of a state in the device's database. */
interface Segment {
  list: { hash: string };
  detail: { hash: string };
}

/** A state in the device's database. */
interface ScopeRow {
  current: { segments: Segment[] } | null;
  next: object | null;
  files: Record<string, number>;
}

/** True for a file of a state. */
export const isSegment = (path: string) => path.startsWith('/api/sync/segments/');

/** Number of uncompressed bytes of unfinished files in the page's database. */
export const storedBytes = () =>
  new Promise<number>((resolve) => {
    const request = indexedDB.open('nivida');
    request.onsuccess = () => {
      const db = request.result;
      const all = db.transaction('downloads').objectStore('downloads').getAll();
      all.onsuccess = () => {
        db.close();
        resolve(all.result.reduce((sum, { bytes }) => sum + bytes.byteLength, 0));
      };
    };
  });

/**
 * A word in titles of a state's tenders, with the number of tenders that the server finds by it in the state.
 */
export async function wordInState(
  request: APIRequestContext,
  state: string,
  index: number,
): Promise<{ word: string; total: number }> {
  const words = (await openTenders(request, state)).flatMap(({ title }) => /\p{L}{6,}/u.exec(title) ?? []);
  const word = [...new Set(words)][index] ?? '';
  const answer = await request.get('/api/tenders', { params: { state, q: word, limit: 10 } });
  return { word, total: (await answer.json()).total };
}

/** Runs in a page before its code. The page is read for ten seconds: longer timers never fire. */
export function readForTenSeconds(): void {
  const start = globalThis.setTimeout;
  const setTimeout = (run: () => void, ms = 0, ...values: []) => (ms > 10_000 ? 0 : start(run, ms, ...values));
  Object.assign(globalThis, { setTimeout });
}

/** Runs in a page. True when a whole state and all files of the app are on the device. */
export async function isPrepared(scope: string): Promise<boolean> {
  if (!(await caches.match('/app-is-complete'))) return false;
  // Opening a missing database would create an empty one.
  if (!(await indexedDB.databases()).some(({ name }) => name === 'nivida')) return false;
  const row = await new Promise<ScopeRow | undefined>((resolve) => {
    const request = indexedDB.open('nivida');
    request.onsuccess = () => {
      const db = request.result;
      const read = db.transaction('scopes').objectStore('scopes').get(scope);
      read.onsuccess = () => {
        db.close();
        resolve(read.result);
      };
    };
  });
  const isThere = ({ list, detail }: Segment) => row !== undefined && `index ${list.hash} ${detail.hash}` in row.files;
  return row?.next === null && row.current !== null && row.current.segments.every(isThere);
}

/**
 * Slows down each file of the state to a trickle and breaks it once in the middle. Returns how many bytes
 * were sent in addition to the files' own.
 */
export async function breakSegments(proxy: WeakProxy, whenStored: () => Promise<void>): Promise<number> {
  let files = 0;
  for (let each = 0; each < 2; each++) {
    const file = await proxy.nextHeld();
    files += file.bytes;
    file.sendUpTo(Math.floor(file.bytes / 2));
    await file.trickle(200);
    await whenStored();
    file.cut();
    const rest = await proxy.nextHeld();
    expect(rest.bytes, 'bytes of the rest').toBeLessThan(file.bytes);
    rest.release();
  }
  const sent = [...proxy.sentBytes].filter(([path]) => isSegment(path)).reduce((sum, [, bytes]) => sum + bytes, 0);
  return sent - files;
}

/** The first visit: afterwards the list's page and code are on the phone. Then two hours pass. */
export async function visitBefore(page: Page, network: WeakProxy): Promise<void> {
  network.keepsOut = (path) => path.startsWith('/assets/');
  await page.goto(network.origin + RETURN_LIST);
  await waitForWorker(page);
  await expect.poll(() => page.evaluate(storedPages)).toEqual(['/tenders/results']);
  await expect.poll(() => page.evaluate(unstoredFiles)).toEqual([]);
  expect(await page.evaluate(ageStoredPages, AWAY_MS)).toBe(1);
}

export const comeBack = (page: Page, network: WeakProxy) =>
  page.goto(network.origin + RETURN_LIST, { waitUntil: 'commit' });

/**
 * Removes the list's code from the phone, and holds it back in the network. Returns a function that counts
 * the page's loads from now on.
 */
export async function holdListCode(page: Page, network: WeakProxy): Promise<() => number> {
  // Otherwise the worker would store it again.
  await waitForWholeApp(page);
  const code = await page.evaluate(deleteListCode);
  network.holds = (path) => path === code;
  let loads = 0;
  page.on('domcontentloaded', () => loads++);
  return () => loads;
}

/** The list is shown once, to its end, with closing hours. */
export async function expectWholeList(page: Page): Promise<void> {
  await expect(cards(page).first().locator('time')).toHaveText(/\d{1,2}:\d{2} (AM|PM)|time not stated/);
  await expect(cards(page)).toHaveCount(10);
  await expect(resultCount(page)).toHaveCount(1);
  await expect(page.getByRole('banner')).toHaveCount(1);
  await expect(page.getByRole('contentinfo')).toHaveCount(1);
}

/** Half of the answer arrives, then a trickle, then the connection breaks. The list is shown all the time. */
export async function breakInTheMiddle(page: Page, answer: HeldAnswer): Promise<void> {
  answer.sendUpTo(Math.floor(answer.bytes / 2));
  await answer.trickle(60);
  await expectWholeList(page);
  answer.cut();
}
