import { Logger } from '@nestjs/common';

/** A running task. `stop` waits for the current run. */
export interface RepeatingTask {
  stop(): Promise<void>;
}

/** Runs `work` now and every `seconds`, never in parallel. A failure is logged; the next run tries again. */
export function repeatEvery(seconds: number, name: string, work: () => Promise<unknown>): RepeatingTask {
  const logger = new Logger('Jobs');
  let running: Promise<unknown> | undefined;
  const turn = () => {
    running ??= work()
      .catch((error: Error) => logger.error(`${name}: ${error.stack}`))
      .finally(() => {
        running = undefined;
      });
  };
  turn();
  const timer = setInterval(turn, seconds * 1_000);
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

/** Calls `work` for each item, at most `concurrency` at once. The first error rejects the whole. */
export async function forEachConcurrently<Item>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values();
  const worker = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}
