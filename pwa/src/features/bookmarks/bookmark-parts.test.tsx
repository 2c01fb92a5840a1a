// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import type { OutboxRequest } from '@nivida/contract/sync/outbox';
import type { TenderSummary } from '@nivida/contract/tenders/tender';
import { testTender, testTenderDetail } from '@nivida/contract/tenders/test-tender';
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { NO_CHANGES, outboxAnswer } from '../../data/outbox/test-outbox.ts';
import { newestCursor } from '../../data/records/newest-cursor.ts';
import { useReachability } from '../../data/server/reachability.ts';
import { clearSession, currentOwner } from '../../data/session.ts';
import { showAppBadge } from '../../data/tenders/app-badge.ts';
import { signInForTest } from '../../data/test-session.ts';
import { recordMutation } from '../../data/unsaved-mutations.ts';
import { dismissToast, useToast } from '../../ui/feedback/toast.ts';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { BookmarkButton } from './BookmarkButton.tsx';
import { hasSynced, useBookmarkStore, writeStoredBookmarkIds } from './bookmark-store.ts';
import {
  announceRemovedBookmarks,
  initBookmarks,
  sendPendingBookmarks,
  setBookmarkAndSend,
  storeAndSendMutation,
  syncBookmarks,
} from './bookmark-sync.ts';
import { visibleBookmarks } from './bookmarks.ts';

const TENDER = testTender({ _id: '1', title: 'Repair of the bridge' });
const OTHER = testTender({ _id: '2', title: 'A wall' });

/** Calls to the server and the changes of each; `serverIds` are the bookmarks there. */
let calls: { call: string; changes: unknown }[];
let serverIds: string[];
let onLine: MockInstance<() => boolean>;
let persisted: number;

beforeEach(() => {
  [calls, serverIds, persisted] = [[], [], 0];
  onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url);
    const text = await request.text();
    const body: OutboxRequest = text ? JSON.parse(text) : NO_CHANGES;
    const changes = body.bookmarks;
    calls.push({ call: `${request.method} ${pathname}`, changes });
    if (pathname === '/api/outbox') {
      for (const { tenderId, wanted } of changes)
        serverIds = [...(wanted ? [tenderId] : []), ...serverIds.filter((id) => id !== tenderId)];
      const cursor = currentOwner() === '77' ? { recordsCursor: 'one.7' } : {};
      return outboxAnswer(body, { tenderIds: serverIds, ...cursor });
    }
    if (pathname === '/api/tenders/bookmarked') return Response.json({ tenders: [TENDER, OTHER], data: [], total: 2 });
    return Response.json({ tender: testTenderDetail({ _id: pathname.split('/').at(-1) ?? '' }) });
  });
  Object.defineProperty(navigator, 'storage', {
    configurable: true,
    value: {
      persisted: async () => false,
      persist: async () => {
        persisted += 1;
        return true;
      },
    },
  });
});

afterEach(async () => {
  await closeTestPages();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  for (const name of ['storage', 'setAppBadge', 'clearAppBadge']) Reflect.deleteProperty(navigator, name);
  clearSession();
  // without a session this only calls off the next attempt
  await sendPendingBookmarks();
  while (useToast.getState().current) dismissToast();
  await closeDatabase();
  await withDatabase((db) => db.delete());
  await closeDatabase();
  localStorage.clear();
  useReachability.setState({ status: 'reachable' });
  useBookmarkStore.setState({ ids: new Set(), waiting: 0, needsSignIn: false, error: undefined, isRefreshing: false });
});

const toast = () => useToast.getState().current;
const rows = (owner = currentOwner()) => withDatabase((db) => visibleBookmarks(db, owner));
const ids = async () => (await rows()).map(({ tenderId }) => tenderId);
const recordedKeys = () => Object.keys(localStorage).filter((key) => key.startsWith('unsaved-bookmark'));
const waiting = () => withDatabase((db) => db.outbox.count());
const tenderIds = () => withDatabase((db) => db.tenders.toCollection().primaryKeys());
const sentChanges = () => calls.filter(({ call }) => call === 'POST /api/outbox').flatMap(({ changes }) => changes);

const wants = (wanted: boolean, tenderId = '1') =>
  recordMutation({ kind: 'bookmark', owner: currentOwner(), subject: tenderId, wanted });
const fullOf = (count: number) =>
  withDatabase((db) =>
    db.bookmarks.bulkAdd(
      Array.from({ length: count }, (_, at) => ({ owner: '', tenderId: String(at + 10), at, summary: null })),
    ),
  );
const failWrites = () =>
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('refused', 'DataError');
  });

describe('a press of the bookmark button', () => {
  test('signed out stores the card and the whole tender, and can be undone', async () => {
    const card = { ...TENDER, version: 3 } as TenderSummary;
    await storeAndSendMutation(wants(true), card);
    expect(await rows()).toMatchObject([{ owner: '', tenderId: '1', summary: TENDER }]);
    expect((await rows())[0]?.summary).toEqual(TENDER);
    expect(calls.map(({ call }) => call)).toEqual(['GET /api/tenders/1']);
    expect([await tenderIds(), recordedKeys(), persisted]).toEqual([['1'], [], 1]);
    expect(toast()).toMatchObject({ text: 'Bookmarked.', action: { label: 'Undo' }, passing: true });
    toast()?.action?.run();
    await expect.poll(ids).toEqual([]);
    await expect.poll(recordedKeys).toEqual([]);
  });

  test('signed in is sent, and so is its undo', async () => {
    signInForTest('77');
    await storeAndSendMutation(wants(true), TENDER);
    // The answer also says whether there are new records of bids.
    expect([serverIds, newestCursor('77')]).toEqual([['1'], 'one.7']);
    toast()?.action?.run();
    await expect.poll(() => serverIds).toEqual([]);
    await expect.poll(waiting).toBe(0);
    expect(await ids()).toEqual([]);
  });

  test('that removes a bookmark fetches nothing, and its undo brings the bookmark back', async () => {
    signInForTest('7');
    await storeAndSendMutation(wants(true), TENDER);
    await withDatabase((db) => db.tenders.clear());
    calls = [];
    await storeAndSendMutation(wants(false), TENDER);
    expect([await ids(), serverIds, persisted]).toEqual([[], [], 1]);
    expect(calls).toEqual([{ call: 'POST /api/outbox', changes: [{ tenderId: '1', wanted: false }] }]);
    expect(toast()).toMatchObject({ text: 'Bookmark removed.', action: { label: 'Undo' }, passing: true });
    toast()?.action?.run();
    await expect.poll(() => serverIds).toEqual(['1']);
    await expect.poll(waiting).toBe(0);
    expect(await rows()).toMatchObject([{ tenderId: '1', summary: { title: 'Repair of the bridge' } }]);
  });

  test('without a connection says when it is sent to an account; a visitor has nothing to send', async () => {
    onLine.mockReturnValue(false);
    await storeAndSendMutation(wants(true), TENDER);
    expect(toast()?.text).toBe('Bookmarked.');
    signInForTest('7');
    await storeAndSendMutation(wants(true), TENDER);
    expect(toast()?.text).toBe('Saved on this phone. Sent when this app is open and there is a connection.');
    await storeAndSendMutation(wants(false), TENDER);
    expect(toast()?.text).toBe('Bookmark removed.');
  });

  test('in a network that carries nothing says when it is sent, and is sent if the network is back', async () => {
    signInForTest('7');
    useReachability.setState({ status: 'unreachable' });
    await storeAndSendMutation(wants(true), TENDER);
    expect(toast()?.text).toBe('Saved on this phone. Sent when this app is open and there is a connection.');
    expect(serverIds).toEqual(['1']);
  });

  test('takes the tender of a pack on the phone', async () => {
    const savedAt = Date.now();
    await storeAndSendMutation(wants(true), TENDER, async (id) => ({
      id,
      savedAt,
      tender: testTenderDetail({ _id: id, title: 'Of the pack' }),
    }));
    expect(calls).toEqual([]);
    expect((await withDatabase((db) => db.tenders.get('1')))?.tender.title).toBe('Of the pack');
  });

  test('stays when its tender cannot be fetched', async () => {
    vi.stubGlobal('fetch', async () => Response.json({ message: 'x' }, { status: 400 }));
    await storeAndSendMutation(wants(true), TENDER);
    expect([await ids(), toast()?.text]).toEqual([['1'], 'Bookmarked.']);
  });

  test('on a full phone makes room for the whole tender, so that it can be read without a connection', async () => {
    await withDatabase(async (db) => {
      const row = { scope: 'delhi', current: null, next: null, savedAt: 0, changed: 0, replaces: null };
      await db.scopes.add({ ...row, files: { 'index 1': 8 } });
      vi.spyOn(db.tenders, 'put').mockRejectedValueOnce(new DOMException('full', 'QuotaExceededError'));
    });
    await storeAndSendMutation(wants(true), TENDER);
    expect(await tenderIds()).toEqual(['1']);
    expect(await withDatabase((db) => db.scopes.count())).toBe(0);
  });

  test('beyond a thousand is refused with its reason', async () => {
    await fullOf(1_000);
    await storeAndSendMutation(wants(true), TENDER);
    expect(toast()).toEqual({ text: 'At most 1,000 tenders can be bookmarked. Remove one first.' });
    expect([recordedKeys(), (await ids()).includes('1'), calls, persisted]).toEqual([[], false, [], 0]);
  });

  test('that the phone does not store says so', async () => {
    await withDatabase((db) => db.bookmarks.count());
    failWrites();
    await storeAndSendMutation(wants(true), TENDER);
    expect(toast()).toEqual({ text: 'Failed to bookmark tender' });
    expect([recordedKeys(), calls]).toEqual([[], []]);
  });

  test('in a browser that blocks storage says so', async () => {
    await closeDatabase();
    vi.spyOn(indexedDB, 'open').mockImplementation(() => {
      throw new DOMException('refused', 'SecurityError');
    });
    await storeAndSendMutation(wants(true), TENDER);
    expect(toast()?.text).toBe('This browser blocks storage, so bookmarks cannot be saved.');
  });

  test('whose undo is not stored says so', async () => {
    await withDatabase((db) => db.bookmarks.put({ owner: '', tenderId: '1', at: 1, summary: TENDER }));
    await storeAndSendMutation(wants(false), TENDER);
    const undo = toast()?.action?.run;
    failWrites();
    undo?.();
    await expect.poll(() => toast()?.text).toBe('Failed to bookmark tender');
    await expect.poll(recordedKeys).toEqual([]);
  });
});

describe('a bookmark that another part of the app sets', () => {
  test('is stored and sent without a message', async () => {
    signInForTest('7');
    expect(await setBookmarkAndSend(TENDER, true)).toBe(true);
    expect([await ids(), serverIds, await tenderIds(), toast()]).toEqual([['1'], ['1'], ['1'], undefined]);
    calls = [];
    expect(await setBookmarkAndSend(TENDER, false)).toBe(true);
    expect([await ids(), serverIds, toast()]).toEqual([[], [], undefined]);
    expect(calls.map(({ call }) => call)).toEqual(['POST /api/outbox']);
  });

  test('that is not stored is reported with its reason', async () => {
    await fullOf(1_000);
    expect(await setBookmarkAndSend(TENDER, true)).toBe(false);
    expect([toast()?.text, calls]).toEqual(['At most 1,000 tenders can be bookmarked. Remove one first.', []]);
  });
});

test('a bookmark that a notification’s button has removed comes back by Undo', async () => {
  const row = { owner: '', tenderId: '1', at: 5, summary: TENDER };
  await announceRemovedBookmarks();
  expect(toast()).toBeUndefined();
  await withDatabase((db) => db.settings.put({ key: 'bookmarksRemoved', value: [{ ...row, removedBy: '' }] }));
  await announceRemovedBookmarks();
  expect(toast()).toMatchObject({ text: 'Bookmark removed.', action: { label: 'Undo' } });
  toast()?.action?.run();
  await expect.poll(() => rows()).toEqual([row]);
});

describe('the bookmark button', () => {
  type Look = 'card' | 'icon' | 'stacked';
  async function open(look: Look, tender = TENDER) {
    const { button, press } = await openTestPage(<BookmarkButton tender={tender} look={look} />);
    const name = `Bookmark: ${tender.title}`;
    return {
      button: () => button(name),
      press: () => press(name),
      pressed: () => button(name).getAttribute('aria-pressed'),
    };
  }

  test.each<[Look, string]>([
    ['card', ''],
    ['icon', ''],
    ['stacked', 'Bookmark'],
  ])('as %s is named by its tender, shows a press at once and stores it', async (look, text) => {
    await initBookmarks();
    const { button, press, pressed } = await open(look);
    expect([button().textContent?.trim(), button().type, button().dataset.tender]).toEqual([text, 'button', '1']);
    expect(pressed()).toBe('false');
    await press();
    expect(pressed()).toBe('true');
    await expect.poll(ids).toEqual(['1']);
    await expect.poll(() => useBookmarkStore.getState().ids.has('1')).toBe(true);
    await expect.poll(recordedKeys).toEqual([]);
    expect(pressed()).toBe('true');
    await press();
    expect(pressed()).toBe('false');
    await expect.poll(ids).toEqual([]);
  });

  test('shows the bookmark of its own tender', async () => {
    useBookmarkStore.setState({ ids: new Set(['2']) });
    expect([(await open('card')).pressed(), (await open('icon', OTHER)).pressed()]).toEqual(['false', 'true']);
  });

  test('gives the press of a user to that user', async () => {
    signInForTest('7');
    const { press } = await open('icon');
    await press();
    await expect.poll(() => serverIds).toEqual(['1']);
    expect(await rows('7')).toMatchObject([{ owner: '7', tenderId: '1' }]);
    await expect.poll(tenderIds).toEqual(['1']);
  });
});

describe('a sync', () => {
  test('exchanges the bookmarks, stores their tenders, counts what closes today and offers to undo a removal', async () => {
    const badges: number[] = [];
    Object.assign(navigator, { setAppBadge: async (count: number) => void badges.push(count) });
    const endOfToday = new Date(Math.ceil((Date.now() + 19_800_000) / 86_400_000) * 86_400_000 - 19_800_001);
    signInForTest('7');
    serverIds = ['1'];
    const row = { owner: '7', tenderId: '5', at: 1, summary: null, removedBy: '7' };
    await withDatabase((db) => db.settings.put({ key: 'bookmarksRemoved', value: [row] }));
    const closing_date = endOfToday.toISOString();
    await syncBookmarks(async (id) => ({ id, tender: testTenderDetail({ _id: id, closing_date }), savedAt: 1 }));
    expect([await ids(), await tenderIds(), badges.at(-1)]).toEqual([['1'], ['1'], 1]);
    expect(toast()?.text).toBe('Bookmark removed.');
    await expect.poll(hasSynced).toBe(true);
    expect(sentChanges()).toEqual([]);
  });
});

describe('the browser storage', () => {
  test('has no list of bookmarks on a new device, also none that is empty', () => {
    expect(hasSynced()).toBe(false);
    writeStoredBookmarkIds([]);
    expect(hasSynced()).toBe(true);
  });

  test('that is full does no harm', () => {
    const setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    vi.stubGlobal('localStorage', { getItem: () => null, setItem });
    expect(() => writeStoredBookmarkIds(['1', '2'])).not.toThrow();
  });
});

test('a browser that refuses the badge, or has none, does no harm', async () => {
  Object.assign(navigator, { setAppBadge: () => Promise.reject(new Error('not installed')) });
  await showAppBadge(1);
  Object.assign(navigator, { setAppBadge: undefined, clearAppBadge: undefined });
  await showAppBadge(1);
  await showAppBadge(0);
});
