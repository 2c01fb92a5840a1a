/** Checkouts, created and read by the merchant; checkout-actions.ts changes them. */
import { createHash, randomBytes } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { type CheckoutOutcome, findOutcome, OUTCOMES, type OutcomeName } from './outcomes.ts';
import {
  type CheckoutStatus,
  type CreateCheckoutRequest,
  MAX_CHECKOUT_MS,
  type PaymentMethod,
  SandboxError,
  type SandboxPayment,
} from './protocol.ts';

const STATUS_FAULT_MS = 60_000;

/** A row of the table. */
export interface SandboxCheckout {
  attempt_ref: string;
  id: string;
  request_hash: string;
  amount_paise: number;
  description: string;
  buyer: CreateCheckoutRequest['buyer'];
  return_url: string;
  created_at: Date;
  expires_at: Date;
  state: 'PENDING' | 'PAID' | 'FAILED';
  error_code: string | null;
  /** The buyer's choice; null: nothing yet. */
  outcome: OutcomeName | null;
  method: PaymentMethod | null;
  acted_at: Date | null;
}

/**
 * Creates a checkout, or returns the one with the same body. Throws 409 for another body, 422 for a foreign returnUrl.
 */
export async function createCheckout(
  pool: Pool,
  request: CreateCheckoutRequest,
  publicOrigin: string,
  now: Date,
): Promise<SandboxCheckout> {
  const { attemptRef, buyer } = request;
  const hash = createHash('sha256').update(JSON.stringify(request)).digest('hex');
  const known = await findByAttempt(pool, attemptRef);
  if (known) return assertSameRequest(known, hash);
  if (URL.parse(request.returnUrl)?.origin !== publicOrigin)
    throw new SandboxError(422, 'REFUSED', `returnUrl must be of ${publicOrigin}`);
  const expiresAt = new Date(Math.min(Date.parse(request.expiresAt), now.getTime() + MAX_CHECKOUT_MS));
  if (expiresAt <= now) throw new SandboxError(422, 'REFUSED', 'expiresAt has passed');
  await pool.query(
    `INSERT INTO sandbox.checkout
       (attempt_ref, id, request_hash, amount_paise, description, buyer, return_url, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (attempt_ref) DO NOTHING`,
    [
      attemptRef,
      randomBytes(16).toString('base64url'),
      hash,
      request.amountPaise,
      request.description,
      buyer,
      request.returnUrl,
      now,
      expiresAt,
    ],
  );
  return assertSameRequest((await findByAttempt(pool, attemptRef)) as SandboxCheckout, hash);
}

function assertSameRequest(checkout: SandboxCheckout, hash: string): SandboxCheckout {
  if (checkout.request_hash !== hash)
    throw new SandboxError(409, 'CONFLICT', `${checkout.attempt_ref} was used with another body`);
  return checkout;
}

/** The checkout of a merchant's reference. */
export async function findByAttempt(pool: Pool, attemptRef: string): Promise<SandboxCheckout | undefined> {
  const { rows } = await pool.query<SandboxCheckout>('SELECT * FROM sandbox.checkout WHERE attempt_ref = $1', [
    attemptRef,
  ]);
  return rows[0];
}

/** The checkout of a hosted page. */
export async function findById(pool: Pool, id: string): Promise<SandboxCheckout | undefined> {
  const { rows } = await pool.query<SandboxCheckout>('SELECT * FROM sandbox.checkout WHERE id = $1', [id]);
  return rows[0];
}

/** The public state: a page that ended without a decision has expired, unless its payment is still being processed. */
export function visibleState(checkout: SandboxCheckout, now: Date): CheckoutStatus['state'] {
  if (checkout.state !== 'PENDING' || checkout.expires_at > now) return checkout.state;
  return findOutcome(checkout.outcome ?? '')?.outlastsPage ? 'PENDING' : 'EXPIRED';
}

/** The answer of the status call. */
export async function readCheckoutStatus(pool: Pool, checkout: SandboxCheckout, now: Date): Promise<CheckoutStatus> {
  const { rows } = await pool.query(
    'SELECT * FROM sandbox.payment WHERE attempt_ref = $1 ORDER BY captured_at, payment_id',
    [checkout.attempt_ref],
  );
  const payments: SandboxPayment[] = rows.map((row) => ({
    paymentId: row.payment_id,
    amountPaise: row.amount_paise,
    currency: row.currency,
    method: row.method,
    capturedAt: row.captured_at.toISOString(),
  }));
  const [first] = payments;
  return {
    attemptRef: checkout.attempt_ref,
    providerRef: checkout.id,
    state: visibleState(checkout, now),
    amountPaise: first?.amountPaise ?? checkout.amount_paise,
    currency: first?.currency ?? 'INR',
    paymentId: first?.paymentId ?? null,
    method: first?.method ?? null,
    errorCode: checkout.error_code,
    payments,
    expiresAt: checkout.expires_at.toISOString(),
  };
}

/** The current fault of the status call, if any. */
export function activeStatusFault(checkout: SandboxCheckout, now: Date): CheckoutOutcome['statusFault'] {
  const acted = checkout.acted_at;
  if (!checkout.outcome || !acted || now.getTime() >= acted.getTime() + STATUS_FAULT_MS) return undefined;
  return (OUTCOMES[checkout.outcome] as CheckoutOutcome).statusFault;
}

/** The checkout, locked until the end of the transaction. Throws 404. */
export async function lockCheckout(client: PoolClient, attemptRef: string): Promise<SandboxCheckout> {
  const { rows } = await client.query<SandboxCheckout>(
    'SELECT * FROM sandbox.checkout WHERE attempt_ref = $1 FOR UPDATE',
    [attemptRef],
  );
  if (!rows[0]) throw new SandboxError(404, 'NOT_FOUND', `No checkout ${attemptRef}`);
  return rows[0];
}
