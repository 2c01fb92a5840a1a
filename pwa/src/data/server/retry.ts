/** Requests that are repeated while the app is open, until they succeed. */
import { isHTTPError } from 'ky';

/** The first and the longest pause between attempts, in milliseconds. */
export interface RetryLimits {
  firstMs: number;
  maxMs: number;
}

const LOOP_LIMITS: RetryLimits = { firstMs: 1_000, maxMs: 60_000 };

/** True for a temporary status: 5xx, 429 and 408. */
export const isTemporaryStatus = (status: number): boolean => status >= 500 || status === 429 || status === 408;

/**
 * The effect of a failed request on its pending change. 'wait': until a sign-in (401). 'rejected': for good (another
 * 4xx). 'retry': later, after a temporary status, without a network, or after a response that is not ours (the page of
 * a captive portal).
 */
export function classifySendError(error: unknown): 'wait' | 'rejected' | 'retry' {
  if (!isHTTPError(error)) return 'retry';
  const { status } = error.response;
  if (status === 401) return 'wait';
  return isTemporaryStatus(status) ? 'retry' : 'rejected';
}

/**
 * The pause in milliseconds after `failures` in a row, doubled with each up to the longest. `random`, 0 to 1, spreads the
 * requests of many devices; 0 adds nothing.
 */
export function retryDelay(failures: number, random: number, { firstMs, maxMs }: RetryLimits): number {
  return Math.min(maxMs, firstMs * 2 ** (failures - 1)) * (1 + 0.3 * random);
}

/** Work that is repeated after a failure. */
export interface RetryLoop {
  /** Runs the work now. A failure is thrown, and the work is repeated after a growing pause. Offline it only waits. */
  run: () => Promise<void>;
  /** Cancels the next attempt. */
  stop: () => void;
}

/**
 * Repeats `attempt`, which throws when it must run again. Needs no `online` event, because some devices never send it.
 * Runs may overlap, so `attempt` takes a lock.
 */
export function createRetryLoop(attempt: () => Promise<unknown>): RetryLoop {
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function scheduleRetry(): void {
    failures += 1;
    clearTimeout(timer);
    timer = setTimeout(() => void run().catch(() => undefined), retryDelay(failures, Math.random(), LOOP_LIMITS));
  }

  async function run(): Promise<void> {
    clearTimeout(timer);
    if (globalThis.navigator?.onLine === false) return scheduleRetry();
    try {
      await attempt();
      failures = 0;
    } catch (error) {
      scheduleRetry();
      throw error;
    }
  }

  return {
    run,
    stop() {
      clearTimeout(timer);
      failures = 0;
    },
  };
}
