import { HOUR_MS } from '@nivida/contract/time';
import 'fake-indexeddb/auto';
import { locks as realLocks } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { DeviceDatabase } from '../../data/device/schema.ts';
import { DEFAULT_ENGINE_QUERY } from '../engine/query.ts';
import type { PackStatus } from './pack-status.ts';
import type { PackMessage } from './packs.ts';
import { TestServer } from './test-server.ts';

const SCOPE = 'himachal-pradesh';
const NOW = new Date('2026-11-10T06:00:00Z');
const CLOSES = Date.parse('2026-11-20T05:30:00Z');
const HOUSES = [1, 2, 3, 4].map((id) => ({ id, title: `House number ${id}` }));

let server: TestServer;

/** A fake of the Web Locks API, shared by tabs. */
function locks() {
  let last: Promise<unknown> = Promise.resolve();
  return {
    request: (_name: string, work: () => Promise<unknown>) => {
      const mine = last.then(work);
      last = mine;
      return mine;
    },
  };
}

/** Opens a tab: its modules share only database, locks and channels with other tabs. */
/** The messages that the packs of a tab show. */
function showMessages({ onPackMessage }: Pick<typeof import('./packs.ts'), 'onPackMessage'>): PackMessage[] {
  const messages: PackMessage[] = [];
  onPackMessage((message) => messages.push(message));
  return messages;
}

async function openTab() {
  vi.resetModules();
  const [packs, status, device] = await Promise.all([
    import('./packs.ts'),
    import('./pack-status.ts'),
    import('../../data/device/database.ts'),
  ]);
  const messages = showMessages(packs);
  await packs.startPacks();
  const isWhole = () => {
    const { scopes } = status.usePacks.getState();
    const parts = Object.keys(scopes[SCOPE]?.row.files ?? {});
    return parts.filter((name) => name.startsWith('index ')).length === 2 && scopes[SCOPE]?.isRunning === false;
  };
  return { ...packs, ...status, ...device, isWhole, messages };
}

/** The database needs the other timers. */
const TIMERS = { toFake: ['setTimeout', 'clearTimeout'] as 'setTimeout'[] };

beforeEach(() => {
  // Timers of a closed tab end with its test: its next attempt would ask the server of a later test.
  vi.useFakeTimers({ ...TIMERS, shouldAdvanceTime: true });
  server = new TestServer(HOUSES);
  vi.stubGlobal('fetch', server.fetch);
});
afterEach(async () => {
  const db = new DeviceDatabase('nivida');
  await Promise.all(db.tables.map((table) => table.clear()));
  db.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  localStorage.clear();
  Reflect.deleteProperty(navigator, 'connection');
});

/** Sets the kind of connection that the browser reports; returns a function that changes it. */
function reportConnection(type: string): (to: string) => void {
  const connection = Object.assign(new EventTarget(), { type });
  Object.defineProperty(navigator, 'connection', { value: connection, configurable: true });
  return (to) => {
    connection.type = to;
    connection.dispatchEvent(new Event('change'));
  };
}

/** Many reads of the database: a refresh that had begun would have asked the server by now. */
async function readManyTimes({ withDatabase }: Awaited<ReturnType<typeof openTab>>): Promise<void> {
  for (let read = 0; read < 30; read += 1) await withDatabase((db) => db.scopes.count());
}

describe.each([
  ['with locks', locks()],
  ['without locks', undefined],
])('two tabs, %s,', (_how, found) => {
  test('fetch each file once, and both show the pack', async () => {
    vi.spyOn(navigator, 'locks', 'get').mockReturnValue(found as never);
    const one = await openTab();
    const other = await openTab();
    const saved = other.savePack(SCOPE);
    // A new device stores nothing before the first touch.
    window.dispatchEvent(new Event('pointerup'));
    await saved;
    one.refreshPacks(SCOPE);
    await expect.poll(() => [one.isWhole(), other.isWhole()]).toEqual([true, true]);
    expect([...server.filesAsked].sort()).toEqual([...new Set(server.filesAsked)].sort());
    expect(server.filesAsked).toHaveLength(4);
    expect(one.searchableScopes(one.usePacks.getState())).toEqual([SCOPE]);
    await Promise.all([one.closeDatabase(), other.closeDatabase()]);
  });
});

/** A response that stops after its first bytes; with an ETag they are stored. */
const stalled = (etag = '') =>
  new Response(new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode('{')) }), {
    headers: { etag },
  });

test.each(['/delta', `/${SCOPE}`, 'segments'])(
  'an answer of %s that stops in the middle ends the refresh, and the next one comes by itself',
  async (path) => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
    vi.useFakeTimers(TIMERS);
    let stalls = 1;
    server.fault = async (asked) => (asked.includes(path) && stalls-- > 0 ? stalled() : undefined);
    const tab = await openTab();
    await tab.savePack(SCOPE);
    await expect.poll(() => stalls).toBeLessThan(1);
    await vi.advanceTimersByTimeAsync(20_000);
    await expect.poll(() => tab.usePacks.getState().scopes[SCOPE]?.problem).toBe('network');
    await vi.advanceTimersByTimeAsync(15_000);
    await expect.poll(() => tab.isWhole()).toBe(true);
    await tab.closeDatabase();
  },
);

test('a pack that the server is preparing is no failure, and the download starts by itself after the pause', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  vi.useFakeTimers(TIMERS);
  let isReady = false;
  server.fault = async (asked) =>
    asked.endsWith(`/${SCOPE}`) && !isReady
      ? Response.json(
          { code: 'NOT_READY', message: 'This download is being prepared.', requestId: 'r' },
          { status: 503, headers: { 'retry-after': '2' } },
        )
      : undefined;
  const tab = await openTab();
  await tab.savePack(SCOPE);
  const status = () => tab.usePacks.getState().scopes[SCOPE];
  // The call itself is repeated twice.
  await expect.poll(() => server.requestedPaths).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(300);
  await expect.poll(() => server.requestedPaths).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(600);
  await expect.poll(() => status()?.problem).toBe('preparing');
  expect(status()?.row.isPaused).toBeFalsy();
  isReady = true;
  await vi.advanceTimersByTimeAsync(2_500);
  await expect.poll(() => tab.isWhole()).toBe(true);
  expect(status()?.problem).toBeNull();
  await tab.closeDatabase();
});

/** True when no refresh runs and the last one ended with `problem`. */
function hasEnded({ usePacks }: Awaited<ReturnType<typeof openTab>>, problem: string): boolean {
  const status = usePacks.getState().scopes[SCOPE];
  return status?.isRunning === false && status.problem === problem;
}

/** Waits without moving the timers, which `expect.poll` would do. */
async function until(isDone: () => boolean, tab: Awaited<ReturnType<typeof openTab>>): Promise<void> {
  for (let round = 0; !isDone() && round < 100; round += 1) await readManyTimes(tab);
  expect(isDone()).toBe(true);
}

/** Lets the timers run to just before `ms`, checks that no request is made, and then to `ms`. */
async function expectRequestAfter(ms: number, tab: Awaited<ReturnType<typeof openTab>>): Promise<void> {
  const asked = server.requestedPaths.length;
  await vi.advanceTimersByTimeAsync(ms - 5);
  await readManyTimes(tab);
  expect([ms, server.requestedPaths.length - asked]).toEqual([ms, 0]);
  await vi.advanceTimersByTimeAsync(5);
  await until(() => server.requestedPaths.length > asked, tab);
}

describe('the pauses between two requests', () => {
  beforeEach(() => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
    // Tabs of other tests would take part.
    vi.spyOn(navigator, 'locks', 'get').mockReturnValue(locks() as never);
    vi.stubGlobal('BroadcastChannel', undefined);
    vi.useFakeTimers(TIMERS);
  });
  afterEach(() => void vi.useRealTimers());

  /** Opens a tab with a complete pack that was confirmed long ago. */
  async function openOldPack() {
    const tab = await openTab();
    await tab.savePack(SCOPE);
    await expect.poll(() => tab.isWhole()).toBe(true);
    await readManyTimes(tab);
    await tab.withDatabase((db) => db.scopes.toCollection().modify({ savedAt: 0 }));
    return tab;
  }

  test('for a server that fails grow from 15 seconds to 16 minutes, and begin again after a success', async () => {
    const tab = await openOldPack();
    const fail = async () => Response.json({ code: 'INTERNAL' }, { status: 500 });
    server.fault = fail;
    tab.refreshPacks();
    await until(() => hasEnded(tab, 'server'), tab);
    for (const seconds of [15, 30, 60, 120, 240, 480, 960]) {
      await expectRequestAfter(1_000 * seconds, tab);
      await until(() => hasEnded(tab, 'server'), tab);
    }
    server.fault = async () => undefined;
    await vi.advanceTimersByTimeAsync(960_000);
    await expect.poll(() => tab.isWhole()).toBe(true);
    server.fault = fail;
    tab.refreshPacks(SCOPE);
    await until(() => hasEnded(tab, 'server'), tab);
    await tab.withDatabase((db) => db.scopes.toCollection().modify({ savedAt: 0 }));
    await expectRequestAfter(15_000, tab);
    await tab.closeDatabase();
  });

  /** An answer that breaks off. */
  const broken = () =>
    new Response(new ReadableStream({ start: (body) => body.error(new TypeError('Failed to fetch')) }));

  test('begin again when bytes of a file have arrived, but not for bytes that were stored before', async () => {
    const tab = await openOldPack();
    const fail = async () => Response.json({ code: 'INTERNAL' }, { status: 500 });
    server.fault = fail;
    tab.refreshPacks();
    await until(() => hasEnded(tab, 'server'), tab);
    for (const seconds of [15, 30]) {
      await expectRequestAfter(1_000 * seconds, tab);
      await until(() => hasEnded(tab, 'server'), tab);
    }
    server.restart([{ id: 21, title: 'Canal' }]);
    server.fault = async (path) => (path.includes('segments') ? stalled('"1"') : undefined);
    await expectRequestAfter(60_000, tab);
    await until(() => server.filesAsked.length === 5, tab);
    await readManyTimes(tab);
    await vi.advanceTimersByTimeAsync(20_000);
    await until(() => hasEnded(tab, 'network'), tab);
    server.fault = async (path) => (path.includes('segments') ? fail() : undefined);
    for (const seconds of [15, 30]) {
      await expectRequestAfter(1_000 * seconds, tab);
      await until(() => hasEnded(tab, 'server'), tab);
    }
    await tab.closeDatabase();
  });

  test('are those of one request more, however often all packs are to be updated while one is', async () => {
    const tab = await openOldPack();
    let answer: (() => void) | undefined;
    server.fault = () =>
      new Promise((resolve) => {
        answer = () => resolve(Response.json({ code: 'INTERNAL' }, { status: 500 }));
      });
    const asked = server.requestedPaths.length;
    tab.refreshPacks();
    await until(() => answer !== undefined, tab);
    for (let round = 0; round < 5; round += 1) tab.refreshPacks();
    server.fault = async () => Response.json({ code: 'INTERNAL' }, { status: 500 });
    answer?.();
    await until(() => server.requestedPaths.length === asked + 2, tab);
    await readManyTimes(tab);
    expect(server.requestedPaths).toHaveLength(asked + 2);
    tab.refreshPacks();
    await until(() => server.requestedPaths.length === asked + 3, tab);
    await tab.closeDatabase();
  });

  test.each(['silent', 'unreachable'] as const)(
    'end at once when a network that was %s carries bytes again',
    async (before) => {
      const tab = await openOldPack();
      const { useReachability } = await import('../../data/server/reachability.ts');
      const answerAgain = () => {
        useReachability.setState({ status: before });
        useReachability.setState({ status: 'reachable' });
      };
      // The server answers, and its files break off: only the download waits.
      server.restart([{ id: 21, title: 'Canal' }]);
      server.fault = async (path) => (path.includes('segments') ? broken() : undefined);
      tab.refreshPacks();
      await until(() => hasEnded(tab, 'network'), tab);
      server.fault = async () => Response.json({ code: 'INTERNAL' }, { status: 500 });
      answerAgain();
      await until(() => hasEnded(tab, 'server'), tab);
      // A server that fails is not asked earlier.
      const asked = server.requestedPaths.length;
      answerAgain();
      await readManyTimes(tab);
      expect(server.requestedPaths).toHaveLength(asked);
      await tab.closeDatabase();
    },
  );

  test('end within a minute when a network that carried nothing is back without a word of the browser', async () => {
    const tab = await openOldPack();
    let failures = 0;
    tab.usePacks.subscribe(({ scopes }, { scopes: before }) => {
      if (before[SCOPE]?.isRunning && scopes[SCOPE]?.problem === 'network') failures += 1;
    });
    const pass = async (isDone: () => boolean, maxSeconds: number) => {
      for (let second = 0; second < maxSeconds && !isDone(); second += 1) {
        await vi.advanceTimersByTimeAsync(1_000);
        await readManyTimes(tab);
      }
      expect(isDone()).toBe(true);
    };
    server.fault = () => Promise.reject(new TypeError('Failed to fetch'));
    tab.refreshPacks();
    await pass(() => failures === 5, 300);
    // By the clock the next attempt would be after four minutes.
    server.fault = async () => undefined;
    await pass(() => (tab.usePacks.getState().scopes[SCOPE]?.row.savedAt ?? 0) > 0, 61);
    await tab.closeDatabase();
  });

  test.each([
    ['2', [2, 3, 4.5, 6.75]],
    ['50', [50, 60, 60]],
    ['none', [1, 1.5]],
  ])('for a pack that is being prepared are those of Retry-After %s, then longer ones', async (retryAfter, pauses) => {
    const tab = await openOldPack();
    // Each pause is a tenth longer than the shortest one.
    vi.spyOn(Math, 'random').mockReturnValue(0.4);
    server.restart(HOUSES);
    let isReady = false;
    server.fault = async (asked) =>
      asked.endsWith(`/${SCOPE}`) && !isReady
        ? Response.json({ code: 'NOT_READY' }, { status: 503, headers: { 'retry-after': retryAfter } })
        : undefined;
    const isManifest = (path: string) => path.endsWith(`/${SCOPE}`);
    const manifests = () => server.requestedPaths.filter(isManifest).length;
    /** The call itself is repeated twice. */
    const repeat = async (asked: number) => {
      await until(() => manifests() === asked + 1, tab);
      await readManyTimes(tab);
      await vi.advanceTimersByTimeAsync(300);
      await until(() => manifests() === asked + 2, tab);
      await readManyTimes(tab);
      await vi.advanceTimersByTimeAsync(600);
      await until(() => manifests() === asked + 3 && hasEnded(tab, 'preparing'), tab);
    };
    let asked = manifests();
    tab.refreshPacks();
    await repeat(asked);
    for (const seconds of pauses) {
      asked = manifests();
      await vi.advanceTimersByTimeAsync(1_100 * seconds - 5);
      await readManyTimes(tab);
      expect([seconds, manifests()]).toEqual([seconds, asked]);
      await vi.advanceTimersByTimeAsync(6);
      await repeat(asked);
    }
    isReady = true;
    await vi.advanceTimersByTimeAsync(66_000);
    await expect.poll(() => tab.usePacks.getState().scopes[SCOPE]?.problem).toBeNull();
    await tab.closeDatabase();
  });
});

test('a tab becomes the leader when the leading tab no longer answers', async () => {
  vi.spyOn(navigator, 'locks', 'get').mockReturnValue(realLocks as never);
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  // A frozen tab receives no messages; tabs of other tests would.
  vi.stubGlobal('BroadcastChannel', undefined);
  const frozen = realLocks.request('nivida-sync', () => new Promise(() => undefined)).catch((error: unknown) => error);
  vi.useFakeTimers(TIMERS);
  const tab = await openTab();
  await tab.savePack(SCOPE);
  expect(server.requestedPaths).toEqual([]);
  await vi.advanceTimersByTimeAsync(10_000);
  await expect.poll(() => tab.isWhole()).toBe(true);
  expect(await frozen).toMatchObject({ name: 'AbortError' });
  await tab.closeDatabase();
});

/** A fake of BroadcastChannel. A message arrives in the next microtask. */
function channels() {
  const open = new Set<EventTarget>();
  return class extends EventTarget {
    constructor() {
      super();
      open.add(this);
    }
    postMessage(data: unknown) {
      const others = [...open].filter((each) => each !== this);
      queueMicrotask(() => {
        for (const each of others) each.dispatchEvent(new MessageEvent('message', { data }));
      });
    }
  };
}

describe('of two tabs', () => {
  const STEAL = [['nivida-sync', { steal: true }, expect.any(Function)]];

  beforeEach(() => {
    vi.spyOn(navigator, 'locks', 'get').mockReturnValue(locks() as never);
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
    vi.stubGlobal('BroadcastChannel', channels());
    vi.useFakeTimers(TIMERS);
  });
  test('a leading tab that answers stays the leader', async () => {
    const leader = await openTab();
    const other = await openTab();
    const request = vi.spyOn(navigator.locks, 'request');
    await other.savePack(SCOPE);
    await new Promise<void>((resolve) => {
      const look = () => leader.isWhole() && other.isWhole() && resolve();
      leader.usePacks.subscribe(look);
      other.usePacks.subscribe(look);
      look();
    });
    // The pack is fresh: the leader answers without a fetch.
    const asked = server.requestedPaths.length;
    other.refreshPacks();
    await vi.advanceTimersByTimeAsync(10_000);
    expect([request.mock.calls, server.requestedPaths.length]).toEqual([[], asked]);
    await Promise.all([leader.closeDatabase(), other.closeDatabase()]);
  });

  test.each([
    ['six minutes ago gives way, also when the clock was put back', 6, -60, STEAL],
    ['a minute ago stays the leader, also when the clock was put forward', 1, 60, []],
  ])('a leading tab that made its last step %s', async (_what, minutes, clock, requests) => {
    const leader = await openTab();
    const other = await openTab();
    const request = vi.spyOn(navigator.locks, 'request');
    await new Promise<void>((resolve) => {
      server.fault = () => {
        resolve();
        return new Promise(() => undefined);
      };
      void leader.savePack(SCOPE);
    });
    const [since, now] = [performance.now(), Date.now()];
    vi.spyOn(performance, 'now').mockReturnValue(since + minutes * 60_000);
    vi.spyOn(Date, 'now').mockReturnValue(now + (minutes + clock) * 60_000);
    other.refreshPacks(SCOPE);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(request.mock.calls).toEqual(requests);
    await Promise.all([leader.closeDatabase(), other.closeDatabase()]);
  });
});

test('another tab shows that a download runs, how much has arrived, and why it has stopped', async () => {
  vi.spyOn(navigator, 'locks', 'get').mockReturnValue(locks() as never);
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  vi.stubGlobal('BroadcastChannel', channels());
  const leader = await openTab();
  const other = await openTab();
  await leader.savePack(SCOPE);
  await expect.poll(() => [leader.isWhole(), other.isWhole()]).toEqual([true, true]);
  server.restart(HOUSES.map(({ id, title }) => ({ id, title: title + ' of stone'.repeat(1_000) })));
  let breakOff = () => {};
  server.fault = async (path, answer) => {
    if (!path.includes('segments')) return undefined;
    const bytes = new Uint8Array(await (await answer()).arrayBuffer());
    const start = (body: ReadableStreamDefaultController) => {
      breakOff = () => body.error(new TypeError('Failed to fetch'));
      body.enqueue(bytes.subarray(0, 5_000));
    };
    return new Response(new ReadableStream({ start }));
  };
  leader.refreshPacks(SCOPE);
  const shown = () => other.usePacks.getState().scopes[SCOPE];
  await expect.poll(() => Object.values(shown()?.received ?? {})).toEqual([5_000]);
  expect(shown()).toMatchObject({ isRunning: true, problem: null });
  server.fault = async () => Response.json({ code: 'INTERNAL' }, { status: 500 });
  breakOff();
  await expect.poll(shown).toMatchObject({ isRunning: false, problem: 'server' });
  await Promise.all([leader.closeDatabase(), other.closeDatabase()]);
});

test('a first pack with all list fields can be searched after an offline restart', async () => {
  const isAsked = (path: string) => server.requestedPaths.some((each) => each.endsWith(path));
  server.fault = (path) => (path.endsWith('/delta') ? new Promise(() => undefined) : Promise.resolve(undefined));
  const closed = await openTab();
  await closed.savePack(SCOPE);
  await expect.poll(() => isAsked('/delta')).toBe(true);
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const tab = await openTab();
  expect(tab.searchableScopes(tab.usePacks.getState())).toEqual([SCOPE]);
  const { openScopeEngine: openScope } = await import('./local-engines.ts');
  const opened = await openScope(SCOPE);
  expect(opened?.isComplete).toBe(false);
  const answer = await opened?.engine.search({ ...DEFAULT_ENGINE_QUERY, q: 'house' }, new Date('2026-11-10T06:00:00Z'));
  expect(answer?.total).toBe(4);
  await closed.closeDatabase();
});

test.each([
  [['goa', 'assam'], true],
  [['goa', 'assam', 'bihar'], false],
  [['india'], false],
  [[SCOPE], false],
])('beside the packs %j a state is saved without a request: %s', async (here, canSave) => {
  const tab = await openTab();
  tab.usePacks.setState({ scopes: Object.fromEntries(here.map((scope) => [scope, {} as PackStatus])) });
  expect(tab.canSaveAutomatically(SCOPE)).toBe(canSave);
  await tab.closeDatabase();
});

test('a state that the user has removed is saved again only by a tap', async () => {
  const tab = await openTab();
  await tab.savePackAutomatically(SCOPE);
  await expect.poll(() => tab.isWhole()).toBe(true);
  await tab.removePack(SCOPE);
  expect(tab.usePacks.getState().scopes).toEqual({});
  await tab.savePackAutomatically(SCOPE);
  expect(tab.usePacks.getState().scopes).toEqual({});
  await tab.savePack(SCOPE);
  await expect.poll(() => tab.isWhole()).toBe(true);
  expect(await tab.withDatabase((db) => db.settings.get('removed scopes'))).toMatchObject({ value: [] });
});

test('a state that is saved asks the browser to keep it, and stores the app, without which it cannot be searched', async () => {
  const messages: object[] = [];
  let asked = 0;
  const worker = { ready: Promise.resolve({ active: { postMessage: (message: object) => messages.push(message) } }) };
  const persist = async () => {
    asked += 1;
    return true;
  };
  Object.defineProperty(navigator, 'serviceWorker', { value: worker, configurable: true });
  Object.defineProperty(navigator, 'storage', {
    value: { persisted: async () => false, persist },
    configurable: true,
  });
  onTestFinished(() => {
    for (const name of ['serviceWorker', 'storage']) Reflect.deleteProperty(navigator, name);
  });
  const tab = await openTab();
  await tab.savePack(SCOPE);
  await expect.poll(() => [messages, asked]).toEqual([[{ type: 'STORE_APP' }], 1]);
  await expect.poll(() => tab.isWhole()).toBe(true);
  await tab.closeDatabase();
});

test('a state that is removed while it is downloaded makes way for the next one at once', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  vi.useFakeTimers(TIMERS);
  server.fault = async (path) => (path.includes('segments') ? stalled() : undefined);
  const tab = await openTab();
  await tab.savePack(SCOPE);
  await until(() => server.filesAsked.length > 0, tab);
  await tab.removePack(SCOPE);
  server.fault = async () => undefined;
  await tab.savePack(SCOPE);
  await until(() => tab.isWhole(), tab);
  await tab.closeDatabase();
});

test('storage that does not answer is named, and what is saved is read when it answers', async () => {
  const before = await openTab();
  await before.savePack(SCOPE);
  await expect.poll(() => before.isWhole()).toBe(true);
  await before.closeDatabase();
  vi.resetModules();
  const [packs, { usePacks }, { closeDatabase, useDatabaseState }] = await Promise.all([
    import('./packs.ts'),
    import('./pack-status.ts'),
    import('../../data/device/database.ts'),
  ]);
  const messages = showMessages(packs);
  useDatabaseState.setState({ state: 'unavailable', isSilent: true });
  await packs.startPacks();
  expect(usePacks.getState()).toMatchObject({ isRead: true, scopes: {} });
  expect(messages).toEqual([
    { text: 'The storage of this browser does not answer. What is saved here cannot be shown now.' },
  ]);
  useDatabaseState.setState({ state: 'ready', isSilent: false });
  await expect.poll(() => Object.keys(usePacks.getState().scopes)).toEqual([SCOPE]);
  await closeDatabase();
});

test('what is saved in storage that does not list its databases is read after a second, without a message', async () => {
  const before = await openTab();
  await before.savePack(SCOPE);
  await expect.poll(() => before.isWhole()).toBe(true);
  await before.closeDatabase();
  vi.resetModules();
  const [packs, { usePacks }, { closeDatabase }] = await Promise.all([
    import('./packs.ts'),
    import('./pack-status.ts'),
    import('../../data/device/database.ts'),
  ]);
  const messages = showMessages(packs);
  vi.spyOn(indexedDB, 'databases').mockReturnValue(new Promise(() => undefined));
  vi.useFakeTimers(TIMERS);
  void packs.startPacks();
  await vi.advanceTimersByTimeAsync(999);
  expect(usePacks.getState().isRead).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await expect.poll(() => Object.keys(usePacks.getState().scopes)).toEqual([SCOPE]);
  expect(messages).toEqual([]);
  await closeDatabase();
});

test('storage that neither lists its databases nor opens one is named after three seconds, and the screens go on without it', async () => {
  vi.resetModules();
  const [packs, { usePacks }, { closeDatabase }] = await Promise.all([
    import('./packs.ts'),
    import('./pack-status.ts'),
    import('../../data/device/database.ts'),
  ]);
  const messages = showMessages(packs);
  vi.spyOn(indexedDB, 'databases').mockReturnValue(new Promise(() => undefined));
  const { promise: opening, resolve } = Promise.withResolvers<void>();
  const open = vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    resolve();
    return new EventTarget() as IDBOpenDBRequest;
  });
  vi.useFakeTimers({ toFake: [...TIMERS.toFake, 'performance'] });
  void packs.startPacks();
  await vi.advanceTimersByTimeAsync(1_000);
  await opening;
  open.mockRestore();
  const shown = () => [usePacks.getState().isRead, messages[0]?.text];
  expect(shown()).toEqual([false, undefined]);
  await vi.advanceTimersByTimeAsync(1_999);
  expect(shown()).toEqual([false, undefined]);
  await vi.advanceTimersByTimeAsync(1);
  expect(shown()).toEqual([
    true,
    'The storage of this browser does not answer. What is saved here cannot be shown now.',
  ]);
  await closeDatabase();
});

test('on Wi-Fi only nothing is fetched on a mobile connection, also after a restart, but what the user resumes', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  reportConnection('cellular');
  const closed = await openTab();
  await closed.setWifiOnly(true);
  await closed.savePack(SCOPE);
  const tab = await openTab();
  expect(tab.usePacks.getState().isWifiOnly).toBe(true);
  tab.refreshPacks(SCOPE);
  await readManyTimes(tab);
  expect(server.requestedPaths).toEqual([]);
  await tab.resumePack(SCOPE);
  await expect.poll(() => tab.isWhole()).toBe(true);
  await Promise.all([closed.closeDatabase(), tab.closeDatabase()]);
});

test('on Wi-Fi only a download stops when the connection becomes mobile, and goes on with Wi-Fi', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  const change = reportConnection('wifi');
  server.fault = async (path) => (path.includes('segments') ? stalled() : undefined);
  const tab = await openTab();
  await tab.setWifiOnly(true);
  await tab.savePack(SCOPE);
  await expect.poll(() => server.filesAsked).not.toEqual([]);
  change('cellular');
  await expect.poll(() => tab.usePacks.getState().scopes[SCOPE]).toMatchObject({ isRunning: false, problem: null });
  server.fault = async () => undefined;
  change('wifi');
  await expect.poll(() => tab.isWhole()).toBe(true);
  await tab.closeDatabase();
});

test('on Wi-Fi only, set in another tab, the leading tab stops its download, and goes on when it is off', async () => {
  vi.spyOn(navigator, 'locks', 'get').mockReturnValue(locks() as never);
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  vi.stubGlobal('BroadcastChannel', channels());
  reportConnection('cellular');
  server.fault = async (path) => (path.includes('segments') ? stalled() : undefined);
  const leader = await openTab();
  const other = await openTab();
  await leader.savePack(SCOPE);
  await expect.poll(() => server.filesAsked).not.toEqual([]);
  await other.setWifiOnly(true);
  await expect.poll(() => leader.usePacks.getState().scopes[SCOPE]).toMatchObject({ isRunning: false, problem: null });
  const asked = server.requestedPaths.length;
  other.refreshPacks();
  await readManyTimes(leader);
  expect(server.requestedPaths).toHaveLength(asked);
  server.fault = async () => undefined;
  await other.setWifiOnly(false);
  await expect.poll(() => [leader.isWhole(), other.isWhole()]).toEqual([true, true]);
  await Promise.all([leader.closeDatabase(), other.closeDatabase()]);
});

test('a download that was interrupted a moment ago goes on, although the pack in use is fresh', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  const tab = await openTab();
  await tab.savePack(SCOPE);
  await expect.poll(() => tab.isWhole()).toBe(true);
  server.restart([{ id: 21, title: 'Canal' }]);
  server.fault = async (path) => {
    if (path.includes('segments')) throw new TypeError('Failed to fetch');
    return undefined;
  };
  tab.refreshPacks(SCOPE);
  await expect.poll(() => tab.usePacks.getState().scopes[SCOPE]?.problem, { timeout: 8_000 }).toBe('network');
  server.fault = async () => undefined;
  tab.refreshPacks();
  await expect.poll(() => tab.usePacks.getState().scopes[SCOPE]?.row.current?.rows).toBe(1);
  await tab.closeDatabase();
});

test('details that were interrupted a moment ago are fetched, although the pack in use is fresh', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  server.fault = async (path) => {
    if (path.includes('segments') && server.filesAsked.length > 3) throw new TypeError('Failed to fetch');
    return undefined;
  };
  const tab = await openTab();
  await tab.savePack(SCOPE);
  await expect.poll(() => tab.usePacks.getState().scopes[SCOPE]?.problem, { timeout: 8_000 }).toBe('network');
  server.fault = async () => undefined;
  tab.refreshPacks();
  await expect.poll(() => tab.isWhole()).toBe(true);
  await tab.closeDatabase();
});

test('a pack that was confirmed by a clock ahead is refreshed', async () => {
  const tab = await openTab();
  await tab.savePack(SCOPE);
  await expect.poll(() => tab.isWhole()).toBe(true);
  const savedAt = Date.now() + 24 * HOUR_MS;
  await tab.withDatabase((db) => db.scopes.toCollection().modify({ savedAt }));
  const asked = server.requestedPaths.length;
  tab.refreshPacks();
  await expect.poll(() => server.requestedPaths.length).toBeGreaterThan(asked);
  await expect.poll(() => tab.usePacks.getState().scopes[SCOPE]?.row.savedAt).toBeLessThan(savedAt);
  await tab.closeDatabase();
});

test('an unreadable pack is fetched again once', async () => {
  const tab = await openTab();
  const { openScopeEngine: openScope } = await import('./local-engines.ts');
  await tab.savePack(SCOPE);
  await expect.poll(() => tab.isWhole()).toBe(true);
  const spoil = () =>
    tab.withDatabase((db) =>
      db.packFiles.toCollection().modify((part) => {
        if (part.kind === 'index') part.index = new Blob([new ArrayBuffer(64)]);
      }),
    );
  await spoil();
  await expect(openScope(SCOPE)).rejects.toThrow();
  await expect.poll(() => server.filesAsked).toHaveLength(8);
  await expect.poll(() => tab.isWhole()).toBe(true);
  expect((await openScope(SCOPE))?.isComplete).toBe(true);
  await spoil();
  const row = tab.usePacks.getState().scopes[SCOPE]?.row;
  if (row) tab.setRow({ ...row, changed: row.changed + 1 });
  await expect(openScope(SCOPE)).rejects.toThrow();
  await readManyTimes(tab);
  expect(server.filesAsked).toHaveLength(8);
  const countParts = () => tab.withDatabase((db) => db.packFiles.count());
  const parts = await countParts();
  await tab.refetchPack(SCOPE);
  expect([parts, await countParts()]).toEqual([2, 2]);
});

test('the engine loads a pack again after each step that changes what it finds or says', async () => {
  const tab = await openTab();
  const { packVersion } = await import('./local-engines.ts');
  await tab.savePack(SCOPE);
  await expect.poll(() => tab.isWhole()).toBe(true);
  const row = tab.usePacks.getState().scopes[SCOPE]?.row;
  if (!row?.current) throw new Error('there is no pack');
  const { current } = row;
  const changed = [
    row,
    { ...row, files: { ...row.files, 'index 3 3': 1 } },
    ...[{ epoch: 'other' }, { cursor: 'later' }, { checked: { hptenders: '2026-11-10T06:00:00.000Z' } }].map(
      (part) => ({
        ...row,
        current: { ...current, ...part },
      }),
    ),
  ];
  expect(new Set(changed.map(packVersion)).size).toBe(changed.length);
  expect(packVersion({ ...row, files: { ...row.files, 'list 3 3': 1 }, savedAt: 1 })).toBe(packVersion(row));
  expect(packVersion({ ...row, current: null })).toBe('');
});

test.each([
  ['goa', ['goa', 'india'], 'goa'],
  ['assam', ['goa', 'india'], 'india'],
  ['assam', ['goa'], undefined],
  [undefined, ['goa', 'india'], 'india'],
  [undefined, ['goa'], undefined],
])('a search in %s is answered by one of %j: %s', async (state, here, scope) => {
  const { searchableScopeFor } = await import('./local-engines.ts');
  expect(searchableScopeFor(state, here)).toBe(scope);
});

test('another state is saved beside the first one', async () => {
  const tab = await openTab();
  await tab.withDatabase(async (db) => {
    const files = { 'index 1': 8 };
    await db.scopes.add({ scope: 'delhi', current: null, next: null, files, savedAt: 0, changed: 0, replaces: null });
    await db.packFiles.add({ scope: 'delhi', name: 'index 1', kind: 'index', index: new ArrayBuffer(8) });
  });
  server.fault = async (path) => {
    if (path.includes('segments')) throw new TypeError('Failed to fetch');
    return undefined;
  };
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  tab.setRows(await tab.withDatabase((db) => db.scopes.toArray()));
  await tab.savePack(SCOPE);
  await expect.poll(() => tab.usePacks.getState().scopes[SCOPE]?.problem, { timeout: 8_000 }).toBe('network');
  expect(Object.keys(tab.usePacks.getState().scopes)).toContain('delhi');
  server.fault = async () => undefined;
  tab.refreshPacks(SCOPE);
  await expect.poll(() => tab.isWhole()).toBe(true);
  expect(Object.keys(tab.usePacks.getState().scopes)).toEqual(['delhi', SCOPE]);
  expect(await tab.withDatabase((db) => db.packFiles.where({ scope: 'delhi' }).count())).toBe(1);
});

test('a file that is downloaded again from its start has the progress of the new download', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  server = new TestServer(HOUSES.map(({ id, title }) => ({ id, title: title + ' of stone'.repeat(1_000) })));
  vi.stubGlobal('fetch', server.fetch);
  server.fault = async (path, answer) => {
    if (!path.includes('segments')) return undefined;
    const bytes = new Uint8Array(await (await answer()).arrayBuffer());
    if (server.filesAsked.length === 1) return new Response(bytes.fill(0x20, 40, 50));
    return new Response(new ReadableStream({ start: (body) => body.enqueue(bytes.subarray(0, 5_000)) }));
  };
  const tab = await openTab();
  await tab.savePack(SCOPE);
  await expect.poll(() => server.filesAsked).toHaveLength(2);
  await expect.poll(() => Object.values(tab.usePacks.getState().scopes[SCOPE]?.received ?? {})).toEqual([5_000]);
  await tab.pausePack(SCOPE);
  await tab.closeDatabase();
});

test('a paused download stops and stays stopped after a restart; it ends when it is resumed', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  server.fault = async (path) => (path.includes('segments') ? stalled() : undefined);
  const tab = await openTab();
  await tab.savePack(SCOPE);
  await expect.poll(() => server.filesAsked).not.toEqual([]);
  await tab.pausePack(SCOPE);
  await expect.poll(() => tab.usePacks.getState().scopes[SCOPE]?.isRunning).toBe(false);
  expect(tab.usePacks.getState().scopes[SCOPE]?.problem).toBeNull();
  server.fault = async () => undefined;
  const asked = server.requestedPaths.length;
  const { usePacks, refreshPacks, resumePack, isWhole } = await openTab();
  refreshPacks();
  await readManyTimes(tab);
  expect(usePacks.getState().scopes[SCOPE]?.row.isPaused).toBe(true);
  expect(server.requestedPaths).toHaveLength(asked);
  await resumePack(SCOPE);
  await expect.poll(isWhole).toBe(true);
  await tab.closeDatabase();
});

test('a state that was paused at its last byte is updated by itself', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  const tab = await openTab();
  await tab.savePack(SCOPE);
  await expect.poll(() => tab.isWhole()).toBe(true);
  await tab.pausePack(SCOPE);
  await tab.withDatabase((db) => db.scopes.update(SCOPE, { savedAt: 0 }));
  const asked = server.requestedPaths.length;
  tab.refreshPacks();
  const stored = () => tab.withDatabase((db) => db.scopes.get(SCOPE));
  await expect.poll(async () => (await stored())?.savedAt).toBeGreaterThan(0);
  expect(await stored()).toMatchObject({ isPaused: false });
  expect(server.requestedPaths.slice(asked).filter((path) => path.includes('segments'))).toEqual([]);
  await tab.closeDatabase();
});

test('a state that makes room for another one is named, and what cannot make room is a full phone', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  const tab = await openTab();
  const full = () => Promise.reject(new DOMException('full', 'QuotaExceededError'));
  await tab.withDatabase(async (db) => {
    const files = { 'index 1': 8 };
    await db.scopes.add({ scope: 'delhi', current: null, next: null, files, savedAt: 0, changed: 0, replaces: null });
    await db.packFiles.add({ scope: 'delhi', name: 'index 1', kind: 'index', index: new ArrayBuffer(8) });
    vi.spyOn(db.packFiles, 'put').mockImplementationOnce(full as never);
  });
  await tab.savePack(SCOPE);
  await expect.poll(() => tab.isWhole()).toBe(true);
  expect(tab.messages).toEqual([{ text: 'This phone is full: Delhi was removed to make room.', returns: true }]);
  await expect.poll(() => Object.keys(tab.usePacks.getState().scopes)).toEqual([SCOPE]);

  server.change([{ id: 9, title: 'Canal' }]);
  await tab.withDatabase(async (db) => void vi.spyOn(db.packFiles, 'put').mockImplementation(full as never));
  tab.refreshPacks(SCOPE);
  await expect.poll(() => tab.usePacks.getState().scopes[SCOPE]?.problem).toBe('full');
  expect(tab.usePacks.getState().scopes[SCOPE]?.row.current?.rows).toBe(4);
  await tab.closeDatabase();
});

test('a state that makes room for a bookmark is named after the bookmark, and is shown as removed at once', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  const tab = await openTab();
  const { writeWithEviction } = await import('../../data/device/storage-quota.ts');
  await tab.savePack(SCOPE);
  await expect.poll(() => tab.isWhole()).toBe(true);
  await tab.withDatabase(async (db) => {
    const full = () => Promise.reject(new DOMException('full', 'QuotaExceededError'));
    vi.spyOn(db.bookmarks, 'put').mockImplementationOnce(full as never);
    const bookmark = { owner: '', tenderId: '1', at: 1, summary: null };
    await writeWithEviction(db, null, async () => void (await db.bookmarks.put(bookmark)));
  });
  expect(tab.messages).toEqual([
    { text: 'This phone is full: Himachal Pradesh was removed to make room.', returns: true },
  ]);
  await expect.poll(() => tab.usePacks.getState().scopes).toEqual({});
  await tab.closeDatabase();
});

test('opened tenders that make room are named when no state can', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  const tab = await openTab();
  await tab.withDatabase(async (db) => {
    await db.tenders.put({ id: '77', savedAt: 1, tender: {} as never });
    const full = () => Promise.reject(new DOMException('full', 'QuotaExceededError'));
    vi.spyOn(db.packFiles, 'put').mockImplementationOnce(full as never);
  });
  await tab.savePack(SCOPE);
  await expect.poll(() => tab.isWhole()).toBe(true);
  expect(tab.messages).toEqual([
    { text: 'This phone is full: opened tenders were removed. Bookmarked ones stay.', returns: true },
  ]);
  await tab.closeDatabase();
});

test.each<[string, TestServer['fault'], string]>([
  ['of another version', async () => Response.json({ schema: 99 }), 'schema'],
  ['that does not exist', async () => Response.json({ code: 'NOT_FOUND', message: 'No' }, { status: 404 }), 'server'],
  ['from a busy server', async () => Response.json({ code: 'BUSY', message: 'Busy' }, { status: 503 }), 'server'],
  [
    'whose files are broken each time',
    async (path) => (path.includes('segments') ? new Response('<p>Sign in</p>'.repeat(500)) : undefined),
    'corrupt',
  ],
])('a download %s says why it does not go on', async (_what, answer, problem) => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  server.fault = answer;
  const tab = await openTab();
  await tab.savePack(SCOPE);
  await expect.poll(() => tab.usePacks.getState().scopes[SCOPE]?.problem).toBe(problem);
  await tab.closeDatabase();
});

test('without a connection a request waits, and is made when the pause is over', async () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  vi.useFakeTimers(TIMERS);
  const tab = await openTab();
  await tab.savePack(SCOPE);
  await readManyTimes(tab);
  expect(server.requestedPaths).toEqual([]);
  onLine.mockReturnValue(true);
  await vi.advanceTimersByTimeAsync(15_000);
  await expect.poll(() => tab.isWhole()).toBe(true);
  await tab.closeDatabase();
});

test('the scopes that can be searched are known at the next start before the database is read', async () => {
  const tab = await openTab();
  await tab.savePack(SCOPE);
  await expect.poll(() => tab.isWhole()).toBe(true);
  await tab.closeDatabase();
  vi.resetModules();
  const early = await import('./pack-status.ts');
  expect(early.searchableScopes(early.usePacks.getState())).toEqual([SCOPE]);
  early.setRows([]);
  expect(early.searchableScopes(early.usePacks.getState())).toEqual([]);
  expect(localStorage.getItem('packs')).toBe('');
});

/** Opens a tab with the complete pack of the state; gives the functions that read it, and one of its tenders. */
async function saveState() {
  const tab = await openTab();
  await tab.savePack(SCOPE);
  await expect.poll(() => tab.isWhole()).toBe(true);
  const [local, news, patches] = await Promise.all([
    import('./local-engines.ts'),
    import('../queries/device-tenders.ts'),
    import('./with-pushed-changes.ts'),
  ]);
  const tender = await (await local.openScopeEngine(SCOPE))?.engine.tender(1, NOW);
  if (!tender) throw new Error('the copy has no details');
  return { ...tab, ...local, ...news, ...patches, tender };
}

describe('a tender on the device', () => {
  test('is the newer of the opened page and the row of the pack', async () => {
    const { tender, withDatabase, findTenderOnDevice: findOnDevice } = await saveState();
    const saved = (await withDatabase((db) => db.scopes.get(SCOPE)))?.savedAt ?? 0;
    const seen = (version: number, savedAt: number) => ({
      id: '1',
      savedAt,
      tender: { ...tender, version, title: 'Opened' },
    });
    const titleWith = async (version: number, savedAt: number) => {
      await withDatabase((db) => db.tenders.put(seen(version, savedAt)));
      return (await findOnDevice('1', NOW))?.tender.title;
    };
    expect(await titleWith(2, saved - 1)).toBe('Opened');
    expect(await titleWith(0, saved + 1)).toBe('House number 1');
    expect(await titleWith(1, saved - 1)).toBe('House number 1');
    expect(await titleWith(1, saved)).toBe('Opened');
  });

  test('is not replaced by an older answer that arrived before a push had changed it', async () => {
    const { tender, withDatabase, storeOpenedTender } = await saveState();
    const versionAfter = async (row: [number, number], answer: [number, number]) => {
      const [version, savedAt] = row;
      await withDatabase((db) => db.tenders.put({ id: '1', savedAt, tender: { ...tender, version } }));
      await storeOpenedTender({ ...tender, version: answer[0] }, answer[1]);
      return (await withDatabase((db) => db.tenders.get('1')))?.tender.version;
    };
    // [version, instant] of the stored row, then of the answer
    expect(await versionAfter([3, 200], [2, 100])).toBe(3);
    expect(await versionAfter([3, 100], [2, 100])).toBe(3);
    // a server restored from a backup counts from an earlier version
    expect(await versionAfter([3, 99], [2, 100])).toBe(2);
    expect(await versionAfter([3, 200], [3, 100])).toBe(3);
    expect(await versionAfter([3, 200], [4, 100])).toBe(4);
  });

  test('stays after two hundred later ones if bookmarked or of a bid; else the oldest is deleted', async () => {
    const { tender, withDatabase, storeOpenedTender } = await saveState();
    // the later a tender was opened, the lower its id
    const rows = Array.from({ length: 201 }, (_, at) => ({ id: String(500 - at), tender, savedAt: at }));
    await withDatabase((db) => db.tenders.bulkPut(rows));
    await withDatabase((db) => db.bookmarks.put({ owner: '7', tenderId: '500', at: 0, summary: null }));
    await withDatabase((db) =>
      db.records.put({
        ...{ owner: '7', kind: 'bid', id: 'a', fields: { tenderId: '499' } },
        ...{ stamps: {}, at: 0, refusal: null },
      }),
    );
    await storeOpenedTender({ ...tender, _id: '201' }, 201);
    await storeOpenedTender({ ...tender, _id: '200' }, 202);
    const stored = await withDatabase((db) => db.tenders.toCollection().primaryKeys());
    const [bookmarked, bid, oldest, next, opened] = ['500', '499', '498', '497', '200'].map((id) =>
      stored.includes(id),
    );
    expect({ bookmarked, bid, oldest, next, opened }).toEqual({
      ...{ bookmarked: true, bid: true, oldest: false, next: true, opened: true },
    });
    expect(stored).toHaveLength(202);
  });
});

test('a pushed closing change applies only to a row with the old closing', async () => {
  const { tender, withDatabase, listWithPushedChanges: patchList } = await saveState();
  const [oldClosing, newClosing, later] = [
    '2026-11-20T05:30:00.000Z',
    '2026-11-27T05:30:00.000Z',
    '2026-12-04T05:30:00.000Z',
  ];
  await withDatabase((db) => db.pushedChanges.put({ tenderId: '1', version: 2, oldClosing, newClosing, at: 1 }));
  const closings = async (closing_date: string) =>
    (await patchList([{ ...tender, closing_date }])).map((row) => [row.closing_date, row.last_corrigendum]);
  expect(await closings('2026-11-20T11:00:00+05:30')).toEqual([[newClosing, 'date']]);
  expect(await closings(later)).toEqual([[later, null]]);
});

test('a pushed change applies only to a tender of an earlier version', async () => {
  const { tender, withDatabase, tenderWithPushedChange: patch } = await saveState();
  const [oldClosing, newClosing] = ['2026-11-20T05:30:00.000Z', '2026-11-27T05:30:00.000Z'];
  await withDatabase((db) => db.pushedChanges.put({ tenderId: '1', version: 2, oldClosing, newClosing, at: 1 }));
  const later = { ...tender, closing_date: '2026-12-04T05:30:00.000Z' };
  expect(await patch({ ...tender, version: 1 })).toMatchObject({ version: 2, closing_date: newClosing });
  expect(await patch({ ...later, version: 2 })).toEqual({ ...later, version: 2 });
  expect(await patch({ ...later, version: 3 })).toEqual({ ...later, version: 3 });
});

test.each([
  ['48 hours before its closing', 48, ['1', '2', '3', '4']],
  ['an hour earlier, although the calendar day is the same', 49, []],
])('a tender closes within 48 hours %s', async (_when, hours, ids) => {
  const { closingWithinHours } = await saveState();
  const found = await closingWithinHours({ state: 'Himachal Pradesh' }, 48, 5, new Date(CLOSES - hours * HOUR_MS));
  expect(found?.map(({ _id }) => _id)).toEqual(ids);
});

test('the next hours reach into the next calendar day', async () => {
  const { closingWithinHours } = await saveState();
  const closingIn = (hours: number, limit: number) =>
    closingWithinHours({ state: 'Himachal Pradesh' }, 20, limit, new Date(CLOSES - hours * HOUR_MS));
  expect((await closingIn(20, 5))?.map(({ _id }) => _id)).toEqual(['1', '2', '3', '4']);
  expect((await closingIn(20, 2))?.map(({ _id }) => _id)).toEqual(['1', '2']);
  expect(await closingIn(21, 5)).toEqual([]);
});

test('counts, the newest and the listed tenders come from the pack of their state', async () => {
  const { countMatches, newestTenders, listFromPack, withDatabase } = await saveState();
  const himachal = { state: 'Himachal Pradesh' };
  expect(await countMatches(himachal, NOW)).toBe(4);
  expect(await countMatches({ ...himachal, min: 200_001 }, NOW)).toBe(2);
  for (const missing of [{ state: 'Goa' }, {}]) {
    expect(await countMatches(missing, NOW)).toBeUndefined();
    expect(await newestTenders(missing, 0, 5, NOW)).toBeUndefined();
    expect(await listFromPack(missing, 5, NOW)).toBeUndefined();
  }
  const newest = await newestTenders(himachal, 2, 1, NOW);
  expect(newest).toMatchObject({ count: 2, highestId: 4 });
  expect(newest?.tenders.map(({ _id }) => _id)).toEqual(['4']);
  const closings = async (filter: object, now: Date) =>
    (await listFromPack({ ...himachal, ...filter }, 3, now))?.map(({ closing_date }) => closing_date);
  const [closing, moved] = ['2026-11-20T05:30:00.000Z', '2026-11-27T05:30:00.000Z'];
  expect(await closings({}, NOW)).toEqual([closing, closing, closing]);
  for (const tenderId of ['1', '2', '3', '4'])
    await withDatabase((db) =>
      db.pushedChanges.put({ tenderId, version: 2, oldClosing: closing, newClosing: moved, at: 1 }),
    );
  expect(await closings({}, NOW)).toEqual([moved, moved, moved]);
  expect(await closings({ open: false }, NOW)).toEqual([]);
  expect(await closings({ open: false }, new Date(CLOSES))).toHaveLength(3);
});
