import type { Messages } from '@lingui/core';
import { addTexts, inLanguage } from '@nivida/contract/i18n';
import 'fake-indexeddb/auto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Dexie } from 'dexie';
import { afterEach, expect, test, vi } from 'vitest';
import {
  closeDatabase,
  DatabaseUnavailableError,
  hasDatabase,
  loadCode,
  observeDevice,
  storageProblem,
  useDatabaseState,
  whenDatabaseIsWanted,
  withDatabase,
} from './database.ts';
import { storageAdvice } from './storage-advice.ts';

afterEach(async () => {
  await closeDatabase();
  await Dexie.delete('nivida');
  vi.restoreAllMocks();
});

const lost = (name: string) => Object.assign(new Error('lost'), { name });

test.each(['InvalidStateError', 'UnknownError', 'DatabaseClosedError'])(
  'after %s the database is opened again and the work done once more',
  async (name) => {
    const seen: unknown[] = [];
    const answer = await withDatabase(async (db) => {
      seen.push(db);
      if (seen.length === 1) throw lost(name);
      return db.settings.count();
    });
    expect(answer).toBe(0);
    expect(seen).toHaveLength(2);
    expect(seen[0]).not.toBe(seen[1]);
  },
);

test('a lost connection is known also inside another error', async () => {
  let attempts = 0;
  const answer = await withDatabase(async (db) => {
    attempts += 1;
    if (attempts === 1) throw Object.assign(lost('AbortError'), { inner: lost('UnknownError') });
    return db.settings.count();
  });
  expect([answer, attempts]).toEqual([0, 2]);
});

test('two callers that lose the connection at once share the new one', async () => {
  const seen: unknown[][] = [[], []];
  const answers = seen.map((own) =>
    withDatabase(async (db) => {
      own.push(db);
      if (own.length === 1) throw lost('UnknownError');
      return db.settings.count();
    }),
  );
  expect(await Promise.all(answers)).toEqual([0, 0]);
  expect(seen[0]?.[1]).toBe(seen[1]?.[1]);
});

test('a connection that is lost while the database opens is tried once more', async () => {
  const { open } = indexedDB;
  let attempts = 0;
  vi.spyOn(indexedDB, 'open').mockImplementation((...named) => {
    attempts += 1;
    if (attempts === 1) throw lost('InvalidStateError');
    return open.apply(indexedDB, named);
  });
  expect(await withDatabase((db) => db.settings.count())).toBe(0);
  expect([attempts, useDatabaseState.getState().state]).toEqual([2, 'ready']);
});

test('a connection that is lost again is not tried for ever', async () => {
  let attempts = 0;
  const work = async () => {
    attempts += 1;
    throw lost('UnknownError');
  };
  await expect(withDatabase(work)).rejects.toThrow('lost');
  expect(attempts).toBe(2);
});

test('an error of the work itself is not repeated', async () => {
  let attempts = 0;
  const work = async () => {
    attempts += 1;
    throw new Error('wrong');
  };
  await expect(withDatabase(work)).rejects.toThrow('wrong');
  expect(attempts).toBe(1);
});

test('a browser that refuses the database counts as unavailable', async () => {
  vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw lost('SecurityError');
  });
  await expect(withDatabase(async (db) => db.settings.count())).rejects.toBeInstanceOf(DatabaseUnavailableError);
  expect(useDatabaseState.getState().state).toBe('unavailable');
  await expect(withDatabase(async (db) => db.settings.count())).rejects.toBeInstanceOf(DatabaseUnavailableError);
});

test.each([
  ['SecurityError', 'This browser blocks storage', 'It may be a private window. Nivida works online only here.'],
  [
    'QuotaExceededError',
    'The storage of this phone is full',
    'Free some storage, then open Nivida again. Until then Nivida works online only.',
  ],
])('a database that fails to open with %s is named: %s', async (name, problem, advice) => {
  vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw lost(name);
  });
  await expect(withDatabase((db) => db.settings.count())).rejects.toBeInstanceOf(DatabaseUnavailableError);
  expect(storageProblem()).toBe(problem);
  expect(storageAdvice()).toBe(`${problem}. ${advice}`);
});

test('the advice about the storage is whole sentences in Hindi too', () => {
  const [hindi] = Object.values(
    import.meta.glob<{ messages: Messages }>('../../../../texts/hi.po', { query: '?part=app', eager: true }),
  );
  addTexts('hi', hindi?.messages ?? {});
  expect(inLanguage('hi', storageAdvice)).toMatch(/^[^.।]+। [^.।]+। [^.।]+।$/);
});

test('code of the database that cannot be loaded is named, until the database is opened again', async () => {
  await expect(loadCode(Promise.reject(new TypeError('Failed to fetch')))).rejects.toThrow('Failed to fetch');
  expect(storageAdvice()).toBe('A part of the app could not be loaded. Open Nivida again when there is a connection.');
  await closeDatabase();
  expect(storageProblem()).toBe('This browser blocks storage');
  expect(await loadCode(Promise.resolve('code'))).toBe('code');
});

test('a full phone is named also after code that could not be loaded', async () => {
  await expect(loadCode(Promise.reject(new TypeError('Failed to fetch')))).rejects.toThrow('Failed to fetch');
  vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw lost('QuotaExceededError');
  });
  await expect(withDatabase((db) => db.settings.count())).rejects.toBeInstanceOf(DatabaseUnavailableError);
  expect(storageProblem()).toBe('The storage of this phone is full');
});

const openAndClose = async (name: string) => {
  (await opened(indexedDB.open(name))).close();
};

test('a new device is known without opening the database, where the browser lists its databases', async () => {
  await openAndClose('of another app');
  expect(await hasDatabase()).toBe(false);
  await openAndClose('nivida');
  expect(await hasDatabase()).toBe(true);
  await Dexie.delete('nivida');
  await Dexie.delete('of another app');
  const list = vi.spyOn(indexedDB, 'databases').mockRejectedValue(new Error('not allowed'));
  expect(await hasDatabase()).toBe(true);
  list.mockRestore();
  Object.defineProperty(indexedDB, 'databases', { value: undefined, configurable: true, writable: true });
  try {
    expect(await hasDatabase()).toBe(true);
  } finally {
    Reflect.deleteProperty(indexedDB, 'databases');
  }
});

test('work that can wait begins at once on a device with a database, on a new one with its first use or another’s', async () => {
  let begun = 0;
  const waitForIt = () =>
    void whenDatabaseIsWanted().then(() => {
      begun += 1;
    });
  const begunBy = async () => {
    for (let look = 0; look < 3; look += 1) await hasDatabase();
    return begun;
  };
  waitForIt();
  expect(await begunBy()).toBe(0);
  window.dispatchEvent(new Event('pointerup'));
  expect(await begunBy()).toBe(1);
  waitForIt();
  expect(await begunBy()).toBe(1);
  await withDatabase((db) => db.settings.count());
  expect(await begunBy()).toBe(2);
  await closeDatabase();
  waitForIt();
  expect(await begunBy()).toBe(3);
  // ends the wait for a touch
  window.dispatchEvent(new Event('pointerup'));
});

test('an observer that is stopped while the database opens gets no rows', async () => {
  const stopped: number[] = [];
  const others: number[] = [];
  const last: number[] = [];
  const observe = (counts: number[]) =>
    observeDevice(
      (db) => db.settings.count(),
      (count) => counts.push(count),
    );
  observe(stopped)();
  const stop = observe(others);
  await expect.poll(() => others.at(-1)).toBe(0);
  await withDatabase((db) => db.settings.put({ key: 'a', value: 1 }));
  await expect.poll(() => others.at(-1)).toBe(1);
  stop();
  const stopLast = observe(last);
  await withDatabase((db) => db.settings.put({ key: 'b', value: 1 }));
  await expect.poll(() => last.at(-1)).toBe(2);
  stopLast();
  expect([stopped, others.at(-1)]).toEqual([[], 1]);
});

test('an observer gets the error of a database that does not open', async () => {
  vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw lost('SecurityError');
  });
  const errors: unknown[] = [];
  observeDevice(
    (db) => db.settings.count(),
    () => undefined,
    (error) => errors.push(error),
  );
  await expect.poll(() => errors).toEqual([expect.any(DatabaseUnavailableError)]);
});

const opened = (request: IDBOpenDBRequest) =>
  new Promise<IDBDatabase>((resolve) => {
    request.onsuccess = () => resolve(request.result);
  });

test('a database that does not answer is given up after three seconds, and used when it answers later', async () => {
  await closeDatabase();
  await new Promise((resolve) => {
    indexedDB.deleteDatabase('nivida').onsuccess = resolve;
  });
  // An earlier version in another tab does not close: the request to open waits.
  const otherTab = await opened(indexedDB.open('nivida', 1));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const open = vi.spyOn(indexedDB, 'open');
    const failed = withDatabase((db) => db.settings.count()).catch((error: Error) => error.name);
    await expect.poll(() => open).toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await failed).toBe('DatabaseUnavailableError');
    expect(useDatabaseState.getState()).toEqual({ state: 'unavailable', isSilent: true });
    expect(storageProblem()).toBe('The storage of this browser does not answer');
    expect(storageAdvice()).toBe(
      'The storage of this browser does not answer. Close other tabs of Nivida, or restart the browser. Until then Nivida works online only.',
    );
  } finally {
    vi.useRealTimers();
  }
  const used = new Promise<void>((resolve) => useDatabaseState.subscribe(() => resolve()));
  otherTab.close();
  await used;
  expect(useDatabaseState.getState()).toEqual({ state: 'ready', isSilent: false });
  expect(await withDatabase((db) => db.settings.count())).toBe(0);
});

/** A browser that never returns its list of databases. */
const hideList = () => vi.spyOn(indexedDB, 'databases').mockReturnValue(new Promise(() => undefined));

test('a list of databases that does not come within a second is not waited for: the database opens', async () => {
  hideList();
  const states = new Set<string>();
  const stopWatching = useDatabaseState.subscribe(({ state }) => states.add(state));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const found = hasDatabase();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await found).toBe(true);
    expect(await withDatabase((db) => db.settings.count())).toBe(0);
    expect([...states]).toEqual(['ready']);
  } finally {
    stopWatching();
    vi.useRealTimers();
  }
});

test.each([
  ['that is first asked for the list', 1_000],
  ['that is asked to open half a second after the list', 500],
])(
  'storage %s and does neither within three seconds in all does not answer, until it opens',
  async (_, openedAfter) => {
    // Another tab keeps the database from opening.
    const otherTab = await opened(indexedDB.open('nivida', 1));
    hideList();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      const found = hasDatabase();
      const { open } = indexedDB;
      // `expect.poll` would advance the timers.
      const opening = new Promise<void>((resolve) => {
        vi.spyOn(indexedDB, 'open').mockImplementation((...named) => {
          resolve();
          return open.apply(indexedDB, named);
        });
      });
      await vi.advanceTimersByTimeAsync(openedAfter);
      if (openedAfter === 1_000) expect(await found).toBe(true);
      else withDatabase((db) => db.settings.count()).catch(() => undefined);
      // A later caller does not wait again.
      expect(await hasDatabase()).toBe(true);
      await opening;
      await vi.advanceTimersByTimeAsync(3_000 - openedAfter - 1);
      expect(useDatabaseState.getState()).toEqual({ state: 'closed', isSilent: false });
      await vi.advanceTimersByTimeAsync(1);
      expect(useDatabaseState.getState()).toEqual({ state: 'unavailable', isSilent: true });
      expect(storageProblem()).toBe('The storage of this browser does not answer');
      await expect(withDatabase((db) => db.settings.count())).rejects.toBeInstanceOf(DatabaseUnavailableError);
    } finally {
      vi.useRealTimers();
    }
    otherTab.close();
    await expect.poll(() => useDatabaseState.getState()).toEqual({ state: 'ready', isSilent: false });
    expect(await withDatabase((db) => db.settings.count())).toBe(0);
  },
);

test('an observer of a database that did not answer gets the rows once it opens, unless it is stopped', async () => {
  const otherTab = await opened(indexedDB.open('nivida', 1));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const seen: unknown[] = [];
  const stopped: unknown[] = [];
  const observe = (all: unknown[]) =>
    observeDevice(
      (db) => db.settings.count(),
      (count) => all.push(count),
      (error) => all.push((error as Error).name),
    );
  const stops = [seen, stopped].map(observe);
  try {
    const open = vi.spyOn(indexedDB, 'open');
    await expect.poll(() => open).toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(3_000);
    await expect.poll(() => [seen, stopped]).toEqual([['DatabaseUnavailableError'], ['DatabaseUnavailableError']]);
  } finally {
    vi.useRealTimers();
  }
  stops[1]?.();
  otherTab.close();
  await expect.poll(() => seen).toEqual(['DatabaseUnavailableError', 0]);
  await withDatabase((db) => db.settings.put({ key: 'a', value: 1 }));
  await expect.poll(() => seen.at(-1)).toBe(1);
  stops[0]?.();
  expect(stopped).toEqual(['DatabaseUnavailableError']);
});

test('the changes of another test file, whose worker has a database of the same name, are not seen', async () => {
  const [dexie, own] = [1, 2].map(() => new BroadcastChannel('x-storagemutated-1'));
  const seen: unknown[] = [];
  dexie?.addEventListener('message', ({ data }) => seen.push(data));
  const other = new Worker(
    `const channel = new BroadcastChannel('x-storagemutated-1');
     channel.postMessage('of another worker');
     channel.close();`,
    { eval: true },
  );
  await once(other, 'exit');
  own?.postMessage('of this worker');
  await expect.poll(() => seen.at(-1)).toBe('of this worker');
  expect(seen).toEqual(['of this worker']);
  for (const channel of [dexie, own]) channel?.close();
});
