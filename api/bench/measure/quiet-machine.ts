/** The state of the machine's processors, for figures that other work would change. */
import { cpus } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { log } from './metrics.ts';

const QUIET_SECONDS = 5;
/** The share of all processors' time that a quiet machine leaves idle. */
const IDLE_SHARE = 0.95;
const MAX_SECONDS = 180;

function processorTimes(): { idle: number; all: number } {
  const times = cpus().map((processor) => processor.times);
  const sum = (of: (each: (typeof times)[number]) => number) => times.reduce((total, each) => total + of(each), 0);
  return {
    idle: sum(({ idle }) => idle),
    all: sum(({ user, nice, sys, irq, idle }) => user + nice + sys + irq + idle),
  };
}

/**
 * Waits until the processors are idle for five seconds in a row: the database vacuums new tables, and the server runs its
 * jobs, for a while after it was filled. After three minutes it logs that they are not, and returns.
 */
export async function waitForQuietMachine(): Promise<void> {
  let quietSeconds = 0;
  for (let second = 0; second < MAX_SECONDS; second++) {
    const before = processorTimes();
    await wait(1_000);
    const after = processorTimes();
    const isQuiet = (after.idle - before.idle) / (after.all - before.all) >= IDLE_SHARE;
    quietSeconds = isQuiet ? quietSeconds + 1 : 0;
    if (quietSeconds === QUIET_SECONDS) return;
  }
  log(`the machine was not quiet within ${MAX_SECONDS} seconds`);
}
