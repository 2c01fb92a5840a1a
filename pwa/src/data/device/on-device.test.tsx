// @vitest-environment-options { "url": "http://localhost/" }
import { act } from 'react';
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeTestPages, openTestHook } from '../../ui/test-page.tsx';
import { createQueryCache, type QueryCache, type QueryResult } from '../server/query-cache.ts';
import { clearSession } from '../session.ts';
import { deleteStoredPages, isSavedNoteShown, removeSavedNote, showClockTexts } from '../stored-pages/shown-page.ts';
import { signInForTest } from '../test-session.ts';
import { deleteAccountData, useAccountList } from './account-lists.ts';
import { readStorageEstimate, requestPersistentStorage } from './browser-storage.ts';
import { closeDatabase, hasDatabase, useDatabaseState, whenDatabaseIsWanted, withDatabase } from './database.ts';
import { readInstantSetting, writeInstantSetting } from './instant-settings.ts';
import { type DeviceQuery, type LiveRows, useLiveRows } from './live-query.ts';
import { readSetting, writeSetting } from './settings.ts';
import { deleteTabDrafts, readTabDraft, saveTabDraft } from './tab-drafts.ts';
import { readPushDeviceRow } from './worker-database.ts';

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(async () => {
  await closeTestPages();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  clearSession();
  localStorage.clear();
  sessionStorage.clear();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

describe('a list of an account', () => {
  type Orders = Parameters<typeof useAccountList<'orders'>>[2] extends QueryCache<infer T> ? T : never;
  const list = (name: string) => ({ orders: [{ id: name }] }) as unknown as Orders;
  const nameOf = (found: Orders | undefined) =>
    (found as unknown as { orders: { id: string }[] } | undefined)?.orders[0]?.id;
  const store = (owner: string, kind: string, name: string, savedAt: number) =>
    withDatabase((db) => db.accountLists.put({ owner, kind, list: list(name), savedAt } as never));
  const shown = ({ answer, receivedAt, error, isLoading }: QueryResult<Orders>) => ({
    ...{ name: nameOf(answer), at: receivedAt?.getTime() ?? null, hasError: error !== undefined, isLoading },
  });
  const failing = () => createQueryCache<Orders>(() => Promise.reject(new Error('500')));

  test('that the server does not send is the stored one of its owner and kind, with its time', async () => {
    await store('7', 'orders', 'mine', 1_000);
    await store('7', 'packages', 'other kind', 2_000);
    await store('8', 'orders', 'other user', 3_000);
    const answers = failing();
    const { last, results } = await openTestHook(() => useAccountList('7', 'orders', answers));
    await expect.poll(() => shown(last())).toEqual({ name: 'mine', at: 1_000, hasError: true, isLoading: false });
    // No error before the stored list was looked for.
    expect(results.filter(({ error, answer }) => error !== undefined && !answer)).toEqual([]);
    expect(results[0]?.isLoading).toBe(true);
  });

  test('that neither the server nor the device has is an error', async () => {
    const answers = failing();
    const { last } = await openTestHook(() => useAccountList('7', 'orders', answers));
    await expect.poll(() => shown(last())).toEqual({ name: undefined, at: null, hasError: true, isLoading: false });
  });

  test('is asked for again although the last answer is fresh, and stored with its time', async () => {
    await store('7', 'orders', 'old', 1_000);
    let calls = 0;
    const answers = createQueryCache<Orders>(async () => list(`answer ${++calls}`));
    await answers.refresh('7');
    const { last } = await openTestHook(() => useAccountList('7', 'orders', answers));
    await expect.poll(() => nameOf(last().answer)).toBe('answer 2');
    const row = async () => (await withDatabase((db) => db.accountLists.get(['7', 'orders']))) as never;
    await expect.poll(row).toMatchObject({ list: { orders: [{ id: 'answer 2' }] } });
    expect(await row()).toMatchObject({ owner: '7', kind: 'orders', savedAt: last().receivedAt?.getTime() });
    expect(shown(last())).toMatchObject({ hasError: false, isLoading: false });
  });

  test('goes with its account, and those of others stay', async () => {
    for (const owner of ['7', '8']) {
      await store(owner, 'orders', owner, 1);
      await withDatabase((db) =>
        db.packageFiles.put({ owner, nit: 'n', version: 1, file: new ArrayBuffer(1), savedAt: 1 }),
      );
    }
    await withDatabase((db) => deleteAccountData(db, '7'));
    const owners = await withDatabase(async (db) => [
      ...(await db.accountLists.toArray()).map(({ owner }) => owner),
      ...(await db.packageFiles.toArray()).map(({ owner }) => owner),
    ]);
    expect(owners).toEqual(['8', '8']);
  });
});

describe('live rows', () => {
  const query: DeviceQuery<string[]> = async (db, owner) =>
    (await db.settings.where('key').startsWith(`${owner}:`).toArray()).map(({ key }) => key);
  const load = async () => query;
  const put = (key: string) => writeSetting(key, true);

  test('are those of the present owner, and again after each change', async () => {
    await put('7:a');
    await put('8:b');
    signInForTest('7');
    const { results, last } = await openTestHook(() => useLiveRows(load));
    expect(results[0]).toEqual({});
    await expect.poll(() => last().rows).toEqual(['7:a']);
    await put('7:c');
    await expect.poll(() => last().rows).toEqual(['7:a', '7:c']);
    const before = results.length;
    await act(async () => signInForTest('8'));
    await expect.poll(() => last().rows).toEqual(['8:b']);
    const others = results.slice(before).flatMap(({ rows }) => rows ?? []);
    expect(others.filter((key) => key.startsWith('7'))).toEqual([]);
  });

  test('reach all parts of a page in one render, so that none appears after the others', async () => {
    await put('7:a');
    signInForTest('7');
    const { results, last } = await openTestHook(() => [useLiveRows(load).rows, useLiveRows(load).rows] as const);
    await expect.poll(last).toEqual([['7:a'], ['7:a']]);
    await put('7:b');
    await expect.poll(last).toEqual([
      ['7:a', '7:b'],
      ['7:a', '7:b'],
    ]);
    expect(results.filter(([first, second]) => first?.length !== second?.length)).toEqual([]);
  });

  test('have an error when the database or the code of the query fails', async () => {
    const broken = async () => {
      throw new TypeError('no code');
    };
    const first = await openTestHook<LiveRows<string[]>>(() => useLiveRows(broken));
    await expect.poll(() => first.last().error).toBeInstanceOf(TypeError);
    expect(first.last().rows).toBeUndefined();
    expect(useDatabaseState.getState().isCodeMissing).toBe(true);
    await first.close();
    useDatabaseState.setState({ isCodeMissing: undefined });
    const failing: DeviceQuery<string[]> = () => Promise.reject(new Error('broken'));
    const loadFailing = async () => failing;
    const second = await openTestHook(() => useLiveRows(loadFailing));
    await expect.poll(() => second.last().error).toBeInstanceOf(Error);
  });
});

describe('work that can wait for the database', () => {
  test('waits on a new device for its first use', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    expect(await hasDatabase()).toBe(false);
    expect(await readSetting('clock')).toBeUndefined();
    expect(await hasDatabase()).toBe(false);
    let isWanted = false;
    const wanted = whenDatabaseIsWanted().then(() => {
      isWanted = true;
    });
    // It waits for a touch, or for a page that is read.
    await expect.poll(() => vi.getTimerCount()).toBe(1);
    expect(isWanted).toBe(false);
    window.dispatchEvent(new Event('pointerup'));
    await wanted;
  });

  test('does not wait once the database is open, or on a device that has it', async () => {
    const wanted = whenDatabaseIsWanted();
    await writeSetting('clock', 1);
    await wanted;
    await closeDatabase();
    expect(await hasDatabase()).toBe(true);
    await whenDatabaseIsWanted();
  });

  test('does not wait where the browser does not say which databases it has', async () => {
    vi.spyOn(indexedDB, 'databases').mockRejectedValue(new Error('not allowed'));
    expect(await hasDatabase()).toBe(true);
    vi.stubGlobal('indexedDB', { ...indexedDB, databases: undefined });
    expect(await hasDatabase()).toBe(true);
  });
});

test('the service worker creates no database, and has no push device before the app has one', async () => {
  expect(await readPushDeviceRow()).toBeUndefined();
  expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain('nivida');
  await withDatabase((db) => db.pushDevice.put({ key: 'device', owner: '7', id: 'd1' } as never));
  expect(await readPushDeviceRow()).toMatchObject({ owner: '7', id: 'd1' });
});

/** Browser storage that is full. */
const fullStorage = (items: Map<string, string>) => ({
  getItem: (key: string) => items.get(key) ?? null,
  removeItem: (key: string) => items.delete(key),
  setItem: () => {
    throw new DOMException('full', 'QuotaExceededError');
  },
});

describe('a setting that is stored at once', () => {
  test('is read again, and removed by undefined', () => {
    writeInstantSetting('recent', ['road']);
    expect(localStorage.getItem('recent')).toBe('["road"]');
    expect(readInstantSetting('recent')).toEqual(['road']);
    expect(readInstantSetting('other')).toBeUndefined();
    writeInstantSetting('recent', undefined);
    expect([localStorage.getItem('recent'), readInstantSetting('recent')]).toEqual([null, undefined]);
    localStorage.setItem('recent', '["ro');
    expect(readInstantSetting('recent')).toBeUndefined();
  });

  test('stays as long as the page where browser storage is full or missing, in place of the earlier value', () => {
    const items = new Map([['recent', '"earlier"']]);
    vi.stubGlobal('localStorage', fullStorage(items));
    expect(readInstantSetting('recent')).toBe('earlier');
    writeInstantSetting('recent', 'later');
    expect([readInstantSetting('recent'), items.size]).toEqual(['later', 0]);
    vi.unstubAllGlobals();
    writeInstantSetting('recent', 'latest');
    localStorage.removeItem('recent');
    expect(readInstantSetting('recent')).toBeUndefined();
    vi.stubGlobal('localStorage', undefined);
    writeInstantSetting('recent', 'without');
    expect(readInstantSetting('recent')).toBe('without');
    writeInstantSetting('recent', undefined);
    expect(readInstantSetting('recent')).toBeUndefined();
  });
});

describe('a draft of a tab', () => {
  test('is that of its owner and form', () => {
    saveTabDraft('contact', '7', { subject: 'Roads' });
    saveTabDraft('contact', '', { subject: 'Signed out' });
    saveTabDraft('review', '7', { text: 'Good' });
    expect(readTabDraft('contact', '7')).toEqual({ subject: 'Roads' });
    expect(readTabDraft('contact', '')).toEqual({ subject: 'Signed out' });
    expect(readTabDraft('contact', '8')).toBeNull();
    saveTabDraft('contact', '7', null);
    expect(readTabDraft('contact', '7')).toBeNull();
    expect(readTabDraft('review', '7')).toEqual({ text: 'Good' });
    sessionStorage.setItem('contact of 7', '{"sub');
    expect(readTabDraft('contact', '7')).toBeNull();
  });

  test('goes with its user, and those of others and of the signed-out device stay', () => {
    for (const owner of ['7', '8', '']) saveTabDraft('contact', owner, { owner });
    sessionStorage.setItem('reloadedFor', 'x');
    deleteTabDrafts((owner) => owner !== '8');
    expect(['7', '8', ''].map((owner) => readTabDraft('contact', owner))).toEqual([
      null,
      { owner: '8' },
      { owner: '' },
    ]);
    expect(sessionStorage.getItem('reloadedFor')).toBe('x');
  });

  test('is lost without an error where the storage is full', () => {
    vi.stubGlobal('sessionStorage', fullStorage(new Map()));
    saveTabDraft('contact', '7', { subject: 'Roads' });
    expect(readTabDraft('contact', '7')).toBeNull();
  });
});

describe('storage that the browser may clear', () => {
  afterEach(() => void Reflect.deleteProperty(navigator, 'storage'));
  const stub = (storage: object | undefined) =>
    Object.defineProperty(navigator, 'storage', { value: storage, configurable: true });

  test.each([
    ['has agreed before', true, false, true, 0],
    ['agrees', false, true, true, 1],
    ['does not agree', false, false, false, 1],
  ])('is asked for once, of a browser that %s', async (_what, persisted, agrees, result, requests) => {
    const persist = vi.fn(async () => agrees);
    stub({ persisted: async () => persisted, persist });
    expect(await requestPersistentStorage()).toBe(result);
    expect(persist).toHaveBeenCalledTimes(requests);
  });

  test('is unknown where the browser does not say', async () => {
    stub(undefined);
    expect(await requestPersistentStorage()).toBe(false);
    const unknown = { usedBytes: null, quotaBytes: null, isPersistent: false };
    expect(await readStorageEstimate()).toEqual(unknown);
    stub({ estimate: () => Promise.reject(new Error('x')), persisted: () => Promise.reject(new Error('x')) });
    expect(await readStorageEstimate()).toEqual(unknown);
    stub({ estimate: async () => ({ usage: 5, quota: 9 }), persisted: async () => true });
    expect(await readStorageEstimate()).toEqual({ usedBytes: 5, quotaBytes: 9, isPersistent: true });
  });
});

test('the stored pages, which show what a user has visited, are deleted, and no other files', async () => {
  const names = ['stored-pages-1', 'app-files', 'stored-pages-2', 'old-stored-pages-3'];
  const deleted: string[] = [];
  vi.stubGlobal('caches', { keys: async () => names, delete: async (name: string) => deleted.push(name) });
  await deleteStoredPages();
  expect(deleted).toEqual(['stored-pages-1', 'stored-pages-2']);
  vi.stubGlobal('caches', undefined);
  await deleteStoredPages();
});

test('a stored page loses its age with a new answer, and shows its times again once the app has rendered them', () => {
  const { dataset } = document.documentElement;
  dataset.saved = 'Saved Tue 10 Nov, 4:30 PM';
  dataset.clockHidden = 'day';
  expect(isSavedNoteShown()).toBe(true);
  showClockTexts();
  expect([dataset.clockHidden, dataset.saved]).toEqual([undefined, 'Saved Tue 10 Nov, 4:30 PM']);
  removeSavedNote();
  expect([dataset.saved, isSavedNoteShown()]).toEqual([undefined, false]);
});
