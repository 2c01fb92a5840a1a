/** Placing an order: the call, and what a failed one means. */
import { type CreateOrderRequest, CreateOrderResponse } from '@nivida/contract/orders/order';
import { isHTTPError } from 'ky';
import type * as v from 'valibot';
import { api, isConnectionError, serverMessageOr } from '../../../data/server/api.ts';
import { currentOwner } from '../../../data/session.ts';
import { idempotencyKey } from './idempotency-key.ts';

/** The body of `POST /api/create-order` as it is sent. */
export type CreateOrderBody = v.InferInput<typeof CreateOrderRequest>;

/** What is ordered, without the buyer. */
export type OrderItem =
  | { product: 'tender-documents'; tenderId: string; documentId: string }
  | { product: 'yearly-subscription'; planId: 'basic' | 'premium' | 'enterprise'; states: string[] };

/** The world in which it happens: time in milliseconds since 1970, waiting, and whether there is signal. */
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

/** How long to wait before each repetition of a press whose answer was lost. */
const RETRY_DELAYS_MS = [1_000, 3_000];

/** The answer was lost, or the first of two equal calls is still being answered: the same call may be made again. */
function isRetryable(error: unknown): boolean {
  if (isConnectionError(error)) return true;
  return isHTTPError(error) && error.response.status === 409 && error.response.headers.has('retry-after');
}

/**
 * Places an order. A call whose answer was lost is repeated with the same key, at most twice, while there is signal and
 * `signal` is not aborted; nothing is kept to be sent later. Throws what the last call threw.
 */
export async function placeOrder(
  body: CreateOrderBody,
  signal: AbortSignal,
  world: PlaceOrderEnvironment = BROWSER_ENVIRONMENT,
): Promise<CreateOrderResponse> {
  const key = await idempotencyKey(JSON.stringify([currentOwner(), body]), world.now());
  for (const pause of [...RETRY_DELAYS_MS, null]) {
    signal.throwIfAborted();
    try {
      const headers = { 'idempotency-key': key };
      return await api.post('api/create-order', { json: body, headers, signal }).json(CreateOrderResponse);
    } catch (error) {
      if (pause === null || !isRetryable(error) || !world.isOnline()) throw error;
      await world.wait(pause);
    }
    // the signal may have gone while it waited: then the buyer is told and presses again
    if (!world.isOnline()) break;
  }
  throw new TypeError('no signal');
}

/** What to say when no payment page could be opened (RESOLUTIONS R25). */
export function placeOrderFailureText(error: unknown): string {
  return serverMessageOr(error, 'Failed to initiate payment. Please try again.');
}

/** The address of a payment page, or null for what a browser must not be sent to. */
export function safePaymentUrl(url: string, base: string): URL | null {
  const address = URL.parse(url, base);
  return address && /^https?:$/.test(address.protocol) ? address : null;
}
