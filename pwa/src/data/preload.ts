/**
 * Loads the code behind everything that can be tapped, after the first screen, so that no tap waits for the
 * network.
 */
import { useEffect } from 'react';
import { firstScreen } from './first-screen.ts';
import { GrowingPause } from './server/growing-pause.ts';
import { noteFailure, onReachable } from './server/reachability.ts';

const requested = new Set<() => Promise<unknown>>();

/** On a busy device a load starts after this time, even without an idle period. */
const MAX_BUSY_MS = 300;

const whenIdle = () =>
  new Promise<void>((resolve) => {
    // Safari has no idle callback.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: MAX_BUSY_MS });
    else setTimeout(resolve, 50);
  });

/**
 * Each load starts in its own idle period: the link elements of its files cost the main thread some
 * milliseconds.
 */
let started: Promise<void> = firstScreen;

/** Loads once, when the first screen is painted and the browser is idle. A tap repeats a failed load. */
export function preload(load: () => Promise<unknown>): void {
  if (requested.has(load)) return;
  requested.add(load);
  started = started.then(whenIdle).then(() => {
    load().catch(() => undefined);
  });
}

/** Loads code that the visitor is about to see, at once. Preloads that have not started wait for it. */
export function loadBeforePreloads(load: () => Promise<unknown>): void {
  const loading = load().catch(() => undefined);
  started = Promise.all([started, loading]).then(() => undefined);
}

const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 5 * 60_000;

/** Resolves when the server answers again, after `ms` at the latest. */
function networkOrPause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    const stopWatching = onReachable(done);
    function done(): void {
      clearTimeout(timer);
      stopWatching();
      resolve();
    }
  });
}

/**
 * Loads code for background work. A failed load is repeated when the network is back, and after growing
 * pauses.
 */
export async function loadRepeatedly<T>(load: () => Promise<T>): Promise<T> {
  for (const pause = new GrowingPause(FIRST_PAUSE_MS, MAX_PAUSE_MS); ; pause.grow()) {
    try {
      return await load();
    } catch {
      // An import is not an API call, so a failed one must be reported here; otherwise nothing would check
      // whether the network is back.
      noteFailure();
      await networkOrPause(pause.ms);
    }
  }
}

/** Preloads while the component is mounted. `load` must be the same function in each render. */
export function usePreload(load: () => Promise<unknown>): void {
  useEffect(() => preload(load), [load]);
}
