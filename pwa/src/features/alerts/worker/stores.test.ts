// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { DEFAULT_ALERT_PREFERENCES, type TenderPatch } from '@nivida/contract/push/push';
import type { Tender, TenderSummary } from '@nivida/contract/tenders/tender';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../../data/device/database.ts';
import { patchSummary, patchTender } from '../../../data/device/tender-patch.ts';
import { readPushDeviceRow } from '../../../data/device/worker-database.ts';
import { bookmarkChange } from '../../../data/outbox/pending-changes.ts';
import { outboxAnswer } from '../../../data/outbox/test-outbox.ts';
import { clickNotification } from './notifications.ts';
import { recordPushEvent } from './push-events.ts';
import { removeBookmark } from './remove-bookmark.ts';
import { renewSubscription } from './renew-subscription.ts';
import { storePushedChanges } from './store-pushed-changes.ts';

afterEach(async () => {
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

const OLD_CLOSING = '2026-04-15T05:30:00.000Z';
const NOW = '2026-04-20T10:00:00.000Z';
const pushedChange = (changes: Partial<TenderPatch> = {}): TenderPatch => ({
  tenderId: '7',
  version: 2,
  oldClosing: OLD_CLOSING,
  newClosing: NOW,
  ...changes,
});

/** The fields of a tender that a change concerns. */
const tender = (version: number, closing_date = OLD_CLOSING) => ({ _id: '7', version, closing_date }) as Tender;
const card = (closing_date = OLD_CLOSING) => ({ _id: '7', closing_date }) as TenderSummary;

async function storeTender(tender: Tender, summary: TenderSummary | null): Promise<void> {
  await withDatabase(async (db) => {
    await db.tenders.put({ id: '7', tender, savedAt: 1 });
    await db.bookmarks.put({ owner: 'asha', tenderId: '7', at: 1, summary });
  });
}

const closings = () =>
  withDatabase(async (db) => [
    (await db.tenders.get('7'))?.tender.closing_date,
    (await db.bookmarks.get(['asha', '7']))?.summary?.closing_date,
  ]);

describe('the change that a push brings', () => {
  test('is written into the opened tender, its card, and beside the packs', async () => {
    await storeTender(tender(1), card());
    await storePushedChanges([pushedChange()], 5);
    expect(await closings()).toEqual([NOW, NOW]);
    expect(await withDatabase((db) => db.tenders.get('7'))).toMatchObject({
      savedAt: 1,
      tender: { version: 2, last_corrigendum: 'date' },
    });
    expect(await withDatabase((db) => db.pushedChanges.toArray())).toEqual([{ ...pushedChange(), at: 5 }]);
  });

  test('is written into the bookmarks of its tender of all users, and into no other tender that closes at the same time', async () => {
    const bookmark = (owner: string, tenderId: string) => ({ owner, tenderId, at: 1, summary: card() });
    const other = tender(1);
    await withDatabase(async (db) => {
      await db.tenders.bulkPut([
        { id: '7', tender: tender(1), savedAt: 1 },
        { id: '8', tender: other, savedAt: 1 },
      ]);
      await db.bookmarks.bulkPut([bookmark('asha', '7'), bookmark('asha', '8'), bookmark('ravi', '7')]);
    });
    await storePushedChanges([pushedChange()], 5);
    const rows = await withDatabase((db) => db.bookmarks.toArray());
    expect(rows.map(({ owner, tenderId, summary }) => [owner, tenderId, summary?.closing_date])).toEqual([
      ['asha', '7', NOW],
      ['asha', '8', OLD_CLOSING],
      ['ravi', '7', NOW],
    ]);
    expect((await withDatabase((db) => db.tenders.get('8')))?.tender).toEqual(other);
  });

  test('is written for each of several tenders, also after one that is stored already', async () => {
    await withDatabase((db) => db.pushedChanges.put({ ...pushedChange(), at: 5 }));
    await storePushedChanges([pushedChange(), pushedChange({ tenderId: '8' })], 6);
    const rows = await withDatabase((db) => db.pushedChanges.toArray());
    expect(rows.map(({ tenderId, at }) => [tenderId, at])).toEqual([
      ['7', 5],
      ['8', 6],
    ]);
  });

  test('is written into a card that was read between the changes of one push', async () => {
    const between = '2026-04-27T10:00:00.000Z';
    await storeTender(tender(2, between), card(between));
    await storePushedChanges([pushedChange({ version: 3, interimClosings: [between] })], 5);
    expect(await closings()).toEqual([NOW, NOW]);
  });

  test('of the version that is stored already is not written again', async () => {
    await storeTender(tender(1), card());
    await storePushedChanges([pushedChange()], 5);
    await storePushedChanges([pushedChange({ newClosing: '2026-05-01T05:30:00.000Z' })], 6);
    expect(await withDatabase((db) => db.pushedChanges.toArray())).toEqual([{ ...pushedChange(), at: 5 }]);
  });

  test('leaves a stored tender of this version or a later one alone', async () => {
    const later = '2026-05-01T05:30:00.000Z';
    await storeTender(tender(3, later), card(later));
    await storePushedChanges([pushedChange()], 5);
    expect(await closings()).toEqual([later, later]);
  });

  test('does not undo a later change', async () => {
    const later = '2026-05-01T05:30:00.000Z';
    await storeTender(tender(1), card());
    await storePushedChanges([pushedChange({ version: 3, newClosing: later })], 5);
    await storePushedChanges([pushedChange()], 6);
    expect(await closings()).toEqual([later, later]);
    expect(await withDatabase((db) => db.pushedChanges.toArray())).toEqual([
      { ...pushedChange({ version: 3, newClosing: later }), at: 5 },
    ]);
  });

  const LATER = '2026-05-01T05:30:00.000Z';
  test.each([
    ['another field', pushedChange({ version: 3, oldClosing: NOW }), NOW, []],
    ['the closing again', pushedChange({ version: 3, oldClosing: NOW, newClosing: LATER }), LATER, [NOW]],
    ['the closing back', pushedChange({ version: 3, oldClosing: NOW, newClosing: OLD_CLOSING }), OLD_CLOSING, [NOW]],
  ])('stays in a card of the packs after a second push about %s', async (_what, second, newest, interim) => {
    await storeTender(tender(1), card());
    await storePushedChanges([pushedChange()], 5);
    await storePushedChanges([second], 6);
    expect(await closings()).toEqual([newest, newest]);
    const stored = { tenderId: '7', version: 3, oldClosing: OLD_CLOSING, newClosing: newest };
    expect(await withDatabase((db) => db.pushedChanges.toArray())).toEqual([
      { ...stored, at: 6, ...(interim.length > 0 && { interimClosings: interim }) },
    ]);
    const merged = { ...stored, interimClosings: interim };
    const shown = { closing_date: newest, last_corrigendum: 'date' };
    expect(patchSummary(card(), merged)).toEqual({ ...card(), ...shown });
    expect(patchTender(tender(1), merged)).toEqual({ ...tender(1), ...shown, version: 3 });
    expect(patchTender(tender(3, newest), merged)).toEqual(tender(3, newest));
  });

  test('and that of a second push are both in a tender that was stored again in between', async () => {
    await storeTender(tender(1), card());
    await storePushedChanges([pushedChange()], 5);
    // an answer from before the first change
    await storeTender(tender(1), card());
    await storePushedChanges([pushedChange({ version: 3, oldClosing: NOW })], 6);
    expect(await closings()).toEqual([NOW, NOW]);
    expect(await withDatabase((db) => db.tenders.get('7'))).toMatchObject({
      tender: { version: 3, last_corrigendum: 'date' },
    });
  });

  test('of a tender that is not on the device waits for the packs', async () => {
    await withDatabase(async (db) => db.tenders.clear());
    await storePushedChanges([pushedChange()], 5);
    expect(await withDatabase((db) => db.tenders.count())).toBe(0);
    expect(await withDatabase((db) => db.pushedChanges.count())).toBe(1);
  });
});

describe('the button that removes a bookmark', () => {
  test('removes the user’s bookmark, queues the change, and lets the app undo it', async () => {
    await storeTender(tender(1), card());
    const other = { owner: 'asha', tenderId: '8', at: 1, summary: card() };
    await withDatabase((db) => db.bookmarks.put(other));
    await removeBookmark('asha', '7', 50);
    expect(await withDatabase((db) => db.bookmarks.toArray())).toEqual([other]);
    expect(await withDatabase((db) => db.outbox.toArray())).toEqual([bookmarkChange('asha', '7', false, 50)]);
    expect((await withDatabase((db) => db.settings.get('bookmarksRemoved')))?.value).toEqual([
      { owner: 'asha', tenderId: '7', at: 1, summary: card(), removedBy: 'asha' },
    ]);
  });

  test('lets the app undo several removals', async () => {
    const bookmark = (tenderId: string) => ({ owner: 'asha', tenderId, at: 1, summary: card() });
    await withDatabase((db) => db.bookmarks.bulkPut(['7', '8'].map(bookmark)));
    await removeBookmark('asha', '7', 50);
    await removeBookmark('asha', '8', 51);
    expect((await withDatabase((db) => db.settings.get('bookmarksRemoved')))?.value).toEqual(
      ['7', '8'].map((tenderId) => ({ ...bookmark(tenderId), removedBy: 'asha' })),
    );
  });

  test('is later than a change of the same bookmark, also when the clock was set back since', async () => {
    await storeTender(tender(1), card());
    await withDatabase((db) => db.outbox.put(bookmarkChange('asha', '7', true, 80)));
    await removeBookmark('asha', '7', 50);
    expect(await withDatabase((db) => db.outbox.toArray())).toEqual([bookmarkChange('asha', '7', false, 81)]);
  });

  test('queues nothing for a bookmark of the signed-out device', async () => {
    await withDatabase((db) => db.bookmarks.put({ owner: '', tenderId: '7', at: 1, summary: card() }));
    await removeBookmark('', '7', 50);
    expect(await withDatabase((db) => db.bookmarks.count())).toBe(0);
    expect(await withDatabase((db) => db.outbox.count())).toBe(0);
  });

  test('of a signed-out device removes also the bookmark of a session that the server has ended, which is queued', async () => {
    await storeTender(tender(1), card());
    await withDatabase((db) => db.bookmarks.put({ owner: '', tenderId: '7', at: 2, summary: null }));
    await removeBookmark('', '7', 50);
    expect(await withDatabase((db) => db.bookmarks.count())).toBe(0);
    expect(await withDatabase((db) => db.outbox.toArray())).toEqual([bookmarkChange('asha', '7', false, 50)]);
    const list = (await withDatabase((db) => db.settings.get('bookmarksRemoved')))?.value as { removedBy: string }[];
    expect(list.map(({ removedBy }) => removedBy)).toEqual(['', '']);
  });

  test('leaves the bookmarks of other users', async () => {
    await storeTender(tender(1), card());
    await removeBookmark('ravi', '7', 50);
    expect(await withDatabase((db) => db.bookmarks.count())).toBe(1);
    expect(await withDatabase((db) => db.outbox.count())).toBe(0);
  });
});

describe('the tap on "Remove bookmark" of a user', () => {
  const TOKENS = { owner: 'asha', tokens: ['first', 'last'] };
  let calls: { path: string; authorization: string | undefined; body: unknown }[];
  let messages: unknown[];
  let tags: string[];

  beforeEach(async () => {
    calls = [];
    messages = [];
    tags = [];
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
    vi.stubGlobal('fetch', async (path: string, init: { headers: Record<string, string>; body: string }) => {
      calls.push({ path, authorization: init.headers.authorization, body: JSON.parse(init.body) });
      return outboxAnswer(JSON.parse(init.body));
    });
    await storeTender(tender(1), card());
    await withDatabase(async (db) => {
      await db.settings.put({ key: 'send tokens', value: TOKENS });
      await db.pushDevice.put({
        ...{ key: 'device', owner: 'asha', id: 'd', secret: 's', rcpt: 'r', watched: [] },
        preferences: DEFAULT_ALERT_PREFERENCES,
      });
    });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  /** The browser's side of a service worker with one open tab. */
  const worker = () =>
    ({
      clients: { matchAll: async () => [{ postMessage: (message: unknown) => messages.push(message) }] },
      registration: { sync: { register: async (tag: string) => void tags.push(tag) } },
    }) as unknown as ServiceWorkerGlobalScope;
  const tap = () =>
    clickNotification(worker(), {
      notification: { close: () => undefined, data: { path: '/tenders/7', tenderId: '7' } },
      action: 'unbookmark',
    } as unknown as NotificationEvent);
  const waiting = () => withDatabase((db) => db.outbox.count());
  const tokens = async () => (await withDatabase((db) => db.settings.get('send tokens')))?.value;

  test('is sent at once with a one-time token, and open tabs are notified', async () => {
    await tap();
    expect(calls).toEqual([
      {
        path: '/api/outbox',
        authorization: 'Once last',
        body: { bookmarks: [{ tenderId: '7', wanted: false }], searches: [], offices: [] },
      },
    ]);
    expect([await waiting(), tags, messages]).toEqual([0, [], [{ type: 'sync' }]]);
  });

  test('stays queued without a connection, with its token; Background Sync sends it later', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    await tap();
    expect([calls, await waiting(), tags, await tokens()]).toEqual([[], 1, ['outbox'], TOKENS]);
  });

  test('stays queued when the server is not reached; Background Sync sends it later', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    await tap();
    expect([await waiting(), tags]).toEqual([1, ['outbox']]);
  });

  test('waits for the app where there is no one-time token', async () => {
    await withDatabase((db) => db.settings.delete('send tokens'));
    await tap();
    expect([calls, await waiting(), tags]).toEqual([[], 1, []]);
  });
});

describe('a subscription that the browser has dropped', () => {
  const subscription = {
    toJSON: () => ({ endpoint: 'https://push.example/new', keys: { p256dh: 'p', auth: 'a' } }),
  };
  let sent: { path: string; method: string | undefined; authorization: unknown; body: unknown }[];
  let subscribed: unknown[];
  const registration = {
    pushManager: {
      getSubscription: async () => null,
      subscribe: async (options: unknown) => {
        subscribed.push(options);
        return subscription;
      },
    },
  } as unknown as ServiceWorkerRegistration;

  beforeEach(() => {
    [sent, subscribed] = [[], []];
    vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
      if (path === '/api/push/key') return Response.json({ publicKey: 'server-key' });
      const { authorization } = init.headers as Record<string, string>;
      sent.push({ path, method: init.method, authorization, body: JSON.parse(String(init.body)) });
      return Response.json({});
    });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  test('is replaced by one with the server’s present key, in the name of the device', async () => {
    await withDatabase((db) =>
      db.pushDevice.put({
        ...{ key: 'device', owner: 'asha', id: 'd', secret: 's', rcpt: 'r', watched: [] },
        preferences: DEFAULT_ALERT_PREFERENCES,
      }),
    );
    await renewSubscription(registration);
    expect(subscribed).toEqual([{ userVisibleOnly: true, applicationServerKey: 'server-key' }]);
    expect(sent).toEqual([
      {
        path: '/api/push/subscriptions/d',
        method: 'PUT',
        authorization: 'Device s',
        body: {
          endpoint: 'https://push.example/new',
          keys: { p256dh: 'p', auth: 'a' },
          applicationServerKey: 'server-key',
        },
      },
    ]);
  });

  test('stays as it is without a connection, or when the browser refuses a new one; the next start repairs it', async () => {
    await withDatabase((db) =>
      db.pushDevice.put({
        ...{ key: 'device', owner: 'asha', id: 'd', secret: 's', rcpt: 'r', watched: [] },
        preferences: DEFAULT_ALERT_PREFERENCES,
      }),
    );
    const pushManager = {
      getSubscription: async () => null,
      subscribe: () => Promise.reject(new DOMException('denied', 'NotAllowedError')),
    };
    await renewSubscription({ pushManager } as unknown as ServiceWorkerRegistration);
    expect(sent).toEqual([]);
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    await renewSubscription(registration);
    expect([subscribed, await readPushDeviceRow()]).toEqual([[], expect.objectContaining({ id: 'd', secret: 's' })]);
  });

  test('stays away on a device that has no alerts', async () => {
    await withDatabase((db) => db.pushDevice.clear());
    await renewSubscription(registration);
    expect([subscribed, sent]).toEqual([[], []]);
  });
});

test('before the app was ever opened there is no device, and none is made', async () => {
  expect(await readPushDeviceRow()).toBeUndefined();
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  await recordPushEvent('abcdefghijklmnop', 'clicked');
  vi.unstubAllGlobals();
  expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain('nivida');
});
