/** Requests that are retried while the app is open, until they succeed. */
import { isHTTPError } from 'ky';
import { GrowingPause } from './growing-pause.ts';

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

/** True for a temporary status: 5xx, 429 and 408. */
export const isTemporaryStatus = (status: number): boolean => status >= 500 || status === 429 || status === 408;

/**
 * What a failed request means for its pending change.
 * - 'wait': until a sign-in (401).
 * - 'rejected': for good (another 4xx).
 * - 'retry': later, after a temporary status, without a network, or after a response that is not the server's
 *   (a captive portal's page).
 */
export function classifySendError(error: unknown): 'wait' | 'rejected' | 'retry' {
  if (!isHTTPError(error)) return 'retry';
  const { status } = error.response;
  if (status === 401) return 'wait';
  return isTemporaryStatus(status) ? 'retry' : 'rejected';
}

/** Work that is repeated after a failure. */
export interface RetryLoop {
  /**
   * Runs the work now. A failure is thrown, and the work is repeated after a growing pause. Offline it only
   * waits.
   */
  run: () => Promise<void>;
  /** Cancels the next attempt. */
  stop: () => void;
}

/**
 * Repeats `attempt`, which throws when it must run again. It needs no `online` event, because some devices
 * never send it. Runs may overlap, so `attempt` must take a lock. `onWait` runs when work is left for later.
 */
export function createRetryLoop(attempt: () => Promise<unknown>, onWait?: () => Promise<void>): RetryLoop {
  const pause = new GrowingPause(FIRST_PAUSE_MS, MAX_PAUSE_MS);
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function scheduleRetry(): Promise<void> {
    clearTimeout(timer);
    // The random part spreads devices that failed in the same second.
    const wait = pause.ms * (1 + 0.3 * Math.random());
    timer = setTimeout(() => void run().catch(() => undefined), wait);
    pause.grow();
    await onWait?.();
  }

  async function run(): Promise<void> {
    clearTimeout(timer);
    if (globalThis.navigator?.onLine === false) return scheduleRetry();
    try {
      await attempt();
      pause.reset();
    } catch (error) {
      await scheduleRetry();
      throw error;
    }
  }

  return {
    run,
    stop() {
      clearTimeout(timer);
      pause.reset();
    },
  };
}
