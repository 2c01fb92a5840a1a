// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from './data/device/database.ts';
import type { OutboxRequestRow } from './data/device/schema.ts';

class FakeEvent extends Event {
  readonly works: Promise<unknown>[] = [];
  waitUntil(work: Promise<unknown>): void {
    this.works.push(work);
  }
}

interface FakeTab {
  visibilityState: 'visible' | 'hidden';
  postMessage(message: unknown): void;
}

let scope: EventTarget & { registration: object };
let tabs: FakeTab[];
let messages: unknown[];
let sentPaths: string[];
/** What was fetched by a request instead of an address. */
let requests: Request[];
/** The answers of the server to files, by path. */
let answers: Map<string, Response>;
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
    const cache = stored.get(name) ?? new Map<string, Response>();
    stored.set(name, cache);
    return {
      keys: async () => [...cache.keys()].map((url) => ({ url })),
      match: async (key: Request | URL | string) => cache.get(addressOf(key))?.clone(),
      put: async (key: Request | URL | string, response: Response) => void cache.set(addressOf(key), response),
      delete: async ({ url }: Request) => cache.delete(url),
    };
  },
};

const createTab = (visibilityState: FakeTab['visibilityState']): FakeTab => ({
  visibilityState,
  postMessage: (message) => messages.push(message),
});

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

beforeEach(async () => {
  vi.resetModules();
  [tabs, messages, sentPaths] = [[], [], []];
  [answers, stored, requests] = [new Map(), new Map(), []];
  scope = Object.assign(new EventTarget(), {
    __WB_MANIFEST: [
      { url: 'index.html', revision: '1' },
      { url: 'assets/Home-1.js', revision: null },
      { url: 'assets/Results-1.js', revision: null, when: 'updated' },
      { url: 'assets/About-1.js', revision: null, when: 'used' },
    ],
    location,
    registration: { active: null, installing: null, waiting: null },
    clients: { matchAll: async () => tabs, claim: async () => undefined },
  });
  vi.stubGlobal('self', scope);
  vi.stubGlobal('caches', fakeCaches);
  vi.stubGlobal('ExtendableEvent', FakeEvent);
  vi.stubGlobal('fetch', async (input: Request | string) => {
    if (input instanceof Request) requests.push(input);
    const path = input instanceof Request ? input.url : input;
    sentPaths.push(path);
    if (path.startsWith('/api/')) return Response.json({ success: true });
    return answers.get(path)?.clone() ?? new Response(`from ${path}`);
  });
  await import('./sw.ts');
});
afterEach(async () => {
  vi.unstubAllGlobals();
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

const ORIGIN = 'http://localhost';
const INDEX_KEY = `${ORIGIN}/index.html?1`;
const HOME_KEY = `${ORIGIN}/assets/Home-1.js`;
const RESULTS_KEY = `${ORIGIN}/assets/Results-1.js`;
const ABOUT_KEY = `${ORIGIN}/assets/About-1.js`;
const OTHER_KEY = `${ORIGIN}/assets/About-0.js`;
const COMPLETE_KEY = `${ORIGIN}/app-is-complete`;

const storedKeys = () => [...(stored.get('app-files')?.keys() ?? [])];
const store = (name: string, ...keys: string[]) =>
  stored.set(name, new Map(keys.map((key) => [key, new Response(`stored ${key}`)])));

/** A request as the browser makes it. */
async function answerTo(url: string, mode = 'cors', cache = 'default'): Promise<Response | undefined> {
  let answer: Promise<Response> | undefined;
  const request = Object.defineProperties(new Request(url), { mode: { value: mode }, cache: { value: cache } });
  await dispatch('fetch', {
    request,
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

  test('that an earlier version of the app has stored are taken from its cache', async () => {
    store('workbox-precache-v2-http://localhost/', ABOUT_KEY, RESULTS_KEY, HOME_KEY);
    await dispatch('install');
    expect(storedKeys()).toEqual(expect.arrayContaining([INDEX_KEY, HOME_KEY, ABOUT_KEY, COMPLETE_KEY]));
    expect(sentPaths).toEqual(['/index.html']);
  });

  test('that cannot be loaded fail the installation', async () => {
    answers.set('/assets/Home-1.js', new Response('', { status: 404 }));
    await expect(dispatch('install')).rejects.toThrow('assets/Home-1.js was answered with 404');
  });

  test('are answered from the device; one that is not there yet is stored with its first use', async () => {
    await dispatch('install');
    sentPaths = [];
    expect(await (await answerTo(HOME_KEY))?.text()).toBe('from /assets/Home-1.js');
    expect(sentPaths).toEqual([]);
    expect(await (await answerTo(ABOUT_KEY))?.text()).toBe(`from ${ABOUT_KEY}`);
    expect(storedKeys()).toContain(ABOUT_KEY);
  });

  test('answer a page of the app, and leave calls to the server', async () => {
    await dispatch('install');
    expect(await (await answerTo(`${ORIGIN}/privacy`, 'navigate'))?.text()).toBe('from /index.html');
    for (const path of ['/api/health', '/d/unknown', '/robots.txt'])
      expect(await answerTo(ORIGIN + path, 'navigate'), path).toBeUndefined();
    expect(await answerTo(`${ORIGIN}/api/tenders`)).toBeUndefined();
  });
});

test('a page that the app has opened is requested as a page: at its address the API answers with data', async () => {
  await dispatch('message', { data: { type: 'STORE_PAGE', address: '/tenders/7' } });
  expect(requests.map(({ url, headers }) => [url, headers.get('accept')])).toEqual([
    [`${ORIGIN}/tenders/7`, 'text/html'],
  ]);
});

describe('a stored page', () => {
  const ADDRESS = `${ORIGIN}/tenders/7`;
  const html = (title: string) =>
    new Response(
      `<h1>${title}</h1><script type="application/json" id="answer">{"call":"","at":"${new Date().toISOString()}"}</script>`,
      {
        headers: { 'X-Build': '1' },
      },
    );

  beforeEach(async () => {
    answers.set(ADDRESS, html('Without documents'));
    await dispatch('message', { data: { type: 'STORE_PAGE', address: '/tenders/7' } });
    answers.set(ADDRESS, html('With documents'));
  });

  test('is shown at once on a visit', async () => {
    expect(await (await answerTo(ADDRESS, 'navigate'))?.text()).toContain('Without documents');
  });

  test('is asked for again by a reload, and shown when the server does not answer', async () => {
    expect(await (await answerTo(ADDRESS, 'navigate', 'no-cache'))?.text()).toContain('With documents');
    answers.set(ADDRESS, new Response('', { status: 503, headers: { 'X-Build': '1' } }));
    expect(await (await answerTo(ADDRESS, 'navigate', 'no-cache'))?.text()).toContain('With documents');
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
    store('workbox-precache-v2-http://localhost/', OTHER_KEY);
    // The worker leaves the address to the server.
    await answerTo(`${ORIGIN}/api/health`, 'navigate');
    expect(storedKeys()).toEqual(left);
    expect(stored.has('workbox-precache-v2-http://localhost/')).toBe(left.includes(OTHER_KEY));
  });
});
