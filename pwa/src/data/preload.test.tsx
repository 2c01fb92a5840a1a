import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeTestPages, openTestHook } from '../ui/test-page.tsx';

/** Work that waits for the browser to be idle. */
const idle: (() => void)[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'requestAnimationFrame'] });
  vi.stubGlobal('requestIdleCallback', (callback: () => void) => idle.push(callback));
  idle.length = 0;
  vi.resetModules();
});
afterEach(async () => {
  await closeTestPages();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** The app on a page that has not painted its first screen. */
async function openApp() {
  const { reportScreenReady } = await import('./first-screen.ts');
  const paint = async () => {
    reportScreenReady();
    await vi.advanceTimersByTimeAsync(100);
  };
  return { ...(await import('./preload.ts')), paint };
}

async function passIdlePeriod(): Promise<void> {
  await expect.poll(() => idle.length).toBe(1);
  idle.pop()?.();
}

test('code is loaded after the first screen', async () => {
  const load = vi.fn(async () => undefined);
  const { usePreload, paint } = await openApp();
  await openTestHook(() => usePreload(load));
  expect([load.mock.calls, idle]).toEqual([[], []]);
  await paint();
  await passIdlePeriod();
  await expect.poll(() => load.mock.calls.length).toBe(1);
});

test('loads start one after another, each when the browser is idle; a failed one does not stop the others', async () => {
  const started: string[] = [];
  const { preload, paint } = await openApp();
  await paint();
  preload(async () => {
    started.push('first');
    throw new Error('offline');
  });
  const second = async () => started.push('second');
  preload(second);
  preload(second);
  await passIdlePeriod();
  await expect.poll(() => started).toEqual(['first']);
  await passIdlePeriod();
  await expect.poll(() => started).toEqual(['first', 'second']);
  // The second one is not loaded twice.
  expect(idle).toEqual([]);
});

test('what the visitor is about to see is loaded at once; preloads wait for it, also when it fails', async () => {
  const started: string[] = [];
  const { preload, loadBeforePreloads, paint } = await openApp();
  await paint();
  let fail: (reason: Error) => void = () => undefined;
  loadBeforePreloads(() => {
    started.push('checklist');
    return new Promise((_resolve, reject) => {
      fail = reject;
    });
  });
  expect(started).toEqual(['checklist']);
  preload(async () => started.push('list'));
  await vi.advanceTimersByTimeAsync(100);
  expect([started, idle]).toEqual([['checklist'], []]);
  fail(new Error('offline'));
  await passIdlePeriod();
  await expect.poll(() => started).toEqual(['checklist', 'list']);
});

describe('code of the background that cannot be loaded', () => {
  let isConnected: boolean;
  let loads: number;
  const load = async () => {
    loads += 1;
    if (!isConnected) throw new TypeError('Failed to fetch dynamically imported module');
    return 'code';
  };

  beforeEach(() => {
    [isConnected, loads] = [false, 0];
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
    vi.stubGlobal('fetch', async () => {
      if (!isConnected) throw new TypeError('Failed to fetch');
      return Response.json({ status: 'ok' });
    });
  });

  test('is loaded after pauses that grow from five seconds to five minutes, also while the server answers', async () => {
    vi.stubGlobal('fetch', async () => Response.json({ status: 'ok' }));
    const { loadRepeatedly } = await openApp();
    const loaded = loadRepeatedly(load);
    await vi.advanceTimersByTimeAsync(0);
    for (const seconds of [5, 10, 20, 40, 80, 160, 300, 300]) {
      const before = loads;
      await vi.advanceTimersByTimeAsync(1_000 * seconds - 1);
      expect([seconds, loads]).toEqual([seconds, before]);
      await vi.advanceTimersByTimeAsync(1);
      expect([seconds, loads]).toEqual([seconds, before + 1]);
    }
    isConnected = true;
    await vi.advanceTimersByTimeAsync(300_000);
    expect(await loaded).toBe('code');
  });

  test('is loaded within a minute of the network’s return, without an event of the browser', async () => {
    const { loadRepeatedly } = await openApp();
    const loaded = loadRepeatedly(load);
    // After ten minutes the pauses are five minutes long.
    await vi.advanceTimersByTimeAsync(640_000);
    isConnected = true;
    const before = loads;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(loads).toBe(before + 1);
    expect(await loaded).toBe('code');
  });

  test('is loaded at once with the browser’s event', async () => {
    const { loadRepeatedly } = await openApp();
    const loaded = loadRepeatedly(load);
    await vi.advanceTimersByTimeAsync(0);
    expect(loads).toBe(1);
    isConnected = true;
    window.dispatchEvent(new Event('online'));
    expect(await loaded).toBe('code');
  });
});

test('data that a screen shows later waits for it at most a second, and other work five', async () => {
  const screen = await import('./first-screen.ts');
  await screen.whenPainted();
  screen.expectFirstScreen();
  const done: string[] = [];
  void screen.whenPainted().then(() => done.push('painted'));
  void screen.firstScreen.then(() => done.push('first screen'));
  await vi.advanceTimersByTimeAsync(999);
  expect(done).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(done).toEqual(['painted']);
  await vi.advanceTimersByTimeAsync(3_999);
  expect(done).toEqual(['painted']);
  await vi.advanceTimersByTimeAsync(1);
  expect(done).toEqual(['painted', 'first screen']);
});
