import 'fake-indexeddb/auto';
import { testTender } from '@nivida/contract/tenders/test-tender';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DeviceDatabase } from '../../data/device/schema.ts';
import { bookmarkChange, pendingChanges } from '../../data/outbox/pending-changes.ts';
import { readStoredBookmarkIds } from './bookmark-store.ts';
import {
  addAllBookmarks,
  deleteBookmarksAtSignOut,
  importStoredIdsOnce,
  mergeBookmarksAtSignIn,
  setBookmark,
  storeUnsavedMutation,
  undoBookmarkChange,
  visibleBookmarks,
} from './bookmarks.ts';

const ASHA = '7';
const RAVI = '8';

let db: DeviceDatabase;
beforeEach(() => {
  db = new DeviceDatabase('bookmarks');
});
afterEach(async () => {
  localStorage.clear();
  await db.delete();
});

const press = (owner: string, tenderId: string, wanted: boolean, now: number) =>
  setBookmark(db, { owner, tenderId, wanted, summary: null }, now);
const add = (owner: string, tenderId: string, now = 1000) => press(owner, tenderId, true, now);
const remove = (owner: string, tenderId: string, now = 1000) => press(owner, tenderId, false, now);
const visibleTenderIds = async (owner: string) => (await visibleBookmarks(db, owner)).map(({ tenderId }) => tenderId);
const changeTexts = async () =>
  [...(await pendingChanges(db, ASHA, 'bookmark')), ...(await pendingChanges(db, RAVI, 'bookmark'))].map(
    ({ owner, tenderId, wanted }) => `${owner} ${wanted ? 'wants' : 'drops'} ${tenderId}`,
  );

describe('the bookmark button', () => {
  test('adds a bookmark and removes it again', async () => {
    await add('', '1');
    expect(await visibleTenderIds('')).toEqual(['1']);
    await remove('', '1');
    expect(await visibleTenderIds('')).toEqual([]);
  });

  test('signed out queues no change', async () => {
    await add('', '1');
    expect(await changeTexts()).toEqual([]);
  });

  test('clicked ten times leaves one change, the last', async () => {
    for (let presses = 0; presses < 10; presses += 1) await press(ASHA, '1', presses % 2 === 0, 1000);
    expect(await changeTexts()).toEqual(['7 drops 1']);
    await add(ASHA, '1');
    expect(await changeTexts()).toEqual(['7 wants 1']);
  });

  test('clicked twice within a millisecond makes a later change each time', async () => {
    await add(ASHA, '1', 1000);
    const first = await db.outbox.get(`bookmark ${ASHA} 1`);
    await remove(ASHA, '1', 1000);
    const second = await db.outbox.get(`bookmark ${ASHA} 1`);
    expect(second?.at).toBeGreaterThan(first?.at ?? 0);
  });

  test('clicked in several tabs at once adds the bookmark once, and each tab can undo it', async () => {
    const changes = await Promise.all([add(ASHA, '1'), add(ASHA, '1'), add(ASHA, '1')]);
    expect(await visibleTenderIds(ASHA)).toEqual(['1']);
    expect(changes.map(({ rows }) => rows.length)).toEqual([1, 1, 1]);
  });

  test('shows the newest first, and only the rows of the signed-in user', async () => {
    await add(ASHA, '1', 1000);
    await add(RAVI, '2', 2000);
    await add(ASHA, '3', 3000);
    expect(await visibleTenderIds(ASHA)).toEqual(['3', '1']);
    expect(await visibleTenderIds(RAVI)).toEqual(['2']);
  });

  test('removes no bookmark of another user', async () => {
    await add(RAVI, '1');
    await add(ASHA, '1');
    // signed out after two ended sessions the tender is there once
    expect(await visibleTenderIds('')).toEqual(['1']);
    expect((await remove(ASHA, '1')).rows.map(({ owner }) => owner)).toEqual([ASHA]);
    expect(await visibleTenderIds(RAVI)).toEqual(['1']);
  });

  test('pressed again on a newer card stores that card', async () => {
    const card = testTender({ _id: '1', title: 'Repair of the bridge' });
    await add(ASHA, '1', 1000);
    await setBookmark(db, { owner: ASHA, tenderId: '1', wanted: true, summary: card }, 2000);
    await add(ASHA, '1', 3000);
    expect(await visibleBookmarks(db, ASHA)).toMatchObject([{ at: 1000, summary: { title: 'Repair of the bridge' } }]);
  });

  test('refuses the tender after a thousand', async () => {
    const thousand = Array.from({ length: 1000 }, (_, index) => ({
      owner: '',
      tenderId: String(index + 1),
      at: index,
      summary: null,
    }));
    await db.bookmarks.bulkAdd(thousand);
    await expect(add('', '5000')).rejects.toThrow(expect.objectContaining({ name: 'TooManyBookmarksError' }));
    expect((await remove('', '1000')).rows).toHaveLength(1);
    expect((await add('', '5000')).wanted).toBe(true);
  });
});

describe('a list of tenders', () => {
  const list = (...ids: string[]) => ids.map((_id) => testTender({ _id }));

  test('is bookmarked at once, in its order and before earlier bookmarks, and undone at once', async () => {
    await add(ASHA, '2', 1000);
    const change = await addAllBookmarks(db, ASHA, list('3', '2', '1'), 2000);
    expect(change.rows.map(({ tenderId }) => tenderId)).toEqual(['3', '1']);
    expect(await visibleTenderIds(ASHA)).toEqual(['3', '1', '2']);
    expect(await changeTexts()).toEqual(['7 wants 1', '7 wants 2', '7 wants 3']);
    await undoBookmarkChange(db, change, 3000);
    expect(await visibleTenderIds(ASHA)).toEqual(['2']);
  });

  test('that would be too long adds none of its tenders', async () => {
    const ids = Array.from({ length: 1000 }, (_, index) => String(index + 1));
    await addAllBookmarks(db, '', list(...ids.slice(0, 999)), 1000);
    await expect(addAllBookmarks(db, '', list('2000', '2001'), 2000)).rejects.toThrow(
      expect.objectContaining({ name: 'TooManyBookmarksError' }),
    );
    expect(await visibleTenderIds('')).toHaveLength(999);
    expect((await addAllBookmarks(db, '', list('2000', '1'), 2000)).rows).toHaveLength(1);
  });
});

describe('undo', () => {
  test('brings a removed bookmark back to its place', async () => {
    await add(ASHA, '1', 1000);
    await add(ASHA, '2', 2000);
    const change = await remove(ASHA, '1', 3000);
    await undoBookmarkChange(db, change, 4000);
    expect(await visibleTenderIds(ASHA)).toEqual(['2', '1']);
    expect(await changeTexts()).toEqual(['7 wants 1', '7 wants 2']);
  });

  test('takes a new bookmark back', async () => {
    await undoBookmarkChange(db, await add(ASHA, '1'), 2000);
    expect(await visibleTenderIds(ASHA)).toEqual([]);
    expect(await changeTexts()).toEqual(['7 drops 1']);
  });
});

describe('a mutation that another page has recorded', () => {
  const recorded = (owner: string, wanted: boolean) => ({
    kind: 'bookmark' as const,
    owner,
    subject: '1',
    wanted,
    at: 500,
  });

  test('signed out becomes a bookmark, and a recorded removal removes it', async () => {
    await storeUnsavedMutation(db, recorded('', true), '', 1000);
    expect(await visibleTenderIds('')).toEqual(['1']);
    await storeUnsavedMutation(db, recorded('', false), '', 2000);
    expect(await visibleTenderIds('')).toEqual([]);
  });

  test('of the signed-in user is queued once, also when its page has stored it in the meantime', async () => {
    await add(ASHA, '1');
    const before = await db.outbox.toArray();
    await storeUnsavedMutation(db, recorded(ASHA, true), ASHA, 2000);
    expect(await visibleTenderIds(ASHA)).toEqual(['1']);
    expect(await db.outbox.toArray()).toEqual(before);
  });

  test('of another user stays invisible and waits for the sign-in', async () => {
    await storeUnsavedMutation(db, recorded(ASHA, true), RAVI, 1000);
    expect(await visibleTenderIds(RAVI)).toEqual([]);
    expect(await visibleTenderIds('')).toEqual([]);
    await mergeBookmarksAtSignIn(db, ASHA, 2000);
    expect(await visibleBookmarks(db, ASHA)).toEqual([{ owner: ASHA, tenderId: '1', at: 1000, summary: null }]);
  });

  test('of another user that removes a bookmark waits for the sign-in too', async () => {
    await db.bookmarks.put({ owner: ASHA, tenderId: '1', at: 1, summary: null });
    await storeUnsavedMutation(db, recorded(ASHA, false), RAVI, 1000);
    expect(await visibleTenderIds(ASHA)).toEqual(['1']);
    await mergeBookmarksAtSignIn(db, ASHA, 2000);
    expect(await visibleTenderIds(ASHA)).toEqual([]);
  });
});

describe('signing in', () => {
  test('gives rows without an owner to the user and queues them, beside the user’s own', async () => {
    await add(ASHA, '1', 1000);
    await add('', '2', 2000);
    await mergeBookmarksAtSignIn(db, ASHA, 3000);
    expect((await visibleBookmarks(db, ASHA)).map(({ tenderId, at }) => [tenderId, at])).toEqual([
      ['2', 2000],
      ['1', 1000],
    ]);
    expect(await changeTexts()).toEqual(['7 wants 1', '7 wants 2']);
    expect(await db.bookmarks.where('owner').equals('').count()).toBe(0);
  });

  test('removes a bookmark again whose removal is not sent yet, and leaves the card of one that is stored', async () => {
    const card = testTender({ _id: '1', title: 'Repair of the bridge' });
    await setBookmark(db, { owner: ASHA, tenderId: '1', wanted: true, summary: card }, 1000);
    await db.bookmarks.put({ owner: ASHA, tenderId: '2', at: 1000, summary: null });
    await db.outbox.put(bookmarkChange(ASHA, '2', false, 2000));
    await mergeBookmarksAtSignIn(db, ASHA, 3000);
    expect(await visibleBookmarks(db, ASHA)).toMatchObject([
      { tenderId: '1', summary: { title: 'Repair of the bridge' } },
    ]);
  });

  test('queues a tender again that was removed before and bookmarked signed out since', async () => {
    await db.outbox.put(bookmarkChange(ASHA, '1', false, 500));
    await add('', '1', 1000);
    await mergeBookmarksAtSignIn(db, ASHA, 2000);
    expect(await visibleTenderIds(ASHA)).toEqual(['1']);
    expect(await changeTexts()).toEqual(['7 wants 1']);
  });

  test('never gives one user the rows of another', async () => {
    await add(RAVI, '1');
    await mergeBookmarksAtSignIn(db, ASHA, 2000);
    expect(await visibleTenderIds(ASHA)).toEqual([]);
    expect(await visibleTenderIds('')).toEqual([]);
    expect(await changeTexts()).toEqual(['8 wants 1']);
  });

  test('twice changes nothing more', async () => {
    await add('', '1', 1000);
    await mergeBookmarksAtSignIn(db, ASHA, 2000);
    const before = await db.outbox.toArray();
    await mergeBookmarksAtSignIn(db, ASHA, 3000);
    expect(await db.outbox.toArray()).toEqual(before);
  });
});

describe('signing out', () => {
  test('removes the rows of the user; pending changes stay for the next sign-in', async () => {
    await db.bookmarks.put({ owner: ASHA, tenderId: '1', at: 1, summary: null });
    await add(ASHA, '2');
    await deleteBookmarksAtSignOut(db, ASHA);
    expect(await visibleTenderIds('')).toEqual([]);
    expect(await changeTexts()).toEqual(['7 wants 2']);

    db.close();
    await db.open();
    await mergeBookmarksAtSignIn(db, ASHA, 5000);
    expect(await visibleTenderIds(ASHA)).toEqual(['2']);
  });

  test('leaves rows without an owner', async () => {
    await add('', '1');
    await deleteBookmarksAtSignOut(db, ASHA);
    expect(await visibleTenderIds('')).toEqual(['1']);
  });
});

describe('a session that the server has ended', () => {
  test('leaves its rows in sight', async () => {
    await add(ASHA, '1');
    expect(await visibleTenderIds('')).toEqual(['1']);
  });

  test('reports a row that was removed in the meantime', async () => {
    await db.bookmarks.put({ owner: ASHA, tenderId: '1', at: 1, summary: null });
    const change = await remove('', '1');
    expect(await visibleTenderIds('')).toEqual([]);
    expect(await changeTexts()).toEqual(['7 drops 1']);
    await undoBookmarkChange(db, change, 2000);
    expect(await visibleBookmarks(db, '')).toMatchObject([{ owner: ASHA, tenderId: '1' }]);
    expect(await changeTexts()).toEqual(['7 wants 1']);
  });
});

describe('the list in browser storage', () => {
  test('is moved into the database on the first start, and not again', async () => {
    localStorage.setItem('bookmarkedTenders', '["11","12"]');
    await importStoredIdsOnce(db, '', readStoredBookmarkIds(), 1000);
    // before a bookmark that is made now
    expect((await visibleBookmarks(db, '')).map(({ tenderId, at }) => [tenderId, at])).toEqual([
      ['12', 999],
      ['11', 998],
    ]);
    localStorage.setItem('bookmarkedTenders', '["13"]');
    await importStoredIdsOnce(db, '', readStoredBookmarkIds(), 2000);
    expect(await visibleTenderIds('')).toEqual(['12', '11']);
  });

  test('changes no bookmark that is in the database', async () => {
    await add(ASHA, '11', 500);
    await db.outbox.clear();
    localStorage.setItem('bookmarkedTenders', '["11","12"]');
    await importStoredIdsOnce(db, ASHA, readStoredBookmarkIds(), 1000);
    expect(await db.bookmarks.get([ASHA, '11'])).toMatchObject({ at: 500 });
    expect(await changeTexts()).toEqual(['7 wants 12']);
  });

  test('is queued for the signed-in user', async () => {
    localStorage.setItem('bookmarkedTenders', '["11"]');
    await importStoredIdsOnce(db, ASHA, readStoredBookmarkIds(), 1000);
    expect(await changeTexts()).toEqual(['7 wants 11']);
  });

  test.each([
    ['no list', '{"a":1}', []],
    ['half a text', '["1"', []],
    ['things that are no tender ids', '["1","x","-2",null,{"_id":"3"},"12345678901"]', ['1']],
    ['numbers and the same twice', '[5,5,"5"]', ['5']],
    ['the largest id', '["2147483647"]', ['2147483647']],
  ])('with %s gives the ids in it', async (_what, text, ids) => {
    localStorage.setItem('bookmarkedTenders', text);
    await importStoredIdsOnce(db, '', readStoredBookmarkIds(), 1000);
    expect(await visibleTenderIds('')).toEqual(ids);
  });

  test('longer than a thousand gives its newest thousand', async () => {
    localStorage.setItem('bookmarkedTenders', JSON.stringify(Array.from({ length: 1100 }, (_, index) => index + 1)));
    await importStoredIdsOnce(db, '', readStoredBookmarkIds(), 10_000);
    const ids = await visibleTenderIds('');
    expect(ids).toHaveLength(1000);
    expect(ids[0]).toBe('1100');
  });
});
