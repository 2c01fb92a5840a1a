/** The key of a buyer's intent to pay. Repeated calls with the same key create one order. */

import { MINUTE_MS } from '@nivida/contract/time';
import { readSetting, writeSetting } from '../../../data/device/settings.ts';
import { hashContent } from '../../../data/hash.ts';

const INTENT_KEY = 'payment intent';
/** After this time, the same submit creates a new order. */
const INTENT_VALID_FOR_MS = 10 * MINUTE_MS;

interface PaymentIntent {
  key: string;
  /** SHA-256 of buyer and order, in hex. Another order is another intent. */
  order: string;
  /** Time of the first submit (milliseconds since 1970). */
  at: number;
}

// Used in a browser without storage.
let memoryIntent: PaymentIntent | null = null;

function isPaymentIntent(value: unknown): value is PaymentIntent {
  if (typeof value !== 'object' || value === null) return false;
  const { key, order, at }: { key?: unknown; order?: unknown; at?: unknown } = value;
  return typeof key === 'string' && typeof order === 'string' && typeof at === 'number';
}

/**
 * The `Idempotency-Key` (UUID) of an order. `order` is its body and owner as text; `now` is in milliseconds
 * since 1970. The key stays the same for ten minutes after the first submit, even after a reload. A changed
 * order gets a new key.
 */
export async function idempotencyKey(order: string, now: number): Promise<string> {
  const orderDigest = await hashContent(order);
  const stored = memoryIntent ?? (await readSetting(INTENT_KEY));
  if (
    isPaymentIntent(stored) &&
    stored.order === orderDigest &&
    now >= stored.at &&
    now - stored.at < INTENT_VALID_FOR_MS
  )
    return stored.key;
  memoryIntent = { key: crypto.randomUUID(), order: orderDigest, at: now };
  await writeSetting(INTENT_KEY, memoryIntent);
  return memoryIntent.key;
}

/** Deletes the intent when the buyer gives up or the payment has ended. The next submit is a new intent. */
export async function deletePaymentIntent(): Promise<void> {
  memoryIntent = null;
  await writeSetting(INTENT_KEY, null);
}
