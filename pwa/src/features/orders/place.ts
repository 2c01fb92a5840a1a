/** Placing an order: the call, and what a failed one means. */
import { type NewOrder, OrderStarted } from '@nivida/contract/order';
import { isHTTPError } from 'ky';
import type * as v from 'valibot';
import { api, isUnanswered, saidByServer } from '../../data/api.ts';
import { currentOwner } from '../../data/session.ts';
import { intentKey } from './intent.ts';

/** The body of `POST /api/create-order` as it is sent. */
export type OrderBody = v.InferInput<typeof NewOrder>;

/** What is ordered, without the buyer. */
export type OrderItem =
  | { product: 'tender-documents'; tenderId: string; documentId: string }
  | { product: 'yearly-subscription'; planId: 'basic' | 'premium' | 'enterprise'; states: string[] };

/** The world in which it happens: time in milliseconds since 1970, waiting, and whether there is signal. */
export interface PlacingWorld {
  now: () => number;
  wait: (ms: number) => Promise<void>;
  isOnline: () => boolean;
}

const BROWSER: PlacingWorld = {
  now: Date.now,
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  isOnline: () => navigator.onLine,
};

/** How long to wait before each repetition of a press whose answer was lost. */
const REPEAT_AFTER_MS = [1_000, 3_000];

/** The answer was lost, or the first of two equal calls is still being answered: the same call may be made again. */
function isRepeatable(error: unknown): boolean {
  if (isUnanswered(error)) return true;
  return isHTTPError(error) && error.response.status === 409 && error.response.headers.has('retry-after');
}

/**
 * Places an order. A call whose answer was lost is repeated with the same key, at most twice, while there is signal and
 * `signal` is not aborted; nothing is kept to be sent later. Throws what the last call threw.
 */
export async function placeOrder(
  body: OrderBody,
  signal: AbortSignal,
  world: PlacingWorld = BROWSER,
): Promise<OrderStarted> {
  const key = await intentKey(JSON.stringify([currentOwner(), body]), world.now());
  for (const pause of [...REPEAT_AFTER_MS, null]) {
    signal.throwIfAborted();
    try {
      const headers = { 'idempotency-key': key };
      return await api.post('api/create-order', { json: body, headers, signal }).json(OrderStarted);
    } catch (error) {
      if (pause === null || !isRepeatable(error) || !world.isOnline()) throw error;
      await world.wait(pause);
    }
    // the signal may have gone while it waited: then the buyer is told and presses again
    if (!world.isOnline()) break;
  }
  throw new TypeError('no signal');
}

/** What to say when no payment page could be opened (RESOLUTIONS R25). */
export function placingFailure(error: unknown): string {
  return saidByServer(error, 'Failed to initiate payment. Please try again.');
}

/** The address of a payment page, or null for what a browser must not be sent to. */
export function paymentAddress(url: string, base: string): URL | null {
  const address = URL.parse(url, base);
  return address && /^https?:$/.test(address.protocol) ? address : null;
}
