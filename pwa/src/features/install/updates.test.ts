import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchForUpdates } from './updates.ts';

/** A browser with service workers; `known` is the registration of an earlier visit. */
function stubServiceWorkers(known?: EventTarget) {
  const update = vi.fn(async () => undefined);
  const register = vi.fn(async () => Object.assign(new EventTarget(), { update }));
  const serviceWorker = Object.assign(new EventTarget(), {
    register,
    getRegistration: async () => known,
    controller: null,
    ready: new Promise(() => undefined),
  });
  const browser = { serviceWorker, onLine: true, userAgent: '' };
  vi.stubGlobal('navigator', browser);
  return { register, update, browser };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('a new device loads the service worker at the first touch', async () => {
  const { register } = stubServiceWorkers();
  void watchForUpdates();
  await vi.advanceTimersByTimeAsync(11_000);
  expect(register).not.toHaveBeenCalled();
  window.dispatchEvent(new Event('pointerup'));
  await vi.advanceTimersByTimeAsync(0);
  expect(register).toHaveBeenCalledOnce();
});

test('a new device loads the service worker after twelve seconds without a touch', async () => {
  const { register } = stubServiceWorkers();
  void watchForUpdates();
  await vi.advanceTimersByTimeAsync(12_000);
  expect(register).toHaveBeenCalledOnce();
});

test('a device of an earlier visit asks for a new build at once', async () => {
  const { register } = stubServiceWorkers(new EventTarget());
  void watchForUpdates();
  await vi.advanceTimersByTimeAsync(0);
  expect(register).toHaveBeenCalledOnce();
});

test('the app asks for a new build each hour, and after ten minutes when it is seen or online again', async () => {
  const { update, browser } = stubServiceWorkers(new EventTarget());
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible');
  const see = () => document.dispatchEvent(new Event('visibilitychange'));
  const comeOnline = () => window.dispatchEvent(new Event('online'));
  void watchForUpdates();
  await vi.advanceTimersByTimeAsync(599_999);
  see();
  expect(update).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  see();
  comeOnline();
  expect(update).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(600_000);
  visibility.mockReturnValue('hidden');
  comeOnline();
  visibility.mockReturnValue('visible');
  browser.onLine = false;
  see();
  expect(update).toHaveBeenCalledTimes(1);
  browser.onLine = true;
  update.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  comeOnline();
  expect(update).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(2_399_999);
  expect(update).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(update).toHaveBeenCalledTimes(3);
});

test('a browser that refuses the worker goes on without it', async () => {
  const { register, update } = stubServiceWorkers(new EventTarget());
  register.mockRejectedValueOnce(new DOMException('private window', 'SecurityError'));
  await watchForUpdates();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(update).not.toHaveBeenCalled();
});
