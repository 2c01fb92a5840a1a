// @vitest-environment node
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DeviceDatabase, type SavedSearchFields } from '../../data/device/schema.ts';
import { pendingChanges } from '../../data/outbox/pending-changes.ts';
import {
  deleteSearch,
  deleteSearchesAtSignOut,
  markOpened,
  mergeSearchesAtSignIn,
  renameSearch,
  restoreSearch,
  saveSearch,
  visibleSearches,
} from './searches.ts';

const ASHA = '7';
const RAVI = '8';

let db: DeviceDatabase;
beforeEach(() => {
  db = new DeviceDatabase('searches');
});
afterEach(() => db.delete());

const search = (id: string, q: string, savedAt = 1000): SavedSearchFields => ({
  id,
  name: q,
  filter: { state: 'Himachal Pradesh', district: '', department: '', q },
  openedUpTo: 10,
  savedAt,
});
const save = (owner: string, id: string, q: string, now = 1000) => saveSearch(db, owner, search(id, q, now), now);
const visibleNames = async (owner: string) => (await visibleSearches(db, owner)).map(({ name }) => name);
const changeTexts = async () =>
  [...(await pendingChanges(db, ASHA, 'search')), ...(await pendingChanges(db, RAVI, 'search'))].map(
    ({ owner, wanted, search: { id } }) => `${owner} ${id} ${wanted}`,
  );

describe('saving', () => {
  test('shows the newest first, and only the searches of the signed-in user', async () => {
    await save(ASHA, 'a', 'bridge', 1000);
    await save(RAVI, 'b', 'road', 2000);
    await save(ASHA, 'c', 'wall', 3000);
    expect(await visibleNames(ASHA)).toEqual(['wall', 'bridge']);
    expect(await visibleNames(RAVI)).toEqual(['road']);
  });

  test('of one instant shows the same order on each device', async () => {
    for (const id of ['b', 'c', 'a']) await save(ASHA, id, `word${id}`, 1000);
    expect((await visibleSearches(db, ASHA)).map(({ id }) => id)).toEqual(['c', 'b', 'a']);
  });

  test('the same filter twice is one search', async () => {
    await save(ASHA, 'a', 'bridge');
    expect((await save(ASHA, 'b', 'Bridge')).id).toBe('a');
    expect(await visibleNames(ASHA)).toEqual(['bridge']);
    expect(await changeTexts()).toEqual(['7 a kept']);
  });

  test('signed out queues no change', async () => {
    await save('', 'a', 'bridge');
    expect(await visibleNames('')).toEqual(['bridge']);
    expect(await changeTexts()).toEqual([]);
  });

  test('refuses the search after fifty', async () => {
    for (let n = 1; n <= 50; n += 1) await save('', `id ${n}`, `word${n}`);
    await expect(save('', 'one more', 'more')).rejects.toThrow(
      expect.objectContaining({ name: 'TooManySearchesError' }),
    );
    expect((await save('', 'again', 'word7')).id).toBe('id 7');
  });
});

describe('changing', () => {
  test('a new name is queued, the same name is not', async () => {
    const row = await save(ASHA, 'a', 'bridge');
    await db.outbox.clear();
    await renameSearch(db, row, 'bridge', 2000);
    expect(await changeTexts()).toEqual([]);
    await renameSearch(db, row, 'Bridges', 3000);
    expect(await visibleNames(ASHA)).toEqual(['Bridges']);
    expect(await changeTexts()).toEqual(['7 a kept']);
  });

  test('a search that was deleted in the meantime is neither renamed nor opened', async () => {
    const row = await save(ASHA, 'a', 'bridge');
    await deleteSearch(db, row, 2000);
    await renameSearch(db, row, 'Bridges', 3000);
    await markOpened(db, row, 40, 3000);
    expect([await visibleNames(ASHA), await changeTexts()]).toEqual([[], ['7 a deleted']]);
  });

  test('a rename keeps how far the hits were seen since', async () => {
    const row = await save(ASHA, 'a', 'bridge');
    await markOpened(db, row, 40, 2000);
    await renameSearch(db, row, 'Bridges', 3000);
    expect(await db.searches.get([ASHA, 'a'])).toMatchObject({ name: 'Bridges', openedUpTo: 40, savedAt: 1000 });
    expect(await db.outbox.toArray()).toMatchObject([{ wanted: 'kept', search: { name: 'Bridges', openedUpTo: 40 } }]);
  });

  test('hits that were seen up to the same tender change nothing', async () => {
    const row = await save(ASHA, 'a', 'bridge');
    await db.outbox.clear();
    await markOpened(db, row, 10, 2000);
    expect(await changeTexts()).toEqual([]);
    await markOpened(db, { ...row, owner: '' }, 50, 2000);
    expect((await db.searches.get([ASHA, 'a']))?.openedUpTo).toBe(10);
  });

  test('a deleted search comes back to its place by undo', async () => {
    const row = await save(ASHA, 'a', 'bridge', 1000);
    await save(ASHA, 'b', 'road', 2000);
    await deleteSearch(db, row, 3000);
    expect(await changeTexts()).toEqual(['7 a deleted', '7 b kept']);
    await restoreSearch(db, row, 4000);
    expect(await visibleNames(ASHA)).toEqual(['road', 'bridge']);
    expect(await changeTexts()).toEqual(['7 a kept', '7 b kept']);
  });

  test('how far the hits were seen never goes back', async () => {
    const row = await save(ASHA, 'a', 'bridge');
    await db.outbox.clear();
    await markOpened(db, row, 40, 2000);
    await markOpened(db, row, 20, 3000);
    expect((await db.searches.get([ASHA, 'a']))?.openedUpTo).toBe(40);
    expect(await changeTexts()).toEqual(['7 a opened']);
  });

  test('opening a search that is not sent yet leaves it to be saved', async () => {
    await markOpened(db, await save(ASHA, 'a', 'bridge'), 40, 2000);
    expect(await db.outbox.toArray()).toMatchObject([{ wanted: 'kept', search: { openedUpTo: 40 } }]);
  });
});

describe('signing in and out', () => {
  test('makes searches without an owner those of the user, except those that the user has already', async () => {
    await save(ASHA, 'a', 'bridge');
    await db.outbox.clear();
    await save('', 'b', 'road', 2000);
    await db.searches.put({ ...search('c', 'bridge', 3000), owner: '', refusal: null });
    await mergeSearchesAtSignIn(db, ASHA, 4000);
    expect(await visibleNames(ASHA)).toEqual(['road', 'bridge']);
    expect(await changeTexts()).toEqual(['7 b kept']);
    expect(await db.searches.where('owner').equals('').count()).toBe(0);
  });

  test('keeps when and how far each was seen, and brings back none that was only opened', async () => {
    await markOpened(db, await save('', 'b', 'road', 2000), 40, 2500);
    const gone = { ...search('c', 'wall'), owner: ASHA, refusal: null };
    await db.searches.put(gone);
    await markOpened(db, gone, 50, 2500);
    await db.searches.delete([ASHA, 'c']);
    await mergeSearchesAtSignIn(db, ASHA, 4000);
    expect(await visibleSearches(db, ASHA)).toEqual([
      { ...search('b', 'road', 2000), openedUpTo: 40, owner: ASHA, refusal: null },
    ]);
  });

  test('leaves a search that the server refused with its reason, and removes one whose deletion is not sent', async () => {
    await db.searches.put({ ...(await save(ASHA, 'a', 'bridge')), refusal: 'full' });
    await deleteSearch(db, await save(ASHA, 'b', 'road'), 2000);
    await db.searches.put({ ...search('b', 'road'), owner: ASHA, refusal: null });
    await mergeSearchesAtSignIn(db, ASHA, 3000);
    expect(await visibleSearches(db, ASHA)).toMatchObject([{ name: 'bridge', refusal: 'full' }]);
  });

  test('never gives one user the searches of another', async () => {
    await save(RAVI, 'a', 'bridge');
    await mergeSearchesAtSignIn(db, ASHA, 2000);
    expect(await visibleNames(ASHA)).toEqual([]);
    expect(await changeTexts()).toEqual(['8 a kept']);
  });

  test('removes the searches of another user from the device; the unsent ones wait for their owner', async () => {
    await save(RAVI, 'b', 'road');
    await mergeSearchesAtSignIn(db, ASHA, 2000);
    expect(await visibleNames('')).toEqual([]);
    expect(await changeTexts()).toEqual(['8 b kept']);
    await mergeSearchesAtSignIn(db, RAVI, 3000);
    expect(await visibleNames(RAVI)).toEqual(['road']);
  });

  test('signing out removes the rows; pending changes stay for the next sign-in', async () => {
    await db.searches.put({ ...search('a', 'bridge'), owner: ASHA, refusal: null });
    await save(ASHA, 'b', 'road');
    await save('', 'c', 'wall');
    await deleteSearchesAtSignOut(db, ASHA);
    expect(await visibleNames('')).toEqual(['wall']);
    await mergeSearchesAtSignIn(db, ASHA, 5000);
    expect((await visibleNames(ASHA)).toSorted()).toEqual(['road', 'wall']);
  });

  test('the searches of a session that the server has ended stay visible, and a deletion is queued', async () => {
    const row = await save(ASHA, 'a', 'bridge');
    expect(await visibleNames('')).toEqual(['bridge']);
    await deleteSearch(db, row, 2000);
    expect(await changeTexts()).toEqual(['7 a deleted']);
  });
});
