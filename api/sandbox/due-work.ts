/** Delayed work: rows with an instant, run by a timer, or by a test that drives the clock. */
import type { Pool } from 'pg';
import { takeDueStep } from './checkout-actions.ts';
import type { SandboxConfig } from './config.ts';
import { finishDueRefund } from './refunds.ts';
import { sendDueDelivery } from './webhooks.ts';

const MAX_PAUSE_MS = 60_000;
const FAILURE_PAUSE_MS = 5_000;

/** Runs due work. */
export interface DueWork {
  /** Runs everything that is due, one after the other; resolves when nothing is left. */
  run(): Promise<void>;
  /** Something may have become due; a driven sandbox waits for `run` instead. */
  wake(): void;
  /** Starts nothing more and waits for running work. */
  stop(): Promise<void>;
}

/** Starts with the work of an earlier process, unless `isDriven`. */
export function startDueWork(pool: Pool, config: SandboxConfig, now: () => Date, isDriven: boolean): DueWork {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const stopping = new AbortController();
  let wakes = 0;

  const workOff = async () => {
    while (!stopping.signal.aborted) {
      const isDone =
        (await takeDueStep(pool, now())) ||
        (await finishDueRefund(pool, now())) ||
        (await sendDueDelivery(pool, config, now, stopping.signal));
      if (!isDone) return;
    }
  };

  const run = () => {
    running = running.then(workOff, workOff);
    return running;
  };

  const sleep = (ms: number) => {
    clearTimeout(timer);
    if (!stopping.signal.aborted) timer = setTimeout(wake, ms);
  };

  const wake = () => {
    if (isDriven || stopping.signal.aborted) return;
    const mine = ++wakes;
    run()
      .then(() => pauseMs(pool, now()))
      .catch((error: Error) => {
        if (!stopping.signal.aborted) process.stderr.write(`payment sandbox: ${error.message}\n`);
        return FAILURE_PAUSE_MS;
      })
      // Only the last run knows what is due next.
      .then((ms) => mine === wakes && sleep(ms));
  };

  wake();
  return {
    run,
    wake,
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await running.catch(() => {});
    },
  };
}

async function pauseMs(pool: Pool, now: Date): Promise<number> {
  const { rows } = await pool.query<{ next: Date | null }>(
    `SELECT least((SELECT min(due_at) FROM sandbox.step), (SELECT min(due_at) FROM sandbox.refund),
                  (SELECT min(due_at) FROM sandbox.delivery WHERE due_at IS NOT NULL)) AS next`,
  );
  const next = rows[0]?.next;
  if (!next) return MAX_PAUSE_MS;
  return Math.min(Math.max(next.getTime() - now.getTime(), 0), MAX_PAUSE_MS);
}
