/** Webhooks. They are queued as rows together with the event, signed and sent when due, and repeated until received. */
import { createHmac, randomBytes } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import type { SandboxConfig } from './config.ts';
import type { OutcomeWebhook, WebhookFault } from './outcomes.ts';

/** Pauses between the attempts of one delivery. */
const RETRY_DELAYS_MS = [1_000, 5_000, 30_000, 120_000, 600_000];

const RESPONSE_TIMEOUT_MS = 5_000;
// Lease. If a process dies while sending, another process sends after this time.
const LEASE_MS = 60_000;
const CLOCK_SHIFT_SECONDS = 600;

interface WebhookDelivery {
  id: string;
  event_id: string;
  body: string;
  fault: WebhookFault | null;
  tries: number;
}

/** The references in a webhook. It is a hint to ask for the status and never has the status itself. */
interface WebhookSubject {
  attemptRef: string;
  /** Set in refund events. */
  refundRef: string | null;
  /** Set in `checkout.paid`: the capture that this event is about. */
  paymentId: string | null;
  amountPaise: number;
}

/** Stores the webhooks in the transaction of their event. */
export async function queueWebhook(
  client: PoolClient,
  { event, delayMs = 0, copies = 1, freshIds, fault }: OutcomeWebhook,
  subject: WebhookSubject,
  now: Date,
): Promise<void> {
  const newId = () => `evt_${randomBytes(12).toString('base64url')}`;
  const sharedId = newId();
  for (let copy = 0; copy < copies; copy++) {
    const eventId = freshIds ? newId() : sharedId;
    const body = JSON.stringify({ eventId, event, ...subject });
    const values = [eventId, body, fault, new Date(now.getTime() + delayMs)];
    await client.query('INSERT INTO sandbox.delivery (event_id, body, fault, due_at) VALUES ($1, $2, $3, $4)', values);
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
  const { webhookOrigin, secret } = config;
  const isReceived = await fetch(`${webhookOrigin}/api/webhooks/payments/sandbox`, {
    method: 'POST',
    ...signedRequest(delivery, secret, claimedAt),
    redirect: 'manual',
    signal: AbortSignal.any([stopping, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)]),
  }).then(
    (reply) => reply.body?.cancel().then(() => reply.ok) ?? reply.ok,
    () => false,
  );
  const pause = isReceived ? undefined : RETRY_DELAYS_MS[delivery.tries - 1];
  const dueAt = pause === undefined ? null : new Date(now().getTime() + pause);
  await pool.query('UPDATE sandbox.delivery SET due_at = $2 WHERE id = $1', [delivery.id, dueAt]);
  return true;
}

/** Body and headers of a webhook, with the fault of the delivery. */
function signedRequest({ body, event_id, fault }: WebhookDelivery, secret: string, now: Date) {
  const shift = fault === 'stale' ? -CLOCK_SHIFT_SECONDS : fault === 'future' ? CLOCK_SHIFT_SECONDS : 0;
  const seconds = Math.floor(now.getTime() / 1_000) + shift;
  const key = fault === 'wrong-secret' ? `not ${secret}` : secret;
  const signature = createHmac('sha256', key).update(`${seconds}.${body}`).digest('hex');
  return {
    body: fault === 'tampered' ? body.replace('"amountPaise":', '"amountPaise":1') : body,
    headers: {
      'content-type': 'application/json',
      'x-sandbox-event-id': event_id,
      'x-sandbox-signature': `t=${seconds},v1=${signature}`,
    },
  };
}
