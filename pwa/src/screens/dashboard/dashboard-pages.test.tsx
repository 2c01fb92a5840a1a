// @vitest-environment-options { "url": "http://localhost/" }
import { act } from 'react';
import 'fake-indexeddb/auto';
import type { PlanState } from '@nivida/contract/orders/order';
import { testTender } from '@nivida/contract/tenders/test-tender';
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest';
import { storedHashes, storeFiles } from '../../data/bid-documents/files.ts';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import type { NoticeRow, SavedSearchRow, ScopeRow } from '../../data/device/schema.ts';
import { reportScreenReady } from '../../data/first-screen.ts';
import { stopOutbox } from '../../data/outbox/outbox.ts';
import { useReachability } from '../../data/server/reachability.ts';
import { refreshSite } from '../../data/server/site.ts';
import { clearSession, currentOwner, reloadSession, unfinishedSignOuts } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { useAlerts } from '../../features/alerts/alert-state.ts';
import { closeAuthDialog } from '../../features/auth/dialogs.ts';
import { useBookmarkStore } from '../../features/bookmarks/bookmark-store.ts';
import { setRows, usePacks } from '../../offline/packs/pack-status.ts';
import { readScopes } from '../../offline/packs/pack-store.ts';
import { dismissToast, useToast } from '../../ui/feedback/toast.ts';
import { closeTestPages, openTestPage, type TestPage } from '../../ui/test-page.tsx';
import { AlertsBlock } from './AlertsBlock.tsx';
import { DashboardHome } from './DashboardHome.screen.tsx';
import { BookmarkedBlock, ClosingBlock, LatestBlock, NextClosingBlock } from './DashboardTenders.tsx';
import { Payments } from './Payments.screen.tsx';
import { Profile } from './Profile.screen.tsx';
import { SearchesBlock } from './SearchesBlock.tsx';
import { Settings } from './Settings.screen.tsx';

const HOUR_MS = 3_600_000;

let page: TestPage;
/** The signed-in user, in each test another one: lists are remembered by user. */
let user = '';
let onLine: MockInstance<() => boolean>;
/** 'GET /api/…?…' of each call. */
let calls: string[];
/** The answers by the beginning of their call; the others are not found. */
let answers: Record<string, () => Response | Promise<Response>>;

beforeEach(() => {
  calls = [];
  answers = {};
  onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    const call = `${request.method} ${pathname}${search}`;
    calls.push(call);
    const answer = Object.entries(answers).find(([start]) => call.startsWith(start))?.[1];
    return answer ? answer() : Response.json({}, { status: 404 });
  });
  usePacks.setState({ isRead: true, scopes: {}, hinted: [] });
  user = String(Number(user) + 1);
  signInForTest(user);
});
afterEach(async () => {
  await closeTestPages();
  vi.useRealTimers();
  // A call that is still waiting for the first screen would be made in a later test.
  reportScreenReady();
  await refreshSite();
  vi.restoreAllMocks();
  stopOutbox();
  closeAuthDialog();
  clearSession();
  localStorage.clear();
  useBookmarkStore.setState({ ids: new Set() });
  useAlerts.setState({ state: 'unknown', unread: 0 });
  usePacks.setState({ isRead: false, scopes: {}, hinted: [] });
  useReachability.setState({ status: 'reachable', silentReads: 0 });
  while (useToast.getState().current) dismissToast();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

const setOnline = (isOnline: boolean) =>
  act(async () => {
    onLine.mockReturnValue(isOnline);
    window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
  });
/** A tender that closes in `hours`. */
const work = (id: string, hours = 240) =>
  testTender({
    _id: id,
    title: `Work ${id}`,
    closing_date: new Date(Date.now() + hours * HOUR_MS).toISOString(),
    fetched_at: new Date().toISOString(),
  });
/** Stores bookmarks, the first one being the oldest; a bookmark without hours has no details here. */
async function bookmark(...hours: (number | null)[]): Promise<void> {
  await withDatabase((db) =>
    db.bookmarks.bulkPut(
      hours.map((left, nth) => ({
        ...{ owner: user, tenderId: String(nth + 1), at: nth },
        summary: left === null ? null : work(String(nth + 1), left),
      })),
    ),
  );
  useBookmarkStore.setState({ ids: new Set(hours.map((_, nth) => String(nth + 1))) });
}
const notice = (id: number): NoticeRow => ({
  ...{ owner: user, isUnsent: false, id: String(id), kind: 'changed', readAt: null, tenderId: String(id), works: 1 },
  ...{ at: new Date(Date.now() - (10 - id) * HOUR_MS).toISOString(), title: `Work ${id}`, patch: null, fields: [] },
  ...{ closingDate: '2099-01-01T05:30:00Z', closingTimeKnown: true, searchIds: [], office: null },
});
const search = (id: string): SavedSearchRow => ({
  ...{ owner: user, id, name: `Search ${id}`, openedUpTo: 0, savedAt: 1, refusal: null },
  filter: { state: 'Goa', district: '', department: '', q: id },
});
/** The server's answer with a list of tenders. */
const tenderList = (...ids: string[]) => ({
  ...{ data: ids.map((id) => work(id)), tenders: ids.map((id) => work(id)), total: ids.length, page: 1, limit: 5 },
  ...{ filter: { state: 'Goa', district: null, department: null, districts: [], departments: [], q: null } },
  ...{ total_full: ids.length, place: null, conditions: [], showing_for: null, words: [], demonstration: false },
});
/** Titles of the cards. */
const cards = () => page.texts('ol:not([aria-busy]) h3');
/** The link beside the heading: its words and address. */
const allLink = () => {
  const link = page.page.querySelector('.head a');
  return link && [link.textContent, link.getAttribute('href')];
};
const isLoading = () => page.page.querySelector('ol[aria-busy]') !== null;

test('what a user has typed into the profile is not shown to the next user', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  answers['GET /api/me'] = () => promise;
  page = await openTestPage(<Profile />);
  await page.enter('Username', 'Asha Verma');
  expect(page.field('Username').value).toBe('Asha Verma');
  await act(async () => signInForTest('the next one'));
  expect(page.field('Username').value).toBe('Asha');
  resolve(Response.json({}, { status: 404 }));
});

describe('the bookmarked tenders', () => {
  test('are the last three, with the way to all', async () => {
    await bookmark(100, 200, 300, 400);
    page = await openTestPage(<BookmarkedBlock />);
    await expect.poll(cards).toEqual(['Work 4', 'Work 3', 'Work 2']);
    expect(allLink()).toEqual(['All 4', '/bookmarks']);
    const heading = page.page.querySelector('section')?.getAttribute('aria-labelledby');
    expect(page.page.querySelector('h2')?.id).toBe(heading);
    expect(isLoading()).toBe(false);
  });

  test('are three without a number of all', async () => {
    await bookmark(100, 200, 300);
    page = await openTestPage(<BookmarkedBlock />);
    await expect.poll(cards).toEqual(['Work 3', 'Work 2', 'Work 1']);
    expect(allLink()).toEqual(['All bookmarks', '/bookmarks']);
  });

  test('are explained before the first one', async () => {
    page = await openTestPage(<BookmarkedBlock />);
    await expect
      .poll(() => page.text())
      .toBe(
        'Bookmarked tendersNone yet. Tap the bookmark to save a tender on this phone, also for use without a connection.',
      );
    expect(allLink()).toBeNull();
    expect(page.texts('[role="alert"]')).toEqual([]);
  });

  test('whose details are not here wait for them with a connection, and say so without', async () => {
    await bookmark(null);
    await setOnline(false);
    page = await openTestPage(<BookmarkedBlock />);
    await expect.poll(page.text).toContain('Details load when you are online.');
    expect(isLoading()).toBe(false);
    await setOnline(true);
    expect(page.text()).not.toContain('Details load when you are online.');
    expect(isLoading()).toBe(true);
    await bookmark(100);
    await expect.poll(cards).toEqual(['Work 1']);
    expect(isLoading()).toBe(false);
  });
});

test('bookmarks whose details do not come in ten seconds say so', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await bookmark(null, null);
  await setOnline(false);
  page = await openTestPage(<BookmarkedBlock />);
  await expect.poll(page.text).toContain('Details load when you are online.');
  await setOnline(true);
  await act(async () => void vi.advanceTimersByTime(5_000));
  expect(page.text()).not.toContain('The details could not be loaded yet.');
  await act(async () => void vi.advanceTimersByTime(5_000));
  expect(page.text()).toContain('The details could not be loaded yet.');
  expect(isLoading()).toBe(false);
});

test('a list is copied as a message, with the address of the whole list where there is one', async () => {
  const copied: string[] = [];
  const writeText = async (text: string) => void copied.push(text);
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue({ writeText } as Clipboard);
  await bookmark(100, 200, 300, 400);
  page = await openTestPage(<BookmarkedBlock />);
  await expect.poll(cards).toHaveLength(3);
  await page.press('Copy for WhatsApp');
  await expect.poll(() => copied.length).toBe(1);
  await page.close();
  answers['GET /api/tenders?'] = () => Response.json(tenderList('12'));
  const interests = { userId: user, state: 'Mizoram', districts: [], departments: [] };
  const latest = { title: 'Latest tenders', limit: 5, interests, error: undefined, reload: () => undefined };
  page = await openTestPage(<LatestBlock {...latest} />);
  await expect.poll(cards).toEqual(['Work 12']);
  await page.press('Copy for WhatsApp');
  await expect.poll(() => copied.length).toBe(2);
  const lines = copied.map((text) => text.split('\n\n'));
  expect(lines.map(([heading]) => heading)).toEqual(['*Bookmarked tenders*', '*Latest tenders*']);
  expect(lines.map((all) => all.length)).toEqual([4, 3]);
  expect(lines[1]?.at(-1)).toBe('All: http://localhost/tenders/results?state=Mizoram');
});

describe('the bookmarks that close next', () => {
  test('are the next three that are still open', async () => {
    await bookmark(300, -1, 100, 200, 400);
    page = await openTestPage(<NextClosingBlock />);
    await expect.poll(cards).toEqual(['Work 3', 'Work 4', 'Work 1']);
    expect(allLink()).toEqual(['All bookmarks', '/bookmarks']);
  });

  test('have all closed, or there are none', async () => {
    await bookmark(-1);
    page = await openTestPage(<NextClosingBlock />);
    await expect.poll(page.text).toContain('All your bookmarked tenders have closed.');
    expect(allLink()).toEqual(['All bookmarks', '/bookmarks']);
    await withDatabase((db) => db.bookmarks.clear());
    await expect.poll(page.text).toContain('Tap the bookmark of a tender that you bid for.');
    expect(allLink()).toBeNull();
  });
});

describe('the tenders that close within two days', () => {
  test('are the bookmarked ones, the soonest first', async () => {
    await bookmark(47, 49, -1, 3, 20);
    page = await openTestPage(<ClosingBlock interests={undefined} ofState={undefined} isShownEmpty />);
    await expect.poll(cards).toEqual(['Work 4', 'Work 5', 'Work 1']);
    expect(page.texts('h2')).toEqual(['Closing in the next 48 hours']);
    expect(allLink()).toBeNull();
  });

  test('are at most five', async () => {
    await bookmark(6, 5, 4, 3, 2, 1);
    page = await openTestPage(<ClosingBlock interests={undefined} ofState={undefined} isShownEmpty />);
    await expect.poll(cards).toEqual(['Work 6', 'Work 5', 'Work 4', 'Work 3', 'Work 2']);
  });

  test.each([true, false])(
    'are none, which is said unless the page is that of a new user (%s)',
    async (isShownEmpty) => {
      await bookmark(49);
      page = await openTestPage(
        <div>
          <BookmarkedBlock />
          <ClosingBlock interests={undefined} ofState={undefined} isShownEmpty={isShownEmpty} />
        </div>,
      );
      await expect.poll(cards).toEqual(['Work 1']);
      await expect.poll(isLoading).toBe(false);
      expect(page.texts('h2')).toEqual(['Bookmarked tenders']);
      expect(page.text().includes('No bookmarked tender closes in the next 48 hours.')).toBe(isShownEmpty);
    },
  );
});

describe('the latest tenders', () => {
  const interestsIn = (state: string) => ({ userId: user, state, districts: ['North Goa'], departments: [] });
  const open = (changes: object = {}) => {
    const given = { interests: interestsIn('Goa'), error: undefined, reload: () => undefined, ...changes };
    return openTestPage(<LatestBlock title="Latest tenders" limit={5} {...given} />);
  };
  const LIST_CALL = 'GET /api/tenders?';

  test('are asked for by the interests, and lead to all of them', async () => {
    answers[LIST_CALL] = () => Response.json(tenderList('12', '11'));
    page = await open();
    await expect.poll(cards).toEqual(['Work 12', 'Work 11']);
    const [call] = calls.filter((each) => each.startsWith(LIST_CALL));
    expect(call).toBe('GET /api/tenders?state=Goa&district=North+Goa&sort=published_date&limit=5');
    expect(allLink()).toEqual([
      'See all of your districts and departments',
      '/tenders/results?state=Goa&district=North+Goa',
    ]);
    expect(page.texts('h2')).toEqual(['Latest tenders']);
  });

  test('are none of the interests', async () => {
    answers[LIST_CALL] = () => Response.json(tenderList());
    page = await open({ interests: interestsIn('Assam') });
    await expect.poll(page.text).toContain('No open tenders in your districts and departments.');
    expect(cards()).toEqual([]);
  });

  test('that could not be loaded are loaded again by the button', async () => {
    answers[LIST_CALL] = () => Response.json({ message: 'Back in a minute' }, { status: 500 });
    page = await open({ interests: interestsIn('Bihar') });
    await expect.poll(() => page.texts('[role="alert"]')).toEqual(['Back in a minuteTry Again']);
    answers[LIST_CALL] = () => Response.json(tenderList('12'));
    await page.press('Try Again');
    await expect.poll(cards).toEqual(['Work 12']);
    expect(page.texts('[role="alert"]')).toEqual([]);
  });

  test('say that the network is not responding when it is silent, until they are there', async () => {
    const { promise: answer, resolve } = Promise.withResolvers<Response>();
    answers[LIST_CALL] = () => answer;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    page = await open({ interests: interestsIn('Kerala') });
    expect(isLoading()).toBe(true);
    await expect.poll(() => calls.some((call) => call.startsWith(LIST_CALL))).toBe(true);
    await act(async () => void vi.advanceTimersByTime(3_000));
    expect(page.texts('[role="alert"]')).toEqual(['The network is not responding. Nivida keeps trying.Try Again']);
    expect(isLoading()).toBe(false);
    resolve(Response.json(tenderList('12')));
    vi.useRealTimers();
    await expect.poll(cards).toEqual(['Work 12']);
    expect(page.texts('[role="alert"]')).toEqual([]);
  });

  test('need a saved state without a connection', async () => {
    answers[LIST_CALL] = () => Response.json({}, { status: 500 });
    page = await open({ interests: interestsIn('Sikkim') });
    await expect.poll(page.text).toContain('Server error occurred');
    await setOnline(false);
    expect(page.text()).toContain('To see them without a connection, first save your state on this phone.');
    expect(page.text()).not.toContain('Server error occurred');
  });

  test('wait for the interests, whose failure has its own button', async () => {
    page = await open({ interests: undefined });
    expect(isLoading()).toBe(true);
    expect(allLink()).toBeNull();
    await page.close();
    let reloads = 0;
    page = await open({
      ...{ interests: undefined, error: new Error('broken') },
      reload: () => {
        reloads += 1;
      },
    });
    expect(page.text()).toContain('Failed to fetch tenders. Please try again later.');
    await page.press('Try Again');
    expect(reloads).toBe(1);
    expect(calls.filter((call) => call.startsWith(LIST_CALL))).toEqual([]);
  });
});

describe('the saved searches', () => {
  const open = (searches: SavedSearchRow[] | undefined, changes: object = {}) =>
    openTestPage(
      <SearchesBlock {...{ searches, error: undefined, hits: new Map(), isWithinLimit: false, ...changes }} />,
    );

  test('are the last five with their new hits, with the way to all', async () => {
    page = await open(['a', 'b', 'c', 'd', 'e', 'f'].map(search), {
      hits: new Map([
        ['a', 3],
        ['b', 0],
      ]),
    });
    expect(page.texts('li')).toEqual(['Search a3 new', 'Search bNothing new', 'Search c', 'Search d', 'Search e']);
    expect(allLink()).toEqual(['All 6', '/tenders#searches']);
    expect(page.text()).not.toContain('Works I may bid');
  });

  test('can be renamed where all are', async () => {
    page = await open([search('a')], { isWithinLimit: true });
    expect(allLink()).toEqual(['Rename or delete', '/tenders#searches']);
    expect(page.text()).toContain('“Works I may bid” is on');
    expect(page.text()).not.toContain('None yet.');
  });

  test('are explained before the first one, and are loading before they are read', async () => {
    page = await open([]);
    expect(page.text()).toContain('None yet. Tap “Save search” above a list: new matches are counted here.');
    expect(allLink()).toBeNull();
    await page.close();
    page = await open(undefined);
    expect(page.text()).not.toContain('None yet.');
    expect(allLink()).toBeNull();
    await page.close();
    page = await open(undefined, { error: new Error('broken') });
    expect(page.text()).toContain(', so searches cannot be saved.');
  });
});

describe('the alerts', () => {
  test('name the saved search that has matched, and end following an office', async () => {
    const office = { id: '0123456789ab', key: 'PWD||Mandi Division', name: 'Mandi Division', kind: 'chain' } as const;
    await withDatabase(async (db) => {
      const filter = { state: 'Goa', district: '', department: '', q: 'road' };
      await db.searches.put({
        ...{ owner: user, id: 's1', name: 'Roads of Goa', filter, openedUpTo: 0, savedAt: 1, refusal: null },
      });
      await db.followedOffices.put({
        ...{ owner: user, officeId: office.id, office: { ...office, department: 'PWD', state: 'Assam' }, at: 1 },
      });
      await db.notices.bulkPut([
        { ...notice(2), kind: 'match', searchIds: ['s1'] },
        { ...notice(1), kind: 'office', office: { id: office.id, name: office.name } },
      ]);
    });
    page = await openTestPage(<AlertsBlock />);
    await expect.poll(() => page.texts('li')[0]).toContain('New: Roads of Goa');
    await expect.poll(() => page.hasButton('Unfollow Mandi Division')).toBe(true);
    await page.press('Unfollow Mandi Division');
    await expect.poll(() => page.hasButton('Unfollow Mandi Division')).toBe(false);
  });

  const store = (...ids: number[]) => withDatabase((db) => db.notices.bulkPut(ids.map(notice)));
  const links = () => [...page.page.querySelectorAll('li a')].map((link) => link.getAttribute('href'));

  test('are the last three notices, with the number of unread ones', async () => {
    await store(1, 2, 3, 4);
    useAlerts.setState({ state: 'on', unread: 1_234 });
    page = await openTestPage(<AlertsBlock />);
    await expect.poll(links).toEqual(['/tenders/4', '/tenders/3', '/tenders/2']);
    expect(allLink()).toEqual(['1,234 unread and alert settings', '/notices']);
    expect(page.text()).not.toContain('Alerts are');
  });

  test('say whether this phone gets them, also beside notices', async () => {
    useAlerts.setState({ state: 'off', unread: 0 });
    page = await openTestPage(<AlertsBlock />);
    expect(page.text()).toContain('Alerts are off on this phone. No notices yet.');
    expect(allLink()).toEqual(['All notices and alert settings', '/notices']);
    await act(async () => useAlerts.setState({ state: 'on' }));
    expect(page.text()).toContain('Alerts are on: you are told before saved tenders close. No notices yet.');
    await store(1);
    await expect.poll(links).toEqual(['/tenders/1']);
    expect(page.text()).not.toContain('Alerts are on');
    await act(async () => useAlerts.setState({ state: 'denied' }));
    expect(page.text()).toContain('Alerts are blocked in this browser.');
    expect(page.text()).not.toContain('No notices yet.');
  });
});

/** A complete offline pack. */
function savedScope(scope: string): ScopeRow {
  const file = (name: string) => ({
    hash: `${name} ${scope}`,
    bytes: 1_000,
    size: 2_000,
    url: `/api/sync/segments/${name}-${scope}`,
  });
  const segment = { rows: 1, list: file('list'), detail: file('detail') };
  return {
    ...{ scope, next: null, savedAt: Date.now(), changed: 0, replaces: null },
    current: { epoch: 'e', cursor: 'e 1', rows: 1, segments: [segment], checked: {} },
    files: { [`index list ${scope} detail ${scope}`]: 1_000 },
  };
}

const PLAN: PlanState = {
  ...{ planId: 'basic', isTrial: false, isGift: false, states: ['Assam'], downloadsUsed: 0, downloadsPerMonth: 10 },
  ...{ startsAt: '2026-04-01T00:00:00Z', endsAt: '2099-04-01T00:00:00Z', statesChangeableAt: '2026-05-01T00:00:00Z' },
};

describe('the dashboard', () => {
  const me = () => ({
    user: { _id: user, username: 'Asha', email: 'asha@example.in', mobileNo: '+919876543210' },
    ...{
      companyName: '',
      companyType: 'private',
      state: 'Goa',
      districts: ['North Goa'],
      departments: [],
      address: '',
    },
    ...{ billing: { gstin: '', firm: '', firmAddress: '' }, createdAt: '2026-04-01T00:00:00Z' },
  });
  const headings = () => page.texts('h2');
  const hrefOf = (name: string) => page.button(name).getAttribute('href');

  beforeEach(() => {
    answers['GET /api/me'] = () => Response.json(me());
  });

  test('of a new user says what to do first', async () => {
    page = await openTestPage(<DashboardHome />);
    expect(page.texts('h1')[0]).toMatch(/^Good (morning|afternoon|evening), Asha$/);
    await expect.poll(headings).toEqual(['Start here', 'Latest tenders', 'Quick links']);
    expect(page.text()).toContain('Turn on alerts');
    await expect
      .poll(() => page.page.querySelector('[data-look="main"]')?.getAttribute('href'))
      .toBe('/tenders/results?state=Goa&district=North+Goa');
    await act(async () => useAlerts.setState({ state: 'on' }));
    expect(page.text()).not.toContain('Turn on alerts');
    expect(hrefOf('Bookmarked tenders 0')).toBe('/bookmarks');
    expect(hrefOf('Saved searches 0')).toBe('/tenders#searches');
  });

  test('names the plan, and the states on this phone', async () => {
    answers['GET /api/orders'] = () => Response.json({ orders: [], plan: PLAN });
    await withDatabase((db) => db.scopes.bulkAdd(['goa', 'delhi'].map(savedScope)));
    setRows(await withDatabase(readScopes));
    page = await openTestPage(<DashboardHome />);
    await expect.poll(page.text).toContain('Basic until 1 Apr 2099 · Delhi, Goa on this phone');
    localStorage.setItem('user', JSON.stringify({ ...me().user, username: ' ' }));
    await act(async () => reloadSession());
    expect(page.texts('h1')[0]).toMatch(/, User$/);
  });

  test('of a user with bookmarks has their blocks and numbers', async () => {
    await bookmark(100, 200);
    page = await openTestPage(<DashboardHome />);
    await expect
      .poll(headings)
      .toEqual(['Bookmarked tenders', 'Saved searches', 'Latest tenders', 'Alerts', 'Quick links']);
    expect(page.text()).toContain('No bookmarked tender closes in the next 48 hours.');
    expect(hrefOf('Bookmarked tenders 2')).toBe('/bookmarks');
  });

  test.each([
    ['a notice', () => withDatabase((db) => db.notices.put(notice(1)))],
    ['a saved search', () => withDatabase((db) => db.searches.put(search('road')))],
  ])('of a user with %s has all blocks', async (_what, store: () => Promise<unknown>) => {
    await store();
    page = await openTestPage(<DashboardHome />);
    await expect
      .poll(headings)
      .toEqual(['Bookmarked tenders', 'Saved searches', 'Latest tenders', 'Alerts', 'Quick links']);
  });
});

test('a change of the profile that needs the password asks for it', async () => {
  answers[`PUT /api/user-info/${user}`] = () =>
    Response.json({ message: 'Please sign in again to change this' }, { status: 403 });
  page = await openTestPage(<Profile />);
  await page.enter('Username', 'Asha Verma');
  await page.press('Update Profile');
  await expect.poll(() => page.texts('dialog h2')).toEqual(['Your password, please']);
});

describe('the payments', () => {
  const orders = (body: object) => () => Response.json(body);

  test('without an order lead to tenders and plans', async () => {
    answers['GET /api/orders'] = orders({ orders: [], plan: null });
    page = await openTestPage(<Payments />);
    await expect
      .poll(() => page.text())
      .toContain('No orders yet. Purchases with this account or its email address appear here.');
    expect(page.texts('h2')).toEqual(['Your plan', 'Your documents', 'Orders and receipts', 'EMD and deposits']);
    expect(
      ['Find tenders', 'See plans', 'Money that is locked'].map((name) => page.button(name).getAttribute('href')),
    ).toEqual(['/tenders', '/pricing', '/dashboard/analytics']);
    expect(page.text()).not.toContain('Loading your plan');
  });

  test('load the plan again after its states were changed', async () => {
    answers['GET /api/orders'] = orders({ orders: [], plan: PLAN });
    answers['PUT /api/plan/states'] = orders({ ...PLAN, states: ['Goa'] });
    page = await openTestPage(<Payments />);
    await expect.poll(() => page.hasButton('Change states')).toBe(true);
    await page.press('Change states');
    const loads = () => calls.filter((call) => call === 'GET /api/orders').length;
    const before = loads();
    await page.enter('State of the plan', 'Goa');
    await act(async () => page.page.querySelector<HTMLFormElement>('form')?.requestSubmit());
    await expect.poll(loads).toBe(before + 1);
  });

  test('say that the plan could not be loaded, after it was loading', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    answers['GET /api/orders'] = () => promise;
    page = await openTestPage(<Payments />);
    expect(page.text()).toContain('Loading your plan');
    expect(page.text()).not.toContain('Your plan could not be loaded.');
    resolve(Response.json({}, { status: 500 }));
    await expect.poll(page.text).toContain('Your plan could not be loaded.');
    expect(page.text()).not.toContain('Loading your plan');
  });
});

describe('the settings', () => {
  test('call a new password weak that is made of the name, the address or the number of the user', async () => {
    const known = { _id: user, username: 'Zorawar', email: 'hillside@works.example', mobileNo: '+919418273645' };
    localStorage.setItem('user', JSON.stringify(known));
    reloadSession();
    page = await openTestPage(<Settings />);
    for (const password of ['zorawar kx m', 'hillside kx m', '9418273645 kx m']) {
      await page.enter('New password', password);
      expect(page.text(), password).toContain('Weak: easy to guess.');
    }
    await page.enter('New password', 'cloudy lamp walks to mandi');
    expect(page.text()).toContain('Strong.');
  });

  test('close the account, whose data leaves this phone, and show the message of the server', async () => {
    answers['DELETE /api/me'] = () => Response.json({ message: 'Your account is closed.' });
    answers['POST /api/auth/logout'] = () => Response.json({ message: 'You are signed out' });
    const files = async () => [...(await withDatabase((db) => storedHashes(db, user)))];
    await withDatabase((db) => storeFiles(db, [{ owner: user, hash: 'a', bytes: 3, file: new Blob(['abc']), at: 1 }]));
    page = await openTestPage(<Settings />);
    await page.press('Delete Account');
    await page.enter('Your password', 'old-river-72');
    await act(async () => page.page.querySelector<HTMLFormElement>('dialog form')?.requestSubmit());
    await expect.poll(() => useToast.getState().current?.text).toBe('Your account is closed.');
    await expect.poll(currentOwner).toBe('');
    expect(page.address()).toBe('/');
    // Unlike a sign-out, which leaves the files for the next sign-in.
    await expect.poll(files).toEqual([]);
    await expect.poll(unfinishedSignOuts).toEqual([]);
  });
});
