/** The buyer's action on a checkout, and its effects now or later. */
import { randomBytes } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { lockCheckout, type SandboxCheckout, visibleState } from './checkouts.ts';
import { inTransaction } from './database.ts';
import { type CheckoutOutcome, findOutcome, OUTCOMES, type OutcomeName, type OutcomeStep } from './outcomes.ts';
import type { PaymentMethod } from './protocol.ts';
import { queueEvent } from './webhooks.ts';

/** Presets what the buyer's next action does. */
export async function presetOutcome(pool: Pool, attemptRef: string, outcome: OutcomeName): Promise<void> {
  await pool.query(
    `INSERT INTO sandbox.preset VALUES ($1, $2) ON CONFLICT (attempt_ref) DO UPDATE SET outcome = excluded.outcome`,
    [attemptRef, outcome],
  );
}

/**
 * Applies the buyer's action; a preset overrides `outcomeName`. Returns the outcome, or undefined when the page was already
 * used or has ended. `abandon` leaves the page usable.
 */
export async function applyBuyerAction(
  pool: Pool,
  attemptRef: string,
  outcomeName: OutcomeName,
  method: PaymentMethod,
  now: Date,
): Promise<CheckoutOutcome | undefined> {
  return inTransaction(pool, async (client) => {
    const checkout = await lockCheckout(client, attemptRef);
    if (checkout.outcome || visibleState(checkout, now) !== 'PENDING') return undefined;
    const { rows } = await client.query('DELETE FROM sandbox.preset WHERE attempt_ref = $1 RETURNING outcome', [
      attemptRef,
    ]);
    const name: OutcomeName = rows[0]?.outcome ?? outcomeName;
    if (name === 'abandon') return OUTCOMES.abandon;
    const outcome: CheckoutOutcome = OUTCOMES[name];
    await client.query('UPDATE sandbox.checkout SET outcome = $2, method = $3, acted_at = $4 WHERE attempt_ref = $1', [
      attemptRef,
      name,
      method,
      now,
    ]);
    for (const [number, step] of outcome.steps.entries()) {
      const from = step.fromExpiry ? checkout.expires_at : now;
      const dueAt = new Date(from.getTime() + (step.afterMs ?? 0));
      if (dueAt <= now) await applyStep(client, { ...checkout, method }, step, now);
      else await client.query('INSERT INTO sandbox.step VALUES ($1, $2, $3)', [attemptRef, number, dueAt]);
    }
    return outcome;
  });
}

/** Runs one due step; false when there is none. */
export async function takeDueStep(pool: Pool, now: Date): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ attempt_ref: string; number: number }>(
      `DELETE FROM sandbox.step WHERE (attempt_ref, number) = (
         SELECT attempt_ref, number FROM sandbox.step WHERE due_at <= $1
         ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING attempt_ref, number`,
      [now],
    );
    const [due] = rows;
    if (!due) return false;
    const checkout = await lockCheckout(client, due.attempt_ref);
    const step = findOutcome(checkout.outcome ?? '')?.steps[due.number];
    if (step) await applyStep(client, checkout, step, now);
    return true;
  });
}

async function applyStep(client: PoolClient, checkout: SandboxCheckout, step: OutcomeStep, now: Date): Promise<void> {
  const { attempt_ref: attemptRef } = checkout;
  const method = checkout.method as PaymentMethod;
  const payment = {
    paymentId: `pay_${randomBytes(9).toString('base64url')}`,
    amountPaise: checkout.amount_paise + (step.amountDifference ?? 0),
    currency: step.currency ?? 'INR',
  };
  if (step.result === 'PAID') {
    await client.query('INSERT INTO sandbox.payment VALUES ($1, $2, $3, $4, $5, $6)', [
      payment.paymentId,
      attemptRef,
      payment.amountPaise,
      payment.currency,
      method,
      now,
    ]);
  }
  const errorCode = step.result === 'PAID' ? null : (step.errorCode ?? DECLINED_CODES[method]);
  await client.query('UPDATE sandbox.checkout SET state = $2, error_code = $3 WHERE attempt_ref = $1', [
    attemptRef,
    step.result,
    errorCode,
  ]);
  for (const hook of step.webhooks) {
    const about = hook.event === 'checkout.paid' ? payment.paymentId : null;
    await queueEvent(client, hook, { ...payment, attemptRef, paymentId: about, refundRef: null }, now);
  }
}

const DECLINED_CODES: Record<PaymentMethod, string> = {
  CARD: 'CARD_DECLINED',
  UPI: 'UPI_DECLINED',
  NET_BANKING: 'BANK_DECLINED',
};
