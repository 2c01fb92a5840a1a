// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import type { SavedSearch } from '@nivida/contract/filter/saved-search';
import type { ChangeResult, OutboxRequest } from '@nivida/contract/sync/outbox';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { DeviceDatabase } from '../../data/device/schema.ts';
import { exchangeOnce } from '../../data/outbox/outbox.ts';
import { pendingChanges } from '../../data/outbox/pending-changes.ts';
import { outboxAnswer } from '../../data/outbox/test-outbox.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { deleteMutation, recordMutation } from '../../data/unsaved-mutations.ts';
import { dismissToast, useToast } from '../../ui/feedback/toast.ts';
import { syncSearches } from './exchange-searches.ts';
import {
  deleteSearch,
  deleteSearchesAtSignOut,
  markOpened,
  renameSearch,
  saveSearch,
  visibleSearches,
} from './searches.ts';

const ASHA = '7';

/** Asha's searches on the server, newest first; `calls` are the changes that it received. */
let stored: SavedSearch[];
let calls: string[];
/** Replaces the server's response when it returns one. */
let fault: (call: string) => Response | undefined;

const refuse = (status: number, message: string) =>
  Response.json({ code: 'INVALID', message, requestId: 'r' }, { status });

/** Applies a change by the server's rules. Returns why it is refused. */
function apply({ wanted, search }: OutboxRequest['searches'][number]): ChangeResult['refusal'] {
  let existing = stored.find(({ id }) => id === search.id);
  if (wanted === 'deleted') stored = stored.filter((each) => each !== existing);
  if (wanted === 'kept' && !existing) {
    if (stored.length >= 50) return { code: 'CONFLICT', message: 'You can have at most 50 saved searches' };
    const createdAt = new Date(Date.UTC(2026, 10, 10, 6, 0, calls.length)).toISOString();
    existing = { ...search, createdAt };
    stored = [existing, ...stored];
  }
  if (!existing) return null;
  if (wanted === 'kept') existing.name = search.name;
  existing.openedUpTo = Math.max(existing.openedUpTo, search.openedUpTo);
  return null;
}

const CALLS = { kept: 'POST', opened: 'PATCH', deleted: 'DELETE' } as const;

let phone: DeviceDatabase;
let desktop: DeviceDatabase;
let now: number;

beforeEach(() => {
  stored = [];
  calls = [];
  fault = () => undefined;
  now = 1000;
  vi.stubGlobal('fetch', async (request: Request) => {
    const body: OutboxRequest = JSON.parse(await request.text());
    const refusals: Record<string, ChangeResult['refusal']> = {};
    if (body.searches.length === 0) {
      const failure = fault('GET');
      if (failure) return failure;
    }
    for (const change of body.searches) {
      const call = `${CALLS[change.wanted]} ${change.search.id}`;
      calls.push(call);
      const failure = fault(call);
      if (failure) return failure;
      refusals[change.search.id] = apply(change);
    }
    return outboxAnswer(body, { searches: stored }, refusals);
  });
  signInForTest(ASHA);
  phone = new DeviceDatabase('phone');
  desktop = new DeviceDatabase('desktop');
});

afterEach(async () => {
  vi.unstubAllGlobals();
  clearSession();
  while (useToast.getState().current) dismissToast();
  await phone.delete();
  await desktop.delete();
});

const later = () => {
  now += 1000;
  return now;
};
const save = (device: DeviceDatabase, id: string, q = id) => {
  const filter = { state: 'Himachal Pradesh', district: '', department: '', q };
  return saveSearch(device, ASHA, { id, name: q, filter, openedUpTo: 10, savedAt: later() }, now);
};
const sync = (device: DeviceDatabase) => exchangeOnce(device, true);
const visibleNames = async (device: DeviceDatabase) => (await visibleSearches(device, ASHA)).map(({ name }) => name);
const rowOf = async (device: DeviceDatabase, id: string) => {
  const row = await device.searches.get([ASHA, id]);
  if (!row) throw new Error(`no search ${id}`);
  return row;
};
const remainingChangeIds = async (device: DeviceDatabase) =>
  (await pendingChanges(device, ASHA, 'search')).map(({ search }) => search.id);

/** Both devices hold the search `bridge`, and the server too. */
async function saveOnBothDevices(): Promise<void> {
  await save(phone, 'bridge');
  await sync(phone);
  await sync(desktop);
  calls = [];
}

/** Both devices after an exchange. They must show the same. */
async function syncAllDevices(): Promise<string[]> {
  await sync(phone);
  await sync(desktop);
  await sync(phone);
  const [onPhone, onDesktop] = [await visibleNames(phone), await visibleNames(desktop)];
  expect(onPhone).toEqual(onDesktop);
  expect(stored.map(({ name }) => name)).toEqual(onPhone);
  expect([...(await remainingChangeIds(phone)), ...(await remainingChangeIds(desktop))]).toEqual([]);
  return onPhone;
}

describe('searches made without a connection', () => {
  test('are seen on another device, each sent once, the newest first', async () => {
    await save(phone, 'bridge');
    await save(phone, 'road');
    await sync(phone);
    await sync(phone);
    await sync(desktop);
    expect(calls).toEqual(['POST bridge', 'POST road']);
    expect(await visibleNames(desktop)).toEqual(['road', 'bridge']);
  });

  test('are sent in the order in which they were saved', async () => {
    await save(phone, 'road');
    await save(phone, 'bridge');
    await sync(phone);
    expect(calls).toEqual(['POST road', 'POST bridge']);
    await sync(desktop);
    const [newest, oldest] = stored;
    const row = (search: SavedSearch | undefined) => {
      const { createdAt = '', ...rest } = search ?? {};
      return { ...rest, owner: ASHA, savedAt: Date.parse(createdAt), refusal: null };
    };
    expect(await visibleSearches(desktop, ASHA)).toEqual([row(newest), row(oldest)]);
    expect(newest).toMatchObject({ id: 'bridge', openedUpTo: 10 });
  });

  test('and renamed before they are sent come under the last name in one call', async () => {
    await renameSearch(phone, await save(phone, 'bridge'), 'Bridges', later());
    await sync(phone);
    expect(calls).toEqual(['POST bridge']);
    expect(stored.map(({ name }) => name)).toEqual(['Bridges']);
  });

  test('whose answer was lost are there once, under the name given since', async () => {
    const row = await save(phone, 'bridge');
    fault = (call) => {
      if (call !== 'POST bridge') return undefined;
      apply({ wanted: 'kept', search: row });
      throw new TypeError('Failed to fetch');
    };
    await expect(sync(phone)).rejects.toThrow();
    await renameSearch(phone, row, 'Bridges', later());
    fault = () => undefined;
    expect(await syncAllDevices()).toEqual(['Bridges']);
  });
});

describe('conflicting edits end the same on both devices', () => {
  beforeEach(saveOnBothDevices);

  test('of two names the one that reaches the server last wins', async () => {
    await renameSearch(phone, await rowOf(phone, 'bridge'), 'From the phone', later());
    await renameSearch(desktop, await rowOf(desktop, 'bridge'), 'From the desktop', later());
    await sync(desktop);
    expect(await syncAllDevices()).toEqual(['From the phone']);
  });

  test('deleted on one and then renamed on the other, it is back', async () => {
    await deleteSearch(desktop, await rowOf(desktop, 'bridge'), later());
    await renameSearch(phone, await rowOf(phone, 'bridge'), 'Bridges', later());
    await sync(desktop);
    expect(await syncAllDevices()).toEqual(['Bridges']);
  });

  test('renamed on one and then deleted on the other, it is gone', async () => {
    await renameSearch(phone, await rowOf(phone, 'bridge'), 'Bridges', later());
    await deleteSearch(desktop, await rowOf(desktop, 'bridge'), later());
    await sync(phone);
    expect(await syncAllDevices()).toEqual([]);
  });

  test('deleted on one and only opened on the other, it stays gone', async () => {
    await deleteSearch(desktop, await rowOf(desktop, 'bridge'), later());
    await markOpened(phone, await rowOf(phone, 'bridge'), 50, later());
    await sync(desktop);
    expect(await syncAllDevices()).toEqual([]);
    expect(useToast.getState().current).toBeUndefined();
  });

  test('deleted on both, it is gone without a word', async () => {
    await deleteSearch(desktop, await rowOf(desktop, 'bridge'), later());
    await deleteSearch(phone, await rowOf(phone, 'bridge'), later());
    expect(await syncAllDevices()).toEqual([]);
    expect(useToast.getState().current).toBeUndefined();
  });

  test('opened on both, the hits are seen up to the higher id', async () => {
    await markOpened(phone, await rowOf(phone, 'bridge'), 50, later());
    await markOpened(desktop, await rowOf(desktop, 'bridge'), 40, later());
    await syncAllDevices();
    expect((await rowOf(phone, 'bridge')).openedUpTo).toBe(50);
    expect((await rowOf(desktop, 'bridge')).openedUpTo).toBe(50);
  });

  test('the same filter saved on both is one search', async () => {
    await save(phone, 'one', 'wall');
    await markOpened(desktop, await save(desktop, 'other', 'Wall'), 50, later());
    expect(await syncAllDevices()).toEqual(['wall', 'bridge']);
    // the hits that were seen in the other one are not new
    for (const device of [phone, desktop]) expect((await rowOf(device, 'one')).openedUpTo).toBe(50);
  });
});

describe('the fifty-first', () => {
  const fill = () => {
    stored = Array.from({ length: 50 }, (_, n) => ({
      id: `id-${n}`,
      name: `word${n}`,
      filter: { state: '', district: '', department: '', q: `word${n}` },
      openedUpTo: 0,
      createdAt: '2026-11-01T06:00:00.000Z',
    }));
  };

  test('stays on its device with the reason, and is not sent again and again', async () => {
    fill();
    await save(phone, 'bridge');
    await sync(phone);
    await sync(phone);
    expect(calls).toEqual(['POST bridge']);
    expect((await rowOf(phone, 'bridge')).refusal).toBe('You can have at most 50 saved searches');
    expect(await visibleNames(phone)).toHaveLength(51);
    expect([useToast.getState().current, await remainingChangeIds(phone)]).toEqual([undefined, ['bridge']]);
  });

  test('is saved in the place of a newer one that was deleted, in one exchange', async () => {
    fill();
    await sync(phone);
    await deleteSearch(phone, await rowOf(phone, 'id-3'), later());
    await save(phone, 'bridge');
    await sync(phone);
    expect(calls).toEqual(['DELETE id-3', 'POST bridge']);
    expect((await rowOf(phone, 'bridge')).refusal).toBeNull();
  });

  test('is saved as soon as another one was deleted', async () => {
    fill();
    await save(phone, 'bridge');
    await sync(phone);
    await deleteSearch(phone, await rowOf(phone, 'id-3'), later());
    await sync(phone);
    expect(calls).toEqual(['POST bridge', 'DELETE id-3', 'POST bridge']);
    expect((await rowOf(phone, 'bridge')).refusal).toBeNull();
    expect(await remainingChangeIds(phone)).toEqual([]);
  });
});

describe('what the server says', () => {
  test.each([
    ['500', () => refuse(500, 'Server error occurred')],
    ['429', () => refuse(429, 'Too many requests')],
    ['401', () => refuse(401, 'Please sign in')],
    ['the page of a captive portal', () => new Response('<p>Sign in</p>')],
  ])('after %s the search and its change stay, without a message', async (_what, answer) => {
    await save(phone, 'bridge');
    fault = answer;
    await expect(sync(phone)).rejects.toThrow();
    expect(await visibleNames(phone)).toEqual(['bridge']);
    expect(await remainingChangeIds(phone)).toEqual(['bridge']);
    expect(useToast.getState().current).toBeUndefined();
  });

  test('400 takes the search away and says why', async () => {
    await save(phone, 'bridge');
    fault = (call) => (call === 'GET' ? undefined : refuse(400, 'Name is required'));
    await sync(phone);
    expect(await visibleNames(phone)).toEqual([]);
    expect(await remainingChangeIds(phone)).toEqual([]);
    expect(useToast.getState().current?.text).toBe('A search was not saved: Name is required');
  });

  test('a list that arrives after the sign-out is not taken in', async () => {
    stored = [{ ...(await save(phone, 'bridge')), createdAt: '2026-11-10T06:00:00.000Z' }];
    await phone.outbox.clear();
    const list = new TextEncoder().encode(await outboxAnswer(undefined, { searches: stored }).text());
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      clearSession();
      controller.enqueue(list);
      controller.close();
    };
    fault = () => new Response(new ReadableStream({ pull }, { highWaterMark: 0 }));
    await deleteSearchesAtSignOut(phone, ASHA);
    await sync(phone);
    expect(await visibleNames(phone)).toEqual([]);
  });

  test('a change made while the list is requested stays', async () => {
    await saveOnBothDevices();
    let isChanged = false;
    const ask = globalThis.fetch;
    vi.stubGlobal('fetch', async (request: Request) => {
      const answer = await ask(request);
      if (!isChanged) {
        isChanged = true;
        await renameSearch(phone, await rowOf(phone, 'bridge'), 'Bridges', later());
      }
      return answer;
    });
    await sync(phone);
    expect(await visibleNames(phone)).toEqual(['Bridges']);
    expect(await syncAllDevices()).toEqual(['Bridges']);
  });
});

describe('a mutation of a page that was left at once', () => {
  const ROADS = 'state=Assam&district=Cachar&district=Nagaon&q=road+repair&literal=place';
  /** A mutation that a closed page has recorded. */
  const record = (owner: string, wanted: boolean, query = ROADS) =>
    localStorage.setItem(`unsaved-search ${owner} ${query}`, wanted ? '1 1000 4711' : '0 1000');
  const recordedKeys = () => Object.keys(localStorage).filter((key) => key.startsWith('unsaved-search'));
  const rows = () => withDatabase((db) => db.searches.toArray());

  afterEach(async () => {
    localStorage.clear();
    await withDatabase((db) => db.delete());
    await closeDatabase();
  });

  test('is stored at the next start and sent, with its filter and the tenders that were seen', async () => {
    record(ASHA, true);
    await syncSearches();
    expect(stored).toEqual([
      expect.objectContaining({
        name: 'road repair · Cachar, Nagaon',
        openedUpTo: 4711,
        filter: expect.objectContaining({ district: ['Cachar', 'Nagaon'], literal: 'place' }),
      }),
    ]);
    expect(recordedKeys()).toEqual([]);
    record(ASHA, true, 'q=wall');
    await syncSearches();
    record(ASHA, false);
    await syncSearches();
    const names = [stored, await rows()].map((searches) => searches.map(({ name }) => name));
    expect([names, recordedKeys()]).toEqual([[['wall'], ['wall']], []]);
  });

  test('of a signed-out device is stored there', async () => {
    clearSession();
    record('', true);
    await syncSearches();
    expect(await rows()).toMatchObject([
      { owner: '', name: 'road repair · Cachar, Nagaon', openedUpTo: 4711, savedAt: 1000, refusal: null },
    ]);
    expect(calls).toEqual([]);
    record('', false);
    await syncSearches();
    expect(await rows()).toEqual([]);
  });

  test('of another user waits for that user’s sign-in', async () => {
    record('8', true);
    await syncSearches();
    expect([stored, await rows()]).toEqual([[], []]);
    signInForTest('8');
    await syncSearches();
    expect(stored.map(({ openedUpTo }) => openedUpTo)).toEqual([4711]);
  });

  test('stays recorded while the page itself stores it', async () => {
    const mutation = recordMutation({ kind: 'search', owner: ASHA, subject: ROADS, wanted: true, seenUpTo: 4711 });
    await syncSearches();
    expect(stored).toEqual([]);
    expect(recordedKeys()).toHaveLength(1);
    deleteMutation(mutation);
    expect(recordedKeys()).toEqual([]);
  });

  test('that a full phone cannot store stays recorded for the next start', async () => {
    record(ASHA, true);
    const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('The phone is full', 'QuotaExceededError');
    });
    await expect(syncSearches()).rejects.toThrow();
    expect([recordedKeys().length, useToast.getState().current]).toEqual([1, undefined]);
    full.mockRestore();
    await syncSearches();
    expect([stored.length, recordedKeys()]).toEqual([1, []]);
  });

  test('is refused with its reason at 50 searches, and is not recorded any more', async () => {
    clearSession();
    for (let at = 0; at < 50; at++) record('', true, `q=w${at}x`);
    await syncSearches();
    record('', true);
    await syncSearches();
    expect(useToast.getState().current?.text).toBe('At most 50 searches can be saved. Delete one first.');
    expect([(await rows()).length, recordedKeys()]).toEqual([50, []]);
  });
});
