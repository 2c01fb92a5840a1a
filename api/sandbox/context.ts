/** Dependencies of the calls and pages. */
import type { Pool } from 'pg';
import { applyBuyerAction } from './checkout-actions.ts';
import type { SandboxCheckout } from './checkouts.ts';
import type { SandboxConfig } from './config.ts';
import type { DueWork } from './due-work.ts';
import type { HangingResponses } from './hanging-responses.ts';
import type { CheckoutOutcome, OutcomeName } from './outcomes.ts';
import type { PaymentMethod } from './protocol.ts';

export interface SandboxContext {
  config: SandboxConfig;
  pool: Pool;
  now: () => Date;
  due: DueWork;
  hangingResponses: HangingResponses;
  /** Origin of the pages. Not `localhost`, so that the app's cookies do not reach it. */
  origin: () => string;
}

/** Applies the buyer's action and starts due work; returns the same as `applyBuyerAction`. */
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
