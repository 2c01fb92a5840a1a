/** Webhooks: queued as rows with the event, signed and sent when due, repeated until received. */
import { createHmac, randomBytes } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import type { SandboxConfig } from './config.ts';
import type { OutcomeWebhook, WebhookFault } from './outcomes.ts';
import { WEBHOOK_PATH, type WebhookBody } from './protocol.ts';

/** Pauses between the attempts of one delivery. */
const RETRY_DELAYS_MS = [1_000, 5_000, 30_000, 120_000, 600_000];

const RESPONSE_TIMEOUT_MS = 5_000;
// Lease: if a process dies while sending, another one sends after this time.
const LEASE_MS = 60_000;
const CLOCK_SHIFT_SECONDS = 600;

/** A delivery. */
export interface WebhookDelivery {
  id: string;
  event_id: string;
  event: string;
  attempt_ref: string;
  body: string;
  fault: WebhookFault | null;
  created_at: Date;
  /** The next attempt; null after it was received or after the last attempt. */
  due_at: Date | null;
  tries: number;
  answer: string | null;
}

/** `X-Sandbox-Signature` of a body that is sent at `seconds` (Unix time). */
function signBody(secret: string, seconds: number, body: string): string {
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}

/** Stores the webhooks in the transaction of their event. */
export async function queueEvent(
  client: PoolClient,
  hook: OutcomeWebhook,
  about: Pick<WebhookBody, 'attemptRef' | 'refundRef' | 'paymentId' | 'amountPaise' | 'currency'>,
  now: Date,
): Promise<void> {
  const newId = () => `evt_${randomBytes(12).toString('base64url')}`;
  const sharedId = newId();
  for (let copy = 0; copy < (hook.copies ?? 1); copy++) {
    const eventId = hook.freshIds ? newId() : sharedId;
    const body: WebhookBody = { eventId, event: hook.event, createdAt: now.toISOString(), ...about };
    await client.query(
      `INSERT INTO sandbox.delivery (event_id, event, attempt_ref, body, fault, created_at, due_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [
        eventId,
        hook.event,
        about.attemptRef,
        JSON.stringify(body),
        hook.fault ?? null,
        now,
        new Date(now.getTime() + (hook.delayMs ?? 0)),
      ],
    );
  }
}

/** Sends one due delivery; false when there is none. `stopping` aborts a slow receiver. */
export async function sendDueDelivery(
  pool: Pool,
  config: SandboxConfig,
  now: () => Date,
  stopping: AbortSignal,
): Promise<boolean> {
  const claimedAt = now();
  const { rows } = await pool.query<WebhookDelivery>(
    `UPDATE sandbox.delivery SET tries = tries + 1, due_at = $2
     WHERE id = (SELECT id FROM sandbox.delivery WHERE due_at <= $1 ORDER BY due_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING *`,
    [claimedAt, new Date(claimedAt.getTime() + LEASE_MS)],
  );
  const [delivery] = rows;
  if (!delivery) return false;
  const { answer, isReceived } = await sendDelivery(delivery, config, claimedAt, stopping);
  const pause = isReceived ? undefined : RETRY_DELAYS_MS[delivery.tries - 1];
  const dueAt = pause === undefined ? null : new Date(now().getTime() + pause);
  await pool.query('UPDATE sandbox.delivery SET answer = $2, due_at = $3 WHERE id = $1', [delivery.id, answer, dueAt]);
  return true;
}

async function sendDelivery(
  delivery: WebhookDelivery,
  config: SandboxConfig,
  now: Date,
  stopping: AbortSignal,
): Promise<{ answer: string; isReceived: boolean }> {
  const { body, headers } = signedRequest(delivery, config.secret, now);
  try {
    const reply = await fetch(`${config.webhookOrigin}${WEBHOOK_PATH}`, {
      method: 'POST',
      body,
      headers,
      redirect: 'manual',
      signal: AbortSignal.any([stopping, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)]),
    });
    await reply.body?.cancel();
    return { answer: String(reply.status), isReceived: reply.ok };
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } };
    return { answer: cause?.code ?? name, isReceived: false };
  }
}

/** The request, wrong in the way that the delivery asks for. */
function signedRequest({ body, event_id, fault }: WebhookDelivery, secret: string, now: Date) {
  const shift = fault === 'stale' ? -CLOCK_SHIFT_SECONDS : fault === 'future' ? CLOCK_SHIFT_SECONDS : 0;
  const seconds = Math.floor(now.getTime() / 1_000) + shift;
  const key = fault === 'wrong-secret' ? `not ${secret}` : secret;
  return {
    body: fault === 'tampered' ? body.replace('"amountPaise":', '"amountPaise":1') : body,
    headers: {
      'content-type': 'application/json',
      'x-sandbox-event-id': event_id,
      'x-sandbox-signature': signBody(key, seconds, body),
    },
  };
}

/** The newest hundred deliveries. */
export async function listDeliveries(pool: Pool): Promise<WebhookDelivery[]> {
  const { rows } = await pool.query<WebhookDelivery>('SELECT * FROM sandbox.delivery ORDER BY id DESC LIMIT 100');
  return rows;
}

/** Makes a delivery due again, with all its attempts; false for an unknown id. */
export async function resendDelivery(pool: Pool, id: string, now: Date): Promise<boolean> {
  const { rowCount } = await pool.query('UPDATE sandbox.delivery SET due_at = $2, tries = 0 WHERE id = $1', [id, now]);
  return rowCount === 1;
}
