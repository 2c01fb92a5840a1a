// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { DEFAULT_ALERT_PREFERENCES, type Notice } from '@nivida/contract/push/push';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { writeSetting } from '../../data/device/settings.ts';
import { LANGUAGE_KEY } from '../../data/device/worker-database.ts';
import { sendOutbox, stopOutbox } from '../../data/outbox/outbox.ts';
import { type AlertState, type BrowserCapabilities, possibleAlertState } from './alert-state.ts';
import { noticeLabels, worksLabel } from './labels.ts';
import {
  deleteNotices,
  markReadOnDevice,
  readNoticeList,
  storeNotices,
  unreadCount,
  visibleNotices,
} from './notices/notices.ts';
import { watchedTenderIds } from './push-device.ts';
import { dismissAlertOffer, readAlertRefusal, shouldOfferAlerts, useAlertRefusal } from './settings/alert-offer.ts';
import { deleteAlertsOf } from './sync-alerts.ts';

afterEach(async () => {
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

const notice = (changes: Partial<Notice> = {}): Notice => ({
  id: '1',
  kind: 'closing_tomorrow',
  at: '2026-04-14T12:30:00.000Z',
  readAt: null,
  tenderId: '7',
  title: 'Footbridge at Bharmour',
  closingDate: '2026-04-15T05:30:00.000Z',
  closingTimeKnown: true,
  works: 1,
  patch: null,
  fields: [],
  searchIds: [],
  office: null,
  ...changes,
});

describe('alerts on a browser', () => {
  const phone: BrowserCapabilities = { hasPush: true, isApplePhone: false, isStandalone: false, permission: 'default' };
  test.each<[what: string, browser: BrowserCapabilities, state: AlertState]>([
    ['that has all it takes', phone, 'off'],
    ['that allows them', { ...phone, permission: 'granted' }, 'off'],
    ['that denies them', { ...phone, permission: 'denied' }, 'denied'],
    ['without push', { ...phone, hasPush: false, permission: undefined }, 'unsupported'],
    ['of an iPhone', { ...phone, hasPush: false, isApplePhone: true }, 'install'],
    ['of an iPhone’s home screen', { ...phone, isApplePhone: true, isStandalone: true }, 'off'],
    [
      'of an old iPhone’s home screen',
      { ...phone, hasPush: false, isApplePhone: true, isStandalone: true },
      'unsupported',
    ],
  ])('%s', (_what, browser, state) => {
    expect(possibleAlertState(browser)).toBe(state);
  });
});

describe('alerts are offered', () => {
  const now = new Date('2026-04-29T12:00:00+05:30');
  const refusedOn = (day: string) => Math.floor(Date.parse(`${day}T00:00:00Z`) / 86_400_000);
  test.each<[what: string, state: AlertState, refused: number | null | undefined, hasReason: boolean, is: boolean]>([
    ['after a bookmark or a saved search', 'off', null, true, true],
    ['not before', 'off', null, false, false],
    ['not until it is known whether they were refused', 'off', undefined, true, false],
    ['not within four weeks of "Not now"', 'off', refusedOn('2026-04-02'), true, false],
    ['again after four weeks', 'off', refusedOn('2026-04-01'), true, true],
    ['not when they are on', 'on', null, true, false],
    ['not when the browser denies them', 'denied', null, true, false],
    ['not while the state is unknown', 'unknown', null, true, false],
  ])('%s', (_what, state, refused, hasReason, is) => {
    expect(shouldOfferAlerts(state, refused, hasReason, now)).toBe(is);
  });

  test('by the Indian day of the last "Not now", which the phone has stored', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-04-29T00:10:00+05:30') });
    onTestFinished(() => {
      vi.useRealTimers();
      useAlertRefusal.setState({ day: undefined });
    });
    const readDay = async () => {
      useAlertRefusal.setState({ day: undefined });
      await readAlertRefusal();
      return useAlertRefusal.getState().day;
    };
    expect(await readDay()).toBeNull();
    await dismissAlertOffer();
    expect(useAlertRefusal.getState().day).toBe(refusedOn('2026-04-29'));
    expect(await readDay()).toBe(refusedOn('2026-04-29'));
    await writeSetting('alertsRefused', 'yesterday');
    expect(await readDay()).toBeNull();
  });
});

describe('the notices on the device', () => {
  test('are the server’s, the newest first, each owner’s his own', async () => {
    await withDatabase((db) => storeNotices(db, 'asha', { next: null, unread: 1, notices: [notice({ id: '9' })] }));
    await withDatabase((db) =>
      storeNotices(db, '', {
        next: null,
        unread: 2,
        notices: [notice(), notice({ id: '2', at: '2026-04-15T02:30:00.000Z' })],
      }),
    );
    await withDatabase((db) => storeNotices(db, 'asha', { next: null, unread: 0, notices: [] }));
    expect((await withDatabase((db) => visibleNotices(db, ''))).map(({ id }) => id)).toEqual(['2', '1']);
    expect(await withDatabase((db) => visibleNotices(db, 'asha'))).toEqual([]);
  });

  test('of one instant are in the order of their numbers', async () => {
    const notices = ['9', '10', '11'].map((id) => notice({ id }));
    await withDatabase((db) => storeNotices(db, '', { next: null, unread: 3, notices }));
    expect((await withDatabase((db) => visibleNotices(db, ''))).map(({ id }) => id)).toEqual(['11', '10', '9']);
  });

  test('that were read without a connection stay read, also when the server lists them as unread', async () => {
    const list = { next: null, unread: 2, notices: [notice(), notice({ id: '2', tenderId: '8' })] };
    await withDatabase((db) => storeNotices(db, '', list));
    expect(await withDatabase((db) => markReadOnDevice(db, '', new Date('2026-04-15T01:00:00Z'), '7'))).toBe(1);
    await withDatabase((db) => storeNotices(db, '', list));
    const rows = await withDatabase((db) => visibleNotices(db, ''));
    expect(rows.map(({ tenderId, readAt, isUnsent }) => [tenderId, readAt, isUnsent])).toEqual([
      ['8', null, false],
      ['7', '2026-04-15T01:00:00.000Z', true],
    ]);
    expect(await withDatabase((db) => unreadCount(db, ''))).toBe(1);
  });

  describe('with more pages on the server', () => {
    const page = (from: number, to: number) =>
      Array.from({ length: from - to + 1 }, (_, nth) =>
        notice({
          id: String(from - nth),
          tenderId: String(from - nth),
          at: new Date((from - nth) * 60_000).toISOString(),
        }),
      );
    const receive = (notices: Notice[], unread: number, next: string | null, before?: string) =>
      withDatabase((db) => storeNotices(db, 'asha', { notices, unread, next }, before));
    const stored = async () => (await withDatabase((db) => visibleNotices(db, 'asha'))).map(({ id }) => Number(id));
    const unread = () => withDatabase((db) => unreadCount(db, 'asha'));

    test('are counted whole; each older page is added, and stays when a newer first page comes', async () => {
      await receive(page(300, 201), 2_009, '201');
      expect(await unread()).toBe(2_009);
      await receive(page(200, 101), 2_009, '101', '201');
      expect([await unread(), (await stored()).length]).toEqual([2_009, 200]);
      await receive(page(301, 202), 2_010, '202');
      expect([await unread(), (await stored()).length]).toEqual([2_010, 201]);
      expect((await withDatabase((db) => readNoticeList(db, 'asha'))).hasOlder).toBe(true);
      await receive(page(100, 51), 2_010, null, '101');
      expect((await withDatabase((db) => readNoticeList(db, 'asha'))).hasOlder).toBe(false);
      expect((await stored()).length).toBe(251);
    });

    test('begin again with the first page when it no longer touches the others', async () => {
      await receive(page(300, 201), 300, '201');
      await receive(page(500, 401), 500, '401');
      expect([(await stored())[0], (await stored()).at(-1), await unread()]).toEqual([500, 401, 500]);
    });

    test('are all marked as read at once without a connection, also those that only the server has; later ones are not', async () => {
      await receive(page(300, 201), 2_009, '201');
      const now = new Date('2026-04-15T01:00:00Z');
      expect(await withDatabase((db) => markReadOnDevice(db, 'asha', now))).toBe(2_009);
      expect(await unread()).toBe(0);
      expect((await withDatabase((db) => db.settings.get('notice pages of asha')))?.value).toMatchObject({
        readUpTo: '300',
      });
      // The server does not know it yet.
      await receive(page(301, 202), 2_010, '202');
      expect(await unread()).toBe(1);
      await receive(page(200, 101), 2_010, '101', '201');
      expect(await unread()).toBe(1);
    });

    test('are all read at once also where their numbers get another digit', async () => {
      await receive(page(1_000, 901), 200, '901');
      await withDatabase((db) => markReadOnDevice(db, 'asha', new Date('2026-04-15T01:00:00Z')));
      expect((await withDatabase((db) => db.settings.get('notice pages of asha')))?.value).toMatchObject({
        readUpTo: '1000',
      });
      await receive(page(900, 801), 200, null, '901');
      expect([(await stored()).length, await unread()]).toEqual([200, 0]);
    });

    test('go with their owner', async () => {
      await receive(page(300, 201), 2_009, '201');
      await withDatabase((db) => deleteNotices(db, 'asha'));
      expect([await stored(), await unread()]).toEqual([[], 0]);
      expect(await withDatabase((db) => db.settings.count())).toBe(0);
    });
  });

  test('of a tender that are read already stay as they are when its others are marked', async () => {
    const readAt = '2026-04-14T13:00:00.000Z';
    const notices = [notice(), notice({ id: '2', readAt })];
    await withDatabase((db) => storeNotices(db, '', { next: null, unread: 1, notices }));
    expect(await withDatabase((db) => markReadOnDevice(db, '', new Date('2026-04-15T01:00:00Z'), '7'))).toBe(1);
    expect(await withDatabase((db) => db.notices.get(['', '2']))).toMatchObject({ readAt, isUnsent: false });
  });

  test('are read that were read on another device', async () => {
    await withDatabase((db) => storeNotices(db, '', { next: null, unread: 1, notices: [notice()] }));
    const readAt = '2026-04-14T13:00:00.000Z';
    await withDatabase((db) => storeNotices(db, '', { next: null, unread: 0, notices: [notice({ readAt })] }));
    expect(await withDatabase((db) => visibleNotices(db, ''))).toMatchObject([{ readAt, isUnsent: false }]);
  });

  test('that were read here and on another device are not sent any more', async () => {
    const list = (readAt: string | null) => ({ next: null, unread: 0, notices: [notice({ readAt })] });
    const readAt = '2026-04-14T13:00:00.000Z';
    await withDatabase((db) => storeNotices(db, '', list(null)));
    await withDatabase((db) => markReadOnDevice(db, '', new Date('2026-04-15T01:00:00Z'), '7'));
    await withDatabase((db) => storeNotices(db, '', list(readAt)));
    expect(await withDatabase((db) => visibleNotices(db, ''))).toMatchObject([{ readAt, isUnsent: false }]);
  });
});

test('the device sends the bookmarks that a visitor sees; those of a user the server has', async () => {
  const bookmark = (owner: string, tenderId: string, at: number) => ({ owner, tenderId, at, summary: null });
  await withDatabase((db) =>
    db.bookmarks.bulkPut([bookmark('', '1', 1), bookmark('asha', '2', 2), bookmark('', '2', 3)]),
  );
  expect(await withDatabase((db) => watchedTenderIds(db, ''))).toEqual(['2', '1']);
  expect(await withDatabase((db) => watchedTenderIds(db, 'asha'))).toEqual([]);
});

describe('a notice says', () => {
  const moved = {
    tenderId: '7',
    version: 2,
    oldClosing: '2026-04-15T05:30:00.000Z',
    newClosing: '2026-04-20T10:00:00.000Z',
  };
  test.each<[notice: Notice, what: string, detail: string]>([
    [notice(), 'Closes the next day', 'Closing: 15 Apr 2026, 11:00 AM'],
    [notice({ kind: 'closing_in_3_hours' }), 'Closes within hours', 'Closing: 15 Apr 2026, 11:00 AM'],
    [
      notice({ kind: 'closing_in_7_days', closingTimeKnown: false }),
      'Closes within 7 days',
      'Closing: 15 Apr 2026, time not stated',
    ],
    [
      notice({ kind: 'changed', patch: moved, fields: ['closing_date'] }),
      'Closing moved to 20 Apr 2026, 3:30 PM',
      'It was 15 Apr 2026, 11:00 AM',
    ],
    [
      notice({ kind: 'changed', fields: ['emd', 'documents'] }),
      'Changed: EMD, documents',
      'Closing: 15 Apr 2026, 11:00 AM',
    ],
    [notice({ kind: 'changed', fields: ['result'] }), 'Result is out', 'Closing: 15 Apr 2026, 11:00 AM'],
    [
      notice({ kind: 'changed', fields: ['values'] }),
      'Portal and documents name different estimates',
      'Closing: 15 Apr 2026, 11:00 AM',
    ],
    [notice({ kind: 'changed', fields: ['stage'] }), 'Cancelled or retendered', 'See what its portal says'],
    [notice({ kind: 'match', searchIds: ['a', 'gone'] }), 'New: Bridges', 'Closing: 15 Apr 2026, 11:00 AM'],
    [notice({ kind: 'match', searchIds: ['gone'] }), 'New in a saved search', 'Closing: 15 Apr 2026, 11:00 AM'],
    [
      notice({ kind: 'changed', patch: moved, fields: ['closing_date'], closingTimeKnown: false }),
      'Closing moved to 20 Apr 2026',
      'It was 15 Apr 2026',
    ],
    [
      notice({ kind: 'changed', patch: { ...moved, newClosing: moved.oldClosing }, fields: ['emd'] }),
      'Changed: EMD',
      'Closing: 15 Apr 2026, 11:00 AM',
    ],
    [
      notice({ kind: 'changed', fields: ['emd', 'package'] }),
      'The documents you asked for are available',
      'Closing: 15 Apr 2026, 11:00 AM',
    ],
    [
      notice({ kind: 'office', office: { id: '0123456789ab', name: 'Theog Division' } }),
      'New: Theog Division',
      'Closing: 15 Apr 2026, 11:00 AM',
    ],
    [
      notice({ kind: 'office', office: { id: '0123456789ab', name: 'Theog Division' }, fields: ['result'] }),
      'Result is out: Theog Division',
      'Closing: 15 Apr 2026, 11:00 AM',
    ],
    [notice({ kind: 'kind-of-a-newer-server' }), 'News about this tender', 'Closing: 15 Apr 2026, 11:00 AM'],
    [notice({ kind: 'constructor' }), 'News about this tender', 'Closing: 15 Apr 2026, 11:00 AM'],
  ])('of %j', (each, what, detail) => {
    expect(noticeLabels(each, new Map([['a', 'Bridges']]))).toMatchObject({ what, detail });
  });

  test.each<[Partial<Notice>, string]>([
    [{ kind: 'changed' }, 'A corrigendum was published'],
    [{ kind: 'changed', fields: ['a-field-of-a-newer-server', 'price'] }, 'Changed: estimated value'],
    [{ kind: 'match', searchIds: ['a', 'b'] }, 'New: Bridges, Walls'],
    [{ kind: 'office' }, 'New at an office you follow'],
    [{ kind: 'closing_in_3_days' }, 'Closes within 3 days'],
  ])('of %j in general "%s"', (changes, what) => {
    const names = new Map([
      ['a', 'Bridges'],
      ['b', 'Walls'],
    ]);
    expect(noticeLabels(notice(changes), names).what).toBe(what);
  });

  test.each([
    ['closing_tomorrow', 'clock'],
    ['closing_in_7_days', 'clock'],
    ['changed', 'change'],
    ['match', 'search'],
    ['office', 'chart'],
    ['expiry', 'document'],
    ['kind-of-a-newer-server', 'bell'],
  ])('by the icon of %s: %s', (kind, icon) => {
    expect(noticeLabels(notice({ kind }), new Map()).icon).toBe(icon);
  });

  test.each([
    [0, ''],
    [1, ''],
    [2, 'and 1 more work of this NIT'],
    [1_235, 'and 1,234 more works of this NIT'],
    [96, 'and 95 more works of this NIT'],
  ])('of %i works "%s"', (works, words) => {
    expect(worksLabel(notice({ works }))).toBe(words);
  });
});

describe('a sign-out on a phone with alerts', () => {
  let calls: string[][];
  let isSubscribed: boolean;
  /** Another tab has the lock. */
  let isComparing: boolean;

  beforeEach(async () => {
    calls = [];
    isSubscribed = true;
    isComparing = false;
    const subscription = {
      unsubscribe: async () => {
        isSubscribed = false;
        return true;
      },
    };
    const registration = { pushManager: { getSubscription: async () => (isSubscribed ? subscription : null) } };
    vi.stubGlobal('navigator', {
      userAgent: '',
      onLine: false,
      serviceWorker: { getRegistration: async () => registration },
      locks: {
        request: (name: string, work: () => Promise<unknown>) =>
          isComparing && name === 'push-device' ? new Promise(() => undefined) : work(),
      },
    });
    vi.stubGlobal('fetch', async ({ method, url, headers }: Request) => {
      calls.push([method, new URL(url).pathname, headers.get('authorization') ?? '']);
      return new Response(null, { status: 204 });
    });
    await withDatabase((db) =>
      db.pushDevice.put({
        ...{ key: 'device', owner: 'asha', id: 'd1', secret: 'abc', rcpt: 'r', watched: [] },
        preferences: DEFAULT_ALERT_PREFERENCES,
      }),
    );
  });
  afterEach(() => {
    stopOutbox();
    vi.unstubAllGlobals();
  });

  const left = () => withDatabase(async (db) => [await db.pushDevice.count(), await db.outbox.count()]);

  test('leaves neither preferences nor notices of the user, and all notices of the next one', async () => {
    await withDatabase(async (db) => {
      await db.settings.put({ key: 'alertsWanted', value: DEFAULT_ALERT_PREFERENCES });
      for (const owner of ['asha', 'ravi'])
        await storeNotices(db, owner, { next: null, unread: 1, notices: [notice()] });
    });
    await deleteAlertsOf('asha');
    expect(await withDatabase((db) => db.settings.toCollection().primaryKeys())).toEqual([
      LANGUAGE_KEY,
      'notice pages of ravi',
    ]);
    expect(await withDatabase(async (db) => (await db.notices.toArray()).map(({ owner }) => owner))).toEqual(['ravi']);
  });

  test('that ends after the next user has turned on alerts leaves those of the next user', async () => {
    const preferences = { ...DEFAULT_ALERT_PREFERENCES, owner: 'ravi' };
    await withDatabase(async (db) => {
      await db.pushDevice.update('device', { owner: 'ravi' });
      await db.settings.put({ key: 'alertsWanted', value: preferences });
    });
    await deleteAlertsOf('asha');
    expect([isSubscribed, await left()]).toEqual([true, [1, 0]]);
    expect((await withDatabase((db) => db.settings.get('alertsWanted')))?.value).toEqual(preferences);
    await deleteAlertsOf('ravi');
    await expect.poll(() => isSubscribed).toBe(false);
    expect(await withDatabase((db) => db.settings.get('alertsWanted'))).toBeUndefined();
  });

  test('removes the device also when a sync has just given it to the visitor', async () => {
    await withDatabase(async (db) => {
      await db.pushDevice.update('device', { owner: '' });
      await db.settings.put({ key: 'alertsWanted', value: { ...DEFAULT_ALERT_PREFERENCES, owner: '' } });
    });
    await deleteAlertsOf('asha');
    expect(await left()).toEqual([0, 1]);
    expect(await withDatabase((db) => db.settings.get('alertsWanted'))).toBeUndefined();
  });

  test('without a connection unsubscribes at once, and the server removes the device later', async () => {
    await deleteAlertsOf('asha');
    await expect.poll(() => isSubscribed).toBe(false);
    expect([calls, await left()]).toEqual([[], [0, 1]]);
    Object.assign(navigator, { onLine: true });
    await sendOutbox();
    expect(calls).toEqual([['DELETE', '/api/push/subscriptions/d1', 'Device abc']]);
    expect(await left()).toEqual([0, 0]);
  });

  test('waits for no comparison with the server that is under way', async () => {
    isComparing = true;
    await deleteAlertsOf('asha');
    await expect.poll(() => isSubscribed).toBe(false);
    expect(await left()).toEqual([0, 1]);
  });
});
