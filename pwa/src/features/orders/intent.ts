/** The one key of a buyer's intent to pay: a press whose answer was lost is repeated with it, and makes one order. */
import { readSetting, writeSetting } from '../../data/settings.ts';

const SETTING = 'payment intent';
/** After this long the buyer is asked again instead. */
const KEPT_MS = 10 * 60_000;

interface Intent {
  key: string;
  /** SHA-256 of who orders what, in hex: another order is another intent. */
  order: string;
  /** When it was first pressed (milliseconds since 1970). */
  at: number;
}

// also here, for a browser that keeps nothing
let held: Intent | null = null;

function isIntent(value: unknown): value is Intent {
  if (typeof value !== 'object' || value === null) return false;
  const { key, order, at }: { key?: unknown; order?: unknown; at?: unknown } = value;
  return typeof key === 'string' && typeof order === 'string' && typeof at === 'number';
}

async function digest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * The `Idempotency-Key` (UUID) of an order; `order` is its body as it is sent and whose it is, `now` in milliseconds since
 * 1970. The same for ten minutes from the first press, also after a reload, unless the order has changed or was forgotten.
 */
export async function intentKey(order: string, now: number): Promise<string> {
  const wanted = await digest(order);
  const kept = held ?? (await readSetting(SETTING));
  if (isIntent(kept) && kept.order === wanted && now >= kept.at && now - kept.at < KEPT_MS) return kept.key;
  held = { key: crypto.randomUUID(), order: wanted, at: now };
  await writeSetting(SETTING, held);
  return held.key;
}

/** The buyer has given up, or knows how the payment ended: the next press is a new intent. */
export async function forgetIntent(): Promise<void> {
  held = null;
  await writeSetting(SETTING, null);
}
