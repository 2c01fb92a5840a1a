/** Refunds: never more than was captured, once per reference. */
import type { Pool, PoolClient } from 'pg';
import { lockCheckout } from './checkouts.ts';
import { inTransaction } from './database.ts';
import { findOutcome } from './outcomes.ts';
import { type CreateRefundRequest, type RefundStatus, SandboxError } from './protocol.ts';
import { queueEvent } from './webhooks.ts';

const PENDING_MS = 30_000;

interface RefundRow {
  refund_ref: string;
  attempt_ref: string;
  amount_paise: number;
  state: RefundStatus['state'];
  error_code: string | null;
}

/**
 * Creates a refund, or returns the one with the same reference. Throws 404, 409 for another body, 422 above the
 * captured amount.
 */
export async function createRefund(pool: Pool, request: CreateRefundRequest, now: Date): Promise<RefundStatus> {
  const { attemptRef, refundRef, amountPaise } = request;
  return inTransaction(pool, async (client) => {
    // Serialised per reference, also for different checkouts.
    await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`sandbox.refund ${refundRef}`]);
    const checkout = await lockCheckout(client, attemptRef);
    const known = await findRefund(client, refundRef);
    if (known) return assertSameRequest(known, request);
    const { rows } = await client.query<{ left: string }>(
      `SELECT (SELECT coalesce(sum(amount_paise), 0) FROM sandbox.payment WHERE attempt_ref = $1)
            - (SELECT coalesce(sum(amount_paise), 0) FROM sandbox.refund WHERE attempt_ref = $1 AND state <> 'FAILED')
              AS "left"`,
      [attemptRef],
    );
    if (amountPaise > Number(rows[0]?.left))
      throw new SandboxError(422, 'REFUSED', `Only ${rows[0]?.left} paise of ${attemptRef} can be refunded`);
    const course = findOutcome(checkout.outcome ?? '')?.refund;
    const dueAt = new Date(now.getTime() + (course === 'pending' ? PENDING_MS : 0));
    await client.query(`INSERT INTO sandbox.refund VALUES ($1, $2, $3, 'PENDING', NULL, $4)`, [
      refundRef,
      attemptRef,
      amountPaise,
      dueAt,
    ]);
    if (dueAt <= now) await finishRefund(client, refundRef, now);
    return toStatus((await findRefund(client, refundRef)) as RefundRow);
  });
}

function assertSameRequest(known: RefundRow, asked: CreateRefundRequest): RefundStatus {
  if (known.attempt_ref !== asked.attemptRef || known.amount_paise !== asked.amountPaise)
    throw new SandboxError(409, 'CONFLICT', `${asked.refundRef} was used with another body`);
  return toStatus(known);
}

/** A refund as it is now. Throws 404. */
export async function readRefund(pool: Pool, refundRef: string): Promise<RefundStatus> {
  const refund = await findRefund(pool, refundRef);
  if (!refund) throw new SandboxError(404, 'NOT_FOUND', `No refund ${refundRef}`);
  return toStatus(refund);
}

/** Finishes one due refund; false when there is none. */
export async function finishDueRefund(pool: Pool, now: Date): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ refund_ref: string }>(
      `SELECT refund_ref FROM sandbox.refund WHERE due_at <= $1 ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
      [now],
    );
    if (rows[0]) await finishRefund(client, rows[0].refund_ref, now);
    return rows.length > 0;
  });
}

async function finishRefund(client: PoolClient, refundRef: string, now: Date): Promise<void> {
  const { rows } = await client.query<RefundRow & { outcome: string | null }>(
    `SELECT refund.*, checkout.outcome
     FROM sandbox.refund JOIN sandbox.checkout USING (attempt_ref) WHERE refund_ref = $1`,
    [refundRef],
  );
  const refund = rows[0] as (typeof rows)[number];
  const isFailed = findOutcome(refund.outcome ?? '')?.refund === 'fail';
  await client.query('UPDATE sandbox.refund SET state = $2, error_code = $3, due_at = NULL WHERE refund_ref = $1', [
    refundRef,
    isFailed ? 'FAILED' : 'SUCCEEDED',
    isFailed ? 'REFUND_DECLINED' : null,
  ]);
  const about = { attemptRef: refund.attempt_ref, refundRef, paymentId: null, currency: 'INR' };
  const event = isFailed ? 'refund.failed' : 'refund.succeeded';
  await queueEvent(client, { event }, { ...about, amountPaise: refund.amount_paise }, now);
}

async function findRefund(client: Pool | PoolClient, refundRef: string): Promise<RefundRow | undefined> {
  const { rows } = await client.query<RefundRow>('SELECT * FROM sandbox.refund WHERE refund_ref = $1', [refundRef]);
  return rows[0];
}

function toStatus(refund: RefundRow): RefundStatus {
  return {
    refundRef: refund.refund_ref,
    attemptRef: refund.attempt_ref,
    amountPaise: refund.amount_paise,
    state: refund.state,
    errorCode: refund.error_code,
  };
}
