/** The sandbox's records: checkouts, captures and refunds, in a schema without references to the app's tables. */
import { createHash, randomBytes } from 'node:crypto';
import { Pool, type PoolClient } from 'pg';
import * as v from 'valibot';
import type { SandboxConfig } from './config.ts';
import { OUTCOMES, type Outcome, type OutcomeName, type OutcomeStep } from './outcomes.ts';
import { queueWebhook } from './webhooks.ts';

/** Maximum duration of a page. */
const MAX_CHECKOUT_MS = 15 * 60_000;
const STATUS_FAULT_MS = 60_000;
const PENDING_REFUND_MS = 30_000;

const REFUND_COLUMNS = `refund_ref AS "refundRef", attempt_ref AS "attemptRef", amount_paise AS "amountPaise", state,
  error_code AS "errorCode"`;

const TABLES = `
SELECT pg_advisory_xact_lock(4770091);

CREATE SCHEMA IF NOT EXISTS sandbox;

CREATE TABLE IF NOT EXISTS sandbox.checkout (
  attempt_ref text PRIMARY KEY,
  id text NOT NULL UNIQUE,
  request_hash text NOT NULL,
  amount_paise integer NOT NULL,
  description text NOT NULL,
  buyer jsonb NOT NULL,
  return_url text NOT NULL,
  expires_at timestamptz NOT NULL,
  state text NOT NULL DEFAULT 'PENDING' CHECK (state IN ('PENDING', 'PAID', 'FAILED')),
  error_code text,
  outcome text,
  acted_at timestamptz,
  steps_done integer NOT NULL DEFAULT 0,
  next_step_at timestamptz
);

CREATE TABLE IF NOT EXISTS sandbox.payment (
  payment_id text PRIMARY KEY,
  attempt_ref text NOT NULL REFERENCES sandbox.checkout,
  amount_paise integer NOT NULL,
  currency text NOT NULL,
  method text NOT NULL,
  captured_at timestamptz NOT NULL
);
CREATE INDEX IF NOT EXISTS payment_attempt ON sandbox.payment (attempt_ref);

CREATE TABLE IF NOT EXISTS sandbox.refund (
  refund_ref text PRIMARY KEY,
  attempt_ref text NOT NULL REFERENCES sandbox.checkout,
  amount_paise integer NOT NULL,
  state text NOT NULL CHECK (state IN ('PENDING', 'SUCCEEDED', 'FAILED')),
  error_code text,
  due_at timestamptz
);

-- due_at is null when the receiver has got it, or after the last attempt.
CREATE TABLE IF NOT EXISTS sandbox.delivery (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event_id text NOT NULL,
  body text NOT NULL,
  fault text,
  due_at timestamptz,
  tries integer NOT NULL DEFAULT 0
);
`;

/** An error for the caller, with the status of the answer. Any other error gets status 500. */
export const refusal = (statusCode: 400 | 401 | 404 | 409 | 422, message: string) =>
  Object.assign(new Error(message), { statusCode });

const reference = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/, 'must be 1 to 64 of A-Z a-z 0-9 _ -'));
const text = (maxCharacters: number) => v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(maxCharacters));

/** Body of `POST /v1/checkouts`. */
export const CreateCheckoutRequest = v.strictObject({
  attemptRef: v.pipe(v.string(), v.regex(/^[\w-]{1,38}$/, 'must be 1 to 38 of A-Z a-z 0-9 _ -')),
  /** ₹1.00 to ₹10,00,000.00. */
  amountPaise: v.pipe(v.number(), v.integer(), v.minValue(100), v.maxValue(100_000_000)),
  currency: v.literal('INR'),
  /** The product; shown on the page. */
  description: text(200),
  buyer: v.strictObject({
    name: text(100),
    email: v.pipe(v.string(), v.email(), v.maxLength(254)),
    phoneE164: v.pipe(v.string(), v.regex(/^\+\d{8,15}$/, 'must be like +919876543210')),
  }),
  returnUrl: v.pipe(v.string(), v.url(), v.maxLength(1_000)),
  expiresAt: v.pipe(v.string(), v.isoTimestamp()),
});

/** Body of `POST /v1/refunds`. */
export const CreateRefundRequest = v.strictObject({
  attemptRef: reference,
  refundRef: reference,
  amountPaise: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(200_000_000)),
});

/** Body of `POST /v1/_scenarios`. */
export const ScenarioRequest = v.strictObject({
  attemptRef: reference,
  outcome: v.picklist(Object.keys(OUTCOMES) as OutcomeName[]),
});

/** A row of the table. */
export interface SandboxCheckout {
  attempt_ref: string;
  id: string;
  request_hash: string;
  amount_paise: number;
  description: string;
  return_url: string;
  expires_at: Date;
  state: 'PENDING' | 'PAID' | 'FAILED';
  error_code: string | null;
  /** The buyer's choice; null: nothing yet. */
  outcome: OutcomeName | null;
  acted_at: Date | null;
  /** Number of steps of the outcome that were applied. */
  steps_done: number;
}

/** A refund as the merchant sees it. */
interface Refund extends v.InferOutput<typeof CreateRefundRequest> {
  state: 'PENDING' | 'SUCCEEDED' | 'FAILED';
  errorCode: string | null;
}

/** Connects and creates missing tables; safe in several processes at once. */
export async function openTables(address: SandboxConfig['database']): Promise<Pool> {
  const pool = new Pool({
    ...(typeof address === 'string' ? { connectionString: address } : address),
    max: 4,
    options: '-c timezone=UTC -c client_min_messages=warning',
  });
  // A broken idle connection is replaced at the next use. Without a listener the error would end the process.
  pool.on('error', () => {});
  try {
    // Several statements in one query are one transaction.
    await pool.query(TABLES);
    return pool;
  } catch (error) {
    await pool.end();
    throw error;
  }
}

async function inTransaction<Result>(pool: Pool, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    // Closing the connection rolls back.
    client.release(true);
    throw error;
  }
}

const outcomeOf = ({ outcome }: SandboxCheckout): Outcome | undefined =>
  outcome === null ? undefined : OUTCOMES[outcome];

/** Creates a checkout, or returns the one with the same body. Throws 409 for another body, 422 when it is refused. */
export async function createCheckout(
  pool: Pool,
  request: v.InferOutput<typeof CreateCheckoutRequest>,
  publicOrigin: string,
  now: Date,
): Promise<SandboxCheckout> {
  const { attemptRef, amountPaise, description, buyer, returnUrl } = request;
  const hash = createHash('sha256').update(JSON.stringify(request)).digest('hex');
  const expiresAt = new Date(Math.min(Date.parse(request.expiresAt), now.getTime() + MAX_CHECKOUT_MS));
  const isAllowed = URL.parse(returnUrl)?.origin === publicOrigin && expiresAt > now;
  if (isAllowed)
    await pool.query(
      `INSERT INTO sandbox.checkout
         (attempt_ref, id, request_hash, amount_paise, description, buyer, return_url, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (attempt_ref) DO NOTHING`,
      [attemptRef, randomBytes(16).toString('base64url'), hash, amountPaise, description, buyer, returnUrl, expiresAt],
    );
  const { rows } = await pool.query<SandboxCheckout>('SELECT * FROM sandbox.checkout WHERE attempt_ref = $1', [
    attemptRef,
  ]);
  if (!rows[0]) throw refusal(422, `returnUrl must be of ${publicOrigin}, expiresAt in the future`);
  if (rows[0].request_hash !== hash) throw refusal(409, `${attemptRef} was used with another body`);
  return rows[0];
}

/** The checkout of the merchant's reference or of a page's id. Throws 404. */
export async function findCheckout(
  client: Pool | PoolClient,
  column: 'attempt_ref' | 'id',
  value: string,
  lock: '' | 'FOR UPDATE' = '',
): Promise<SandboxCheckout> {
  const { rows } = await client.query<SandboxCheckout>(`SELECT * FROM sandbox.checkout WHERE ${column} = $1 ${lock}`, [
    value,
  ]);
  if (!rows[0]) throw refusal(404, `No checkout ${value}`);
  return rows[0];
}

/** The state for the merchant. A page that ended without a decision is EXPIRED, unless its payment is still being processed. */
export function visibleState(checkout: SandboxCheckout, now: Date): SandboxCheckout['state'] | 'EXPIRED' {
  if (checkout.state !== 'PENDING' || checkout.expires_at > now) return checkout.state;
  return outcomeOf(checkout)?.outlastsPage ? 'PENDING' : 'EXPIRED';
}

/** The current fault of the status call, if any. */
export function activeStatusFault(checkout: SandboxCheckout, now: Date): Outcome['statusFault'] {
  const isOver = !checkout.acted_at || now.getTime() >= checkout.acted_at.getTime() + STATUS_FAULT_MS;
  return isOver ? undefined : outcomeOf(checkout)?.statusFault;
}

/** The answer of the status call. */
export async function readStatus(pool: Pool, checkout: SandboxCheckout, now: Date) {
  const { rows: payments } = await pool.query(
    `SELECT payment_id AS "paymentId", amount_paise AS "amountPaise", currency, method
     FROM sandbox.payment WHERE attempt_ref = $1 ORDER BY captured_at, payment_id`,
    [checkout.attempt_ref],
  );
  return { state: visibleState(checkout, now), errorCode: checkout.error_code, payments };
}

/**
 * Applies the buyer's action. Returns the outcome, or undefined when the page was already used or has ended. `abandon`
 * leaves the page usable.
 */
export async function applyAction(
  pool: Pool,
  attemptRef: string,
  name: OutcomeName,
  now: Date,
): Promise<Outcome | undefined> {
  return inTransaction(pool, async (client) => {
    const checkout = await findCheckout(client, 'attempt_ref', attemptRef, 'FOR UPDATE');
    if (checkout.outcome || visibleState(checkout, now) !== 'PENDING') return undefined;
    if (name !== 'abandon') {
      const values = [attemptRef, name, now];
      await client.query('UPDATE sandbox.checkout SET outcome = $2, acted_at = $3 WHERE attempt_ref = $1', values);
      await applySteps(client, { ...checkout, outcome: name, acted_at: now }, now);
    }
    return OUTCOMES[name];
  });
}

/** Applies the due steps of one checkout and finishes one due refund. False when there is neither. */
export async function applyDue(pool: Pool, now: Date): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const checkouts = await client.query<SandboxCheckout>(
      'SELECT * FROM sandbox.checkout WHERE next_step_at <= $1 ORDER BY next_step_at LIMIT 1 FOR UPDATE SKIP LOCKED',
      [now],
    );
    for (const checkout of checkouts.rows) await applySteps(client, checkout, now);
    const refunds = await client.query<Refund>(
      `UPDATE sandbox.refund SET state = 'SUCCEEDED', due_at = NULL WHERE refund_ref = (
         SELECT refund_ref FROM sandbox.refund WHERE due_at <= $1 ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING ${REFUND_COLUMNS}`,
      [now],
    );
    for (const refund of refunds.rows) await queueRefundWebhook(client, refund, now);
    return checkouts.rows.length + refunds.rows.length > 0;
  });
}

async function applySteps(client: PoolClient, checkout: SandboxCheckout, now: Date): Promise<void> {
  const { attempt_ref, acted_at, expires_at, steps_done } = checkout;
  const steps = outcomeOf(checkout)?.steps ?? [];
  const dueAt = ({ fromExpiry, afterMs = 0 }: OutcomeStep) =>
    new Date((fromExpiry ? expires_at : (acted_at as Date)).getTime() + afterMs);
  const due = steps.slice(steps_done).filter((step) => dueAt(step) <= now);
  for (const step of due) await applyStep(client, checkout, step, now);
  const next = steps[steps_done + due.length];
  const values = [attempt_ref, steps_done + due.length, next ? dueAt(next) : null];
  await client.query('UPDATE sandbox.checkout SET steps_done = $2, next_step_at = $3 WHERE attempt_ref = $1', values);
}

async function applyStep(client: PoolClient, checkout: SandboxCheckout, step: OutcomeStep, now: Date): Promise<void> {
  const attemptRef = checkout.attempt_ref;
  const paymentId = `pay_${randomBytes(9).toString('base64url')}`;
  const amountPaise = checkout.amount_paise + (step.amountDifference ?? 0);
  const currency = step.currency ?? 'INR';
  const isPaid = step.result === 'PAID';
  if (isPaid) {
    const payment = [paymentId, attemptRef, amountPaise, currency, now];
    await client.query("INSERT INTO sandbox.payment VALUES ($1, $2, $3, $4, 'UPI', $5)", payment);
  }
  const errorCode = isPaid ? null : (step.errorCode ?? 'UPI_DECLINED');
  const values = [attemptRef, step.result, errorCode];
  await client.query('UPDATE sandbox.checkout SET state = $2, error_code = $3 WHERE attempt_ref = $1', values);
  for (const webhook of step.webhooks) {
    const shown = webhook.event === 'checkout.paid' ? paymentId : null;
    await queueWebhook(client, webhook, { attemptRef, refundRef: null, paymentId: shown, amountPaise }, now);
  }
}

/** Creates a refund, or returns the one with the same body. Throws 404, 409 for another body, 422 above the captured amount. */
export async function createRefund(
  pool: Pool,
  { attemptRef, refundRef, amountPaise }: v.InferOutput<typeof CreateRefundRequest>,
  now: Date,
): Promise<Refund> {
  return inTransaction(pool, async (client) => {
    // Serialises calls with the same reference, even for different checkouts.
    await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`sandbox.refund ${refundRef}`]);
    const checkout = await findCheckout(client, 'attempt_ref', attemptRef, 'FOR UPDATE');
    const known = await findRefund(client, refundRef);
    if (known && (known.attemptRef !== attemptRef || known.amountPaise !== amountPaise))
      throw refusal(409, `${refundRef} was used with another body`);
    if (known) return known;
    const { rows } = await client.query<{ left: string }>(
      `SELECT (SELECT coalesce(sum(amount_paise), 0) FROM sandbox.payment WHERE attempt_ref = $1)
            - (SELECT coalesce(sum(amount_paise), 0) FROM sandbox.refund WHERE attempt_ref = $1 AND state <> 'FAILED')
              AS "left"`,
      [attemptRef],
    );
    if (amountPaise > Number(rows[0]?.left))
      throw refusal(422, `Only ${rows[0]?.left} paise of ${attemptRef} can be refunded`);
    const course = outcomeOf(checkout)?.refund;
    const state = course === 'pending' ? 'PENDING' : course === 'fail' ? 'FAILED' : 'SUCCEEDED';
    const errorCode = state === 'FAILED' ? 'REFUND_DECLINED' : null;
    const dueAt = state === 'PENDING' ? new Date(now.getTime() + PENDING_REFUND_MS) : null;
    const values = [refundRef, attemptRef, amountPaise, state, errorCode, dueAt];
    await client.query('INSERT INTO sandbox.refund VALUES ($1, $2, $3, $4, $5, $6)', values);
    const refund: Refund = { refundRef, attemptRef, amountPaise, state, errorCode };
    if (state !== 'PENDING') await queueRefundWebhook(client, refund, now);
    return refund;
  });
}

/** The present state of a refund. */
export async function findRefund(client: Pool | PoolClient, refundRef: string): Promise<Refund | undefined> {
  const sql = `SELECT ${REFUND_COLUMNS} FROM sandbox.refund WHERE refund_ref = $1`;
  return (await client.query<Refund>(sql, [refundRef])).rows[0];
}

async function queueRefundWebhook(client: PoolClient, refund: Refund, now: Date): Promise<void> {
  const { attemptRef, refundRef, amountPaise, state } = refund;
  const event = state === 'FAILED' ? 'refund.failed' : 'refund.succeeded';
  await queueWebhook(client, { event }, { attemptRef, refundRef, paymentId: null, amountPaise }, now);
}
