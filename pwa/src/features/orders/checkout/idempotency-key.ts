/** The one key of a buyer's intent to pay: a press whose answer was lost is repeated with it, and makes one order. */
import { readSetting, writeSetting } from '../../../data/device/settings.ts';

const INTENT_KEY = 'payment intent';
/** After this long the buyer is asked again instead. */
const INTENT_VALID_FOR_MS = 10 * 60_000;

interface PaymentIntent {
  key: string;
  /** SHA-256 of who orders what, in hex: another order is another intent. */
  order: string;
  /** When it was first pressed (milliseconds since 1970). */
  at: number;
}

// also here, for a browser that keeps nothing
let memoryIntent: PaymentIntent | null = null;

function isPaymentIntent(value: unknown): value is PaymentIntent {
  if (typeof value !== 'object' || value === null) return false;
  const { key, order, at }: { key?: unknown; order?: unknown; at?: unknown } = value;
  return typeof key === 'string' && typeof order === 'string' && typeof at === 'number';
}

async function sha256Hex(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * The `Idempotency-Key` (UUID) of an order; `order` is its body as it is sent and whose it is, `now` in milliseconds since
 * 1970. The same for ten minutes from the first press, also after a reload, unless the order has changed or was forgotten.
 */
export async function idempotencyKey(order: string, now: number): Promise<string> {
  const orderDigest = await sha256Hex(order);
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

/** The buyer has given up, or knows how the payment ended: the next press is a new intent. */
export async function deletePaymentIntent(): Promise<void> {
  memoryIntent = null;
  await writeSetting(INTENT_KEY, null);
}
