// @vitest-environment-options { "url": "http://localhost/" }
import { act } from 'react';
import 'fake-indexeddb/auto';
import type { Tender } from '@nivida/contract/tenders/tender';
import { testTenderDetail } from '@nivida/contract/tenders/test-tender';
import type { ReactElement } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, parsePath, Route, RouterProvider, Routes } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { currentTime } from '../../data/clock.ts';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import type { ScopeRow } from '../../data/device/schema.ts';
import { writeSetting } from '../../data/device/settings.ts';
import { NO_CHANGES } from '../../data/outbox/test-outbox.ts';
import { useReachability } from '../../data/server/reachability.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { useBookmarkStore } from '../../features/bookmarks/bookmark-store.ts';
import { sendPendingBookmarks } from '../../features/bookmarks/bookmark-sync.ts';
import { EngineHost } from '../../offline/engine/engine-host.ts';
import { setRows, usePacks } from '../../offline/packs/pack-status.ts';
import { storeTestPack } from '../../offline/test-data/test-pack.ts';
import { toRow } from '../../offline/test-data/test-rows.ts';
import { closeTestPages, openTestPage, type TestPage } from '../../ui/test-page.tsx';
import { BookmarkCards, BookmarksOnDevice } from './BookmarkCards.tsx';
import { Bookmarks } from './Bookmarks.screen.tsx';
import { ShareTarget } from './ShareTarget.screen.tsx';
import { TenderDetail } from './TenderDetail.screen.tsx';
import { TenderResults } from './TenderResults.screen.tsx';
import { TenderSearch } from './TenderSearch.screen.tsx';

const HOUR_MS = 3_600_000;
const NOTHING_SHARED = {
  ids: new Set<string>(),
  waiting: 0,
  needsSignIn: false,
  error: undefined,
  isRefreshing: false,
};

let page: TestPage;
let isOnline: boolean;
/** The server's answers by path; other calls are refused. */
let answers: Record<string, unknown>;
let status: number;
let writes: string[];

const refuse = () =>
  Response.json({ code: 'REFUSED', message: 'The list is being renewed', requestId: 'r' }, { status });

beforeEach(() => {
  // A browser reports the end of a dialog later, when it is out of the page.
  vi.spyOn(HTMLDialogElement.prototype, 'close').mockImplementation(() => undefined);
  isOnline = true;
  answers = {};
  status = 400;
  writes = [];
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => isOnline);
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (request.method !== 'GET') writes.push(`${request.method} ${pathname} ${await request.text()}`);
    return pathname in answers ? Response.json(answers[pathname]) : refuse();
  });
});
afterEach(async () => {
  await closeTestPages();
  clearSession();
  // Ends the attempts to send those of the user.
  await sendPendingBookmarks();
  vi.restoreAllMocks();
  localStorage.clear();
  useBookmarkStore.setState(NOTHING_SHARED);
  useReachability.setState({ status: 'reachable', silentReads: 0 });
  usePacks.setState({ isRead: false, scopes: {}, hinted: [] });
  await closeDatabase();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

/** Shows a screen at an address, instead of the one before; there is nothing at other addresses. */
async function show(screen: ReactElement, address: string, state: unknown = null): Promise<void> {
  await closeTestPages();
  const { pathname = '/', ...rest } = parsePath(address);
  const content = (
    <Routes>
      <Route path={pathname.replace(/\d+$/, ':id')} element={screen} />
      <Route path="*" element={null} />
    </Routes>
  );
  page = await openTestPage(content, { ...rest, pathname, state });
}

const setOnline = (state: boolean) =>
  act(async () => {
    isOnline = state;
    window.dispatchEvent(new Event(state ? 'online' : 'offline'));
  });

const text = () => page.text();
const alert = () => page.texts('[role="alert"]')[0];
const titles = () => page.texts('h3');

/** A tender that closes in two days. */
const tenderOf = (id: string, fields: Partial<Tender> = {}): Tender =>
  testTenderDetail({
    ...{ _id: id, title: `Road ${id}`, closing_date: new Date(currentTime().getTime() + 48 * HOUR_MS).toISOString() },
    ...{ fetched_at: currentTime().toISOString() },
    ...fields,
  });
/** A bookmark that the server has, or that of a visitor. */
const bookmark = (owner: string, tenderId: string, at: number, isKnown = true) =>
  withDatabase((db) => db.bookmarks.put({ owner, tenderId, at, summary: isKnown ? tenderOf(tenderId) : null }));

// Each test has a user of its own: an answer for an earlier one that comes late is not stored.
describe('the bookmarks of a user', () => {
  const synced = (...tenderIds: string[]) => ({
    '/api/outbox': { ...NO_CHANGES, present: { tenderIds, searches: [], offices: [] } },
  });

  test('are cards, newest first, with their closing, and are copied as a message', async () => {
    signInForTest('1');
    answers = synced('21', '22');
    await bookmark('1', '21', 1);
    await bookmark('1', '22', 2);
    await show(<Bookmarks />, '/bookmarks');
    expect(document.title).toBe('Bookmarked tenders · Nivida');
    expect(page.texts('h1')[0]).toBe('Bookmarked tenders');
    await expect.poll(titles).toEqual(['Road 22', 'Road 21']);
    expect(text()).toMatch(/2 days (left|remaining)/);
    let copied = '';
    vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue({
      writeText: async (written: string) => {
        copied = written;
      },
    } as Clipboard);
    await page.press('Copy for WhatsApp');
    await expect.poll(() => copied).toMatch(/^\*Bookmarked tenders\*\n\n1\. Road 22\n/);
    expect(copied).not.toContain('All:');
    expect(alert()).toBeUndefined();
  });

  test('without a known tender have no message to copy', async () => {
    signInForTest('2');
    answers = synced('23');
    await bookmark('2', '23', 1, false);
    await show(<Bookmarks />, '/bookmarks');
    await expect.poll(titles).toEqual(['Tender 23']);
    expect(page.hasButton('Copy for WhatsApp')).toBe(false);
  });

  test('that are none say how to make one', async () => {
    signInForTest('3');
    answers = synced();
    await show(<Bookmarks />, '/bookmarks');
    expect(text()).toContain('Loading bookmarked tenders');
    await expect.poll(() => writes.length > 0 && text()).toContain('No bookmarked tenders found.');
    expect(text()).toContain('Tap the bookmark to save a tender.');
    expect(page.page.querySelector('a')?.getAttribute('href')).toBe('/tenders');
    expect(text()).not.toContain('Loading');
  });

  test('stay when they cannot be renewed, with the reason', async () => {
    signInForTest('4');
    await bookmark('4', '24', 1);
    await show(<Bookmarks />, '/bookmarks');
    await expect.poll(alert).toBe('The list is being renewed');
    await expect.poll(titles).toEqual(['Road 24']);
  });

  test('without a connection have no reason of their own: the bar above says it; an empty screen says it too', async () => {
    signInForTest('5');
    isOnline = false;
    await bookmark('5', '25', 1);
    await show(<Bookmarks />, '/bookmarks');
    await expect.poll(titles).toEqual(['Road 25']);
    await act(async () => useBookmarkStore.setState({ error: new Error('no network') }));
    expect(alert()).toBeUndefined();
    await withDatabase((db) => db.bookmarks.clear());
    await expect.poll(alert).toBe('Failed to fetch bookmarked tenders');
    expect(text()).not.toContain('No bookmarked tenders found.');
  });
});

test('changes of bookmarks that wait are counted, with the reason why', async () => {
  signInForTest('6');
  await show(<Bookmarks />, '/bookmarks');
  expect(text()).not.toContain('saved on this phone');
  await act(async () => useBookmarkStore.setState({ waiting: 1 }));
  expect(text()).toContain('1 change saved on this phone. Not sent yet.');
  await act(async () => useBookmarkStore.setState({ waiting: 2 }));
  await setOnline(false);
  expect(text()).toContain('2 changes saved on this phone. Sent when this app is open and there is a connection.');
});

describe('the cards of bookmarks', () => {
  const showCards = (...bookmarks: { id: string; needsSignIn?: boolean; tender: Tender | null }[]) =>
    show(<BookmarkCards bookmarks={bookmarks.map((each) => ({ needsSignIn: false, ...each }))} />, '/bookmarks');
  const closed = { closing_date: '2020-01-10T05:30:00.000Z', closing_time_known: true };
  const texts = () =>
    [...page.page.querySelectorAll('li')].map((card) => [...card.children].map((each) => each.textContent?.trim()));

  test('show the tender of each, its description only where it says more than the title', async () => {
    await showCards(
      { id: '1', tender: tenderOf('1', { ...closed, description: 'Repair of the bridge at Theog', state: 'Assam' }) },
      { id: '2', tender: tenderOf('2', { ...closed, description: 'Road 2' }) },
      { id: '3', tender: tenderOf('3', { ...closed, description: null as never }) },
    );
    expect(texts()).toEqual([
      ['Road 1', '', 'Repair of the bridge at Theog', 'AssamClosedView Details of Road 1'],
      ['Road 2', '', 'Himachal PradeshClosedView Details of Road 2'],
      ['Road 3', '', 'Himachal PradeshClosedView Details of Road 3'],
    ]);
    const links = [...page.page.querySelectorAll('a')].map((link) => link.getAttribute('href'));
    expect(links).toEqual(['/tenders/1', '/tenders/2', '/tenders/3']);
  });

  test('say why a tender is not there yet, and what a bookmark of an ended session needs', async () => {
    await showCards(
      { id: '9', tender: null },
      { id: '1', needsSignIn: true, tender: tenderOf('1', { ...closed, description: 'A village road' }) },
    );
    expect(texts()).toEqual([
      ['Tender 9', 'Details are not on this phone yet.', 'View Details of tender 9'],
      ['Road 1', '', 'A village road', 'Himachal PradeshSign in to syncClosedView Details of Road 1'],
    ]);
    await setOnline(false);
    expect(texts()[0]?.[1]).toBe('Details load when you are online.');
  });
});

describe('the bookmarks of a visitor', () => {
  test('are on the search page as soon as there is one', async () => {
    await show(<BookmarksOnDevice />, '/tenders');
    expect(page.page.innerHTML).toBe('');
    await bookmark('', '31', 1);
    await act(async () => useBookmarkStore.setState({ ids: new Set(['31']) }));
    await expect.poll(titles).toEqual(['Road 31']);
    expect(page.page.querySelector('section')?.id).toBe('saved');
    expect(page.texts('h2')).toEqual(['Saved on this phone']);
    expect(text()).toContain('They open without a connection. Sign in to have them on all your devices.');
    expect(text()).not.toMatch(/session has ended|Loading|No bookmarked/);
    await act(async () => useBookmarkStore.setState({ needsSignIn: true }));
    expect(text()).toContain('Your session has ended. Sign in to sync: until then these stay on this phone.');
    expect(text()).not.toContain('They open without a connection.');
  });

  test('that are none say so at their link, to which the page scrolls', async () => {
    const scrolled: string[] = [];
    vi.spyOn(HTMLElement.prototype, 'scrollIntoView').mockImplementation(function (this: HTMLElement) {
      scrolled.push(this.id);
    });
    await show(<BookmarksOnDevice />, '/tenders#saved');
    await expect.poll(text).toContain('No bookmarked tenders found.');
    await expect.poll(() => scrolled).toEqual(['saved']);
    expect(text()).not.toContain('Loading');
  });
});

describe('the search page', () => {
  const words = () => page.page.querySelector<HTMLInputElement>('input[name="q"]')?.value;

  test('has the words of its address, also of the next one', async () => {
    await show(<TenderSearch />, '/tenders?q=road');
    expect([page.texts('h1')[0], words()]).toEqual(['Find tenders', 'road']);
    await act(async () => page.router.navigate('/tenders?q=well'));
    expect(words()).toBe('well');
  });

  test('shows saved tenders to a visitor; a user goes to the bookmarks', async () => {
    await show(<TenderSearch />, '/tenders#saved');
    await expect.poll(() => page.texts('#saved h2')).toEqual(['Saved on this phone']);
    signInForTest('7');
    await show(<TenderSearch />, '/tenders#saved');
    expect([page.address(), page.router.state.historyAction]).toEqual(['/bookmarks', 'REPLACE']);
    await show(<TenderSearch />, '/tenders');
    expect(page.address()).toBe('/tenders');
  });
});

test.each([
  ['text=Look at 2026_PWD_7_1', '/tenders/results?q=2026_PWD_7_1', { received: '2026_PWD_7_1' }],
  ['title=Footbridge', '/tenders?q=Footbridge', null],
  ['', '/tenders', null],
])('a text of another app (%s) opens %s', async (query, address, state) => {
  await show(<ShareTarget />, `/share?${query}`);
  const { location, historyAction } = page.router.state;
  expect([page.address(), location.state, historyAction]).toEqual([address, state, 'REPLACE']);
});

test('a text of another app is opened once, also while the code of its page is loading', async () => {
  const { promise: isLoaded, resolve: load } = Promise.withResolvers<void>();
  const routes = [
    { path: '/share', Component: ShareTarget },
    { path: '/tenders/results', lazy: () => isLoaded.then(() => ({ Component: () => 'Results' })) },
  ];
  const router = createMemoryRouter(routes, { initialEntries: ['/share?text=2026_PWD_7_1'] });
  const navigations: string[] = [];
  router.subscribe(({ navigation }) => void navigations.push(navigation.state));
  const results = document.createElement('div');
  const root = createRoot(results);
  root.render(<RouterProvider router={router} />);
  onTestFinished(() => root.unmount());
  await expect.poll(() => navigations).toEqual(['loading']);
  await new Promise(requestAnimationFrame);
  load();
  await expect.poll(() => results.textContent).toBe('Results');
  expect(navigations).toEqual(['loading', 'idle']);
});

describe('a tender id', () => {
  const ID = '2026_PWD_71_1';
  const closesAt = currentTime().getTime() + 48 * HOUR_MS;
  const row = (id: number, fields: object = {}) =>
    toRow({ id, title: `Road ${id}`, publishedAt: closesAt - 240 * HOUR_MS, closesAt, ...fields });
  const store = (scope: string, ...rows: ReturnType<typeof row>[]) =>
    storeTestPack(scope, rows, currentTime().getTime());
  const search = (state: unknown = null) => show(<TenderResults />, `/tenders/results?q=${ID}`, state);
  const share = () => search({ received: ID });
  const shownTitles = () => page.texts('article h2, article h3');
  const loseNetwork = () => {
    isOnline = false;
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    useReachability.setState({ status: 'unreachable' });
  };

  /** Tasks in which the search that runs comes to its end. */
  const someTasks = async () => {
    for (let task = 0; task < 20; task += 1) {
      await act(() => new Promise((resolve) => setTimeout(resolve)));
      await withDatabase((db) => db.pushedChanges.count());
    }
  };

  test.each<[string, object]>([
    ['open', {}],
    ['closed', { closesAt: closesAt - 96 * HOUR_MS }],
  ])(
    'that another app shared opens its %s tender without a connection when a state on the phone has it',
    async (_what, fields) => {
      loseNetwork();
      await store('goa', row(80, { state: 'Goa' }));
      await store('himachal-pradesh', row(71, fields), row(72, { description: `See ${ID}` }));
      await share();
      await expect.poll(page.address).toBe('/tenders/71');
    },
  );

  test('that is searched without a connection lists the tender of a state on the phone', async () => {
    loseNetwork();
    await store('goa', row(80, { state: 'Goa' }));
    await store('himachal-pradesh', row(71));
    await search();
    await expect.poll(shownTitles).toEqual(['Road 71']);
    expect(page.address()).toBe(`/tenders/results?q=${ID}`);
    await expect.poll(text).toContain('Only the states on this phone were searched.');
  });

  test('list-index without a state are searched without a connection in all states on the phone, which are named', async () => {
    loseNetwork();
    await store('goa', row(81, { state: 'Goa', title: 'Bridge 81', closesAt: closesAt - HOUR_MS }));
    await store('himachal-pradesh', row(71, { title: 'Bridge 71' }), row(72));
    await show(<TenderResults />, '/tenders/results?q=bridge');
    await expect.poll(shownTitles).toEqual(['Bridge 81', 'Bridge 71']);
    await expect
      .poll(text)
      .toContain('Only the states on this phone were searched. Saved here: Goa, Himachal Pradesh.');
    await act(async () => page.router.navigate('/tenders/results?q=tunnel'));
    await expect.poll(text).toContain('None in the states on this phone. Go online to search all of India.');
  });

  test('that is searched while the phone still looks for another one is found', async () => {
    loseNetwork();
    await store('himachal-pradesh', row(71));
    const changes = Promise.withResolvers<void>();
    const readChanges = await withDatabase(async (db) => {
      const read = db.pushedChanges.bulkGet.bind(db.pushedChanges);
      return vi
        .spyOn(db.pushedChanges, 'bulkGet')
        .mockImplementationOnce((ids: string[]) => changes.promise.then(() => read(ids)) as ReturnType<typeof read>);
    });
    await show(<TenderResults />, '/tenders/results?q=2026_PWD_99_1');
    await expect.poll(() => readChanges.mock.calls.length).toBe(1);

    const engine = Promise.withResolvers<void>();
    const { search: searchIn } = EngineHost.prototype;
    const searches = vi.spyOn(EngineHost.prototype, 'search').mockImplementationOnce(function (
      this: EngineHost,
      ...asked
    ) {
      return engine.promise.then(() => searchIn.apply(this, asked)) as never;
    });
    await act(async () => page.router.navigate(`/tenders/results?q=${ID}`));
    await expect.poll(() => searches.mock.calls.length).toBe(1);
    // the earlier lookup goes on while the later one waits for the engine
    changes.resolve();
    await readChanges.mock.results[0]?.value;
    await someTasks();
    engine.resolve();
    await expect.poll(shownTitles).toEqual(['Road 71']);
  });

  test('that two states on the phone have leaves the choice', async () => {
    loseNetwork();
    await store('goa', row(81, { state: 'Goa', sourceTenderId: ID }));
    await store('himachal-pradesh', row(71));
    await share();
    await expect.poll(shownTitles).toEqual(['Road 81', 'Road 71']);
    expect(page.address()).toBe(`/tenders/results?q=${ID}`);
  });

  test('that no state on the phone has is said to be missing', async () => {
    loseNetwork();
    await store('goa', row(80, { state: 'Goa' }));
    await share();
    await expect.poll(alert).toContain('This search is not on this phone.');
  });

  /** The server's answer with these tenders. */
  const listOf = (tenders: Tender[], filter: object) => ({
    ...{ tenders, data: tenders, total: tenders.length, total_full: tenders.length, page: 1, limit: 10, filter },
    ...{ place: null, conditions: [], showing_for: null, words: [], demonstration: false },
  });
  /** A server that lists open tenders and no tender of an id; `closed` are those that it lists as closed. */
  const stubLists = (id: string, closed: Tender[] = []) => {
    const otherwise = globalThis.fetch;
    const asked: string[] = [];
    vi.stubGlobal('fetch', async (request: Request) => {
      const { pathname, searchParams } = new URL(request.url);
      if (pathname !== '/api/tenders') return otherwise(request);
      asked.push(searchParams.get('open') ?? '');
      const tenders = asked.at(-1) === '0' ? closed : [];
      const filter = { state: null, district: null, department: null, districts: [], departments: [], q: id };
      return Response.json(listOf(tenders, filter));
    });
    return asked;
  };

  test('that has closed stays listed from the phone when the server, which lists open tenders, finds none', async () => {
    const asked = stubLists('2026_PWD_75_1');
    await store('himachal-pradesh', row(75, { closesAt: closesAt - 96 * HOUR_MS }));
    await show(<TenderResults />, '/tenders/results?q=2026_PWD_75_1');
    await expect.poll(shownTitles).toEqual(['Road 75']);
    await expect.poll(() => asked.length).toBe(1);
    await someTasks();
    expect(shownTitles()).toEqual(['Road 75']);
    expect(text()).not.toContain('No Tenders Found');
  });

  test.each([
    ['that has closed opens', '76', [tenderOf('76', { source_tender_id: '2026_PWD_76_1' })]],
    ['that only the phone has opens', '77', []],
  ])('that another app shared %s once the server was asked for closed ones too', async (_what, number, closed) => {
    const id = `2026_PWD_${number}_1`;
    const asked = stubLists(id, closed);
    await store('himachal-pradesh', row(Number(number), { closesAt: closesAt - 96 * HOUR_MS }));
    await show(<TenderResults />, `/tenders/results?q=${id}`, { received: id });
    await expect.poll(page.address).toBe(`/tenders/${number}`);
    expect(asked).toEqual(['1', '0']);
  });

  test('that another app shared waits for a server that answers, which knows the same id of other states', async () => {
    const { promise: answer, resolve } = Promise.withResolvers<Response>();
    const otherwise = globalThis.fetch;
    vi.stubGlobal('fetch', (request: Request) =>
      new URL(request.url).pathname === '/api/tenders' ? answer : otherwise(request),
    );
    await store('himachal-pradesh', row(71));
    await share();
    await expect.poll(shownTitles).toEqual(['Road 71']);
    expect(page.address()).toBe(`/tenders/results?q=${ID}`);
    const tenders = ['71', '90'].map((id) => tenderOf(id, { source_tender_id: ID }));
    const filter = { state: null, district: null, department: null, districts: [], departments: [], q: ID };
    resolve(Response.json(listOf(tenders, filter)));
    await expect.poll(shownTitles).toEqual(['Road 71', 'Road 90']);
    expect(page.address()).toBe(`/tenders/results?q=${ID}`);
  });
});

test('a phone without free storage says at the bookmarks why there are none', async () => {
  vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw Object.assign(new Error('refused'), { name: 'QuotaExceededError' });
  });
  const SENTENCE = 'The storage of this phone is full, so bookmarks cannot be saved.';
  await show(<BookmarksOnDevice />, '/tenders#saved');
  await expect.poll(text).toContain(SENTENCE);
  expect(text()).not.toMatch(/Loading|No bookmarked/);
  signInForTest('7');
  await show(<Bookmarks />, '/bookmarks');
  await expect.poll(alert).toBe(SENTENCE);
  expect(text()).not.toContain('Loading');
});

describe('the page of a tender', () => {
  const open = (id: string, hash = '', state: unknown = null) => show(<TenderDetail />, `/tenders/${id}${hash}`, state);
  const description = () => document.querySelector<HTMLMetaElement>('meta[name="description"]')?.content;
  const heading = () => page.texts('h1')[0];

  test('has its title, and its closing, office and place as its description', async () => {
    answers['/api/tenders/51'] = {
      tender: tenderOf('51', { closing_date: '2099-04-15T05:30:00.000Z', org_name: 'HPPWD', district: 'Solan' }),
    };
    await open('51');
    await expect.poll(heading).toBe('Road 51');
    expect(document.title).toBe('Road 51 · Nivida');
    expect(description()).toBe('Closes 15 Apr 2099, 11:00 AM. HPPWD, Solan, Himachal Pradesh.');
    expect(text()).not.toMatch(/Offline copy|Error Loading/);
    answers['/api/tenders/52'] = {
      tender: tenderOf('52', { closing_date: '2099-04-15T18:29:00.000Z', closing_time_known: false, district: null }),
    };
    await open('52');
    await expect.poll(() => document.title).toBe('Road 52 · Nivida');
    expect(description()).toBe('Closes 15 Apr 2099, time not stated. PWD, Himachal Pradesh.');
  });

  test('that has closed is no longer added to a calendar', async () => {
    answers['/api/tenders/60'] = { tender: tenderOf('60') };
    const isDisabled = () => page.page.querySelector<HTMLButtonElement>('[aria-label="Add to calendar"]')?.disabled;
    await open('60');
    await expect.poll(isDisabled).toBe(false);
    answers['/api/tenders/61'] = { tender: tenderOf('61', { closing_date: '2026-01-01T00:00:00.000Z' }) };
    await open('61');
    await expect.poll(isDisabled).toBe(true);
  });

  test('that does not exist says so', async () => {
    status = 404;
    await open('53');
    await expect.poll(heading).toBe('Tender not found');
    expect(document.title).toBe('Tender · Nivida');
  });

  test('that cannot be loaded has the reason, and the way back to the form or to its list', async () => {
    await open('54');
    await expect.poll(heading).toBe('Error Loading Tender');
    expect(alert()).toContain('The list is being renewed');
    await page.press('Go Back');
    expect(page.address()).toBe('/tenders');
    await open('55', '', { fromList: true });
    await act(async () => page.router.navigate('/tenders/56', { state: { fromList: true } }));
    await expect.poll(heading).toBe('Error Loading Tender');
    await page.press('Go Back');
    await expect.poll(page.address).toBe('/tenders/55');
  });

  test('that the server no longer has is shown from the phone, and says so', async () => {
    status = 404;
    const savedAt = currentTime().getTime() - 5 * HOUR_MS;
    await withDatabase((db) => db.tenders.put({ id: '57', tender: tenderOf('57'), savedAt }));
    await open('57');
    await expect.poll(heading).toBe('Road 57');
    await expect.poll(text).toContain('Offline copy · Saved 5 h ago. The server no longer has this tender');
    expect(text()).not.toContain('Tender not found');
  });

  test('names at its end the state that is saved on the phone, and leads to what is there', async () => {
    const observer = IntersectionObserver;
    onTestFinished(() => void vi.stubGlobal('IntersectionObserver', observer));
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        disconnect = () => undefined;
        constructor(private readonly report: (entries: { isIntersecting: boolean }[]) => void) {}
        observe = () => this.report([{ isIntersecting: true }]);
      },
    );
    const row: ScopeRow = {
      ...{ scope: 'goa', next: null, files: {}, savedAt: currentTime().getTime(), changed: 0, replaces: null },
      current: { epoch: 'e', cursor: 'e 1', rows: 0, checked: {}, segments: [] },
    };
    await withDatabase((db) => db.scopes.put(row));
    setRows([row]);
    onTestFinished(() => setRows([]));
    answers['/api/tenders/81'] = { tender: tenderOf('81', { state: 'Goa' }) };
    await open('81');
    await expect.poll(() => page.texts('article > div:last-child')).toEqual(['Goa is on this phone']);
    await page.press('Goa is on this phone');
    await expect.poll(() => page.texts('dialog h2')).toEqual(['On this phone']);
    await closeTestPages();
    answers['/api/tenders/82'] = { tender: tenderOf('82', { state: 'Assam' }) };
    await open('82');
    await expect.poll(heading).toBe('Road 82');
    expect(page.texts('article > div:last-child')).toEqual(['']);
  });

  test('that failed by the network offers the state on the phone, and is loaded again by the button', async () => {
    await storeTestPack('goa', [toRow({ id: 80, state: 'Goa' })], currentTime().getTime());
    const otherwise = globalThis.fetch;
    vi.stubGlobal('fetch', (request: Request) => {
      const isTender = String(request.url ?? request).endsWith('/api/tenders/59');
      return isTender ? Promise.resolve(new Response('<p>Sign in</p>')) : otherwise(request);
    });
    await open('59');
    await expect.poll(heading).toBe('No response from the server');
    expect(page.names('[role="alert"] a, [role="alert"] button')).toEqual(['Search in Goa', 'Try Again']);
    answers['/api/tenders/59'] = { tender: tenderOf('59') };
    vi.stubGlobal('fetch', otherwise);
    await page.press('Try Again');
    await expect.poll(heading).toBe('Road 59');
  });

  test('without a network and without a copy says what is missing', async () => {
    const { promise: answer, resolve } = Promise.withResolvers<void>();
    vi.stubGlobal('fetch', () => answer.then(refuse));
    useReachability.setState({ status: 'unreachable' });
    await open('58');
    await expect.poll(heading).toBe('No connection');
    expect(text()).toContain('This tender is not on this phone.');
    resolve();
  });

  const dialog = () => page.texts('dialog h2')[0];
  async function pressMain(name: string): Promise<void> {
    const names = () => page.texts('aside button');
    await expect.poll(names).toContain(name);
    const main = page.page.querySelectorAll<HTMLElement>('aside button')[names().indexOf(name)];
    await act(async () => main?.click());
  }
  const SOLD: Partial<Tender> = { document_package: { kind: 'nit-boq', works: 1 } };

  test('asks a visitor for an address before it requests missing documents', async () => {
    answers['/api/tenders/62'] = { tender: tenderOf('62') };
    await open('62');
    await pressMain('Ask for the documents');
    await expect.poll(() => page.hasButton('Cancel')).toBe(true);
    expect(dialog()).toBe('Ask for the documents');
    await page.press('Cancel');
    expect([dialog(), writes]).toEqual([undefined, []]);
  });

  test('opens the purchase by its button, and at once where the payment is tried again', async () => {
    answers['/api/tenders/63'] = { tender: tenderOf('63', SOLD) };
    await open('63');
    await expect.poll(() => page.texts('aside button')).toContain('Download documents · ₹99');
    expect(dialog()).toBeUndefined();
    await pressMain('Download documents · ₹99');
    await expect.poll(dialog).toBe('Tender documents');
    answers['/api/tenders/64'] = { tender: tenderOf('64', SOLD) };
    await open('64', '', { buy: true });
    await expect.poll(dialog).toBe('Tender documents');
  });

  test('leads a visitor who has paid to the documents of the order', async () => {
    await writeSetting('documents bought signed out', [{ orderId: 'order 1', tenderId: '65' }]);
    answers['/api/tenders/65'] = { tender: tenderOf('65', SOLD) };
    await open('65');
    await pressMain('Your documents');
    expect(page.address()).toBe('/payment-status?id=order%201');
  });

  test('opens the calendar by the button of a notification, which closes to the page', async () => {
    answers['/api/tenders/59'] = { tender: tenderOf('59') };
    await open('59', '#calendar', { fromList: true });
    await expect.poll(dialog).toBe('Add to calendar');
    await page.press('Cancel');
    expect(dialog()).toBeUndefined();
    const { location, historyAction } = page.router.state;
    expect([page.address(), location.state, historyAction]).toEqual(['/tenders/59', { fromList: true }, 'REPLACE']);
  });
});
