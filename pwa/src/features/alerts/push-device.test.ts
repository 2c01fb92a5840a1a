// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { setLanguage } from '@nivida/contract/i18n';
import { DEFAULT_ALERT_PREFERENCES, type Notice } from '@nivida/contract/push/push';
import { testTender, testTenderDetail } from '@nivida/contract/tenders/test-tender';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { closeDatabase, observeDevice, withDatabase } from '../../data/device/database.ts';
import type { PushDeviceRow } from '../../data/device/schema.ts';
import { stopOutbox } from '../../data/outbox/outbox.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { type AlertState, useAlerts } from './alert-state.ts';
import { markNoticesRead } from './notices/mark-read.ts';
import { loadOlderNotices, markReadOnDevice, refreshNotices, storeNotices } from './notices/notices.ts';
import {
  changePreferences,
  refreshAlertState,
  syncPushDevice,
  syncWatchedTenders,
  turnOffAlerts,
  turnOnAlerts,
} from './push-device.ts';
import { subscribeToPush, subscriptionBody } from './subscribe.ts';
import { syncAlerts } from './sync-alerts.ts';
import { storePushedChanges } from './worker/store-pushed-changes.ts';

interface Call {
  call: string;
  authorization: string | null;
  body: Record<string, unknown>;
}

/** Bytes whose base64url has the two characters that base64 writes differently. */
const KEY_BYTES = new Uint8Array([251, 255, 190]);
const SERVER_KEY = '-_--';

let calls: Call[];
/** Status and body by call; any other is answered with 204. */
let answers: Map<string, () => Response>;
let permission: NotificationPermission;
/** The key of the browser's subscription; null without one. */
let subscribedKey: Uint8Array | null;
let isKeyShown: boolean;
let unsubscribed: number;

const DEVICE = { id: 'd1', rcpt: 'r1', applicationServerKey: SERVER_KEY, preferences: DEFAULT_ALERT_PREFERENCES };
const row = (changes: Partial<PushDeviceRow> = {}): PushDeviceRow => ({
  ...{ key: 'device', owner: '', id: 'd1', secret: 's1', rcpt: 'r1', watched: [] },
  preferences: DEFAULT_ALERT_PREFERENCES,
  ...changes,
});

const subscription = {
  get options() {
    return { applicationServerKey: isKeyShown ? subscribedKey?.buffer : null };
  },
  unsubscribe: async () => {
    subscribedKey = null;
    unsubscribed += 1;
    return true;
  },
  toJSON: () => ({ endpoint: 'https://push.example/1', keys: { p256dh: 'p', auth: 'a' } }),
};
const SENT_SUBSCRIPTION = {
  endpoint: 'https://push.example/1',
  keys: { p256dh: 'p', auth: 'a' },
  applicationServerKey: SERVER_KEY,
};

beforeEach(() => {
  [calls, answers, unsubscribed] = [[], new Map(), 0];
  permission = 'granted';
  isKeyShown = true;
  subscribedKey = KEY_BYTES;
  const registration = {
    pushManager: {
      getSubscription: async () => (subscribedKey ? subscription : null),
      subscribe: async () => {
        subscribedKey = KEY_BYTES;
        return subscription;
      },
    },
  };
  vi.stubGlobal('Notification', {
    get permission() {
      return permission;
    },
    requestPermission: async () => permission,
  });
  vi.stubGlobal('navigator', {
    userAgent: 'Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile',
    language: 'hi-IN',
    onLine: true,
    serviceWorker: { getRegistration: async () => registration, ready: Promise.resolve(registration) },
    locks: { request: (_name: string, work: () => Promise<unknown>) => work() },
  });
  answers.set('GET /api/push/key', () => Response.json({ publicKey: SERVER_KEY }));
  answers.set('POST /api/push/subscriptions', () => Response.json({ ...DEVICE, id: 'd2', secret: 's2' }));
  answers.set('PUT /api/push/subscriptions/d1', () => Response.json({ ...DEVICE, rcpt: 'r9' }));
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    const call = `${request.method} ${pathname}${search}`;
    const text = await request.text();
    calls.push({ call, authorization: request.headers.get('authorization'), body: text ? JSON.parse(text) : {} });
    return answers.get(call)?.() ?? new Response(null, { status: 204 });
  });
});
afterEach(async () => {
  stopOutbox();
  vi.unstubAllGlobals();
  clearSession();
  useAlerts.setState({ state: 'unknown', preferences: null, unread: 0 });
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

const store = (device: PushDeviceRow) => withDatabase((db) => db.pushDevice.put(device));
const stored = () => withDatabase((db) => db.pushDevice.get('device'));
const bookmark = (tenderId: string, at: number) =>
  withDatabase((db) => db.bookmarks.put({ owner: '', tenderId, at, summary: null }));
const refuse = (status: number) => () => Response.json({ code: 'CONFLICT', message: 'x', requestId: 'r' }, { status });
const callNames = () => calls.map(({ call }) => call);

describe('turning alerts on', () => {
  test('registers the browser with its key, name, language and bookmarks', async () => {
    await bookmark('7', 1);
    await turnOnAlerts();
    expect(calls).toEqual([
      { call: 'GET /api/push/key', authorization: null, body: {} },
      {
        call: 'POST /api/push/subscriptions',
        authorization: null,
        body: {
          ...SENT_SUBSCRIPTION,
          name: expect.stringContaining('Android'),
          preferences: { language: 'hi-IN', zone: 'America/Los_Angeles' },
          tenderIds: ['7'],
        },
      },
    ]);
    expect(await stored()).toEqual(row({ id: 'd2', secret: 's2', watched: ['7'] }));
    expect(useAlerts.getState()).toMatchObject({ state: 'on', preferences: DEFAULT_ALERT_PREFERENCES });
  });

  test('in a browser of another language leaves the language to the server', async () => {
    Object.assign(navigator, { language: 'en-IN' });
    await turnOnAlerts();
    expect(calls.at(-1)?.body).toMatchObject({
      name: 'Chrome on Android',
      preferences: { zone: 'America/Los_Angeles' },
    });
    expect(calls.at(-1)?.body.preferences).not.toHaveProperty('language');
  });

  test('in a Hindi app asks for Hindi alerts, in any browser', async () => {
    Object.assign(navigator, { language: 'en-IN' });
    setLanguage('hi');
    onTestFinished(() => setLanguage('en'));
    await turnOnAlerts();
    expect(calls.at(-1)?.body).toMatchObject({ preferences: { language: 'hi-IN' } });
  });

  test('as a user registers the device of the account, whose bookmarks the server has', async () => {
    await bookmark('7', 1);
    signInForTest('asha', 'abc');
    await turnOnAlerts();
    expect(calls.at(-1)).toMatchObject({ authorization: 'Bearer abc', body: { tenderIds: [] } });
    expect(await stored()).toEqual(row({ owner: 'asha', id: 'd2', secret: 's2' }));
  });

  test('sends at most the 200 newest bookmarks', async () => {
    for (let nth = 1; nth <= 201; nth += 1) await bookmark(String(nth), nth);
    await turnOnAlerts();
    const sent = calls.at(-1)?.body.tenderIds as string[];
    expect([sent.length, sent[0], sent.at(-1)]).toEqual([200, '201', '2']);
  });

  test('registers nothing when another user signs in before the device is sent', async () => {
    const { pushManager } = await navigator.serviceWorker.ready;
    vi.spyOn(pushManager, 'getSubscription').mockImplementation(async () => {
      signInForTest('8', "another user's token");
      return null;
    });
    await expect(turnOnAlerts()).rejects.toThrow('The session ended before the request');
    expect([callNames(), await stored()]).toEqual([['GET /api/push/key'], undefined]);
  });

  test.each<NotificationPermission>(['default', 'denied'])('with the answer "%s" registers nothing', async (answer) => {
    permission = answer;
    await turnOnAlerts();
    expect([calls, await stored()]).toEqual([[], undefined]);
  });

  test('again begins with the preferences of the last time', async () => {
    answers.set('PATCH /api/push/subscriptions/d1', () =>
      Response.json({ ...DEVICE, preferences: { ...DEFAULT_ALERT_PREFERENCES, matches: 'at-once' } }),
    );
    await store(row());
    await changePreferences(({ kinds }) => ({ kinds: { ...kinds, closing_in_7_days: true } }));
    expect(calls).toEqual([
      {
        call: 'PATCH /api/push/subscriptions/d1',
        authorization: 'Device s1',
        body: { kinds: { ...DEFAULT_ALERT_PREFERENCES.kinds, closing_in_7_days: true } },
      },
    ]);
    expect((await stored())?.preferences.matches).toBe('at-once');
    await turnOffAlerts();
    expect([await stored(), subscribedKey]).toEqual([undefined, null]);
    await turnOnAlerts();
    // English was stored; the browser is in Hindi.
    expect(calls.at(-1)?.body.preferences).toMatchObject({
      matches: 'at-once',
      language: 'en-IN',
      zone: 'America/Los_Angeles',
    });
  });

  test('replaces a subscription with another key than the server’s', async () => {
    subscribedKey = new Uint8Array([1, 2, 3]);
    await turnOnAlerts();
    expect([unsubscribed, subscribedKey]).toEqual([1, KEY_BYTES]);
  });

  test.each([
    ['the server’s key', true],
    ['a key that the browser does not show', false],
  ])('uses a subscription with %s', async (_what, isShown) => {
    isKeyShown = isShown;
    await turnOnAlerts();
    expect(unsubscribed).toBe(0);
  });
});

test('a subscription is used also where the last group of its key is not full', async () => {
  subscribedKey = new Uint8Array([...KEY_BYTES, 1]);
  answers.set('GET /api/push/key', () => Response.json({ publicKey: `${SERVER_KEY}AQ` }));
  await turnOnAlerts();
  expect(unsubscribed).toBe(0);
});

describe('a subscription of the browser', () => {
  const registrationWith = (subscribe: (options: object) => Promise<unknown>) =>
    ({ pushManager: { getSubscription: async () => null, subscribe } }) as unknown as ServiceWorkerRegistration;

  test('is asked for with the server’s key, for pushes that are all shown', async () => {
    const asked: object[] = [];
    await subscribeToPush(
      registrationWith(async (options) => asked.push(options)),
      SERVER_KEY,
    );
    expect(asked).toEqual([{ userVisibleOnly: true, applicationServerKey: SERVER_KEY }]);
  });

  test('that does not come within 20 seconds is given up', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const ended: string[] = [];
    const work = subscribeToPush(
      registrationWith(() => new Promise(() => undefined)),
      SERVER_KEY,
    ).catch((error: Error) => ended.push(error.message));
    await vi.advanceTimersByTimeAsync(19_999);
    expect(ended).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await work;
    expect(ended).toEqual(['the push service does not answer']);
  });

  test('that the browser refuses fails at once', async () => {
    const refused = registrationWith(() => Promise.reject(new DOMException('denied', 'NotAllowedError')));
    await expect(subscribeToPush(refused, SERVER_KEY)).rejects.toThrow('denied');
  });

  test('without its parts is sent empty, and the server says what is missing', () => {
    const empty = { toJSON: () => ({}) } as unknown as PushSubscription;
    expect(subscriptionBody(empty, SERVER_KEY)).toEqual({
      ...{ endpoint: '', keys: { p256dh: '', auth: '' } },
      applicationServerKey: SERVER_KEY,
    });
  });
});

describe('the state of the alerts', () => {
  const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/605';
  const state = async () => {
    await refreshAlertState();
    const { state: shown, preferences } = useAlerts.getState();
    return [shown, preferences?.language];
  };

  test('is that of this phone: whether alerts are on, and how', async () => {
    expect(await state()).toEqual(['off', undefined]);
    await store(row({ preferences: { ...DEFAULT_ALERT_PREFERENCES, language: 'hi-IN' } }));
    expect(await state()).toEqual(['on', 'hi-IN']);
    permission = 'denied';
    expect(await state()).toEqual(['denied', undefined]);
  });

  test.each<[string, AlertState, object]>([
    ['without a service worker', 'unsupported', { serviceWorker: { getRegistration: async () => undefined } }],
    ['without push', 'unsupported', { serviceWorker: { getRegistration: async () => ({}) } }],
    ['of an old browser', 'unsupported', { serviceWorker: undefined }],
    ['of an iPhone', 'install', { serviceWorker: { getRegistration: async () => ({}) }, userAgent: IPHONE }],
    [
      'of an old iPhone’s home screen',
      'unsupported',
      { serviceWorker: { getRegistration: async () => ({}) }, userAgent: IPHONE, standalone: true },
    ],
  ])('%s is %s', async (_what, expected, changes) => {
    Object.assign(navigator, changes);
    await store(row());
    expect(await state()).toEqual([expected, undefined]);
  });
});

test('alerts are not possible in a browser without notifications', async () => {
  Reflect.deleteProperty(globalThis, 'Notification');
  await store(row());
  await refreshAlertState();
  expect(useAlerts.getState()).toMatchObject({ state: 'unsupported', preferences: null });
});

describe('turning alerts off', () => {
  test('removes the device here and at the server, and its preferences stay for the next time', async () => {
    const preferences = { ...DEFAULT_ALERT_PREFERENCES, quiet: null };
    answers.set('POST /api/push/subscriptions', () => Response.json({ ...DEVICE, secret: 's1', preferences }));
    await turnOnAlerts();
    calls = [];
    await turnOffAlerts();
    await expect
      .poll(() => calls)
      .toEqual([{ call: 'DELETE /api/push/subscriptions/d1', authorization: 'Device s1', body: {} }]);
    expect([await stored(), subscribedKey, useAlerts.getState()]).toMatchObject([
      undefined,
      null,
      { state: 'off', preferences: null },
    ]);
    expect(await withDatabase((db) => db.settings.get('alertsWanted'))).toMatchObject({ value: preferences });
  });

  test('succeeds in a browser that does not end its subscription, and where there is none', async () => {
    await store(row());
    const unsubscribe = vi.spyOn(subscription, 'unsubscribe').mockRejectedValue(new Error('no network'));
    await turnOffAlerts();
    unsubscribe.mockRestore();
    expect([await stored(), useAlerts.getState().state]).toEqual([undefined, 'off']);
    await expect.poll(callNames).toEqual(['DELETE /api/push/subscriptions/d1']);
    await turnOffAlerts();
    expect(callNames()).toHaveLength(1);
  });
});

describe('preferences', () => {
  test('are changed by an object too, and stay for the next time', async () => {
    const preferences = { ...DEFAULT_ALERT_PREFERENCES, quiet: null };
    answers.set('PATCH /api/push/subscriptions/d1', () => Response.json({ ...DEVICE, preferences }));
    await store(row());
    await changePreferences({ quiet: null });
    expect(calls.map(({ body }) => body)).toEqual([{ quiet: null }]);
    expect([await stored(), useAlerts.getState().preferences]).toEqual([row({ preferences }), preferences]);
    expect(await withDatabase((db) => db.settings.get('alertsWanted'))).toMatchObject({ value: preferences });
  });

  test('that are changed twice at once have both changes', async () => {
    let queue = Promise.resolve<unknown>(undefined);
    const request = (_name: string, work: () => Promise<unknown>) => {
      queue = queue.then(work);
      return queue;
    };
    Object.assign(navigator, { locks: { request } });
    answers.set('PATCH /api/push/subscriptions/d1', () => {
      const changes = calls.filter(({ call }) => call.startsWith('PATCH')).map(({ body }) => body);
      return Response.json({ ...DEVICE, preferences: Object.assign({}, DEFAULT_ALERT_PREFERENCES, ...changes) });
    });
    await store(row());
    const mute = (id: string) => changePreferences(({ mutedTenders }) => ({ mutedTenders: [...mutedTenders, id] }));
    await Promise.all([mute('1'), mute('2')]);
    expect([await stored(), useAlerts.getState()]).toMatchObject([
      { preferences: { mutedTenders: ['1', '2'] } },
      { preferences: { mutedTenders: ['1', '2'] } },
    ]);
  });

  test('that the server refuses stay as they were', async () => {
    await store(row());
    answers.set('PATCH /api/push/subscriptions/d1', refuse(400));
    await expect(changePreferences({ quiet: null })).rejects.toThrow();
    expect(await stored()).toEqual(row());
  });

  test('are not changed where alerts are off', async () => {
    await changePreferences({ quiet: null });
    expect([calls, await stored()]).toEqual([[], undefined]);
  });
});

describe('at each start the device', () => {
  test('that is not there ends a subscription that the browser still has', async () => {
    await syncPushDevice();
    expect([subscribedKey, unsubscribed, calls]).toEqual([null, 1, []]);
  });

  test('is not compared in a browser without push', async () => {
    Object.assign(navigator, { serviceWorker: { getRegistration: async () => ({}) } });
    await store(row());
    await syncPushDevice();
    expect([calls, await stored()]).toEqual([[], row()]);
  });

  test('is not compared without a connection', async () => {
    Object.assign(navigator, { onLine: false });
    await store(row());
    await syncPushDevice();
    await syncWatchedTenders();
    expect([calls, await stored(), subscribedKey]).toEqual([[], row(), KEY_BYTES]);
  });

  test('of a visitor is compared with the server in its own name', async () => {
    await store(row({ watched: ['7'] }));
    await bookmark('7', 1);
    await syncPushDevice();
    expect(calls.slice(1)).toEqual([
      { call: 'PUT /api/push/subscriptions/d1', authorization: 'Device s1', body: SENT_SUBSCRIPTION },
    ]);
    expect(await stored()).toEqual(row({ rcpt: 'r9', watched: ['7'] }));
  });

  test('becomes the user’s after a sign-in, without the visitor’s bookmarks', async () => {
    await store(row({ watched: ['7'] }));
    signInForTest('asha', 'abc');
    await syncPushDevice();
    expect(calls.at(-1)).toMatchObject({ call: 'PUT /api/push/subscriptions/d1', authorization: 'Bearer abc' });
    expect(await stored()).toEqual(row({ owner: 'asha', rcpt: 'r9' }));
  });

  test('shows no text for the new user until the server has answered', async () => {
    await store(row());
    signInForTest('asha');
    Object.assign(navigator, { onLine: false });
    await syncPushDevice();
    expect([calls, (await stored())?.rcpt]).toEqual([[], '']);
  });

  test('is registered again with the visitor’s bookmarks after the session has expired', async () => {
    await store(row({ owner: 'asha' }));
    await bookmark('7', 1);
    await syncPushDevice();
    expect(callNames()).toEqual(['GET /api/push/key', 'POST /api/push/subscriptions']);
    expect(await stored()).toEqual(row({ id: 'd2', secret: 's2', watched: ['7'] }));
  });

  test.each([
    [404, 'removed', 0],
    [409, 'stored with other keys', 1],
  ])('is registered again when the server answers %i: it was %s', async (status, _why, times) => {
    await store(row());
    answers.set('PUT /api/push/subscriptions/d1', refuse(status));
    await syncPushDevice();
    expect(callNames().at(-1)).toBe('POST /api/push/subscriptions');
    expect([(await stored())?.id, unsubscribed]).toEqual(['d2', times]);
  });

  test('stays as it is when the server fails', async () => {
    await store(row());
    answers.set('PUT /api/push/subscriptions/d1', refuse(400));
    await expect(syncPushDevice()).rejects.toThrow();
    expect([await stored(), unsubscribed]).toEqual([row(), 0]);
  });

  test.each<[NotificationPermission, AlertState]>([
    ['denied', 'denied'],
    ['default', 'off'],
  ])('is removed when the browser answers "%s" about notifications', async (answer, state) => {
    await store(row());
    permission = answer;
    await syncPushDevice();
    expect([await stored(), subscribedKey, useAlerts.getState().state]).toEqual([undefined, null, state]);
    await expect.poll(callNames).toEqual(['DELETE /api/push/subscriptions/d1']);
  });

  test('sends changed bookmarks of a visitor, once', async () => {
    await store(row({ watched: ['7'] }));
    await bookmark('8', 1);
    await syncWatchedTenders();
    await syncWatchedTenders();
    expect(calls).toEqual([
      {
        call: 'PUT /api/push/subscriptions/d1/tenders',
        authorization: 'Device s1',
        body: { tenderIds: ['8'] },
      },
    ]);
  });

  test('sends the bookmarks of a visitor again that the server has not taken', async () => {
    await store(row({ watched: ['7'] }));
    await bookmark('8', 1);
    answers.set('PUT /api/push/subscriptions/d1/tenders', refuse(503));
    await expect(syncWatchedTenders()).rejects.toThrow();
    expect((await stored())?.watched).toEqual(['7']);
    answers.delete('PUT /api/push/subscriptions/d1/tenders');
    await syncWatchedTenders();
    expect([calls.length, (await stored())?.watched]).toEqual([2, ['8']]);
  });

  test('sends no bookmarks of a user', async () => {
    await bookmark('8', 1);
    await store(row({ owner: 'asha' }));
    await syncWatchedTenders();
    signInForTest('asha');
    await store(row());
    await syncWatchedTenders();
    expect(calls).toEqual([]);
  });
});

describe('the notices of the signed-in user', () => {
  const notice = (id: number, changes: Partial<Notice> = {}): Notice => ({
    ...{
      id: String(id),
      kind: 'closing_tomorrow',
      at: '2026-04-14T12:30:00.000Z',
      readAt: null,
      tenderId: '7',
      title: 'Bridge',
    },
    ...{ closingDate: '2026-04-15T05:30:00.000Z', closingTimeKnown: true, works: 1, patch: null, fields: [] },
    ...{ searchIds: [], office: null },
    ...changes,
  });
  const list = (notices: Notice[], next: string | null = null) => ({ notices, unread: notices.length, next });
  const NOW = new Date('2026-04-15T01:00:00Z');
  const ids = () => withDatabase(async (db) => (await db.notices.toArray()).map(({ id }) => id));
  const readUpTo = () =>
    withDatabase(
      async (db) => (await db.settings.get('notice pages of asha'))?.value as { readUpTo: string | null } | undefined,
    );

  beforeEach(() => {
    signInForTest('asha', 'abc');
    answers.set('GET /api/notices', () => Response.json(list([])));
  });

  test('send their read marks, 200 at a time, before the newest page is read', async () => {
    await withDatabase((db) => storeNotices(db, 'asha', list(Array.from({ length: 201 }, (_, nth) => notice(nth)))));
    await withDatabase((db) => markReadOnDevice(db, 'asha', NOW, '7'));
    await refreshNotices();
    expect(callNames()).toEqual(['POST /api/notices/read', 'POST /api/notices/read', 'GET /api/notices']);
    expect(calls.slice(0, 2).map(({ body }) => (body.ids as string[]).length)).toEqual([200, 1]);
    calls = [];
    await refreshNotices();
    expect(callNames()).toEqual(['GET /api/notices']);
  });

  test('keep a mark of all that was made while the earlier one was sent', async () => {
    await withDatabase((db) => storeNotices(db, 'asha', list([notice(1)])));
    await withDatabase((db) => markReadOnDevice(db, 'asha', NOW));
    answers.set('POST /api/notices/read', () => new Response(null, { status: 204 }));
    await refreshNotices();
    expect(calls[0]?.body).toEqual({ ids: [], upTo: '1' });
    expect((await readUpTo())?.readUpTo).toBeNull();
    await withDatabase((db) => storeNotices(db, 'asha', list([notice(2)])));
    await withDatabase((db) => markReadOnDevice(db, 'asha', NOW));
    const answer = fetch;
    vi.stubGlobal('fetch', async (request: Request) => {
      if (request.url.endsWith('/read')) {
        await withDatabase((db) => storeNotices(db, 'asha', list([notice(3)])));
        await withDatabase((db) => markReadOnDevice(db, 'asha', NOW));
      }
      return answer(request);
    });
    await refreshNotices();
    expect((await readUpTo())?.readUpTo).toBe('3');
  });

  test.each([
    [503, 'stay for the next sync', 1],
    [400, 'are not sent again', 0],
  ])('whose read marks get %i %s', async (status, _what, unsent) => {
    await withDatabase((db) => storeNotices(db, 'asha', list([notice(1)])));
    await withDatabase((db) => markReadOnDevice(db, 'asha', NOW, '7'));
    answers.set('POST /api/notices/read', refuse(status));
    await refreshNotices().catch(() => undefined);
    const rows = await withDatabase((db) => db.notices.filter(({ isUnsent }) => isUnsent).count());
    expect([rows, callNames().includes('GET /api/notices')]).toEqual([unsent, unsent === 0]);
  });

  test('are not asked for without a connection', async () => {
    await withDatabase((db) => storeNotices(db, 'asha', list([notice(1)], '1')));
    Object.assign(navigator, { onLine: false });
    await refreshNotices();
    await loadOlderNotices();
    expect(calls).toEqual([]);
  });

  test('are marked by a screen here and at the server; nothing is sent where none is unread, or the device is new', async () => {
    await markNoticesRead();
    expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain('nivida');
    await withDatabase((db) => storeNotices(db, 'asha', list([notice(1), notice(2, { tenderId: '8' })])));
    await markNoticesRead('9');
    expect(calls).toEqual([]);
    await markNoticesRead('7');
    expect(calls.map(({ call, body }) => [call, body])).toEqual([
      ['POST /api/notices/read', { ids: ['1'] }],
      ['GET /api/notices', {}],
    ]);
    calls = [];
    await withDatabase((db) => storeNotices(db, 'asha', list([notice(1), notice(2, { tenderId: '8' })])));
    answers.set('POST /api/notices/read', refuse(503));
    await markNoticesRead();
    expect(callNames()).toEqual(['POST /api/notices/read']);
    expect((await readUpTo())?.readUpTo).toBe('2');
  });

  test('are not stored when the user has signed out in the meantime', async () => {
    const pages = list([notice(1)], '1');
    answers.set('GET /api/notices', () => {
      clearSession();
      return Response.json(pages);
    });
    await refreshNotices().catch(() => undefined);
    expect(await ids()).toEqual([]);
  });

  test('are asked for in the name of the session; those of a visitor in that of the phone, and of no other user of it', async () => {
    await store(row({ owner: 'asha' }));
    await refreshNotices();
    expect(calls.map(({ authorization }) => authorization)).toEqual(['Bearer abc']);
    clearSession();
    await refreshNotices();
    expect(calls).toHaveLength(1);
    await store(row());
    await refreshNotices();
    expect(calls.map(({ authorization }) => authorization)).toEqual(['Bearer abc', 'Device s1']);
  });

  test('are read page by page', async () => {
    answers.set('GET /api/notices', () => Response.json(list([notice(3), notice(2)], '2')));
    answers.set('GET /api/notices?before=2', () => Response.json(list([notice(1)])));
    await refreshNotices();
    await loadOlderNotices();
    await loadOlderNotices();
    expect([callNames(), await ids()]).toEqual([
      ['GET /api/notices', 'GET /api/notices?before=2'],
      ['1', '2', '3'],
    ]);
  });
});

describe('a sync', () => {
  test.each([
    [503, 1],
    [400, 0],
    [204, 0],
  ])('sends the stored taps on notifications; after the answer %i there are %i left', async (status, left) => {
    await withDatabase((db) => db.pushEvents.put({ nid: 'abcdefghijklmnop', ev: 'clicked' }));
    if (status !== 204) answers.set('POST /api/push/events', refuse(status));
    signInForTest('asha');
    answers.set('GET /api/notices', () => Response.json({ notices: [], unread: 0, next: null }));
    // The next sync ends the retry of a failed one.
    await syncAlerts().catch(() => undefined);
    expect(callNames()).toContain('POST /api/push/events');
    expect(await withDatabase((db) => db.pushEvents.count())).toBe(left);
  });

  test('counts a tap that the browser itself has answered, by the address that it opened', async () => {
    history.replaceState(null, '', '/tenders/7?n=qrstuvwxyzabcdef');
    onTestFinished(() => history.replaceState(null, '', '/'));
    signInForTest('asha');
    answers.set('GET /api/notices', () => Response.json({ notices: [], unread: 0, next: null }));
    await syncAlerts();
    expect(calls.find(({ call }) => call === 'POST /api/push/events')?.body).toEqual({
      nid: 'qrstuvwxyzabcdef',
      ev: 'clicked',
    });
    expect(await withDatabase((db) => db.pushEvents.count())).toBe(0);
  });

  test('counts the unread notices and answers of the present user after each change', async () => {
    const notice = {
      kind: 'closing_tomorrow',
      at: '2026-04-14T12:30:00.000Z',
      readAt: null,
      tenderId: '7',
      title: 'Bridge',
    };
    const rest = { closingDate: '2026-04-15T05:30:00.000Z', closingTimeKnown: true, works: 1, patch: null };
    const list = (...ids: string[]) => ({
      notices: ids.map((id) => ({ id, ...notice, ...rest, fields: [], searchIds: [], office: null })),
      ...{ unread: ids.length, next: null },
    });
    const counts = () => {
      const { unread, unreadAnswers } = useAlerts.getState();
      return [unread, unreadAnswers];
    };
    signInForTest('asha');
    answers.set('GET /api/notices', () => Response.json(list('1', '2')));
    await syncAlerts();
    await expect.poll(counts).toEqual([2, 0]);
    const at = '2026-04-14T12:30:00.000Z';
    const message = { id: 'm', sender: 'staff' as const, text: 'Yes', createdAt: at, readAt: null, attachments: [] };
    const about = {
      subject: 'A question',
      state: 'answered' as const,
      orderId: null,
      tenderId: null,
      tenderTitle: null,
    };
    const thread = { id: 't', owner: 'asha', ...about, createdAt: at, updatedAt: at, unsentRead: null };
    await withDatabase((db) => db.supportThreads.put({ ...thread, messages: [message] }));
    await expect.poll(counts).toEqual([2, 1]);
    await withDatabase((db) => markReadOnDevice(db, 'asha', new Date()));
    await expect.poll(counts).toEqual([0, 1]);
    await withDatabase((db) => db.supportThreads.put({ ...thread, messages: [{ ...message, readAt: at }] }));
    await expect.poll(counts).toEqual([0, 0]);
    clearSession();
    await syncAlerts();
    await expect.poll(counts).toEqual([0, 0]);
    await withDatabase((db) => storeNotices(db, 'asha', list('3', '4', '5')));
    await withDatabase((db) => storeNotices(db, '', list('6')));
    await expect.poll(counts).toEqual([1, 0]);
  });

  test('shows the open app what the service worker has written', async () => {
    const closing_date = '2026-04-15T05:30:00.000Z';
    const change = { version: 2, oldClosing: closing_date, newClosing: '2026-04-20T10:00:00.000Z' };
    await withDatabase(async (db) => {
      await db.tenders.put({ id: '7', tender: testTenderDetail({ _id: '7', closing_date }), savedAt: 1 });
      await db.bookmarks.put({ owner: '', tenderId: '7', at: 1, summary: testTender({ _id: '7', closing_date }) });
    });
    const shown: (string | undefined)[][] = [];
    const stop = observeDevice(
      async (db) => [
        (await db.tenders.get('7'))?.tender.closing_date,
        (await db.bookmarks.get(['', '7']))?.summary?.closing_date,
      ],
      (closings) => shown.push(closings),
    );
    onTestFinished(stop);
    await expect.poll(() => shown.at(-1)).toEqual([closing_date, closing_date]);
    await storePushedChanges([{ ...change, tenderId: '7' }], Date.now());
    await syncAlerts();
    await expect.poll(() => shown.at(-1)).toEqual([change.newClosing, change.newClosing]);
  });

  test('forgets a pushed change after a week, when the packs have it', async () => {
    const change = { version: 2, oldClosing: '2026-04-15T05:30:00.000Z', newClosing: '2026-04-20T10:00:00.000Z' };
    const ago = (days: number) => Date.now() - days * 86_400_000;
    await withDatabase((db) =>
      db.pushedChanges.bulkPut([
        { ...change, tenderId: '1', at: ago(6.9) },
        { ...change, tenderId: '2', at: ago(7.1) },
      ]),
    );
    await syncAlerts();
    expect(await withDatabase((db) => db.pushedChanges.toCollection().primaryKeys())).toEqual(['1']);
  });
});
