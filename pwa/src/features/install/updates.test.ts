import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchForUpdates } from './updates.ts';

/** A browser with service workers; `known` is the registration of an earlier visit. */
function stubServiceWorkers(known?: EventTarget) {
  const register = vi.fn(async () => new EventTarget());
  const serviceWorker = Object.assign(new EventTarget(), {
    register,
    getRegistration: async () => known,
    controller: null,
    ready: new Promise(() => undefined),
  });
  vi.stubGlobal('navigator', { serviceWorker, onLine: true, userAgent: '' });
  return register;
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a new device loads the service worker at the first touch', async () => {
  const register = stubServiceWorkers();
  void watchForUpdates();
  await vi.advanceTimersByTimeAsync(11_000);
  expect(register).not.toHaveBeenCalled();
  window.dispatchEvent(new Event('pointerup'));
  await vi.advanceTimersByTimeAsync(0);
  expect(register).toHaveBeenCalledOnce();
});

test('a new device loads the service worker after twelve seconds without a touch', async () => {
  const register = stubServiceWorkers();
  void watchForUpdates();
  await vi.advanceTimersByTimeAsync(12_000);
  expect(register).toHaveBeenCalledOnce();
});

test('a device of an earlier visit asks for a new build at once', async () => {
  const register = stubServiceWorkers(new EventTarget());
  void watchForUpdates();
  await vi.advanceTimersByTimeAsync(0);
  expect(register).toHaveBeenCalledOnce();
});
