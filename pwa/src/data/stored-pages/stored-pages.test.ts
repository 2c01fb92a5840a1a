import type { Language } from '@nivida/contract/languages';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StoredPages } from './stored-pages.ts';

const NOW = Date.parse('2026-11-10T11:00:00Z');
const BUILD = 'b1';
const KEY = 'https://nivida.example/hi/tenders/7';

const hindiPage = (at: number) =>
  `<!doctype html><html lang="hi-IN"><head><script type="application/json" id="answer">{"call":"tender","at":"${new Date(at).toISOString()}"}</script></head><body><div id="root">टेंडर</div></body></html>`;

/** The browser's cache, which the tests' does not have. */
function testCaches() {
  const pages = new Map<string, string>();
  const cache = {
    match: async (key: string) => (pages.has(key) ? new Response(pages.get(key)) : undefined),
    put: async (key: string, response: Response) => void pages.set(key, await response.text()),
    delete: async (key: string) => pages.delete(key),
    keys: async () => [...pages.keys()],
  };
  vi.stubGlobal('caches', { open: async () => cache });
  return pages;
}

let pages: Map<string, string>;
let asked: Language[];

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  pages = testCaches();
  asked = [];
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The pages of a device on a network that gives no answer. */
const onDeadNetwork = () =>
  new StoredPages(BUILD, (language) => {
    asked.push(language);
    return new Promise(() => undefined);
  });

test('a page that is shown as it is stored does not wait for the texts of its language', async () => {
  pages.set(KEY, hindiPage(NOW - 1_000));
  const found = await onDeadNetwork().find(KEY);
  expect(await found?.response.text()).toContain('टेंडर');
  expect(asked).toEqual([]);
});

test('an old page waits three seconds for the texts by which it is corrected', async () => {
  pages.set(KEY, hindiPage(NOW - 3_600_000));
  let isShown = false;
  const found = onDeadNetwork()
    .find(KEY)
    .finally(() => {
      isShown = true;
    });
  await vi.advanceTimersByTimeAsync(2_900);
  expect([isShown, asked]).toEqual([false, ['hi']]);
  await vi.advanceTimersByTimeAsync(200);
  expect(await (await found)?.response.text()).toContain('data-saved=');
});

test('at most thirty pages are stored, also when the texts of a language cannot be loaded', async () => {
  for (let at = 0; at < 30; at++) pages.set(`${KEY}${at}`, hindiPage(NOW));
  vi.stubGlobal('fetch', async () => new Response(hindiPage(NOW), { headers: { 'X-Build': BUILD } }));
  let stored: Promise<void> | undefined;
  await onDeadNetwork().fetch(KEY, new Request(KEY), (work) => {
    stored = work;
  });
  await vi.advanceTimersByTimeAsync(1_000);
  expect([pages.size, pages.has(KEY), stored !== undefined]).toEqual([30, true, true]);
});
