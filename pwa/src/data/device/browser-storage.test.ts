// @vitest-environment node
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { bookmarkChange } from '../outbox/pending-changes.ts';
import { browserStorage, readStorageEstimate, requestPersistentStorage, tabStorage } from './browser-storage.ts';
import { isMeteredConnection, isSavingData, knowsConnectionType, onConnectionChange } from './connection.ts';
import { readInstantSetting, writeInstantSetting } from './instant-settings.ts';
import { DeviceDatabase, type TenderRow } from './schema.ts';
import { type EvictedData, onEvicted, writeInBackground, writeWithEviction } from './storage-quota.ts';
import { readTabDraft, saveTabDraft } from './tab-drafts.ts';

afterEach(() => vi.unstubAllGlobals());

const refuse = () => Promise.reject(new TypeError('The browser refuses'));
const UNKNOWN = { usedBytes: null, quotaBytes: null, isPersistent: false };

test.each<[string, object | undefined, object]>([
  [
    'reports its storage',
    { estimate: async () => ({ usage: 0, quota: 100 }), persisted: async () => true },
    { usedBytes: 0, quotaBytes: 100, isPersistent: true },
  ],
  ['refuses an estimate', { estimate: refuse, persisted: async () => true }, { ...UNKNOWN, isPersistent: true }],
  [
    'refuses to say whether it clears its storage',
    { estimate: async () => ({ usage: 5, quota: 100 }), persisted: refuse },
    { usedBytes: 5, quotaBytes: 100, isPersistent: false },
  ],
  ['estimates nothing', { estimate: async () => ({}), persisted: async () => false }, UNKNOWN],
  ['can be asked nothing', {}, UNKNOWN],
  ['has no interface for it', undefined, UNKNOWN],
])('of a browser that %s the rest is known', async (_what, storage, state) => {
  vi.stubGlobal('navigator', { storage });
  expect(await readStorageEstimate()).toEqual(state);
});

test.each<[string, (() => Promise<boolean>) | undefined, () => Promise<boolean>, boolean, number]>([
  ['has agreed before is not asked again', async () => true, async () => false, true, 0],
  ['agrees', async () => false, async () => true, true, 1],
  ['does not agree', async () => false, async () => false, false, 1],
  ['fails', refuse, async () => true, false, 0],
  ['lacks the question', undefined, async () => true, false, 0],
])('a browser that %s, for storage that it does not clear', async (_what, persisted, persist, expected, times) => {
  let asked = 0;
  const ask = () => {
    asked += 1;
    return persist();
  };
  vi.stubGlobal('navigator', { storage: { persisted, persist: ask } });
  expect([await requestPersistentStorage(), asked]).toEqual([expected, times]);
});

/** Replaces a global by a getter until the test is over. */
function stubGetter(name: 'localStorage' | 'sessionStorage', get: () => unknown): void {
  const before = Object.getOwnPropertyDescriptor(globalThis, name);
  Object.defineProperty(globalThis, name, { get, configurable: true });
  onTestFinished(() => {
    if (before) Object.defineProperty(globalThis, name, before);
    else Reflect.deleteProperty(globalThis, name);
  });
}

test('storage that the browser forbids is none', () => {
  for (const name of ['localStorage', 'sessionStorage'] as const)
    stubGetter(name, () => {
      throw new DOMException('denied', 'SecurityError');
    });
  expect([browserStorage(), tabStorage()]).toEqual([undefined, undefined]);
});

/** Browser storage with these items that is full. */
function fullStorage(items: Map<string, string>): object {
  return {
    getItem: (key: string) => items.get(key) ?? null,
    removeItem: (key: string) => items.delete(key),
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  };
}

test('a setting that full storage refuses lasts as long as the page, and the stored one is gone', () => {
  const items = new Map([['last filters', '{"Assam":"min=1"}']]);
  const storage = fullStorage(items);
  stubGetter('localStorage', () => storage);
  expect(readInstantSetting('last filters')).toEqual({ Assam: 'min=1' });
  writeInstantSetting('last filters', { Goa: 'min=2' });
  expect([readInstantSetting('last filters'), items.size]).toEqual([{ Goa: 'min=2' }, 0]);
  writeInstantSetting('last filters', undefined);
  expect(readInstantSetting('last filters')).toBeUndefined();
});

test('a setting and a draft that are no JSON are none', () => {
  const storage = fullStorage(
    new Map([
      ['draft of 7', '{"name":'],
      ['last filters', '{"Assam":'],
    ]),
  );
  stubGetter('localStorage', () => storage);
  stubGetter('sessionStorage', () => storage);
  expect([readInstantSetting('last filters'), readTabDraft('draft', '7')]).toEqual([undefined, null]);
});

test('a draft that full storage refuses is lost, and the form goes on', () => {
  const storage = fullStorage(new Map());
  stubGetter('sessionStorage', () => storage);
  saveTabDraft('draft', '7', { name: 'Asha' });
  expect(readTabDraft('draft', '7')).toBeNull();
});

test.each<[object | undefined, boolean, boolean, boolean]>([
  [undefined, false, false, false],
  [{ type: 'wifi', saveData: false }, true, false, false],
  [{ type: 'cellular', saveData: false }, true, false, true],
  [{ type: 'wifi', saveData: true }, true, true, true],
  [{ saveData: true }, false, true, true],
  [{ saveData: false }, false, false, false],
])('of the connection %j the type is known: %s, data is saved: %s, it is metered: %s', (connection, ...expected) => {
  vi.stubGlobal('navigator', { connection });
  expect([knowsConnectionType(), isSavingData(), isMeteredConnection()]).toEqual(expected);
});

test('a change of the connection is followed where the browser reports it', () => {
  let changes = 0;
  const count = () => {
    changes += 1;
  };
  for (const connection of [undefined, {}]) {
    vi.stubGlobal('navigator', { connection });
    onConnectionChange(count);
  }
  const connection = new EventTarget();
  vi.stubGlobal('navigator', { connection });
  onConnectionChange(count);
  connection.dispatchEvent(new Event('change'));
  expect(changes).toBe(1);
});

describe('a full phone', () => {
  let db: DeviceDatabase;
  /** What was reported. */
  let reported: EvictedData[];

  beforeEach(async () => {
    reported = [];
    onEvicted((evicted) => reported.push(evicted));
    db = new DeviceDatabase('quota');
    for (const [scope, bytes] of [
      ['delhi', 40],
      ['india', 900],
      ['assam', 60],
    ] as const) {
      const row = { scope, current: null, next: null, savedAt: 0, changed: 0, replaces: null };
      await db.scopes.add({ ...row, files: { 'index a b': bytes } });
      await db.packFiles.add({ scope, name: 'index a b', kind: 'index', index: new ArrayBuffer(bytes) });
      await db.downloads.add({ scope, file: 'api/sync/segments/a', at: 0, etag: '"a"', bytes: new ArrayBuffer(1) });
    }
    const tender = {} as TenderRow['tender'];
    await db.tenders.bulkAdd(['1', '2', '3', '4', '5', '6'].map((id) => ({ id, tender, savedAt: 0 })));
    for (const [owner, tenderId] of [
      ['', '5'],
      ['u1', '6'],
    ] as const)
      await db.records.add({ owner, kind: 'bid', id: 'b', fields: { tenderId }, stamps: {}, at: 0, refusal: null });
    await db.bookmarks.add({ owner: '', tenderId: '2', at: 0, summary: null });
    await db.outbox.add(bookmarkChange('u1', '3', true, 0));
  });
  afterEach(() => db.delete());

  const full = () => Object.assign(new Error('no room'), { name: 'QuotaExceededError' });

  /** A write that succeeds once this many attempts have failed. */
  function writeAfter(failures: number) {
    let attempts = 0;
    return async () => {
      attempts += 1;
      if (attempts <= failures) throw full();
      return 'written';
    };
  }

  test.each([
    [1, { scopes: ['india'], tenders: 0 }],
    [2, { scopes: ['india', 'assam'], tenders: 0 }],
    [3, { scopes: ['india', 'assam'], tenders: 2 }],
  ])(
    'a write that fails %i times for lack of storage evicts packs first, then opened tenders, and reports it once',
    async (failures, evicted) => {
      expect(await writeWithEviction(db, 'delhi', writeAfter(failures))).toBe('written');
      expect(reported).toEqual([evicted]);
      expect(await db.scopes.get('delhi')).toBeDefined();
      expect(await db.packFiles.count()).toBe(3 - evicted.scopes.length);
      expect(await db.downloads.count()).toBe(3 - evicted.scopes.length);
    },
  );

  test('a write that has room evicts and reports nothing', async () => {
    expect(await writeWithEviction(db, 'delhi', writeAfter(0))).toBe('written');
    expect([await db.scopes.count(), await db.tenders.count(), reported]).toEqual([3, 6, []]);
  });

  test('a sync evicts opened tenders, and stops before the packs', async () => {
    expect(await writeInBackground(db, writeAfter(1))).toBe('written');
    expect([await db.scopes.count(), await db.packFiles.count()]).toEqual([3, 3]);
    expect(await db.tenders.toCollection().primaryKeys()).toEqual(['2', '3', '5', '6']);
    await expect(writeInBackground(db, writeAfter(99))).rejects.toMatchObject({ name: 'QuotaExceededError' });
    expect([await db.scopes.count(), await db.packFiles.count()]).toEqual([3, 3]);
    expect(reported).toEqual([{ scopes: [], tenders: 2 }]);
  });

  test('bookmarks, bids, pending changes and their tenders stay; the write fails when nothing else can be evicted', async () => {
    await expect(writeWithEviction(db, null, writeAfter(99))).rejects.toMatchObject({ name: 'QuotaExceededError' });
    expect(await db.scopes.count()).toBe(0);
    expect(await db.packFiles.count()).toBe(0);
    expect(await db.tenders.toCollection().primaryKeys()).toEqual(['2', '3', '5', '6']);
    expect(await db.bookmarks.count()).toBe(1);
    expect(await db.outbox.count()).toBe(1);
    // The removed data is reported even if the removal was not enough.
    expect(reported).toEqual([{ scopes: ['india', 'assam', 'delhi'], tenders: 2 }]);
  });

  test('the largest state is that with the most bytes in all of its parts', async () => {
    const row = { scope: 'bihar', current: null, next: null, savedAt: 0, changed: 0, replaces: null };
    await db.scopes.add({ ...row, files: { 'index a b': 500, 'index c d': 500 } });
    await writeWithEviction(db, 'delhi', writeAfter(2));
    expect(reported).toEqual([{ scopes: ['bihar', 'india'], tenders: 0 }]);
  });

  test('a state of which nothing has arrived makes no room, and stays', async () => {
    const row = { scope: 'goa', current: null, next: null, files: {}, savedAt: 0, changed: 0, replaces: null };
    await db.scopes.add(row);
    await writeWithEviction(db, 'delhi', writeAfter(3));
    expect(reported).toEqual([{ scopes: ['india', 'assam'], tenders: 2 }]);
    expect((await db.scopes.toCollection().primaryKeys()).sort()).toEqual(['delhi', 'goa']);
  });

  test('an error that is no full device costs nothing', async () => {
    const broken = async () => {
      throw new TypeError('broken');
    };
    await expect(writeWithEviction(db, null, broken)).rejects.toThrow('broken');
    expect(await db.scopes.count()).toBe(3);
  });

  test('a full device is known also inside the error of a transaction', async () => {
    let attempts = 0;
    const write = async () => {
      attempts += 1;
      if (attempts === 1) throw Object.assign(new Error('aborted'), { name: 'AbortError', inner: full() });
    };
    await writeWithEviction(db, 'delhi', write);
    expect(reported).toEqual([{ scopes: ['india'], tenders: 0 }]);
  });
});
