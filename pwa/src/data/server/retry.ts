/** Work with the server that is tried again by itself until it succeeds, while the app is open. */
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

/** The pause before trying again after `failures` in a row; `random`, 0 to 1, keeps devices apart. */
export function retryDelay(failures: number, random: number): number {
  return Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1)) * (1 + 0.3 * random);
}

/** Work that repeats itself after a failure. */
export interface RetryLoop {
  /** Runs the work now and throws what it throws; then it is tried again after a growing pause. Offline it only waits. */
  run: () => Promise<void>;
  /** Calls off the next attempt. */
  stop: () => void;
}

/**
 * Repeats `work`, which throws when it must be tried again. The `online` event is not needed: some devices never send
 * it. A run while another is going on is left to `work`, which takes a lock.
 */
export function createRetryLoop(attempt: () => Promise<unknown>): RetryLoop {
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function scheduleRetry(): void {
    failures += 1;
    clearTimeout(timer);
    timer = setTimeout(() => void run().catch(() => undefined), retryDelay(failures, Math.random()));
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
