// @vitest-environment-options { "url": "http://localhost/" }
import { act } from 'react';
import 'fake-indexeddb/auto';
import { indianDay } from '@nivida/contract/format';
import { DEFAULT_ALERT_PREFERENCES } from '@nivida/contract/push/push';
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { writeSetting } from '../../data/device/settings.ts';
import { useReachability } from '../../data/server/reachability.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { type AlertState, useAlerts } from '../../features/alerts/alert-state.ts';
import { storeNotices } from '../../features/alerts/notices/notices.ts';
import { useAlertRefusal } from '../../features/alerts/settings/alert-offer.ts';
import { useBookmarkStore } from '../../features/bookmarks/bookmark-store.ts';
import { useInstall } from '../../features/install/install.ts';
import { INITIAL_STATE } from '../../features/install/install-offer.ts';
import { saveSearch } from '../../features/searches/searches.ts';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { AlertOrInstallOffer } from './AlertOrInstallOffer.tsx';
import { AlertStateLine } from './AlertStateLine.tsx';
import { Notices } from './Notices.screen.tsx';

let calls: string[];
let answers: Map<string, () => Response>;
let onLine: MockInstance<() => boolean>;

beforeEach(() => {
  [calls, answers] = [[], new Map()];
  onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  vi.stubGlobal('fetch', async (request: Request | string) => {
    // whether the server answers
    if (!(request instanceof Request)) return Response.json({ status: 'ok' });
    const { method, url } = request;
    const { pathname, search } = new URL(url);
    calls.push(`${method} ${pathname}${search}`);
    return answers.get(`${method} ${pathname}${search}`)?.() ?? new Response(null, { status: 204 });
  });
});

afterEach(async () => {
  await closeTestPages();
  vi.restoreAllMocks();
  clearSession();
  localStorage.clear();
  useAlerts.setState({ state: 'unknown', preferences: null, unread: 0 });
  useAlertRefusal.setState({ day: undefined });
  useBookmarkStore.setState({ ids: new Set() });
  useInstall.setState(INITIAL_STATE, true);
  useReachability.setState({ status: 'reachable' });
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

const setOnline = (isOnline: boolean) =>
  act(async () => {
    onLine.mockReturnValue(isOnline);
    window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
  });

const OFFICE = { id: '0123456789ab', name: 'Theog Division' };
const notice = (id: number, changes: object = {}) => ({
  ...{ id: String(id), kind: 'closing_tomorrow', at: '2026-04-14T12:30:00.000Z', readAt: null, tenderId: String(id) },
  ...{ title: `Bridge ${id}`, closingDate: '2026-04-15T05:30:00.000Z', closingTimeKnown: true, works: 1, patch: null },
  ...{ fields: [], searchIds: [], office: null },
  ...changes,
});

describe('the notices', () => {
  const store = (notices: ReturnType<typeof notice>[], next: string | null = null, owner = 'asha') =>
    withDatabase((db) => storeNotices(db, owner, { notices, unread: notices.length, next }));
  const saveSearchOfBridges = () =>
    withDatabase(async (db) => {
      const filter = { state: '', district: '', department: '', q: 'bridge' };
      await saveSearch(db, 'asha', { id: 's1', name: 'My bridges', filter, openedUpTo: 0, savedAt: 1 }, 1);
    });
  async function openNotices() {
    const page = await openTestPage(<Notices />);
    const titles = () => page.texts('li a').map((text) => /Bridge \d+/.exec(text)?.[0]);
    return { ...page, titles };
  }

  beforeEach(() => signInForTest('asha', 'abc'));

  test('of a user without any name what will be here, and lead to the tenders', async () => {
    useAlerts.setState({ state: 'off' });
    const { page, text, texts, names } = await openNotices();
    expect(text()).toContain('Loading notices');
    expect(text()).not.toContain('No notices yet.');
    await expect.poll(() => texts('h2')).toEqual(['No notices yet.']);
    expect([texts('h1'), document.title]).toEqual([['Notices'], 'Notices · Nivida']);
    expect(text()).toContain('Alerts are off on this phone.');
    expect(text()).toContain(
      'Bookmark a tender: you will see reminders and changes here, and new matches of your saved searches.',
    );
    expect([...page.querySelectorAll('a')].map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Find tenders', '/tenders'],
    ]);
    expect(names('button')).toEqual(['Alert settings']);
    expect(texts('[role="status"]')).toEqual([]);
  });

  test('are those of the user, with the names of the saved searches, and all are read at once', async () => {
    await saveSearchOfBridges();
    await store([notice(2, { kind: 'match', searchIds: ['s1'] }), notice(1)]);
    await store([notice(3)], null, 'ravi');
    useAlerts.setState({ state: 'on', unread: 1_234 });
    const { text, texts, titles, press, hasButton } = await openNotices();
    await expect.poll(titles).toEqual(['Bridge 2', 'Bridge 1']);
    await expect.poll(text).toContain('New: My bridges');
    expect(texts('h2')[0]).toBe('1,234 unread');
    expect(text()).toContain('Alerts are on: you are told before saved tenders close.');
    expect(text()).not.toContain('No notices yet.');
    await press('Mark all read');
    const unread = () => withDatabase((db) => db.notices.filter(({ readAt }) => readAt === null).count());
    await expect.poll(unread).toBe(1);
    await act(async () => useAlerts.setState({ unread: 0 }));
    expect(hasButton('Mark all read')).toBe(false);
    await expect.poll(() => calls).toContain('GET /api/notices');
  });

  test('that are older are loaded by a button, which says why they are not', async () => {
    await store([notice(3), notice(2)], '2');
    const { text, texts, titles, press, button, hasButton } = await openNotices();
    await expect.poll(() => button('Show older notices').disabled).toBe(false);
    await setOnline(false);
    expect(button('Show older notices').disabled).toBe(true);
    expect(text()).toContain('Older notices need a connection.');
    await setOnline(true);
    expect(text()).not.toContain('Older notices need a connection.');

    answers.set('GET /api/notices?before=2', () => Response.json({ notices: 7 }));
    await press('Show older notices');
    await expect.poll(() => texts('[role="alert"]')).toEqual(['The older notices were not loaded']);
    answers.set('GET /api/notices?before=2', () => Response.json({ notices: [notice(1)], unread: 3, next: null }));
    await press('Show older notices');
    await expect.poll(titles).toEqual(['Bridge 3', 'Bridge 2', 'Bridge 1']);
    await expect.poll(() => hasButton('Show older notices')).toBe(false);
    await expect.poll(() => texts('[role="alert"]')).toEqual([]);
    expect(calls.filter((call) => call.startsWith('GET /api/notices'))).toEqual(
      Array(2).fill('GET /api/notices?before=2'),
    );
  });

  test('of a followed office have a button that ends following it', async () => {
    const office = { ...OFFICE, key: 'PWD||Theog', kind: 'chain' as const, department: 'PWD', state: 'Assam' };
    await withDatabase((db) => db.followedOffices.put({ owner: 'asha', officeId: office.id, office, at: 1 }));
    await store([notice(1, { kind: 'office', office: OFFICE })]);
    const { names } = await openNotices();
    await expect.poll(() => names('button').at(-1)).toMatch(/^Unfollow .*Theog Division/);
  });

  test('have the alert settings in a dialog', async () => {
    useAlerts.setState({ state: 'on', preferences: { ...DEFAULT_ALERT_PREFERENCES, mutedSearches: ['s1'] } });
    await saveSearchOfBridges();
    const { texts, press, hasButton } = await openNotices();
    expect(texts('dialog')).toEqual([]);
    await press('Alert settings');
    expect(texts('dialog h2')[0]).toBe('Alerts');
    expect(texts('dialog')[0]).toContain('On. You get alerts about your saved tenders on this phone.');
    await expect.poll(() => hasButton('Unmute My bridges')).toBe(true);
    await press('Close');
    expect(texts('dialog')).toEqual([]);
  });
});

test.each<[AlertState, string]>([
  ['unknown', '\u00a0'],
  ['unsupported', 'Alerts are not possible in this browser.'],
  ['install', 'Alerts need the app on the home screen.'],
  ['denied', 'Alerts are blocked in this browser.'],
  ['off', 'Alerts are off on this phone.'],
  ['on', 'Alerts are on: you are told before saved tenders close.'],
])('in one line the alerts that are %s say "%s"', async (state, text) => {
  useAlerts.setState({ state });
  const { page } = await openTestPage(<AlertStateLine />);
  expect(page.textContent).toBe(text);
});

describe('over the foot of the page', () => {
  const ALERTS = 'Get reminders before closing';
  const INSTALL = 'Opens with one tap, also without a connection';
  const bookmark = () => useBookmarkStore.setState({ ids: new Set(['7']) });
  const showOffer = async () => {
    const page = await openTestPage(<AlertOrInstallOffer />);
    // The device is read.
    await act(async () => void (await withDatabase((db) => db.settings.count())));
    return { ...page, offer: () => page.texts('aside p')[0] };
  };

  beforeEach(() => {
    useAlerts.setState({ state: 'off' });
    // A browser that can install the app, on the second day.
    useInstall.setState({ ...INITIAL_STATE, way: 'prompt', visits: 2, lastVisit: indianDay(new Date()) });
  });

  test('the installation is offered to a visitor without bookmarks and searches', async () => {
    const { offer } = await showOffer();
    await expect.poll(offer).toBe(INSTALL);
    expect(useAlertRefusal.getState().day).toBeUndefined();
  });

  test('alerts are offered after a bookmark, and nothing after them in this visit', async () => {
    bookmark();
    const { offer, text } = await showOffer();
    await expect.poll(offer).toBe(ALERTS);
    await act(async () => useAlertRefusal.setState({ day: indianDay(new Date()) }));
    await expect.poll(text).toBe('');
  });

  test('alerts are offered after a saved search', async () => {
    await withDatabase(async (db) => {
      const filter = { state: '', district: '', department: '', q: 'bridge' };
      await saveSearch(db, '', { id: 's1', name: 'Bridges', filter, openedUpTo: 0, savedAt: 1 }, 1);
    });
    const { offer } = await showOffer();
    await expect.poll(offer).toBe(ALERTS);
  });

  test('the installation is offered to a user who has refused alerts in the last four weeks', async () => {
    await writeSetting('alertsRefused', indianDay(new Date()) - 27);
    bookmark();
    const { offer } = await showOffer();
    await expect.poll(() => useAlertRefusal.getState().day).toBe(indianDay(new Date()) - 27);
    await expect.poll(offer).toBe(INSTALL);
  });

  test('alerts are not offered without a connection, and the installation is', async () => {
    bookmark();
    await setOnline(false);
    const { offer } = await showOffer();
    await expect.poll(() => useAlertRefusal.getState().day).toBeNull();
    await expect.poll(offer).toBe(INSTALL);
    await setOnline(true);
    await expect.poll(offer).toBe(ALERTS);
    // a network that carries nothing
    await act(async () => useReachability.setState({ status: 'unreachable' }));
    await expect.poll(offer).toBeUndefined();
    await act(async () => useReachability.setState({ status: 'reachable' }));
    await expect.poll(offer).toBe(ALERTS);
  });
});
