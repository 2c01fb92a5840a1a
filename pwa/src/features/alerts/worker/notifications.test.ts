// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import type { Messages } from '@lingui/core';
import { addTexts } from '@nivida/contract/i18n';
import type { Language } from '@nivida/contract/languages';
import { DEFAULT_ALERT_PREFERENCES } from '@nivida/contract/push/push';
import type { Tender, TenderSummary } from '@nivida/contract/tenders/tender';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../../data/device/database.ts';
import type { PushDeviceRow } from '../../../data/device/schema.ts';
import { clickNotification, dismissNotification, pathOfLink, receivePush, visibleActions } from './notifications.ts';

/** Calls of browser functions. */
let calls: unknown[][];
/** Open windows of the app. */
let tabs: { isControlled: boolean }[];
let badge: string[];
/** Closings of the counted bookmarks. */
let closings: string[];
/** The data stored with the shown notifications. */
let shownData: { tenderId?: string }[];
/** The options of the shown notifications. */
let shownOptions: NotificationOptions[];
/** The requests to the server. */
let requests: { path: string; method: string | undefined; authorization: unknown; body: unknown }[];
/** The server's answer to every call. */
let status: number;

beforeEach(async () => {
  calls = [];
  tabs = [];
  badge = [];
  [closings, shownData, shownOptions, requests] = [[], [], [], []];
  vi.stubGlobal('Notification', { maxActions: 2 });
  status = 204;
  vi.stubGlobal('fetch', async (path: string, { method, headers, body }: RequestInit) => {
    const { authorization } = { ...headers } as Record<string, string>;
    requests.push({ path, method, authorization, body: JSON.parse(String(body)) });
    return new Response(null, { status });
  });
  await withDatabase((db) =>
    db.pushDevice.put({
      ...{ key: 'device', id: 'd', secret: 's', owner: 'asha', rcpt: 'r', watched: [] },
      preferences: DEFAULT_ALERT_PREFERENCES,
    }),
  );
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

/** The browser's side of a service worker. */
const worker = {
  registration: {
    showNotification: async (title: string, options: NotificationOptions & { renotify?: boolean }) => {
      const { silent, renotify, data } = options;
      shownData.push(data);
      shownOptions.push(options);
      calls.push(['show', title, { silent, renotify }]);
    },
  },
  clients: {
    matchAll: async ({ includeUncontrolled = false }: { includeUncontrolled?: boolean }) =>
      tabs.filter(({ isControlled }) => isControlled || includeUncontrolled),
    openWindow: async (path: string) => calls.push(['open', path]),
  },
} as unknown as ServiceWorkerGlobalScope;

/** A tab that was opened before the worker is not controlled by it. */
const tab = (name: string, isControlled = true) => ({
  isControlled,
  focus: async () => calls.push([name, 'focus']),
  navigate: async (path: string) => calls.push([name, 'navigate', path]),
  postMessage: (message: object) => calls.push([name, message]),
});

const HINDI = import.meta.glob<{ messages: Messages }>('../../../../../texts/hi.po', { query: '?part=worker' });

/** Loads the texts as from their file. */
async function loadTexts(language: Language): Promise<void> {
  const [load] = Object.values(HINDI);
  if (language === 'hi' && load) addTexts('hi', (await load()).messages);
}

function push(changes: object = {}, data: object = {}): Promise<void> {
  const notification = {
    title: 'Closing tomorrow',
    body: 'A bridge',
    lang: 'en-IN',
    tag: 'closing-7',
    navigate: 'http://localhost/tenders/7?n=1',
    actions: [],
    data: { nid: 'n', rcpt: 'r', kind: 'closing', tenderIds: ['7'], patches: [], ...data },
    ...changes,
  };
  return receivePush(worker, JSON.stringify({ notification }), loadTexts, async (bookmarked) => {
    badge = bookmarked.map(({ _id }) => _id);
    closings = bookmarked.map(({ closing_date }) => closing_date);
  });
}

function click(action: string, data: object | null = { path: '/tenders/7', nid: 'n', tenderId: '7' }): Promise<void> {
  const notification = { data, close: () => calls.push(['close']) };
  return clickNotification(worker, { notification, action } as unknown as NotificationEvent);
}

describe('a push', () => {
  test('on a full phone is shown, and the worker does not wait for the change that cannot be stored', async () => {
    // The browser rolls the transaction back when it writes it to the disk, after all of its requests have succeeded.
    const { get } = IDBObjectStore.prototype;
    const spy = vi.spyOn(IDBObjectStore.prototype, 'get').mockImplementation(function (this: IDBObjectStore, key) {
      const request = get.call(this, key);
      const { name, transaction } = this;
      if (name === 'tenders' && transaction.mode === 'readwrite')
        request.addEventListener('success', () => transaction.abort());
      return request;
    });
    onTestFinished(() => spy.mockRestore());
    const closing = { oldClosing: '2026-04-15T05:30:00.000Z', newClosing: '2026-04-20T10:00:00.000Z' };
    await push({}, { patches: [{ tenderId: '7', version: 2, ...closing }] });
    expect(calls.map(([call]) => call)).toEqual(['show']);
    expect(await withDatabase((db) => db.pushedChanges.count())).toBe(0);
  });

  test.each([
    ['of the quiet hours makes no sound', true, { silent: true, renotify: false }],
    ['of the day makes a sound, also when it replaces an earlier one', false, { silent: false, renotify: true }],
  ])('%s', async (_name, silent, shown) => {
    await push({ silent });
    expect(calls).toEqual([['show', 'Closing tomorrow', shown]]);
  });

  test('for another user makes no sound in the quiet hours either, and changes nothing on the phone', async () => {
    tabs = [tab('first')];
    await withDatabase((db) =>
      db.bookmarks.put({ owner: 'asha', tenderId: '7', at: 1, summary: { _id: '7' } as TenderSummary }),
    );
    const closing = { oldClosing: '2026-04-15T05:30:00.000Z', newClosing: '2026-04-20T10:00:00.000Z' };
    await push({ silent: true }, { rcpt: 'other', patches: [{ tenderId: '7', version: 2, ...closing }] });
    expect(calls).toEqual([['show', 'You have tender updates', { silent: true, renotify: undefined }]]);
    expect(await withDatabase((db) => db.pushedChanges.count())).toBe(0);
    expect(badge).toEqual([]);
  });

  test('asks every open tab to read the changed tender', async () => {
    tabs = [tab('first'), tab('second', false)];
    const change = {
      tenderId: '7',
      version: 2,
      oldClosing: '2026-04-15T05:30:00.000Z',
      newClosing: '2026-04-20T10:00:00.000Z',
    };
    await push({ silent: true }, { patches: [change] });
    expect(calls.slice(1)).toEqual([
      ['first', { type: 'sync' }],
      ['second', { type: 'sync' }],
    ]);
    expect(await withDatabase((db) => db.pushedChanges.count())).toBe(1);
  });

  test('counts on the icon the bookmarks of the signed-in user, not those of another user of the phone', async () => {
    const summary = (_id: string) => ({ _id }) as TenderSummary;
    await withDatabase((db) =>
      db.bookmarks.bulkPut([
        { owner: 'asha', tenderId: '7', at: 1, summary: summary('7') },
        { owner: 'ravi', tenderId: '8', at: 2, summary: summary('8') },
      ]),
    );
    await push();
    expect(badge).toEqual(['7']);
    await withDatabase((db) => db.pushDevice.update('device', { owner: '' } satisfies Partial<PushDeviceRow>));
    await push();
    expect(badge).toEqual(['7', '8']);
  });
});

describe('a notification', () => {
  const IMAGES = { icon: '/icons/any-192.png', badge: '/icons/monochrome-512.png' };

  test('has the text, language and buttons of its push, and the page that a tap opens', async () => {
    const actions = ['open', 'calendar', 'unbookmark'].map((action) => ({
      ...{ action, title: `The button ${action}` },
      navigate: 'http://localhost/tenders/7',
    }));
    await push({ title: 'कल बंद होगी', lang: 'hi-IN', actions });
    expect(calls.map(([call, title]) => [call, title])).toEqual([['show', 'कल बंद होगी']]);
    expect(shownOptions).toEqual([
      {
        ...IMAGES,
        ...{ body: 'A bridge', lang: 'hi-IN', dir: 'ltr', tag: 'closing-7', renotify: true, silent: false },
        actions: [
          { action: 'calendar', title: 'The button calendar' },
          { action: 'unbookmark', title: 'The button unbookmark' },
        ],
        data: { path: '/tenders/7', nid: 'n', tenderId: '7' },
      },
    ]);
  });

  test('without a tag does not replace an earlier one, which browsers refuse to sound again', async () => {
    await push({ tag: '' });
    expect(shownOptions).toMatchObject([{ tag: '', renotify: false, silent: false }]);
  });

  test('for another user has general words, and neither buttons nor a count', async () => {
    await push({}, { rcpt: 'other' });
    await withDatabase((db) => db.pushDevice.clear());
    await push();
    expect(shownOptions).toEqual(
      Array(2).fill({ ...IMAGES, tag: 'updates', lang: 'en-IN', silent: false, data: { path: '/notices' } }),
    );
  });

  test.each([
    ['with alerts is in their language', 'hi-IN', 'en-US'],
    ['without alerts is in the language of the browser', undefined, 'hi-IN'],
  ] as const)('for another user on a device %s', async (_which, language, browserLanguage) => {
    vi.stubGlobal('navigator', { language: browserLanguage });
    await withDatabase(async (db) => {
      if (language) await db.pushDevice.update('device', { preferences: { ...DEFAULT_ALERT_PREFERENCES, language } });
      else await db.pushDevice.clear();
    });
    await push({}, { rcpt: 'other' });
    expect(calls.map(([, title]) => title)).toEqual(['आपके टेंडरों में कुछ नया है']);
    expect(shownOptions).toMatchObject([{ lang: 'hi-IN', data: { path: '/hi/notices' } }]);
  });

  test('has no buttons in a browser that shows none', async () => {
    vi.stubGlobal('Notification', {});
    await push({ actions: [{ action: 'open', title: 'Open', navigate: '' }] });
    expect(shownOptions).toMatchObject([{ actions: [] }]);
  });
});

test('the icon counts a bookmark by the stored tender, which may be newer than its card', async () => {
  const stored = (closing_date: string) => ({ _id: '7', closing_date }) as Tender;
  await withDatabase(async (db) => {
    await db.bookmarks.put({ owner: 'asha', tenderId: '7', at: 1, summary: stored('2026-04-15T05:30:00.000Z') });
    await db.tenders.put({ id: '7', tender: stored('2026-04-20T05:30:00.000Z'), savedAt: 1 });
  });
  await push();
  expect(closings).toEqual(['2026-04-20T05:30:00.000Z']);
});

test('a notification of several tenders is stored without the id of one, whose bookmark its button would remove', async () => {
  await push({}, { tenderIds: ['7', '8'] });
  await push({}, { tenderIds: ['7'] });
  expect(shownData.map(({ tenderId }) => tenderId)).toEqual([undefined, '7']);
});

test.each([
  ['https://nivida.example/tenders/7?n=1', '/tenders/7'],
  ['https://nivida.example/tenders/results?q=road&n=1#list', '/tenders/results?q=road#list'],
  ['https://other.example/tenders/7', '/notices'],
  ['http://nivida.example/tenders/7', '/notices'],
  ['https://nivida.example.other.example/', '/notices'],
  ['//other.example/tenders/7', '/notices'],
  ['javascript:alert(1)', '/notices'],
  ['', '/notices'],
])('the link %j of a push opens %s', (link, path) => {
  expect(pathOfLink(link, 'https://nivida.example', 'en')).toBe(path);
});

test.each([
  [3, ['open', 'calendar', 'unbookmark']],
  [2, ['calendar', 'unbookmark']],
  [1, ['calendar']],
  [0, []],
])('of three buttons a browser that shows %d has %j', (count, shown) => {
  const actions = ['open', 'calendar', 'unbookmark'].map((action) => ({ action, title: action, navigate: '' }));
  expect(visibleActions(actions as never, count).map(({ action }) => action)).toEqual(shown);
});

describe('a tap on a notification', () => {
  test('opens a window where the app is closed', async () => {
    await click('');
    expect(calls).toEqual([['close'], ['open', '/tenders/7']]);
  });

  test('shows the tender in the tab that is open', async () => {
    tabs = [tab('first')];
    await click('');
    expect(calls).toEqual([['close'], ['first', 'focus'], ['first', 'navigate', '/tenders/7']]);
  });

  test('opens a window beside a tab that the worker cannot lead to the tender', async () => {
    tabs = [tab('first', false)];
    await click('');
    expect(calls).toEqual([['close'], ['open', '/tenders/7']]);
  });

  test('on the calendar button opens the calendar of the tender', async () => {
    await click('calendar');
    expect(calls).toEqual([['close'], ['open', '/tenders/7#calendar']]);
  });

  test('in Hindi opens Hindi pages, in the tab that is open in any language', async () => {
    tabs = [tab('English')];
    const data = { path: '/hi/tenders/7', nid: 'n', tenderId: '7' };
    await click('', data);
    await click('calendar', data);
    expect(calls.filter(([who, what]) => who === 'English' && what !== 'focus')).toEqual([
      ['English', 'navigate', '/hi/tenders/7'],
      ['English', 'navigate', '/hi/tenders/7#calendar'],
    ]);
  });

  test('opens the tender also where the browser refuses to show its tab', async () => {
    tabs = [Object.assign(tab('first'), { focus: () => Promise.reject(new Error('refused')) })];
    await click('');
    expect(calls).toEqual([['close'], ['first', 'navigate', '/tenders/7']]);
  });

  test.each<[string, string, object | null, string]>([
    ['without data opens the app', '', null, '/'],
    ['of several tenders opens the notices, also on its buttons', 'calendar', { path: '/notices' }, '/notices'],
    ['of several tenders removes no bookmark', 'unbookmark', { path: '/notices' }, '/notices'],
  ])('%s', async (_what, action, data, path) => {
    await click(action, data);
    expect([calls, requests]).toEqual([[['close'], ['open', path]], []]);
  });

  test('is sent to the server without the user', async () => {
    await click('');
    await dismissNotification({ notification: { data: { nid: 'm' } } } as unknown as NotificationEvent);
    expect(requests).toEqual([
      { path: '/api/push/events', method: 'POST', authorization: undefined, body: { nid: 'n', ev: 'clicked' } },
      { path: '/api/push/events', method: 'POST', authorization: undefined, body: { nid: 'm', ev: 'dismissed' } },
    ]);
  });

  test('on the button of a signed-out device sends the bookmarks that are left, each once', async () => {
    await withDatabase(async (db) => {
      await db.pushDevice.update('device', { owner: '' });
      await db.bookmarks.bulkPut(
        [
          ['', '7'],
          ['', '8'],
          ['asha', '8'],
        ].map(([owner = '', tenderId = '']) => ({ owner, tenderId, at: 1, summary: null })),
      );
    });
    await click('unbookmark');
    expect(requests.filter(({ path }) => path !== '/api/push/events')).toEqual([
      {
        path: '/api/push/subscriptions/d/tenders',
        method: 'PUT',
        authorization: 'Device s',
        body: { tenderIds: ['8'] },
      },
    ]);
  });

  test('on the button of a device whose alerts were turned off changes nothing', async () => {
    await withDatabase(async (db) => {
      await db.pushDevice.clear();
      await db.bookmarks.put({ owner: 'asha', tenderId: '7', at: 1, summary: null });
    });
    tabs = [tab('first')];
    await click('unbookmark');
    expect(calls).toEqual([['close']]);
    expect(await withDatabase((db) => db.bookmarks.count())).toBe(1);
  });

  test('on the button that removes the bookmark opens nothing', async () => {
    await withDatabase((db) => db.bookmarks.put({ owner: 'asha', tenderId: '7', at: 1, summary: null }));
    tabs = [tab('first')];
    await click('unbookmark');
    expect(calls).toEqual([['close'], ['first', { type: 'sync' }]]);
    expect(await withDatabase((db) => db.bookmarks.count())).toBe(0);
  });

  test.each([
    [204, 0],
    [404, 0],
    [429, 1],
    [503, 1],
  ])('that the server answers with %i leaves %i counts for later', async (answer, waiting) => {
    status = answer;
    await click('');
    expect(await withDatabase((db) => db.pushEvents.count())).toBe(waiting);
  });

  test('is counted as such, and its dismissal as another', async () => {
    status = 503;
    await click('calendar');
    await dismissNotification({ notification: { data: { nid: 'm' } } } as unknown as NotificationEvent);
    // A neutral notification is not counted. Its text was for another user.
    await dismissNotification({ notification: { data: { path: '/notices' } } } as unknown as NotificationEvent);
    expect(await withDatabase((db) => db.pushEvents.toArray())).toEqual([
      { nid: 'm', ev: 'dismissed' },
      { nid: 'n', ev: 'clicked' },
    ]);
  });
});
