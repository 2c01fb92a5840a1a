// @vitest-environment node
import { afterEach, expect, test, vi } from 'vitest';
import { registerPeriodicSync } from './periodic-sync.ts';

afterEach(() => vi.unstubAllGlobals());

/** A browser with this permission; the list has its registrations. */
function stubBrowser(query: (asked: { name: string }) => Promise<{ state: string }>): unknown[] {
  const registered: unknown[] = [];
  const periodicSync = { register: async (...asked: unknown[]) => void registered.push(asked) };
  vi.stubGlobal('navigator', { permissions: { query }, serviceWorker: { ready: Promise.resolve({ periodicSync }) } });
  return registered;
}

test('an installed app that the browser lets sync is woken at most each twelve hours', async () => {
  const asked: string[] = [];
  const registered = stubBrowser(async ({ name }) => {
    asked.push(name);
    return { state: 'granted' };
  });
  await registerPeriodicSync();
  expect(asked).toEqual(['periodic-background-sync']);
  expect(registered).toEqual([['delta', { minInterval: 43_200_000 }]]);
});

test.each<[string, () => Promise<{ state: string }>]>([
  ['refuses it', async () => ({ state: 'denied' })],
  ['does not know it', () => Promise.reject(new TypeError('unknown permission'))],
])('a browser that %s syncs at the next start', async (_what, query) => {
  const registered = stubBrowser(query);
  await registerPeriodicSync();
  expect(registered).toEqual([]);
});
