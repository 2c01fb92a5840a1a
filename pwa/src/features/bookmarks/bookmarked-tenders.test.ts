// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { indianDay, startOfIndianDay } from '@nivida/contract/format';
import type { OutboxRequest } from '@nivida/contract/sync/outbox';
import type { Tender, TenderSummary } from '@nivida/contract/tenders/tender';
import { testTender, testTenderDetail } from '@nivida/contract/tenders/test-tender';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { outboxAnswer } from '../../data/outbox/test-outbox.ts';
import { clearSession, currentOwner, reloadSession } from '../../data/session.ts';
import { countClosingToday } from '../../data/tenders/app-badge.ts';
import { deleteMutation, recordMutation, releaseMutation } from '../../data/unsaved-mutations.ts';
import { dismissToast, useToast } from '../../ui/feedback/toast.ts';
import { showStoredIds, useBookmarkStore } from './bookmark-store.ts';
import { initBookmarks, storeAndSendAbandonedMutations } from './bookmark-sync.ts';
import { bookmarkedTenders, saveBookmarkedTenders } from './bookmarked-tenders.ts';
import { deleteBookmarksAtSignOut, setBookmark, visibleBookmarks } from './bookmarks.ts';

const now = new Date('2026-04-15T10:00:00+05:30');

const tenderFields = (id: string, closes: string) => ({
  _id: id,
  title: `Work ${id}`,
  closing_date: closes,
  source_tender_id: `2026_PWD_${id}_1`,
});

/** A card's worth of a tender that closes at `closes`. */
const tender = (id: string, closes = '2099-04-15T05:30:00.000Z'): TenderSummary => testTender(tenderFields(id, closes));

const wholeTender = (id: string, closes = '2099-04-15T05:30:00.000Z'): Tender =>
  testTenderDetail(tenderFields(id, closes));

let requestedPaths: string[];
let badge: number;

beforeEach(() => {
  requestedPaths = [];
  badge = 0;
  vi.stubGlobal('fetch', async ({ url }: Request) => {
    const path = new URL(url).pathname;
    requestedPaths.push(path);
    if (path === '/api/tenders/bookmarked') {
      return Response.json({ tenders: [tender('1'), tender('2')], data: [], total: 2 });
    }
    const id = path.split('/').at(-1) ?? '';
    if (id === '404') return Response.json({ code: 'NOT_FOUND', message: 'x', requestId: 'r' }, { status: 404 });
    return Response.json({ tender: wholeTender(id) });
  });
  Object.assign(navigator, {
    setAppBadge: async (count: number) => {
      badge = count;
    },
    clearAppBadge: async () => {
      badge = 0;
    },
  });
});

afterEach(async () => {
  await withDatabase((db) => db.delete());
  await closeDatabase();
  // Until the database is closed its watcher writes to the browser storage.
  vi.unstubAllGlobals();
  clearSession();
  localStorage.clear();
});

function signIn(id: string): void {
  localStorage.setItem('token', `token of ${id}`);
  localStorage.setItem('user', JSON.stringify({ _id: id, username: 'A', email: 'a@b.in', mobileNo: '+919876543210' }));
  reloadSession();
}

const toggle = (id: string, at = 1000, summary = tender(id)) =>
  withDatabase(async (db) => {
    const owner = currentOwner();
    const wanted = !(await visibleBookmarks(db, owner)).some(({ tenderId }) => tenderId === id);
    return setBookmark(db, { owner, tenderId: id, wanted, summary }, at);
  });
const storedIds = () => localStorage.getItem('bookmarkedTenders');

describe('bookmarkedTenders in browser storage', () => {
  test('follows each click, oldest first, and so do the buttons', async () => {
    await initBookmarks();
    await toggle('1', 1000);
    await toggle('2', 2000);
    await expect.poll(storedIds).toBe('["1","2"]');
    expect(useBookmarkStore.getState().ids).toEqual(new Set(['1', '2']));
    await toggle('1', 3000);
    await expect.poll(storedIds).toBe('["2"]');
  });

  test('has the signed-in user’s bookmarks, all of them after the sign-in', async () => {
    await initBookmarks();
    await toggle('1', 1000);
    signIn('7');
    await initBookmarks();
    await toggle('2', Date.now() + 1000);
    await expect.poll(storedIds).toBe('["1","2"]');
    expect(useBookmarkStore.getState().waiting).toBe(2);

    clearSession();
    await withDatabase((db) => deleteBookmarksAtSignOut(db, '7'));
    await initBookmarks();
    await expect.poll(storedIds).toBe('[]');
    expect(useBookmarkStore.getState()).toMatchObject({ waiting: 0, needsSignIn: false });
  });

  test('has those of a session that the server has ended, which wait for a sign-in', async () => {
    signIn('7');
    await initBookmarks();
    await toggle('1');
    clearSession();
    await initBookmarks();
    await expect.poll(() => useBookmarkStore.getState().needsSignIn).toBe(true);
    expect(storedIds()).toBe('["1"]');
  });

  test('has those of the user who signs in while the page of a visitor is open', async () => {
    await initBookmarks();
    await toggle('1', 1000);
    await expect.poll(storedIds).toBe('["1"]');
    signIn('7');
    await toggle('2', 2000);
    await expect.poll(storedIds).toBe('["2"]');
    await toggle('3', 3000);
    await expect.poll(storedIds).toBe('["2","3"]');
    expect(useBookmarkStore.getState()).toMatchObject({ waiting: 2, needsSignIn: false });
  });
});

describe('a mutation of a page that was left at once', () => {
  /** A mutation that a closed page has recorded. */
  const record = (owner: string, tenderId: string, wanted: boolean) =>
    localStorage.setItem(`unsaved-bookmark ${owner} ${tenderId}`, `${Number(wanted)} 1000`);
  const recordedKeys = () => Object.keys(localStorage).filter((key) => key.startsWith('unsaved-bookmark'));

  test('shows at the next start, before the database is read', () => {
    localStorage.setItem('bookmarkedTenders', '["1","2"]');
    record('', '3', true);
    record('', '1', false);
    record('7', '4', true);
    showStoredIds();
    expect(useBookmarkStore.getState().ids).toEqual(new Set(['2', '3']));
  });

  test('is stored at the next start, and its record is deleted', async () => {
    await toggle('1');
    record('', '1', false);
    record('', '3', true);
    await initBookmarks();
    await expect.poll(storedIds).toBe('["3"]');
    expect(recordedKeys()).toEqual([]);
  });

  test('is queued for the server when it was the signed-in user’s', async () => {
    signIn('7');
    record('7', '3', true);
    await initBookmarks();
    await expect.poll(() => useBookmarkStore.getState().waiting).toBe(1);
    expect(storedIds()).toBe('["3"]');
  });

  test('stays recorded while the page itself stores it, and a later one of another tab is not deleted with it', async () => {
    const mutation = recordMutation({ kind: 'bookmark', owner: '', subject: '3', wanted: true });
    await initBookmarks();
    await expect.poll(storedIds).toBe(null);
    expect(recordedKeys()).toEqual(['unsaved-bookmark  3']);
    record('', '3', false);
    deleteMutation(mutation);
    expect(localStorage.getItem('unsaved-bookmark  3')).toBe('0 1000');
  });

  test('is left to the next start when the code that stores it cannot be loaded', async () => {
    const mutation = recordMutation({ kind: 'bookmark', owner: '', subject: '3', wanted: true });
    expect(releaseMutation(mutation)).toBe(true);
    showStoredIds();
    expect(useBookmarkStore.getState().ids).toEqual(new Set(['3']));
    await initBookmarks();
    await expect.poll(storedIds).toBe('["3"]');
  });

  test('is stored and sent when another tab was closed', async () => {
    signIn('7');
    const sent: string[] = [];
    vi.stubGlobal('fetch', async (request: Request) => {
      const body: OutboxRequest = JSON.parse(await request.text());
      sent.push(`${request.method} ${new URL(request.url).pathname} ${JSON.stringify(body.bookmarks)}`);
      return outboxAnswer(body, { tenderIds: ['3'] });
    });
    record('7', '3', true);
    await storeAndSendAbandonedMutations();
    expect(sent).toEqual(['POST /api/outbox [{"tenderId":"3","wanted":true}]']);
    expect(recordedKeys()).toEqual([]);
  });

  test('is refused with its reason at a thousand bookmarks, and is not recorded any more', async () => {
    const rows = Array.from({ length: 1000 }, (_, at) => ({ owner: '', tenderId: String(at + 10), at, summary: null }));
    await withDatabase((db) => db.bookmarks.bulkAdd(rows));
    record('', '5', true);
    localStorage.setItem('unsaved-bookmark  12', '0 2000');
    await initBookmarks();
    expect(useToast.getState().current?.text).toBe('At most 1,000 tenders can be bookmarked. Remove one first.');
    dismissToast();
    expect(recordedKeys()).toEqual([]);
    expect(await withDatabase((db) => db.bookmarks.count())).toBe(999);
  });

  test('that a full phone cannot store stays recorded for the next start', async () => {
    await initBookmarks();
    record('', '3', true);
    const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('The phone is full', 'QuotaExceededError');
    });
    await expect(initBookmarks()).rejects.toThrow();
    full.mockRestore();
    expect(recordedKeys()).toEqual(['unsaved-bookmark  3']);
    await initBookmarks();
    await expect.poll(storedIds).toBe('["3"]');
    expect(recordedKeys()).toEqual([]);
  });

  test.each([
    ['a tender without a number', 'unsaved-bookmark  x', '1 1000'],
    ['no state', 'unsaved-bookmark  3', 'yes'],
  ])('with %s is ignored', async (_what, key, text) => {
    localStorage.setItem(key, text);
    await initBookmarks();
    expect(await withDatabase((db) => db.bookmarks.count())).toBe(0);
  });

  test('is not recorded in a browser that forbids it', () => {
    vi.stubGlobal('localStorage', undefined);
    expect(releaseMutation(recordMutation({ kind: 'bookmark', owner: '', subject: '3', wanted: true }))).toBe(false);
  });
});

describe('the tenders of the bookmarks', () => {
  test('are stored whole with one request each, and not requested again while they are fresh', async () => {
    await toggle('1');
    await toggle('2');
    await saveBookmarkedTenders();
    expect(requestedPaths.toSorted()).toEqual(['/api/tenders/1', '/api/tenders/2']);
    await saveBookmarkedTenders();
    expect(requestedPaths).toHaveLength(2);
    expect((await withDatabase((db) => db.tenders.get('1')))?.tender.title).toBe('Work 1');
  });

  test('come from the device where it has them', async () => {
    await toggle('1');
    await saveBookmarkedTenders(async (id) => ({ id, tender: wholeTender(id), savedAt: Date.now() }));
    expect(requestedPaths).toEqual([]);
    expect(await withDatabase((db) => db.tenders.count())).toBe(1);
  });

  test('come from the server where the pack on the device is older than the stored tender', async () => {
    await toggle('1');
    const savedAt = Date.now() - 7 * 3_600_000;
    await withDatabase((db) => db.tenders.put({ id: '1', tender: wholeTender('1'), savedAt }));
    await saveBookmarkedTenders(async (id) => ({ id, tender: wholeTender(id), savedAt: savedAt - 1 }));
    expect(requestedPaths).toEqual(['/api/tenders/1']);
    await withDatabase((db) => db.tenders.put({ id: '1', tender: wholeTender('1'), savedAt }));
    await saveBookmarkedTenders(async (id) => ({ id, tender: wholeTender(id), savedAt: savedAt + 1 }));
    expect(requestedPaths).toHaveLength(1);
  });

  test('come from the server where the pack on the device has an earlier version, although it was confirmed later', async () => {
    await toggle('1');
    const savedAt = Date.now() - 7 * 3_600_000;
    await withDatabase((db) => db.tenders.put({ id: '1', tender: { ...wholeTender('1'), version: 3 }, savedAt }));
    await saveBookmarkedTenders(async (id) => ({
      id,
      tender: { ...wholeTender(id), version: 2 },
      savedAt: Date.now(),
    }));
    expect(requestedPaths).toEqual(['/api/tenders/1']);
  });

  const HOUR_MS = 3_600_000;
  const DAY_MS = 24 * HOUR_MS;
  /** Stores a tender that was saved and closed so long ago, and returns what the next sync requests. */
  const requestedOf = async (savedAgo: number, closedAgo: number) => {
    await toggle('1');
    const tender = wholeTender('1', new Date(Date.now() - closedAgo).toISOString());
    await withDatabase((db) => db.tenders.put({ id: '1', tender, savedAt: Date.now() - savedAgo }));
    await saveBookmarkedTenders();
    return requestedPaths;
  };

  test.each<[boolean, string, number, number]>([
    [true, 'open, six hours ago', 6 * HOUR_MS, -DAY_MS],
    [false, 'open, a minute less', 6 * HOUR_MS - 60_000, -DAY_MS],
    [true, 'closed for less than seven days, six hours ago', 6 * HOUR_MS, 7 * DAY_MS - 60_000],
    [false, 'closed for less than seven days, a minute less', 6 * HOUR_MS - 60_000, 7 * DAY_MS - 60_000],
    [true, 'closed for seven days, a day ago', DAY_MS, 7 * DAY_MS + 60_000],
    [false, 'closed for seven days, a minute less', DAY_MS - 60_000, 7 * DAY_MS + 60_000],
    [true, 'closed for less than sixty days, a day ago', DAY_MS, 60 * DAY_MS - 60_000],
    [false, 'closed for sixty days, a day ago', DAY_MS, 60 * DAY_MS + 60_000],
    [true, 'closed for sixty days, but before it closed', 61 * DAY_MS, 60 * DAY_MS + 60_000],
  ])('are requested again (%s) when stored %s', async (isRequested, _when, savedAgo, closedAgo) => {
    expect(await requestedOf(savedAgo, closedAgo)).toEqual(isRequested ? ['/api/tenders/1'] : []);
  });

  test('whose closing was moved after they were stored as closed are open again', async () => {
    await requestedOf(6 * HOUR_MS, 7 * HOUR_MS);
    const [shown] = await withDatabase((db) => bookmarkedTenders(db, ''));
    expect(shown?.tender?.closing_date).toBe('2099-04-15T05:30:00.000Z');
  });

  test('that have closed are requested twenty in a sync, those first that have waited longest, after the open ones', async () => {
    const closing = new Date(Date.now() - 2 * DAY_MS).toISOString();
    const savedAt = Date.now() - DAY_MS;
    const ids = Array.from({ length: 22 }, (_, n) => String(n + 10));
    for (const id of [...ids, '1']) await toggle(id, 2000);
    await withDatabase((db) =>
      db.tenders.bulkPut(ids.map((id, n) => ({ id, tender: wholeTender(id, closing), savedAt: savedAt - n }))),
    );
    // The server still has the closing.
    vi.stubGlobal('fetch', async ({ url }: Request) => {
      const id = new URL(url).pathname.split('/').at(-1) ?? '';
      requestedPaths.push(id);
      return Response.json({ tender: wholeTender(id, closing) });
    });
    await saveBookmarkedTenders();
    expect(requestedPaths).toEqual(['1', ...ids.slice(2).reverse()]);
    await saveBookmarkedTenders();
    expect(requestedPaths.slice(21)).toEqual(['11', '10']);
    await saveBookmarkedTenders();
    expect(requestedPaths).toHaveLength(23);
  });

  test('never take the place of an offline pack on a full phone', async () => {
    await toggle('1');
    await withDatabase(async (db) => {
      const row = { scope: 'delhi', current: null, next: null, savedAt: 0, changed: 0, replaces: null };
      await db.scopes.add({ ...row, files: { 'index 1': 8 } });
      await db.tenders.put({ id: '9', tender: wholeTender('9'), savedAt: 1 });
      vi.spyOn(db.tenders, 'put').mockRejectedValue(new DOMException('full', 'QuotaExceededError'));
    });
    await expect(saveBookmarkedTenders()).rejects.toMatchObject({ name: 'QuotaExceededError' });
    expect(await withDatabase((db) => db.scopes.toCollection().primaryKeys())).toEqual(['delhi']);
  });

  test('are not requested again for six hours after a full phone had no room', async () => {
    const start = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    onTestFinished(() => void vi.useRealTimers());
    await toggle('1');
    await withDatabase(async (db) => {
      vi.spyOn(db.tenders, 'put').mockRejectedValue(new DOMException('full', 'QuotaExceededError'));
    });
    await expect(saveBookmarkedTenders()).rejects.toMatchObject({ name: 'QuotaExceededError' });
    vi.setSystemTime(start + 6 * HOUR_MS - 1);
    await saveBookmarkedTenders();
    expect(requestedPaths).toEqual(['/api/tenders/1']);
    vi.setSystemTime(start + 6 * HOUR_MS);
    await expect(saveBookmarkedTenders()).rejects.toThrow();
    expect(requestedPaths).toHaveLength(2);
  });

  test('that have closed since they were stored are requested once more', async () => {
    await toggle('1');
    const [savedAt, closed] = [Date.now() - 8 * 3_600_000, Date.now() - 7 * 3_600_000];
    const tender = wholeTender('1', new Date(closed).toISOString());
    await withDatabase((db) => db.tenders.put({ id: '1', tender, savedAt }));
    await saveBookmarkedTenders();
    expect(requestedPaths).toEqual(['/api/tenders/1']);
  });

  test('are all requested, also after one that no longer exists, which is not requested with each sync', async () => {
    await toggle('1', 1000);
    await toggle('404', 2000);
    await saveBookmarkedTenders();
    expect(requestedPaths).toEqual(['/api/tenders/404', '/api/tenders/1']);
    await saveBookmarkedTenders();
    expect(requestedPaths).toHaveLength(2);
  });

  test('are requested once where two parts of the app ask at the same time', async () => {
    await toggle('1');
    await Promise.all([saveBookmarkedTenders(), saveBookmarkedTenders()]);
    expect(requestedPaths).toEqual(['/api/tenders/1']);
    await withDatabase((db) => db.tenders.clear());
    await saveBookmarkedTenders();
    expect(requestedPaths).toHaveLength(2);
  });

  test('without a connection come from the pack on the device only', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    onTestFinished(() => void vi.restoreAllMocks());
    signIn('7');
    await toggle('1', 2000);
    await withDatabase((db) => db.bookmarks.add({ owner: '7', tenderId: '2', at: 1000, summary: null }));
    await saveBookmarkedTenders(async (id) =>
      id === '2' ? { id, tender: wholeTender(id), savedAt: Date.now() } : undefined,
    );
    expect(requestedPaths).toEqual([]);
    expect(await withDatabase((db) => db.tenders.toCollection().primaryKeys())).toEqual(['2']);
  });

  test('are requested until the first failure, which the next sync repeats', async () => {
    await toggle('1', 1000);
    await toggle('2', 2000);
    vi.stubGlobal('fetch', async ({ url }: Request) => {
      requestedPaths.push(new URL(url).pathname);
      return Response.json({ code: 'INVALID', message: 'x', requestId: 'r' }, { status: 400 });
    });
    await expect(saveBookmarkedTenders()).rejects.toThrow();
    expect(requestedPaths).toEqual(['/api/tenders/2']);
  });

  test('that are bare are not listed by the server to a visitor, nor where the tender is here', async () => {
    const bare = (owner: string) => ({ owner, tenderId: '1', at: 1, summary: null });
    await withDatabase((db) => db.bookmarks.add(bare('')));
    await saveBookmarkedTenders();
    expect(requestedPaths).toEqual(['/api/tenders/1']);
    signIn('7');
    await withDatabase((db) => db.bookmarks.add(bare('7')));
    await saveBookmarkedTenders();
    expect(requestedPaths).toEqual(['/api/tenders/1']);
    const [shown] = await withDatabase((db) => bookmarkedTenders(db, '7'));
    expect(shown).toMatchObject({ id: '1', needsSignIn: false, tender: { title: 'Work 1' } });
  });

  test('from another device get their cards in one request', async () => {
    signIn('7');
    await withDatabase((db) =>
      db.bookmarks.bulkAdd([
        { owner: '7', tenderId: '1', at: 2, summary: null },
        { owner: '7', tenderId: '2', at: 1, summary: null },
      ]),
    );
    await saveBookmarkedTenders();
    expect(requestedPaths[0]).toBe('/api/tenders/bookmarked');
    const summaries = (await withDatabase((db) => db.bookmarks.toArray())).map(({ summary }) => summary?.title);
    expect(summaries).toEqual(['Work 1', 'Work 2']);
    const list = await withDatabase((db) => bookmarkedTenders(db, '7'));
    expect(list.map(({ tender }) => tender?.title)).toEqual(['Work 1', 'Work 2']);
  });

  test('that are here with their cards are not requested as cards, and keep them beside those that arrive', async () => {
    signIn('7');
    await toggle('1', 2, { ...tender('1'), title: 'As it was pressed' });
    await saveBookmarkedTenders();
    expect(requestedPaths).toEqual(['/api/tenders/1']);
    await withDatabase((db) => db.bookmarks.add({ owner: '7', tenderId: '2', at: 1, summary: null }));
    await saveBookmarkedTenders();
    const summaries = (await withDatabase((db) => db.bookmarks.toArray())).map(({ summary }) => summary?.title);
    expect(summaries).toEqual(['As it was pressed', 'Work 2']);
  });

  test('show what was last read from the portal: the card of the button, or the stored tender', async () => {
    signIn('7');
    const at = (hour: number) => ({ fetched_at: `2026-04-15T0${hour}:00:00.000Z` });
    await toggle('1', 2, { ...tender('1'), ...at(6), title: 'Card' });
    const shown = async (hour: number) => {
      const row = { id: '1', tender: { ...wholeTender('1'), ...at(hour) }, savedAt: 1 };
      return withDatabase(async (db) => {
        await db.tenders.put(row);
        return (await bookmarkedTenders(db, '7')).map(({ tender: each, needsSignIn }) => [each?.title, needsSignIn]);
      });
    };
    expect(await shown(5)).toEqual([['Card', false]]);
    expect(await shown(7)).toEqual([['Work 1', false]]);
    const signedOut = await withDatabase((db) => bookmarkedTenders(db, ''));
    expect(signedOut.map(({ needsSignIn }) => needsSignIn)).toEqual([true]);
  });
});

describe('the badge on the icon', () => {
  test.each([
    ['before its hour', '2026-04-15T11:00:00+05:30', 1],
    ['late in the Indian evening', '2026-04-15T23:59:00+05:30', 1],
    ['after its hour', '2026-04-15T09:00:00+05:30', 0],
    ['tomorrow', '2026-04-16T00:30:00+05:30', 0],
  ])('counts what closes today: %s', (_when, closes, count) => {
    expect(countClosingToday([tender('1', closes)], now)).toBe(count);
  });

  test('counts each that closes today, also at a time that is not stated', () => {
    const unstated = { ...tender('2', '2026-04-15T23:59:59+05:30'), closing_time_known: false };
    expect(countClosingToday([tender('1', '2026-04-15T11:00:00+05:30'), unstated, tender('3')], now)).toBe(2);
    expect(countClosingToday([tender('1', now.toISOString())], now)).toBe(0);
  });

  test('does not count a cancelled tender', () => {
    expect(countClosingToday([{ ...tender('1', '2026-04-15T11:00:00+05:30'), stage: 'cancelled' as const }], now)).toBe(
      0,
    );
  });

  test('follows the bookmark', async () => {
    await initBookmarks();
    const endOfToday = new Date(startOfIndianDay(indianDay(new Date()) + 1).getTime() - 1);
    await toggle('1', 1000, tender('1', endOfToday.toISOString()));
    await expect.poll(() => badge).toBe(1);
    await toggle('1');
    await expect.poll(() => badge).toBe(0);
  });
});
