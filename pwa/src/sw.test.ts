// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { indianDay, startOfIndianDay } from '@nivida/contract/format';
import { DEFAULT_ALERT_PREFERENCES } from '@nivida/contract/push/push';
import { testTender } from '@nivida/contract/tenders/test-tender';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from './data/device/database.ts';
import type { OutboxRequestRow } from './data/device/schema.ts';

class FakeEvent extends Event {
  readonly works: Promise<unknown>[] = [];
  waitUntil(work: Promise<unknown>): void {
    this.works.push(work);
  }
}

/** A tab of the app; a worker does not control those that were opened before it. */
interface FakeTab {
  visibilityState: 'visible' | 'hidden';
  postMessage(message: unknown): void;
}

let scope: EventTarget & { registration: object };
let tabs: FakeTab[];
let messages: unknown[];
/** Calls of the browser's functions. */
let asked: string[];
let sentPaths: string[];
/** What was fetched by a request instead of an address. */
let requests: Request[];
/** The paths that were not to come from the browser's cache. */
let reloaded: string[];
/** The device's caches fail. */
let isCacheBroken: boolean;
/** The answers of the server to files, by path. */
let answers: Map<string, Response>;
/** How many connections to a path still break in the middle of the body. */
let breaks: Map<string, number>;
/** How many connections to a path still end early without an error, as in Firefox over HTTP/1.1. */
let ends: Map<string, number>;
/** The device's caches: their responses by address. */
let stored: Map<string, Map<string, Response>>;

const addressOf = (key: Request | URL | string) =>
  new URL(key instanceof Request ? key.url : key, location.origin).href;

const fakeCaches = {
  keys: async () => [...stored.keys()],
  delete: async (name: string) => stored.delete(name),
  match: async (key: Request | URL | string) =>
    [...stored.values()]
      .map((cache) => cache.get(addressOf(key)))
      .find((response) => response)
      ?.clone(),
  async open(name: string) {
    if (isCacheBroken) throw new DOMException('The disk is full', 'UnknownError');
    const cache = stored.get(name) ?? new Map<string, Response>();
    stored.set(name, cache);
    return {
      keys: async () => [...cache.keys()].map((url) => new Request(url)),
      match: async (key: Request | URL | string) => cache.get(addressOf(key))?.clone(),
      // Later, as in a browser: work that the worker does not wait for is not done.
      put: async (key: Request | URL | string, response: Response) => {
        await new Promise((resolve) => setTimeout(resolve));
        cache.set(addressOf(key), response);
      },
      delete: async (key: Request | URL | string) => cache.delete(addressOf(key)),
    };
  },
};

/** The tabs are all of before the worker. */
const matchAll = async (options: { includeUncontrolled?: boolean } = {}) => (options.includeUncontrolled ? tabs : []);

const createTab = (visibilityState: FakeTab['visibilityState']): FakeTab => ({
  visibilityState,
  postMessage: (message) => messages.push(message),
});

/** The response with the beginning of its body; then the connection breaks. */
function breaksInTheMiddle({ headers }: Response): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('<html lang="en-IN"><h1>With')),
    pull: (controller) => controller.error(new TypeError('The connection broke')),
  });
  return new Response(body, { headers });
}

/** Sends an event to the worker and waits for its work. */
async function dispatch(type: string, fields: object = {}): Promise<void> {
  const event = Object.assign(new FakeEvent(type), fields);
  scope.dispatchEvent(event);
  await Promise.all(event.works);
}

const ROW: OutboxRequestRow = {
  id: '7e0b4f0e-5a52-4c0e-9a0a-0f3d1c9b7a01',
  owner: '',
  kind: 'contact',
  path: '/api/contact',
  body: { subject: 'Tenders of Kinnaur' },
  needs: 'nothing',
  authorization: null,
  at: 5,
  refusal: null,
  sentAt: null,
};

beforeEach(() => startWorker());

/** Starts the worker on an empty device; `assetOrigin` is that of a CDN, `bytes` the size of About-1.js. */
async function startWorker(assetOrigin?: string, bytes?: number): Promise<void> {
  vi.resetModules();
  [tabs, messages, sentPaths, asked] = [[], [], [], []];
  [answers, stored, requests, breaks, ends] = [new Map(), new Map(), [], new Map(), new Map()];
  [reloaded, isCacheBroken] = [[], false];
  scope = Object.assign(new EventTarget(), {
    __WB_MANIFEST: [
      { url: 'index.html', revision: '1' },
      { url: 'assets/Home-1.js', revision: null },
      { url: 'assets/Results-1.js', revision: null, when: 'updated' },
      { url: 'assets/About-1.js', revision: null, when: 'used', ...(bytes !== undefined && { bytes }) },
      { url: 'assets/hi-1-a.js', revision: null, when: 'language' },
      { url: 'assets/hi-1-b.json', revision: null, when: 'language' },
      { url: 'hi/manifest.webmanifest', revision: '1', when: 'language' },
    ],
    ...(assetOrigin !== undefined && { ASSET_ORIGIN: assetOrigin }),
    location,
    registration: { active: null, installing: null, waiting: null },
    clients: { matchAll, claim: async () => void asked.push('claim') },
    skipWaiting: async () => void asked.push('skipWaiting'),
  });
  vi.stubGlobal('self', scope);
  vi.stubGlobal('caches', fakeCaches);
  vi.stubGlobal('ExtendableEvent', FakeEvent);
  vi.stubGlobal('fetch', async (input: Request | string, init?: RequestInit) => {
    if (input instanceof Request) requests.push(input);
    const path = input instanceof Request ? input.url : input;
    sentPaths.push(path);
    if (init?.cache === 'reload') reloaded.push(path);
    if (path.startsWith('/api/')) return Response.json({ success: true });
    const answer = answers.get(path) ?? new Response(`from ${path}`);
    if (answer.redirected && init?.redirect === 'error') throw new TypeError('A redirect');
    const left = breaks.get(path) ?? 0;
    breaks.set(path, left - 1);
    if (left > 0) return breaksInTheMiddle(answer);
    const early = ends.get(path) ?? 0;
    ends.set(path, early - 1);
    if (early > 0) return new Response((await answer.clone().text()).slice(0, -1), answer);
    return Object.defineProperty(answer.clone(), 'redirected', { value: answer.redirected });
  });
  await import('./sw.ts');
}
afterEach(async () => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

describe('a sync event of the browser', () => {
  beforeEach(() => withDatabase((db) => db.outbox.put(ROW)));

  test.each<[string, FakeTab['visibilityState'][], string[]]>([
    ['sends the outbox while no tab is open', [], ['/api/contact']],
    ['sends the outbox while all tabs are in the background', ['hidden', 'hidden'], ['/api/contact']],
    ['leaves the outbox to a visible tab', ['hidden', 'visible'], []],
  ])('%s, and reaches every tab', async (_what, states, paths) => {
    tabs = states.map(createTab);
    await dispatch('sync', { tag: 'outbox' });
    expect(sentPaths).toEqual(paths);
    expect(messages).toEqual(states.map(() => ({ type: 'sync' })));
  });
});

describe('the worker', () => {
  test('serves the pages that are open already, and a new build only after the user’s tap', async () => {
    await dispatch('install');
    expect(asked).toEqual([]);
    await dispatch('activate');
    expect(asked).toEqual(['claim']);
    await dispatch('message', { data: { type: 'STORE_APP' } });
    await dispatch('message', {});
    expect(asked).toEqual(['claim']);
    await dispatch('message', { data: { type: 'SKIP_WAITING' } });
    expect(asked).toEqual(['claim', 'skipWaiting']);
  });

  test('sends the outbox for its own tag only', async () => {
    await withDatabase((db) => db.outbox.put(ROW));
    tabs = [createTab('hidden')];
    await dispatch('sync', { tag: 'another' });
    expect([sentPaths, messages]).toEqual([[], []]);
  });

  test('asks every open page twice a day to sync', async () => {
    tabs = [createTab('hidden'), createTab('visible')];
    await dispatch('periodicsync', { tag: 'sync' });
    expect([messages, sentPaths]).toEqual([[{ type: 'sync' }, { type: 'sync' }], []]);
  });
});

describe('alerts', () => {
  const row = { key: 'device' as const, owner: '', id: 'd1', secret: 's1', rcpt: 'r1', watched: [] };
  let shown: [string, NotificationOptions][];
  let badges: number[];

  beforeEach(async () => {
    [shown, badges] = [[], []];
    Object.assign(scope.registration, {
      showNotification: async (title: string, options: NotificationOptions) => void shown.push([title, options]),
    });
    Object.assign(scope, {
      clients: { matchAll, openWindow: async (path: string) => void asked.push(`open ${path}`) },
    });
    Object.assign(navigator, { setAppBadge: async (count: number) => void badges.push(count) });
    vi.stubGlobal('Notification', { maxActions: 2 });
    await withDatabase((db) => db.pushDevice.put({ ...row, preferences: DEFAULT_ALERT_PREFERENCES }));
  });
  afterEach(() => {
    Reflect.deleteProperty(navigator, 'setAppBadge');
  });

  const push = (rcpt: string) =>
    JSON.stringify({
      notification: {
        ...{ title: 'Closing tomorrow', body: 'A bridge', lang: 'en-IN', tag: 'closing-7', actions: [] },
        navigate: 'http://localhost/tenders/7?n=abcdefghijklmnop',
        data: { nid: 'abcdefghijklmnop', rcpt, kind: 'closing', tenderIds: ['7'], patches: [] },
      },
    });

  test('are shown, and the icon counts the bookmarked tenders that close today', async () => {
    const endOfToday = new Date(startOfIndianDay(indianDay(new Date()) + 1).getTime() - 1).toISOString();
    const summary = (closing_date: string) => testTender({ closing_date });
    await withDatabase((db) =>
      db.bookmarks.bulkAdd([
        { owner: '', tenderId: '7', at: 1, summary: summary(endOfToday) },
        { owner: '', tenderId: '8', at: 2, summary: summary('2099-04-15T05:30:00.000Z') },
      ]),
    );
    await dispatch('push', { data: { text: () => push('r1') } });
    expect(shown.map(([title, { body, tag }]) => [title, body, tag])).toEqual([
      ['Closing tomorrow', 'A bridge', 'closing-7'],
    ]);
    expect(badges).toEqual([1]);
  });

  test('without a text, and those of another user, are shown in general words', async () => {
    await dispatch('push', { data: null });
    await dispatch('push', { data: { text: () => push('r2') } });
    expect(shown.map(([title, { tag, data }]) => [title, tag, data])).toEqual(
      Array(2).fill(['You have tender updates', 'updates', { path: '/notices' }]),
    );
    expect(badges).toEqual([]);
  });

  test('in general words are in the language of the alerts', async () => {
    answers.set(HINDI_TEXTS_KEY, Response.json(Object.values(HINDI_TEXTS)[0]?.messages));
    const preferences = { ...DEFAULT_ALERT_PREFERENCES, language: 'hi-IN' as const };
    await withDatabase((db) => db.pushDevice.put({ ...row, preferences }));
    await dispatch('push', { data: null });
    expect(shown.map(([title, { lang, data }]) => [title, lang, data])).toEqual([
      ['आपके टेंडरों में कुछ नया है', 'hi-IN', { path: '/hi/notices' }],
    ]);
  });

  test('that are tapped open their page, and those that are dismissed are counted', async () => {
    const notification = { close: () => asked.push('close'), data: { path: '/tenders/7', nid: 'abcdefghijklmnop' } };
    await dispatch('notificationclick', { notification, action: '' });
    expect([asked, sentPaths]).toEqual([['close', 'open /tenders/7'], ['/api/push/events']]);
    await dispatch('notificationclose', { notification });
    expect([asked.length, sentPaths.length]).toEqual([2, 2]);
  });

  test('go on with a new subscription after the browser has dropped the old one', async () => {
    const subscription = { toJSON: () => ({ endpoint: 'https://push.example/new', keys: { p256dh: 'p', auth: 'a' } }) };
    Object.assign(scope.registration, {
      pushManager: { getSubscription: async () => null, subscribe: async () => subscription },
    });
    await dispatch('pushsubscriptionchange');
    expect(sentPaths).toEqual(['/api/push/key', '/api/push/subscriptions/d1']);
  });
});

const ORIGIN = 'http://localhost';
const INDEX_KEY = `${ORIGIN}/index.html?1`;
const HOME_KEY = `${ORIGIN}/assets/Home-1.js`;
const RESULTS_KEY = `${ORIGIN}/assets/Results-1.js`;
const ABOUT_KEY = `${ORIGIN}/assets/About-1.js`;
const HINDI_KEY = `${ORIGIN}/assets/hi-1-a.js`;
const HINDI_TEXTS_KEY = `${ORIGIN}/assets/hi-1-b.json`;
const HINDI_TEXTS = import.meta.glob<{ messages: object }>('../../texts/hi.po', { query: '?part=worker', eager: true });
const HINDI_KEYS = [HINDI_KEY, HINDI_TEXTS_KEY, `${ORIGIN}/hi/manifest.webmanifest?1`];
const OTHER_KEY = `${ORIGIN}/assets/About-0.js`;
const COMPLETE_KEY = `${ORIGIN}/app-is-complete`;

const storedKeys = () => [...(stored.get('app-files')?.keys() ?? [])];
const store = (name: string, ...keys: string[]) =>
  stored.set(name, new Map(keys.map((key) => [key, new Response(`stored ${key}`)])));

const redirected = (response: Response) => Object.defineProperty(response, 'redirected', { value: true });

/** A request as the browser makes it. */
const createRequest = (url: string, mode: string, cache = 'default', method = 'GET') =>
  Object.defineProperties(new Request(url, { method }), { mode: { value: mode }, cache: { value: cache } });

/** The worker's answer after all of its work. */
async function answerTo(url: string, mode = 'cors', cache = 'default', method = 'GET'): Promise<Response | undefined> {
  let answer: Promise<Response> | undefined;
  await dispatch('fetch', {
    request: createRequest(url, mode, cache, method),
    respondWith: (response: Promise<Response>) => {
      answer = response;
    },
  });
  return answer;
}

describe('the app’s files', () => {
  test('of every page are stored by the installation, those of a screen when a page has loaded them, all when the app is used', async () => {
    await dispatch('install');
    expect(storedKeys()).toEqual([INDEX_KEY, HOME_KEY]);
    await dispatch('message', { data: { type: 'STORE_FILES', urls: [HOME_KEY, RESULTS_KEY, OTHER_KEY] } });
    expect(storedKeys()).toEqual([INDEX_KEY, HOME_KEY, RESULTS_KEY]);
    await dispatch('message', { data: { type: 'STORE_APP' } });
    expect(storedKeys()).toEqual([INDEX_KEY, HOME_KEY, RESULTS_KEY, ABOUT_KEY, COMPLETE_KEY]);
    expect(sentPaths).toEqual(['/index.html', '/assets/Home-1.js', '/assets/Results-1.js', '/assets/About-1.js']);
  });

  test('that a page has loaded are downloaded once when the app is used at the same moment', async () => {
    await dispatch('install');
    await Promise.all([
      dispatch('message', { data: { type: 'STORE_FILES', urls: [RESULTS_KEY] } }),
      dispatch('message', { data: { type: 'STORE_APP' } }),
    ]);
    expect(sentPaths).toEqual(['/index.html', '/assets/Home-1.js', '/assets/Results-1.js', '/assets/About-1.js']);
    expect(storedKeys()).toContain(COMPLETE_KEY);
  });

  test('of a language are stored when a page in it has loaded them, and then by each later build', async () => {
    await dispatch('install');
    await dispatch('message', { data: { type: 'STORE_APP' } });
    for (const key of HINDI_KEYS) expect(storedKeys()).not.toContain(key);
    await dispatch('message', { data: { type: 'STORE_FILES', urls: [HINDI_KEY] } });
    expect(storedKeys()).toContain(HINDI_KEY);
    await dispatch('message', { data: { type: 'STORE_APP' } });
    expect(storedKeys()).toEqual(expect.arrayContaining(HINDI_KEYS));

    store('app-files', `${ORIGIN}/assets/hi-0-b.js`);
    Object.assign(scope.registration, { active: {} });
    await dispatch('install');
    expect(storedKeys()).toEqual(expect.arrayContaining(HINDI_KEYS));
  });

  test('of a search are stored by an update, also on a device that has not all', async () => {
    store('app-files', OTHER_KEY);
    Object.assign(scope.registration, { active: {} });
    await dispatch('install');
    expect(storedKeys()).toEqual([OTHER_KEY, INDEX_KEY, HOME_KEY, RESULTS_KEY]);
  });

  test('of a new build are all stored on a device that had all of the earlier one', async () => {
    store('app-files', OTHER_KEY, HOME_KEY, COMPLETE_KEY);
    await dispatch('install');
    expect(storedKeys()).toEqual([OTHER_KEY, HOME_KEY, COMPLETE_KEY, INDEX_KEY, RESULTS_KEY, ABOUT_KEY]);
    expect(sentPaths).toEqual(['/index.html', '/assets/Results-1.js', '/assets/About-1.js']);
  });

  test('without a hash in their name do not come from the browser’s cache, and are fetched once', async () => {
    await startWorker(undefined, 'About'.length);
    answers.set('/assets/About-1.js', new Response('About'));
    await dispatch('install');
    expect(reloaded).toEqual(['/index.html']);
    await dispatch('message', { data: { type: 'STORE_APP' } });
    expect(reloaded).toEqual(['/index.html']);
  });

  test('are stored without the headers of their compressed bodies', async () => {
    const headers = { 'content-encoding': 'br', 'content-length': '3', 'content-type': 'text/javascript' };
    answers.set('/assets/Home-1.js', new Response('Home', { headers }));
    await dispatch('install');
    const { headers: left } = stored.get('app-files')?.get(HOME_KEY) ?? new Response();
    expect(Object.keys(headers).map((name) => left.get(name))).toEqual([null, null, 'text/javascript']);
  });

  test('that the device cannot store are answered all the same', async () => {
    const open = fakeCaches.open;
    vi.spyOn(fakeCaches, 'open').mockImplementation(async (name) => ({
      ...(await open(name)),
      put: () => Promise.reject(new DOMException('full', 'QuotaExceededError')),
    }));
    const answer = answerTo(ABOUT_KEY);
    expect(await (await answer)?.text()).toBe(`from ${ABOUT_KEY}`);
    expect(storedKeys()).toEqual([]);
  });

  test('whose connection breaks are not requested again without a network', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    breaks.set(ABOUT_KEY, 1);
    await expect(answerTo(ABOUT_KEY)).rejects.toThrow('The connection broke');
    expect(sentPaths).toEqual([ABOUT_KEY]);
  });

  test('that cannot be loaded fail the installation', async () => {
    answers.set('/assets/Home-1.js', new Response('', { status: 404 }));
    await expect(dispatch('install')).rejects.toThrow('assets/Home-1.js was answered with 404');
  });

  test('are not taken from a network that redirects to its sign-in page', async () => {
    answers.set('/assets/Home-1.js', redirected(new Response('<h1>Sign in</h1>')));
    await expect(dispatch('install')).rejects.toThrow();
    expect(storedKeys()).not.toContain(HOME_KEY);
  });

  test('are answered from the device; one that is not there yet is stored with its first use', async () => {
    await dispatch('install');
    sentPaths = [];
    expect(await (await answerTo(HOME_KEY))?.text()).toBe('from /assets/Home-1.js');
    expect(sentPaths).toEqual([]);
    expect(await (await answerTo(ABOUT_KEY))?.text()).toBe(`from ${ABOUT_KEY}`);
    expect(storedKeys()).toContain(ABOUT_KEY);
  });

  test('of another build come from the device where they are, for a tab of that build', async () => {
    store('app-files', OTHER_KEY);
    expect(await (await answerTo(OTHER_KEY))?.text()).toBe(`stored ${OTHER_KEY}`);
    expect(sentPaths).toEqual([]);
    expect(await (await answerTo(`${ORIGIN}/assets/About-2.js`))?.text()).toBe(`from ${ORIGIN}/assets/About-2.js`);
  });

  test('whose connection goes silent in the middle are requested again', async () => {
    answers.set(ABOUT_KEY, new Response(new ReadableStream()));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const answer = answerTo(ABOUT_KEY);
      await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
      answers.delete(ABOUT_KEY);
      await vi.advanceTimersByTimeAsync(20_000);
      await vi.advanceTimersByTimeAsync(20_000);
      expect(await (await answer)?.text()).toBe(`from ${ABOUT_KEY}`);
    } finally {
      vi.useRealTimers();
    }
  });

  test('whose connection breaks in the middle are requested again, and never used or stored in part', async () => {
    breaks.set(ABOUT_KEY, 2);
    expect(await (await answerTo(ABOUT_KEY))?.text()).toBe(`from ${ABOUT_KEY}`);
    expect(await stored.get('app-files')?.get(ABOUT_KEY)?.clone().text()).toBe(`from ${ABOUT_KEY}`);
    breaks.set(RESULTS_KEY, 9);
    await expect(answerTo(RESULTS_KEY)).rejects.toThrow('The connection broke');
    expect(storedKeys()).toEqual([ABOUT_KEY]);
  });

  test('that end early without an error are requested again, and never used or stored in part', async () => {
    const path = '/assets/About-1.js';
    await startWorker(undefined, 'About'.length);
    for (const address of [path, ABOUT_KEY]) answers.set(address, new Response('About'));
    ends.set(ABOUT_KEY, 2);
    expect(await (await answerTo(ABOUT_KEY))?.text()).toBe('About');
    expect(await stored.get('app-files')?.get(ABOUT_KEY)?.clone().text()).toBe('About');
    stored.clear();
    ends.set(ABOUT_KEY, 9);
    await expect(answerTo(ABOUT_KEY)).rejects.toThrow('4 bytes instead of 5');
    ends.set(path, 1);
    await dispatch('message', { data: { type: 'STORE_APP' } });
    expect(storedKeys()).not.toContain(ABOUT_KEY);
    await dispatch('message', { data: { type: 'STORE_APP' } });
    expect(storedKeys()).toContain(ABOUT_KEY);
  });

  test('that the server does not have are not stored', async () => {
    answers.set(ABOUT_KEY, new Response('Not found', { status: 404 }));
    expect((await answerTo(ABOUT_KEY))?.status).toBe(404);
    expect(storedKeys()).not.toContain(ABOUT_KEY);
  });

  test('answer a page of the app, and leave calls to the server', async () => {
    await dispatch('install');
    expect(await (await answerTo(`${ORIGIN}/privacy`, 'navigate'))?.text()).toBe('from /index.html');
    for (const path of [
      ...['/api/health', '/d/unknown', '/dev/mail', '/.well-known/security', '/robots.txt', '/sitemap.xml?page=1'],
    ])
      expect(await answerTo(ORIGIN + path, 'navigate'), path).toBeUndefined();
    const search = await answerTo(`${ORIGIN}/tenders/results?open=0&q=boq.pdf`, 'navigate');
    expect(await search?.text()).toBe('from /index.html');
    expect(await answerTo(`${ORIGIN}/api/tenders`)).toBeUndefined();
    expect(await answerTo(`${ORIGIN}/privacy`, 'navigate', 'default', 'POST')).toBeUndefined();
    expect(await answerTo(HOME_KEY, 'cors', 'default', 'POST')).toBeUndefined();
    expect(await answerTo('https://other.example/privacy', 'navigate')).toBeUndefined();
    expect(await answerTo('https://other.example/assets/Home-1.js')).toBeUndefined();
  });
});

test('a page that the app has opened is requested as a page: at its address the API answers with data', async () => {
  await dispatch('message', { data: { type: 'STORE_PAGE', address: '/tenders/7' } });
  expect(requests.map(({ url, headers }) => [url, headers.get('accept')])).toEqual([
    [`${ORIGIN}/tenders/7`, 'text/html'],
  ]);
  // A page that the server does not render has nothing to store.
  await dispatch('message', { data: { type: 'STORE_PAGE', address: '/dashboard/settings' } });
  expect(requests).toHaveLength(1);
});

describe('a stored page', () => {
  const NOW = new Date('2026-11-10T12:00:00+05:30');
  const ADDRESS = `${ORIGIN}/tenders/7`;
  const html = (title: string, { at = NOW, build = '1', status = 200, headers = {} } = {}) =>
    new Response(
      `<html lang="en-IN"><h1>${title}</h1><script type="application/json" id="answer">{"call":"","at":"${at.toISOString()}"}</script></html>`,
      { status, headers: { 'X-Build': build, ...headers } },
    );
  const visit = async (cache?: string) => (await answerTo(ADDRESS, 'navigate', cache))?.text();
  const storedPages = () => [...(stored.get('stored-pages-1')?.keys() ?? [])];

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: NOW });
    answers.set('/index.html', new Response('The app'));
    answers.set(`${ORIGIN}/index.html`, new Response('The app'));
    answers.set(ADDRESS, html('Without documents'));
    await dispatch('message', { data: { type: 'STORE_PAGE', address: '/tenders/7' } });
    answers.set(ADDRESS, html('With documents'));
    requests = [];
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('is shown at once on a visit, and not asked for again within a minute', async () => {
    vi.setSystemTime(NOW.getTime() + 59_000);
    expect(await visit()).toContain('Without documents');
    await dispatch('message', { data: { type: 'STORE_PAGE', address: '/tenders/7' } });
    expect(requests).toEqual([]);
  });

  test('is asked for again in the background after a minute, for the next visit', async () => {
    vi.setSystemTime(NOW.getTime() + 60_000);
    expect(await visit()).toContain('Without documents');
    expect(requests.map(({ url }) => url)).toEqual([ADDRESS]);
    expect(await visit()).toContain('With documents');
  });

  test('is renewed when the app opens its address after a minute', async () => {
    vi.setSystemTime(NOW.getTime() + 60_000);
    await dispatch('message', { data: { type: 'STORE_PAGE', address: '/tenders/7' } });
    expect(await visit()).toContain('With documents');
  });

  test('is asked for again by a reload, and shown when the server does not answer', async () => {
    expect(await visit('no-cache')).toContain('With documents');
    answers.set(ADDRESS, html('Out of order', { status: 503 }));
    expect(await visit('no-cache')).toContain('With documents');
    expect(await visit('reload')).toContain('With documents');
    expect(storedPages()).toEqual([ADDRESS]);
  });

  test('says when it was saved if a reload shows it, at any age', async () => {
    answers.set(ADDRESS, html('Out of order', { status: 503 }));
    expect(await visit('no-cache')).toContain('data-saved="Saved Tue 10 Nov, 12:00 PM"');
    expect(await visit()).not.toContain('data-saved');
  });

  test('in Hindi is corrected in Hindi, also without a network', async () => {
    const address = `${ORIGIN}/hi/tenders/7`;
    const english = await html('पुल').text();
    answers.set(address, new Response(english.replace('en-IN', 'hi-IN'), { headers: { 'X-Build': '1' } }));
    const [{ messages = {} } = {}] = Object.values(HINDI_TEXTS);
    answers.set(HINDI_TEXTS_KEY, Response.json(messages));
    await dispatch('message', { data: { type: 'STORE_PAGE', address } });
    answers.clear();
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    const shown = await (await answerTo(address, 'navigate', 'no-cache'))?.text();
    expect(shown).toContain('data-saved="सहेजा गया: मंगलवार, 10 नवंबर, दोपहर 12:00 बजे"');
    expect(storedKeys()).toContain(HINDI_TEXTS_KEY);
  });

  test('stays when the connection breaks in the middle of the new one, which is not shown in part', async () => {
    vi.setSystemTime(NOW.getTime() + 60_000);
    breaks.set(ADDRESS, 3);
    expect(await visit()).toContain('Without documents');
    expect(await visit()).toContain('Without documents');
    expect(await visit('reload')).toContain('Without documents');
    expect(storedPages()).toEqual([ADDRESS]);
    expect(await visit('reload')).toContain('With documents');
  });

  test('that has come in part is left to the app when no other is stored', async () => {
    stored.delete('stored-pages-1');
    breaks.set(ADDRESS, 1);
    expect(await visit()).toBe('The app');
    ends.set(ADDRESS, 1);
    expect(await visit()).toBe('The app');
    expect(storedPages()).toEqual([]);
  });

  test('that does not come within three seconds is left to the app, and stored when it comes', async () => {
    stored.delete('stored-pages-1');
    const text = await html('Late').text();
    let finish = () => {};
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        finish = () => {
          controller.enqueue(new TextEncoder().encode(text));
          controller.close();
        };
      },
    });
    answers.set(ADDRESS, new Response(body, { headers: { 'X-Build': '1' } }));
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: NOW });
    const shown: string[] = [];
    const respondWith = async (response: Promise<Response>) => shown.push(await (await response).text());
    const request = createRequest(ADDRESS, 'navigate');
    scope.dispatchEvent(Object.assign(new FakeEvent('fetch'), { request, respondWith }));
    await vi.advanceTimersByTimeAsync(2_999);
    expect(shown).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await vi.waitFor(() => expect(shown).toEqual(['The app']));
    finish();
    await vi.waitFor(() => expect(storedPages()).toEqual([ADDRESS]));
  });

  test('that is gone is no longer stored', async () => {
    answers.set(ADDRESS, html('Page not found', { status: 404 }));
    expect(await visit('reload')).toContain('Page not found');
    expect(storedPages()).toEqual([]);
  });

  test('of another build is neither shown nor stored: the app renders its own page', async () => {
    answers.set(ADDRESS, html('Of another build', { build: '2' }));
    vi.setSystemTime(NOW.getTime() + 8 * 86_400_000);
    expect(await visit()).toBe('The app');
    vi.setSystemTime(NOW);
    expect(await visit()).toContain('Without documents');
  });

  test('to which the server redirects is not shown: the app opens its address', async () => {
    vi.setSystemTime(NOW.getTime() + 8 * 86_400_000);
    answers.set(ADDRESS, redirected(html('Elsewhere')));
    expect(await visit()).toBe('The app');
  });

  test.each([
    ['that is more than seven days old', '2026-11-10T12:00:00+05:30', '2026-11-17T12:00:01+05:30', false],
    ['of the last seven days', '2026-11-10T12:00:00+05:30', '2026-11-17T12:00:00+05:30', true],
    ['of the last year, whose dates have no year', '2026-12-31T23:58:00+05:30', '2027-01-01T00:00:00+05:30', false],
    ['of this Indian year', '2026-12-31T23:50:00+05:30', '2026-12-31T23:59:59+05:30', true],
  ])('%s is shown without the server: %s, %s, %s', async (_what, at, now, isShown) => {
    answers.set(ADDRESS, html('Of that time', { at: new Date(at) }));
    await visit('reload');
    vi.setSystemTime(new Date(now));
    answers.set(ADDRESS, new Response('', { status: 503 }));
    const shown = await visit();
    if (isShown) expect(shown).toContain('Of that time');
    else expect(shown).toBe('The app');
  });

  test('shows its age by the server’s clock where the device’s is wrong', async () => {
    const headers = { date: new Date(NOW.getTime() + 86_400_000).toUTCString() };
    answers.set(ADDRESS, html('Of the server’s day', { at: new Date(NOW.getTime() + 86_400_000), headers }));
    await visit('reload');
    vi.setSystemTime(NOW.getTime() + 5 * 60_000);
    expect(await visit()).toContain('data-saved="Saved Wed 11 Nov, 12:00 PM"');
  });

  test('is deleted when 30 newer ones are stored', async () => {
    const addresses = Array.from({ length: 30 }, (_, n) => `${ORIGIN}/tenders/${100 + n}`);
    for (const address of addresses) {
      answers.set(address, html('Another'));
      await dispatch('message', { data: { type: 'STORE_PAGE', address } });
    }
    expect(storedPages()).toEqual(addresses);
  });

  test('that is stored again is the newest', async () => {
    answers.set(`${ORIGIN}/tenders/8`, html('Another'));
    await dispatch('message', { data: { type: 'STORE_PAGE', address: '/tenders/8' } });
    await visit('reload');
    expect(storedPages()).toEqual([`${ORIGIN}/tenders/8`, ADDRESS]);
  });

  test('of an earlier build is deleted when the worker starts to serve, and the open pages are stored', async () => {
    stored.set('stored-pages-0', new Map());
    answers.set(`${ORIGIN}/tenders/9`, html('Open'));
    tabs = [{ ...createTab('visible'), url: `${ORIGIN}/tenders/9` } as FakeTab];
    await dispatch('activate');
    expect([...stored.keys()].filter((name) => name.startsWith('stored-pages'))).toEqual(['stored-pages-1']);
    expect(storedPages()).toEqual([ADDRESS, `${ORIGIN}/tenders/9`]);
  });
});

describe('a page that is opened', () => {
  test.each<[string, FakeTab['visibilityState'][], object, string[]]>([
    ['deletes the files of other builds', [], {}, [INDEX_KEY, COMPLETE_KEY]],
    ['leaves them to an open tab', ['hidden'], {}, [INDEX_KEY, OTHER_KEY, COMPLETE_KEY]],
    ['leaves them while a newer build is being stored', [], { installing: {} }, [INDEX_KEY, OTHER_KEY, COMPLETE_KEY]],
    ['leaves them while a newer build waits', [], { waiting: {} }, [INDEX_KEY, OTHER_KEY, COMPLETE_KEY]],
  ])('%s', async (_what, states, registration, left) => {
    tabs = states.map(createTab);
    Object.assign(scope.registration, registration);
    store('app-files', INDEX_KEY, OTHER_KEY, COMPLETE_KEY);
    // The worker leaves the address to the server.
    await answerTo(`${ORIGIN}/api/health`, 'navigate');
    expect(storedKeys()).toEqual(left);
  });
});

test('a page of a device whose caches fail comes from the server', async () => {
  const headers = { 'X-Build': '1' };
  answers.set(`${ORIGIN}/tenders/7`, new Response('<html lang="en-IN">A tender</html>', { headers }));
  isCacheBroken = true;
  tabs = [createTab('visible')];
  for (const cache of ['default', 'reload'])
    expect(await (await answerTo(`${ORIGIN}/tenders/7`, 'navigate', cache))?.text()).toContain('A tender');
});

describe('with a CDN, the app’s files', () => {
  const CDN = 'https://cdn.example';
  beforeEach(() => startWorker(CDN));

  test('come from there, are stored once, and answer at both addresses', async () => {
    await dispatch('install');
    expect(sentPaths.toSorted()).toEqual(['/index.html', `${CDN}/assets/Home-1.js`]);
    expect(storedKeys().toSorted()).toEqual([HOME_KEY, INDEX_KEY]);
    await dispatch('message', { data: { type: 'STORE_FILES', urls: [`${CDN}/assets/Results-1.js`] } });
    expect(storedKeys()).toContain(RESULTS_KEY);
    sentPaths = [];
    for (const url of [HOME_KEY, `${CDN}/assets/Home-1.js`])
      expect(await (await answerTo(url))?.text()).toBe(`from ${CDN}/assets/Home-1.js`);
    expect(sentPaths).toEqual([]);
    expect(await (await answerTo(`${CDN}/assets/About-1.js`))?.text()).toBe(`from ${CDN}/assets/About-1.js`);
    expect(storedKeys()).toContain(ABOUT_KEY);
  });

  test('of another build are found at both addresses', async () => {
    store('app-files', OTHER_KEY);
    expect(await (await answerTo(`${CDN}/assets/About-0.js`))?.text()).toBe(`stored ${OTHER_KEY}`);
    expect(sentPaths).toEqual([]);
  });

  test('come from the server when the CDN refuses them or leads elsewhere', async () => {
    answers.set(`${CDN}/assets/Home-1.js`, new Response('', { status: 503 }));
    answers.set(`${CDN}/assets/About-1.js`, redirected(new Response('<h1>Sign in</h1>')));
    await dispatch('install');
    expect(await (await answerTo(`${CDN}/assets/Home-1.js`))?.text()).toBe('from /assets/Home-1.js');
    expect(await (await answerTo(`${CDN}/assets/About-1.js`))?.text()).toBe(`from ${ABOUT_KEY}`);
  });

  test('come from the server when the CDN breaks in the middle or goes silent there', async () => {
    breaks.set(`${CDN}/assets/Home-1.js`, 1);
    await dispatch('install');
    expect(await (await answerTo(`${CDN}/assets/Home-1.js`))?.text()).toBe('from /assets/Home-1.js');

    answers.set(`${CDN}/assets/About-1.js`, new Response(new ReadableStream()));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const answer = answerTo(`${CDN}/assets/About-1.js`);
      await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
      await vi.advanceTimersByTimeAsync(10_000);
      await vi.advanceTimersByTimeAsync(10_000);
      expect(await (await answer)?.text()).toBe(`from ${ABOUT_KEY}`);
    } finally {
      vi.useRealTimers();
    }
  });

  test('have scripts that find each other beside the address of the page', async () => {
    const module = Object.defineProperty(new Response('export {}'), 'url', { value: HOME_KEY });
    stored.set('app-files', new Map([[HOME_KEY, Object.assign(module, { clone: () => module })]]));
    expect((await answerTo(`${CDN}/assets/Home-1.js`))?.url).toBe('');
  });

  test('are all that the worker answers of the CDN', async () => {
    expect(await answerTo(`${CDN}/api/sync/segments/1`)).toBeUndefined();
    expect(await answerTo(`${CDN}/privacy`, 'navigate')).toBeUndefined();
  });
});

describe('a share of another app', () => {
  /** The answer of the worker to the form that the phone posts. */
  async function share(path: string, parts: readonly [head: string, content: string][]): Promise<Response | undefined> {
    const body = parts.map(([head, content]) => `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`);
    const request = new Request(`http://localhost${path}`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body: `${body.join('')}--x--\r\n`,
    });
    let answer: Promise<Response> | undefined;
    await dispatch('fetch', {
      request,
      respondWith: (response: Promise<Response>) => {
        answer = response;
      },
    });
    return answer;
  }
  const file = (name: string, type: string) => `name="files"; filename="${name}"\r\nContent-Type: ${type}`;
  const rows = () => withDatabase((db) => db.sharedFiles.toArray());
  const goesTo = (response: Response | undefined) => [response?.status, response?.headers.get('location')];

  test('stores its files on the device before the page opens, without a request', async () => {
    await withDatabase((db) => db.outbox.count());
    const answer = await share('/hi/share', [
      [file('NIT.pdf', 'application/octet-stream'), '%PDF-1.7 lines'],
      [file('PAN.jpg', 'image/jpeg'), 'a picture'],
      [file('letter.txt', 'text/plain'), 'Dear Sir'],
    ]);
    expect(goesTo(answer)).toEqual([303, 'http://localhost/hi/shared-files']);
    const stored = await rows();
    expect(stored.map(({ name, kind, file: blob }) => [name, kind, blob !== null]).sort()).toEqual([
      ['NIT.pdf', 'document', true],
      ['PAN.jpg', 'picture', true],
      ['letter.txt', 'other', false],
    ]);
    expect(stored[0]).toMatchObject({ owner: '', tenderId: null, reading: null, refusal: null });
    expect(sentPaths).toEqual([]);
  });

  test('without a file opens the page for texts', async () => {
    const answer = await share('/share', [
      ['name="text"', 'Footbridge at Baddi'],
      ['name="files"; filename=""\r\nContent-Type: application/octet-stream', ''],
    ]);
    expect(goesTo(answer)).toEqual([303, 'http://localhost/share?text=Footbridge+at+Baddi']);
  });

  test('with a long list keeps all of it in the fragment, which no server receives', async () => {
    const list = Array.from({ length: 60 }, (_, index) => `2026_PWD_${index}_1 सड़क`).join('\n');
    const [status, location] = goesTo(await share('/share', [['name="text"', list]]));
    const opened = new URL(String(location));
    expect([status, decodeURIComponent(opened.hash.slice(1)).split(/\r?\n/)]).toEqual([303, list.split('\n')]);
    expect(opened.searchParams.get('text')).toHaveLength(500);
  });

  test('is not lost silently where nothing can be stored', async () => {
    const answer = await share('/share', [[file('NIT.pdf', 'application/pdf'), '%PDF-1.7']]);
    expect(goesTo(answer)).toEqual([303, 'http://localhost/shared-files?problem=storage']);
  });

  test('is what a form posts to the share target, and nothing else', async () => {
    expect(await share('/contact', [['name="text"', 'a']])).toBeUndefined();
  });
});
