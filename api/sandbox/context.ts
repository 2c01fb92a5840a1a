/** What the calls and the pages work with. */
import type { Pool } from 'pg';
import { applyBuyerAction } from './checkout-actions.ts';
import type { SandboxCheckout } from './checkouts.ts';
import type { SandboxConfig } from './config.ts';
import type { DueWork } from './due-work.ts';
import type { HangingResponses } from './hanging-responses.ts';
import type { CheckoutOutcome, OutcomeName } from './outcomes.ts';
import type { PaymentMethod } from './protocol.ts';

/** The settings, the tables, the clock and what happens later. */
export interface SandboxContext {
  config: SandboxConfig;
  pool: Pool;
  now: () => Date;
  due: DueWork;
  /** Answers that hang. */
  hangingResponses: HangingResponses;
  /** Where the pages are. Not `localhost`: the app's cookies must not come here, nor its site be ours. */
  origin: () => string;
}

/** The buyer acts, and what follows at once begins; answers as `act`. */
export async function applyActionAndWake(
  { pool, now, due }: SandboxContext,
  checkout: SandboxCheckout,
  chosen: OutcomeName,
  method: PaymentMethod,
): Promise<CheckoutOutcome | undefined> {
  const done = await applyBuyerAction(pool, checkout.attempt_ref, chosen, method, now());
  if (done?.goesBack === 'after webhook') await due.run();
  due.wake();
  return done;
}
