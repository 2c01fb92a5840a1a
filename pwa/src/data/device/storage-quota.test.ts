// @vitest-environment node
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bookmarkChange } from '../outbox/pending-changes.ts';
import { DeviceDatabase, type TenderRow } from './schema.ts';
import { writeWithEviction } from './storage-quota.ts';

let db: DeviceDatabase;

beforeEach(async () => {
  db = new DeviceDatabase('quota');
  for (const [scope, bytes] of [
    ['delhi', 40],
    ['india', 900],
    ['assam', 60],
  ] as const) {
    const row = { scope, current: null, next: null, savedAt: 0, changed: 0, replaces: null };
    await db.scopes.add({ ...row, parts: { 'pack a b': bytes } });
    await db.packs.add({ scope, part: 'pack a b', kind: 'base', pack: new ArrayBuffer(bytes) });
    await db.downloads.add({ scope, file: 'api/sync/segments/a', at: 0, etag: '"a"', bytes: new ArrayBuffer(1) });
  }
  const tender = {} as TenderRow['tender'];
  await db.tenders.bulkAdd(['1', '2', '3', '4'].map((id) => ({ id, tender, savedAt: 0 })));
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
  [0, { scopes: [], tenders: 0 }],
  [1, { scopes: ['india'], tenders: 0 }],
  [2, { scopes: ['india', 'assam'], tenders: 0 }],
  [3, { scopes: ['india', 'assam'], tenders: 2 }],
])(
  'a write that fails %i times for lack of storage evicts packs first, then opened tenders',
  async (failures, evicted) => {
    expect(await writeWithEviction(db, 'delhi', writeAfter(failures))).toEqual({ value: 'written', evicted });
    expect(await db.scopes.get('delhi')).toBeDefined();
    expect(await db.packs.count()).toBe(3 - evicted.scopes.length);
    expect(await db.downloads.count()).toBe(3 - evicted.scopes.length);
  },
);

test('bookmarks, pending changes and their tenders stay; the write fails when nothing else can be evicted', async () => {
  await expect(writeWithEviction(db, null, writeAfter(99))).rejects.toMatchObject({ name: 'QuotaExceededError' });
  expect(await db.scopes.count()).toBe(0);
  expect(await db.packs.count()).toBe(0);
  expect(await db.tenders.toCollection().primaryKeys()).toEqual(['2', '3']);
  expect(await db.bookmarks.count()).toBe(1);
  expect(await db.outbox.count()).toBe(1);
});

test('a state of which nothing has arrived makes no room, and stays', async () => {
  const row = { scope: 'goa', current: null, next: null, parts: {}, savedAt: 0, changed: 0, replaces: null };
  await db.scopes.add(row);
  const { evicted } = await writeWithEviction(db, 'delhi', writeAfter(3));
  expect(evicted).toEqual({ scopes: ['india', 'assam'], tenders: 2 });
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
  expect((await writeWithEviction(db, 'delhi', write)).evicted.scopes).toEqual(['india']);
});
