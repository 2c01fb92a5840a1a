/** Places an order: the API call, its retries and the texts of its failures. */
import { t } from '@lingui/core/macro';
import { type CreateOrderRequest, CreateOrderResponse } from '@nivida/contract/orders/order';
import { parseUrl } from '@nivida/contract/url';
import { isHTTPError } from 'ky';
import type * as v from 'valibot';
import { api, isConnectionError, serverMessageOr } from '../../../data/server/api.ts';
import { currentOwner } from '../../../data/session.ts';
import { idempotencyKey } from './idempotency-key.ts';

/** Body of `POST /api/create-order`. */
export type CreateOrderBody = v.InferInput<typeof CreateOrderRequest>;

/** The ordered item, without the buyer. */
export type OrderItem =
  | { product: 'tender-documents'; tenderId: string; documentId: string }
  | { product: 'yearly-subscription'; planId: 'basic' | 'premium' | 'enterprise'; states: string[]; firmId?: string };

/** The environment of the call: time in milliseconds since 1970, waiting, and whether there is a connection. */
export interface PlaceOrderEnvironment {
  now: () => number;
  wait: (ms: number) => Promise<void>;
  isOnline: () => boolean;
}

const BROWSER_ENVIRONMENT: PlaceOrderEnvironment = {
  now: Date.now,
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  isOnline: () => navigator.onLine,
};

/** Pause before each repetition of a call whose answer was lost. */
const RETRY_DELAYS_MS = [1_000, 3_000];

/**
 * True when the same call may be made again: its answer was lost, or the first of two equal calls is still
 * running.
 */
function isRetryable(error: unknown): boolean {
  if (isConnectionError(error)) return true;
  return isHTTPError(error) && error.response.status === 409 && error.response.headers.has('retry-after');
}

/**
 * Places an order. When the answer is lost, the call is retried at most twice with the same key. There is no
 * retry without a connection or after `signal` is aborted, and nothing is queued. Throws the error of the
 * last call, or a TypeError when the connection is lost before a retry.
 */
export async function placeOrder(
  body: CreateOrderBody,
  signal: AbortSignal,
  environment: PlaceOrderEnvironment = BROWSER_ENVIRONMENT,
): Promise<CreateOrderResponse> {
  const key = await idempotencyKey(JSON.stringify([currentOwner(), body]), environment.now());
  for (const pause of [...RETRY_DELAYS_MS, null]) {
    signal.throwIfAborted();
    try {
      const headers = { 'idempotency-key': key };
      return await api.post('api/create-order', { json: body, headers, signal }).json(CreateOrderResponse);
    } catch (error) {
      if (pause === null || !isRetryable(error) || !environment.isOnline()) throw error;
      await environment.wait(pause);
    }
    // Without a connection the buyer sees the failure and submits again.
    if (!environment.isOnline()) break;
  }
  throw new TypeError('no connection');
}

/** The text for the case that the payment page could not be opened (R25). */
export function placeOrderFailureText(error: unknown): string {
  return serverMessageOr(error, t`Failed to initiate payment. Please try again.`);
}

/** The address of a payment page. Null unless it is http(s). */
export function safePaymentUrl(url: string, base: string): URL | null {
  const address = parseUrl(url, base);
  return address && /^https?:$/.test(address.protocol) ? address : null;
}
