// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { indianDay } from '@nivida/contract/format';
import { DEFAULT_ALERT_PREFERENCES } from '@nivida/contract/push/push';
import { act } from 'preact/test-utils';
import { createElement, type ReactElement } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { writeSetting } from '../../data/device/settings.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { type AlertState, useAlerts } from '../../features/alerts/alert-state.ts';
import { storeNotices } from '../../features/alerts/notices/notices.ts';
import { useAlertRefusal } from '../../features/alerts/settings/alert-offer.ts';
import { useBookmarkStore } from '../../features/bookmarks/bookmark-store.ts';
import { useInstall } from '../../features/install/install.ts';
import { INITIAL_STATE } from '../../features/install/install-offer.ts';
import { saveSearch } from '../../features/searches/searches.ts';
import { AlertOrInstallOffer } from './AlertOrInstallOffer.tsx';
import { DeviceAlerts } from './DeviceAlerts.tsx';
import { Notices } from './Notices.tsx';

let calls: string[];
let answers: Map<string, () => Response>;
let onLine: MockInstance<() => boolean>;
let roots: Root[];

beforeEach(() => {
  [calls, answers, roots] = [[], new Map(), []];
  onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  vi.stubGlobal('fetch', async ({ method, url }: Request) => {
    const { pathname, search } = new URL(url);
    calls.push(`${method} ${pathname}${search}`);
    return answers.get(`${method} ${pathname}${search}`)?.() ?? new Response(null, { status: 204 });
  });
});

afterEach(async () => {
  await act(async () => {
    for (const root of roots) root.unmount();
  });
  document.body.replaceChildren();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  clearSession();
  localStorage.clear();
  useAlerts.setState({ state: 'unknown', preferences: null, unread: 0 });
  useAlertRefusal.setState({ day: undefined });
  useBookmarkStore.setState({ ids: new Set() });
  useInstall.setState(INITIAL_STATE, true);
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

async function show(element: ReactElement): Promise<HTMLElement> {
  const page = document.createElement('div');
  document.body.append(page);
  const root = createRoot(page);
  roots.push(root);
  const router = createMemoryRouter([{ path: '/', element }]);
  await act(async () => root.render(createElement(RouterProvider, { router })));
  return page;
}

const setOnline = (isOnline: boolean) =>
  act(async () => {
    onLine.mockReturnValue(isOnline);
    window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
  });
const buttons = (page: HTMLElement) => [...page.querySelectorAll('button')];
const nameOf = (button: Element) => button.getAttribute('aria-label') ?? button.textContent?.trim() ?? '';
const button = (page: HTMLElement, name: string) => buttons(page).find((each) => nameOf(each) === name);
const press = (page: HTMLElement, name: string) => act(async () => button(page, name)?.click());

const OFFICE = { id: '0123456789ab', name: 'Theog Division' };
const notice = (id: number, changes: object = {}) => ({
  ...{ id: String(id), kind: 'eve', at: '2026-04-14T12:30:00.000Z', readAt: null, tenderId: String(id) },
  ...{ title: `Bridge ${id}`, closingDate: '2026-04-15T05:30:00.000Z', closingTimeKnown: true, works: 1, patch: null },
  ...{ fields: [], searchIds: [], office: null },
  ...changes,
});

describe('the notices', () => {
  const store = (notices: ReturnType<typeof notice>[], next: string | null = null, owner = 'asha') =>
    withDatabase((db) => storeNotices(db, owner, { notices, unread: notices.length, next }));
  const titles = (page: HTMLElement) =>
    [...page.querySelectorAll('main li a, div li a')].map((link) => /Bridge \d+/.exec(link.textContent ?? '')?.[0]);

  beforeEach(() => signInForTest('asha', 'abc'));

  test('of a user without any name what will be here, and lead to the tenders', async () => {
    useAlerts.setState({ state: 'off' });
    const page = await show(createElement(Notices));
    await expect.poll(() => page.querySelector('h2')?.textContent).toBe('No notices yet.');
    expect([page.querySelector('h1')?.textContent, document.title]).toEqual(['Notices', 'Notices · Nivida']);
    expect(page.textContent).toContain('Alerts are off on this phone.');
    expect(page.textContent).toContain(
      'Bookmark a tender: you will see reminders and changes here, and new matches of your saved searches.',
    );
    expect([...page.querySelectorAll('a')].map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Find tenders', '/tenders'],
    ]);
    expect(buttons(page).map(nameOf)).toEqual(['Alert settings']);
    expect(page.querySelector('[role="status"]')).toBeNull();
  });

  test('load until the device is read', async () => {
    const page = document.createElement('div');
    const root = createRoot(page);
    roots.push(root);
    const router = createMemoryRouter([{ path: '/', element: createElement(Notices) }]);
    root.render(createElement(RouterProvider, { router }));
    expect(page.textContent).toContain('Loading notices');
    expect(page.textContent).not.toContain('No notices yet.');
    await expect.poll(() => page.textContent).toContain('No notices yet.');
    expect(page.textContent).not.toContain('Loading notices');
  });

  test('are those of the user, with the names of the saved searches, and all are read at once', async () => {
    await withDatabase(async (db) => {
      const filter = { state: '', district: '', department: '', q: 'bridge' };
      await saveSearch(db, 'asha', { id: 's1', name: 'My bridges', filter, openedUpTo: 0, savedAt: 1 }, 1);
    });
    await store([notice(2, { kind: 'match', searchIds: ['s1'] }), notice(1)]);
    await store([notice(3)], null, 'ravi');
    useAlerts.setState({ state: 'on', unread: 1_234 });
    const page = await show(createElement(Notices));
    await expect.poll(() => titles(page)).toEqual(['Bridge 2', 'Bridge 1']);
    await expect.poll(() => page.textContent).toContain('New: My bridges');
    expect(page.querySelector('h2')?.textContent).toBe('1,234 unread');
    expect(page.textContent).toContain('Alerts are on: you get one before saved tenders close.');
    expect(page.textContent).not.toContain('No notices yet.');
    await press(page, 'Mark all read');
    const unread = () => withDatabase((db) => db.notices.filter(({ readAt }) => readAt === null).count());
    await expect.poll(unread).toBe(1);
    await act(async () => useAlerts.setState({ unread: 0 }));
    expect(button(page, 'Mark all read')).toBeUndefined();
  });

  test('that are older are loaded by a button, which says why they are not', async () => {
    await store([notice(3), notice(2)], '2');
    const page = await show(createElement(Notices));
    await expect.poll(() => button(page, 'Show older notices')?.disabled).toBe(false);
    await setOnline(false);
    expect(button(page, 'Show older notices')?.disabled).toBe(true);
    expect(page.textContent).toContain('Older notices need a connection.');
    await setOnline(true);
    expect(page.textContent).not.toContain('Older notices need a connection.');

    answers.set('GET /api/notices?before=2', () => Response.json({ notices: 7 }));
    await press(page, 'Show older notices');
    await expect
      .poll(() => page.querySelector('[role="alert"]')?.textContent)
      .toBe('The older notices were not loaded');
    answers.set('GET /api/notices?before=2', () => Response.json({ notices: [notice(1)], unread: 3, next: null }));
    await press(page, 'Show older notices');
    await expect.poll(() => titles(page)).toEqual(['Bridge 3', 'Bridge 2', 'Bridge 1']);
    await expect.poll(() => button(page, 'Show older notices')).toBeUndefined();
    expect(page.querySelector('[role="alert"]')).toBeNull();
    expect(calls.filter((call) => call.startsWith('GET /api/notices'))).toEqual(
      Array(2).fill('GET /api/notices?before=2'),
    );
  });

  test('of a followed office have a button that ends following it', async () => {
    const office = { ...OFFICE, key: 'PWD||Theog', kind: 'chain' as const, department: 'PWD', state: 'Assam' };
    await withDatabase((db) => db.followedOffices.put({ owner: 'asha', officeId: office.id, office, at: 1 }));
    await store([notice(1, { kind: 'office', office: OFFICE })]);
    const page = await show(createElement(Notices));
    await expect.poll(() => buttons(page).map(nameOf).at(-1)).toMatch(/^Unfollow .*Theog Division/);
  });

  test('have the alert settings in a dialog', async () => {
    useAlerts.setState({ state: 'on', preferences: { ...DEFAULT_ALERT_PREFERENCES, mutedSearches: ['s1'] } });
    await withDatabase(async (db) => {
      const filter = { state: '', district: '', department: '', q: 'bridge' };
      await saveSearch(db, 'asha', { id: 's1', name: 'My bridges', filter, openedUpTo: 0, savedAt: 1 }, 1);
    });
    const page = await show(createElement(Notices));
    expect(page.querySelector('dialog')).toBeNull();
    await press(page, 'Alert settings');
    const dialog = page.querySelector('dialog');
    expect(dialog?.querySelector('h2')?.textContent).toBe('Alerts');
    expect(dialog?.textContent).toContain('On. You get alerts about your saved tenders on this phone.');
    await expect.poll(() => buttons(page).map(nameOf)).toContain('Unmute My bridges');
    await press(page, 'Close');
    expect(page.querySelector('dialog')).toBeNull();
  });
});

test.each<[AlertState, string]>([
  ['unknown', '\u00a0'],
  ['unsupported', 'Alerts are not possible in this browser.'],
  ['install', 'Alerts need the app on the home screen.'],
  ['denied', 'Alerts are blocked in this browser.'],
  ['off', 'Alerts are off on this phone.'],
  ['on', 'Alerts are on: you get one before saved tenders close.'],
])('in one line the alerts that are %s say "%s"', async (state, text) => {
  useAlerts.setState({ state });
  expect((await show(createElement(DeviceAlerts, { part: 'line' }))).textContent).toBe(text);
});

describe('over the foot of the page', () => {
  const offer = (page: HTMLElement) => page.querySelector('aside p')?.textContent;
  const ALERTS = 'Get reminders before closing';
  const INSTALL = 'Opens with one tap, also without signal';
  const bookmark = () => useBookmarkStore.setState({ ids: new Set(['7']) });
  const showOffer = async () => {
    const page = await show(createElement(AlertOrInstallOffer));
    // The device is read.
    await act(async () => void (await withDatabase((db) => db.settings.count())));
    return page;
  };

  beforeEach(() => {
    useAlerts.setState({ state: 'off' });
    // A browser that can install the app, on the second day.
    useInstall.setState({ ...INITIAL_STATE, way: 'prompt', visits: 2, lastVisit: indianDay(new Date()) });
  });

  test('the installation is offered to a visitor without bookmarks and searches', async () => {
    const page = await showOffer();
    await expect.poll(() => offer(page)).toBe(INSTALL);
    expect(useAlertRefusal.getState().day).toBeUndefined();
  });

  test('alerts are offered after a bookmark, and nothing after them in this visit', async () => {
    bookmark();
    const page = await showOffer();
    await expect.poll(() => offer(page)).toBe(ALERTS);
    await act(async () => useAlertRefusal.setState({ day: indianDay(new Date()) }));
    expect(page.textContent).toBe('');
  });

  test('alerts are offered after a saved search', async () => {
    await withDatabase(async (db) => {
      const filter = { state: '', district: '', department: '', q: 'bridge' };
      await saveSearch(db, '', { id: 's1', name: 'Bridges', filter, openedUpTo: 0, savedAt: 1 }, 1);
    });
    const page = await showOffer();
    await expect.poll(() => offer(page)).toBe(ALERTS);
  });

  test('the installation is offered to a user who has refused alerts in the last four weeks', async () => {
    await writeSetting('alertsRefused', indianDay(new Date()) - 27);
    bookmark();
    const page = await showOffer();
    await expect.poll(() => useAlertRefusal.getState().day).toBe(indianDay(new Date()) - 27);
    await expect.poll(() => offer(page)).toBe(INSTALL);
  });

  test('alerts are not offered without signal, and the installation is', async () => {
    bookmark();
    await setOnline(false);
    const page = await showOffer();
    await expect.poll(() => useAlertRefusal.getState().day).toBeNull();
    expect(offer(page)).toBe(INSTALL);
    await setOnline(true);
    await expect.poll(() => offer(page)).toBe(ALERTS);
  });
});
