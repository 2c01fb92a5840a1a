/** What the calls and the pages work with. */
import type { Pool } from 'pg';
import type { Checkout } from './checkouts.ts';
import type { SandboxConfig } from './config.ts';
import { act } from './course.ts';
import type { Due } from './due.ts';
import type { HeldAnswers } from './held.ts';
import type { Outcome, OutcomeName } from './outcomes.ts';
import type { Method } from './protocol.ts';

/** The settings, the tables, the clock and what happens later. */
export interface Parts {
  config: SandboxConfig;
  pool: Pool;
  now: () => Date;
  due: Due;
  /** Answers that hang. */
  held: HeldAnswers;
  /** Where the pages are. Not `localhost`: the app's cookies must not come here, nor its site be ours. */
  origin: () => string;
}

/** The buyer acts, and what follows at once begins; answers as `act`. */
export async function actOn(
  { pool, now, due }: Parts,
  checkout: Checkout,
  chosen: OutcomeName,
  method: Method,
): Promise<Outcome | undefined> {
  const done = await act(pool, checkout.attempt_ref, chosen, method, now());
  if (done?.goesBack === 'after webhook') await due.run();
  due.wake();
  return done;
}
