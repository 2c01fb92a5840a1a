import { afterEach, beforeEach, expect, test, vi } from 'vitest';
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

test('code is loaded after the first screen, if it is wanted; that of a used page with the first touch', async () => {
  const load = vi.fn(async () => undefined);
  const unwanted = vi.fn(async () => undefined);
  const loadWhenUsed = vi.fn(async () => undefined);
  const { usePreload, usePreloadWhenUsed, paint } = await openApp();
  await openTestHook(() => {
    usePreloadWhenUsed(loadWhenUsed);
    usePreload(unwanted, false);
    usePreload(load);
  });
  expect([load.mock.calls, idle]).toEqual([[], []]);
  await paint();
  await passIdlePeriod();
  await expect.poll(() => load.mock.calls.length).toBe(1);
  expect(unwanted).not.toHaveBeenCalled();
  expect(loadWhenUsed).not.toHaveBeenCalled();
  window.dispatchEvent(new Event('pointerup'));
  await passIdlePeriod();
  await expect.poll(() => loadWhenUsed.mock.calls.length).toBe(1);
  expect(unwanted).not.toHaveBeenCalled();
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
