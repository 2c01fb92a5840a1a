// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import type { Tender } from '@nivida/contract/tenders/tender';
import { testTenderDetail } from '@nivida/contract/tenders/test-tender';
import { act } from 'preact/test-utils';
import { createElement as h, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { createMemoryRouter, parsePath, RouterProvider } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { currentTime } from '../../data/clock.ts';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { writeSetting } from '../../data/device/settings.ts';
import { useReachability } from '../../data/server/reachability.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { useBookmarkStore } from '../../features/bookmarks/bookmark-store.ts';
import { dismissToast, useToast } from '../../ui/feedback/toast.ts';
import { Bookmarks } from './Bookmarks.tsx';
import { BookmarksOnDevice } from './BookmarksOnDevice.tsx';
import { ShareTarget } from './ShareTarget.tsx';
import { TenderDetail } from './TenderDetail.tsx';
import { TenderSearch } from './TenderSearch.tsx';
import { useTenderDocuments } from './useTenderDocuments.ts';

const HOUR_MS = 3_600_000;
const NOTHING_SHARED = { ids: new Set<string>(), waiting: 0, isEnded: false, error: undefined, isRefreshing: false };

let page: HTMLElement;
let root: Root;
let router: ReturnType<typeof createMemoryRouter>;
let shownPages = 0;
let isOnline: boolean;
/** The server's answers by path; other calls are refused. */
let answers: Record<string, unknown>;
let status: number;
let writes: string[];

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
    return pathname in answers
      ? Response.json(answers[pathname])
      : Response.json({ code: 'REFUSED', message: 'The list is being renewed', requestId: 'r' }, { status });
  });
  page = document.createElement('div');
  document.body.append(page);
  root = createRoot(page);
});
afterEach(async () => {
  await act(async () => root.unmount());
  page.remove();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  clearSession();
  localStorage.clear();
  useBookmarkStore.setState(NOTHING_SHARED);
  useReachability.setState({ status: 'reachable', silentReads: 0 });
  while (useToast.getState().current) dismissToast();
  await closeDatabase();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

async function show(element: ReactNode, address = '/', state: unknown = null): Promise<void> {
  router = createMemoryRouter(
    [
      { path: parsePath(address).pathname?.replace(/\d+$/, ':id') ?? '/', element },
      { path: '*', element: null },
    ],
    { initialEntries: ['/before', { ...parsePath(address), state }] },
  );
  shownPages += 1;
  await act(async () => root.render(h(RouterProvider, { key: shownPages, router })));
}

const text = () => page.textContent ?? '';
const alert = () => page.querySelector('[role="alert"]')?.textContent;
const titles = () => [...page.querySelectorAll('h3')].map(({ textContent }) => textContent);
const button = (name: string) =>
  [...page.querySelectorAll('button')].find(({ textContent }) => textContent?.trim() === name);

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

describe('the bookmarks of a user', () => {
  const synced = (...tenderIds: string[]) => ({ '/api/bookmarks/sync': { results: [], tenderIds } });

  test('are cards, newest first, with their closing, and are copied as a message', async () => {
    signInForTest('7');
    answers = synced('21', '22');
    await bookmark('7', '21', 1);
    await bookmark('7', '22', 2);
    await show(h(Bookmarks), '/bookmarks');
    expect(document.title).toBe('Bookmarked tenders · Nivida');
    expect(page.querySelector('h1')?.textContent).toBe('Bookmarked tenders');
    await expect.poll(titles).toEqual(['Road 22', 'Road 21']);
    expect(text()).toMatch(/2 days (left|remaining)/);
    let copied = '';
    vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue({
      writeText: async (written: string) => {
        copied = written;
      },
    } as Clipboard);
    await act(async () => button('Copy for WhatsApp')?.click());
    expect(copied).toMatch(/^\*Bookmarked tenders\*\n\n1\. Road 22\n/);
    expect(copied).not.toContain('All:');
    expect(alert()).toBeUndefined();
  });

  test('without a known tender have no message to copy', async () => {
    signInForTest('7');
    answers = synced('23');
    await bookmark('7', '23', 1, false);
    await show(h(Bookmarks), '/bookmarks');
    await expect.poll(titles).toEqual(['Tender 23']);
    expect(button('Copy for WhatsApp')).toBeUndefined();
  });

  test('that are none say how to make one', async () => {
    signInForTest('7');
    answers = synced();
    await show(h(Bookmarks), '/bookmarks');
    expect(text()).toContain('Loading bookmarked tenders');
    await expect.poll(text).toContain('No bookmarked tenders found.');
    expect(text()).toContain('Tap the bookmark to save a tender.');
    expect(page.querySelector('a')?.getAttribute('href')).toBe('/tenders');
    await expect.poll(text).not.toContain('Loading');
  });

  test('stay when they cannot be renewed, with the reason', async () => {
    signInForTest('7');
    await bookmark('7', '24', 1);
    await show(h(Bookmarks), '/bookmarks');
    await expect.poll(alert).toBe('The list is being renewed');
    await expect.poll(titles).toEqual(['Road 24']);
  });

  test('without signal have no reason of their own: the bar above says it; an empty screen says it too', async () => {
    signInForTest('7');
    isOnline = false;
    await bookmark('7', '25', 1);
    await show(h(Bookmarks), '/bookmarks');
    await expect.poll(titles).toEqual(['Road 25']);
    await act(async () => useBookmarkStore.setState({ error: new Error('no network') }));
    expect(alert()).toBeUndefined();
    await withDatabase((db) => db.bookmarks.clear());
    await expect.poll(alert).toBe('Failed to fetch bookmarked tenders');
    expect(text()).not.toContain('No bookmarked tenders found.');
  });

  test('are for a user: a visitor is sent home, to come back after signing in', async () => {
    await show(h(Bookmarks), '/bookmarks');
    expect([router.state.location.pathname, router.state.location.state]).toEqual(['/', { returnTo: '/bookmarks' }]);
  });
});

describe('the bookmarks of a visitor', () => {
  test('are on the search page as soon as there is one', async () => {
    await show(h(BookmarksOnDevice), '/tenders');
    expect(page.innerHTML).toBe('');
    await bookmark('', '31', 1);
    await act(async () => useBookmarkStore.setState({ ids: new Set(['31']) }));
    await expect.poll(titles).toEqual(['Road 31']);
    expect(page.querySelector('section')?.id).toBe('saved');
    expect(page.querySelector('h2')?.textContent).toBe('Saved on this phone');
    expect(text()).toContain('They open without signal. Sign in to have them on all your devices.');
    expect(text()).not.toMatch(/session has ended|Loading|No bookmarked/);
    await act(async () => useBookmarkStore.setState({ isEnded: true }));
    expect(text()).toContain('Your session has ended. Sign in to sync: until then these stay on this phone.');
    expect(text()).not.toContain('They open without signal.');
  });

  test('that are none say so at their link, to which the page scrolls', async () => {
    const scrolled: string[] = [];
    vi.spyOn(HTMLElement.prototype, 'scrollIntoView').mockImplementation(function (this: HTMLElement) {
      scrolled.push(this.id);
    });
    await show(h(BookmarksOnDevice), '/tenders#saved');
    await expect.poll(text).toContain('No bookmarked tenders found.');
    await expect.poll(() => scrolled).toEqual(['saved']);
    expect(text()).not.toContain('Loading');
  });
});

describe('the search page', () => {
  const words = () => page.querySelector<HTMLInputElement>('input[name="q"]')?.value;

  test('has the words of its address, also of the next one', async () => {
    await show(h(TenderSearch), '/tenders?q=road');
    expect([page.querySelector('h1')?.textContent, words()]).toEqual(['Find tenders', 'road']);
    await act(async () => router.navigate('/tenders?q=well'));
    expect(words()).toBe('well');
  });

  test('shows saved tenders to a visitor; a user goes to the bookmarks', async () => {
    await show(h(TenderSearch), '/tenders#saved');
    await expect.poll(() => page.querySelector('#saved h2')?.textContent).toBe('Saved on this phone');
    signInForTest('7');
    await show(h(TenderSearch), '/tenders#saved');
    expect([router.state.location.pathname, router.state.historyAction]).toEqual(['/bookmarks', 'REPLACE']);
    await show(h(TenderSearch), '/tenders');
    expect(router.state.location.pathname).toBe('/tenders');
  });
});

test.each([
  ['text=Look at 2026_PWD_7_1', '/tenders/results?q=2026_PWD_7_1', { received: '2026_PWD_7_1' }],
  ['title=Footbridge', '/tenders?q=Footbridge', null],
  ['', '/tenders', null],
])('a text of another app (%s) opens %s', async (query, address, state) => {
  router = createMemoryRouter(
    [
      { path: '/share', element: h(ShareTarget) },
      { path: '*', element: null },
    ],
    { initialEntries: [`/share?${query}`] },
  );
  await act(async () => root.render(h(RouterProvider, { router })));
  const { location, historyAction } = router.state;
  expect([location.pathname + location.search, location.state, historyAction]).toEqual([address, state, 'REPLACE']);
});

describe('the documents of a tender', () => {
  let documents: ReturnType<typeof useTenderDocuments>;
  const showDocuments = (tender: Tender, isOwned = false) => {
    const Probe = () => {
      documents = useTenderDocuments(tender, currentTime(), isOwned);
      return null;
    };
    return show(h(Probe));
  };
  const requested = () => withDatabase((db) => db.outbox.toArray());

  test('are asked for by a visitor with an address, and then are asked for', async () => {
    answers['/api/tenders/41/document-requests'] = {};
    await showDocuments(tenderOf('41'));
    expect([documents.action.way, documents.isAsking]).toEqual(['ask', false]);
    await act(async () => documents.ask());
    expect(documents.isAsking).toBe(true);
    await act(async () => documents.stopAsking());
    expect(documents.isAsking).toBe(false);
    expect(writes).toEqual([]);
    await act(async () => documents.ask());
    await act(async () => documents.send('asha@example.in'));
    expect(documents.isAsking).toBe(false);
    await expect.poll(() => documents.action.way).toBe('asked');
    await expect.poll(() => writes).toEqual(['POST /api/tenders/41/document-requests {"email":"asha@example.in"}']);
  });

  test('are asked for by a user at once', async () => {
    signInForTest('7');
    isOnline = false;
    await showDocuments(tenderOf('42'));
    await act(async () => documents.ask());
    expect(documents.isAsking).toBe(false);
    await expect
      .poll(() => documents.action)
      .toEqual({
        ...{ way: 'asked', note: 'Saved on this phone. Sent when there is signal.' },
      });
    await expect.poll(() => useToast.getState().current?.text).toBe('Saved on this phone. Sent when there is signal.');
    expect(await requested()).toMatchObject([
      { path: '/api/tenders/42/document-requests', body: {}, needs: 'session' },
    ]);
  });

  test('that were asked for another tender are not asked for this one', async () => {
    await withDatabase((db) => db.settings.put({ key: 'document requests of ', value: ['44'] }));
    await showDocuments(tenderOf('44'));
    await expect.poll(() => documents.action.way).toBe('asked');
    await showDocuments(tenderOf('43'));
    await withDatabase((db) => db.settings.count());
    expect(documents.action.way).toBe('ask');
  });

  test('that the user has are theirs', async () => {
    await showDocuments(tenderOf('45'), true);
    expect(documents.action.way).toBe('owned');
  });
});

describe('a phone without free storage', () => {
  beforeEach(async () => {
    await closeDatabase();
    vi.spyOn(indexedDB, 'open').mockImplementation(() => {
      throw Object.assign(new Error('refused'), { name: 'QuotaExceededError' });
    });
    await withDatabase(async () => undefined).catch(() => undefined);
  });
  const SENTENCE = 'The storage of this phone is full, so bookmarks cannot be saved.';

  test('says at the bookmarks why there are none', async () => {
    await show(h(BookmarksOnDevice), '/tenders#saved');
    await expect.poll(text).toContain(SENTENCE);
    expect(text()).not.toMatch(/Loading|No bookmarked/);
    signInForTest('7');
    await show(h(Bookmarks), '/bookmarks');
    await expect.poll(alert).toBe(SENTENCE);
    expect(text()).not.toContain('Loading');
  });

  test('asks for no documents, and names the other way', async () => {
    let send: (email: string) => Promise<void> = async () => undefined;
    const tender = tenderOf('71');
    const Probe = () => {
      ({ send } = useTenderDocuments(tender, currentTime(), false));
      return null;
    };
    await show(h(Probe));
    await act(async () => send('asha@example.in'));
    expect(useToast.getState().current?.text).toBe(
      'The storage of this phone is full, so the request cannot be saved. Please ask through the contact form.',
    );
  });
});

describe('the page of a tender', () => {
  const open = (id: string, hash = '', state: unknown = null) => show(h(TenderDetail), `/tenders/${id}${hash}`, state);
  const description = () => document.querySelector<HTMLMetaElement>('meta[name="description"]')?.content;
  const heading = () => page.querySelector('h1')?.textContent;

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
    const isDisabled = () => page.querySelector<HTMLButtonElement>('[aria-label="Add to calendar"]')?.disabled;
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
    await act(async () => button('Go Back')?.click());
    expect(router.state.location.pathname).toBe('/tenders');
    await open('55', '', { fromList: true });
    await act(async () => router.navigate('/tenders/56', { state: { fromList: true } }));
    await expect.poll(heading).toBe('Error Loading Tender');
    await act(async () => button('Go Back')?.click());
    await expect.poll(() => router.state.location.pathname).toBe('/tenders/55');
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

  test('without a network and without a copy says what is missing', async () => {
    vi.stubGlobal('fetch', () => new Promise(() => undefined));
    useReachability.setState({ status: 'unreachable' });
    await open('58');
    await expect.poll(heading).toBe('No signal');
    expect(text()).toContain('This tender is not on this phone.');
  });

  const dialog = () => page.querySelector('dialog h2')?.textContent;
  const mainButton = (name: string) =>
    [...page.querySelectorAll<HTMLElement>('aside button')].find(({ textContent }) => textContent?.trim() === name);
  const SOLD: Partial<Tender> = { document_package: { kind: 'nit-boq', works: 1 } };

  test('asks a visitor for an address before it requests missing documents', async () => {
    answers['/api/tenders/62'] = { tender: tenderOf('62') };
    await open('62');
    await expect.poll(() => mainButton('Ask for the documents')).toBeDefined();
    await act(async () => mainButton('Ask for the documents')?.click());
    await expect.poll(() => button('Cancel')).toBeDefined();
    expect(dialog()).toBe('Ask for the documents');
    await act(async () => button('Cancel')?.click());
    expect([dialog(), writes]).toEqual([undefined, []]);
  });

  test('opens the purchase by its button, and at once where the payment is tried again', async () => {
    answers['/api/tenders/63'] = { tender: tenderOf('63', SOLD) };
    await open('63');
    await expect.poll(() => mainButton('Download documents · ₹99')).toBeDefined();
    expect(dialog()).toBeUndefined();
    await act(async () => mainButton('Download documents · ₹99')?.click());
    await expect.poll(dialog).toBe('Tender documents');
    answers['/api/tenders/64'] = { tender: tenderOf('64', SOLD) };
    await open('64', '', { buy: true });
    await expect.poll(dialog).toBe('Tender documents');
  });

  test('leads a visitor who has paid to the documents of the order', async () => {
    await writeSetting('documents bought signed out', [{ orderId: 'order 1', tenderId: '65' }]);
    answers['/api/tenders/65'] = { tender: tenderOf('65', SOLD) };
    await open('65');
    await expect.poll(() => mainButton('Your documents')).toBeDefined();
    await act(async () => mainButton('Your documents')?.click());
    const { pathname, search } = router.state.location;
    expect(pathname + search).toBe('/payment-status?id=order%201');
  });

  test('opens the calendar by the button of a notification, which closes to the page', async () => {
    answers['/api/tenders/59'] = { tender: tenderOf('59') };
    await open('59', '#calendar', { fromList: true });
    await expect.poll(() => page.querySelector('dialog h2')?.textContent).toBe('Add to calendar');
    await act(async () => button('Cancel')?.click());
    expect(page.querySelector('dialog')).toBeNull();
    expect([router.state.location.hash, router.state.location.state, router.state.historyAction]).toEqual([
      '',
      { fromList: true },
      'REPLACE',
    ]);
  });
});
