/**
 * The protocol of the payment sandbox, a stand-in for a payment provider: a process of its own on 127.0.0.1. No money moves.
 * Amounts are integer paise, instants ISO 8601 UTC, bodies JSON (UTF-8), unknown fields are rejected.
 *
 * AUTHORISATION  `Authorization: Bearer <SANDBOX_SECRET>` on everything below /v1. The same secret signs the webhooks.
 *
 * ERRORS  `{ "code", "message" }`: 400 INVALID (body), 401 UNAUTHORISED, 404 NOT_FOUND, 409 CONFLICT (a reference was used before
 *   with another body), 422 REFUSED (an amount above what was captured, a foreign returnUrl, an end that has passed), 500 INTERNAL.
 *
 * POST /v1/checkouts   body `CreateCheckoutRequest`
 *   200 `{ "providerRef", "url", "expiresAt" }`. `url` is the hosted page, http://127.0.0.1:<port>/pay/<providerRef>.
 *   Idempotent by attemptRef: the same body always gives the same answer, another body 409. `returnUrl` must be of the origin
 *   that the sandbox was started for. The page ends at `expiresAt`, at the latest 15 minutes after its creation; the answer says when.
 *
 * GET /v1/checkouts/{attemptRef}   200 `CheckoutStatus`
 *   state  PENDING  undecided, also while a payment is being processed, which may outlast the page
 *          PAID     captured: amountPaise, currency, paymentId and method are those of the first capture, `payments` lists every one,
 *                   oldest first (a buyer can be debited twice); compare amount and currency with the order
 *          FAILED   declined or cancelled; errorCode CARD_DECLINED, UPI_DECLINED, BANK_DECLINED or CANCELLED_BY_BUYER
 *          EXPIRED  the page ended without a payment. May still become PAID, as with real providers
 *   In any state but PAID amountPaise and currency are the requested ones.
 *
 * POST /v1/refunds   body `CreateRefundRequest`;   GET /v1/refunds/{refundRef}   both 200 `RefundStatus`
 *   state PENDING, SUCCEEDED or FAILED. Idempotent by refundRef: the same body gives the same refund as it is now, another body 409.
 *   All refunds of a checkout that did not fail never exceed what was captured (422).
 *
 * POST /v1/_scenarios   body `ScenarioRequest`: for tests. Presets what happens at the buyer's next action, regardless of the choice; with
 *   `play` it happens at once. 200 `{ "redirect" }`: where the browser would go; null while nothing was played,
 *   and where the browser would not come back. The names of outcomes are the keys of OUTCOMES.
 *
 * GET /pay/{providerRef}   the hosted page. The buyer's action is POST /pay/{providerRef}/act (form, CSRF token); it answers 303 to
 *   returnUrl, unchanged and without the result: ask for the status. A page that was already used goes back at once.
 *   The VPA `<outcome>@sandbox` selects an outcome. GET /deliveries lists webhooks and resends them.
 *
 * WEBHOOK  POST <webhookOrigin>/api/webhooks/payments/sandbox with `WebhookBody` and the headers
 *     X-Sandbox-Event-Id: evt_…   the same in every attempt and in the body
 *     X-Sandbox-Signature: t=<unix seconds>,v1=<64 hex digits>   v1 = HMAC-SHA256(secret, "<t>.<raw body>"), t = when this attempt was sent
 *   The receiver accepts t up to 300 s old or ahead. Any 2xx within 5 s counts as received; otherwise it is sent again after
 *   1 s, 5 s, 30 s, 2 min and 10 min, then no more. Order and uniqueness are not guaranteed.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import { OUTCOMES, type OutcomeName } from './outcomes.ts';

/** Path of the webhook receiver, below the API's origin. */
export const WEBHOOK_PATH = '/api/webhooks/payments/sandbox';

/** Maximum duration of a page in milliseconds. */
export const MAX_CHECKOUT_MS = 15 * 60_000;

const reference = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/, 'must be 1 to 64 of A-Z a-z 0-9 _ -'));
const amountPaise = v.pipe(v.number(), v.integer(), v.minValue(100), v.maxValue(100_000_000));
const text = (maxCharacters: number) => v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(maxCharacters));

/** Body of `POST /v1/checkouts`. */
export const CreateCheckoutRequest = v.strictObject({
  attemptRef: v.pipe(v.string(), v.regex(/^[\w-]{1,38}$/, 'must be 1 to 38 of A-Z a-z 0-9 _ -')),
  /** ₹1.00 to ₹10,00,000.00. */
  amountPaise,
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
export type CreateCheckoutRequest = v.InferOutput<typeof CreateCheckoutRequest>;

/** Body of `POST /v1/refunds`. */
export const CreateRefundRequest = v.strictObject({
  attemptRef: reference,
  refundRef: reference,
  amountPaise: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(200_000_000)),
});
export type CreateRefundRequest = v.InferOutput<typeof CreateRefundRequest>;

/** Body of `POST /v1/_scenarios`. */
export const ScenarioRequest = v.strictObject({
  attemptRef: reference,
  outcome: v.picklist(Object.keys(OUTCOMES) as OutcomeName[]),
  play: v.optional(v.boolean(), false),
});

/** Payment methods. */
export type PaymentMethod = 'CARD' | 'UPI' | 'NET_BANKING';

/** One capture. */
export interface SandboxPayment {
  paymentId: string;
  amountPaise: number;
  /** INR, except in the outcome `wrong-currency`. */
  currency: string;
  method: PaymentMethod;
  capturedAt: string;
}

/** Answer of `GET /v1/checkouts/{attemptRef}`; the states are explained at the head of this file. */
export interface CheckoutStatus {
  attemptRef: string;
  providerRef: string;
  state: 'PENDING' | 'PAID' | 'FAILED' | 'EXPIRED';
  amountPaise: number;
  currency: string;
  paymentId: string | null;
  method: PaymentMethod | null;
  errorCode: string | null;
  payments: SandboxPayment[];
  expiresAt: string;
}

/** Answer of the calls for refunds. */
export interface RefundStatus {
  refundRef: string;
  attemptRef: string;
  amountPaise: number;
  state: 'PENDING' | 'SUCCEEDED' | 'FAILED';
  /** REFUND_DECLINED when it failed. */
  errorCode: string | null;
}

/** Event types of webhooks. */
export type EventName = 'checkout.paid' | 'checkout.failed' | 'refund.succeeded' | 'refund.failed';

/** Body of a webhook: a hint to ask for the status, never the status itself. */
export interface WebhookBody {
  eventId: string;
  event: EventName;
  createdAt: string;
  attemptRef: string;
  /** Of refund events. */
  refundRef: string | null;
  /** Of `checkout.paid`: the capture that this event is about. */
  paymentId: string | null;
  amountPaise: number;
  currency: string;
}

/** An error for the caller; any other error is answered 500. */
export class SandboxError extends Error {
  override name = 'SandboxError';
  readonly status: 400 | 401 | 404 | 409 | 422;
  readonly code: 'INVALID' | 'UNAUTHORISED' | 'NOT_FOUND' | 'CONFLICT' | 'REFUSED';

  constructor(status: SandboxError['status'], code: SandboxError['code'], message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Compares secrets in constant time. */
export function isEqualInConstantTime(left: string, right: string): boolean {
  const [a, b] = [left, right].map((text) => createHmac('sha256', 'compare').update(text).digest());
  return timingSafeEqual(a as Buffer, b as Buffer);
}
