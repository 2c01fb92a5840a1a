/**
 * The order that this browser has gone to pay: its id in session storage (SPEC section 4), and on the device too, since
 * a UPI app or a relaunch destroys the tab (RESOLUTIONS R42).
 */
import { currentOwner } from '../../data/session.ts';
import { readSetting, writeSetting } from '../../data/settings.ts';

const KEY = 'pendingOrderId';
const SETTING = 'pending order';
/** How long the server keeps a payment page open. */
const OPEN_MS = 20 * 60_000;
/** After this long the mail has told how it ended. */
const KEPT_MS = 24 * 3_600_000;

/** `at` is when the buyer left for the payment page `url` (milliseconds since 1970). */
export interface PendingOrder {
  orderId: string;
  at: number;
  url?: string;
}

function tabStorage(): Storage | undefined {
  try {
    return globalThis.sessionStorage;
  } catch {
    return undefined;
  }
}

/** As it is kept: only its owner, or the signed-out device (''), is reminded of it. */
interface OwnedPending extends PendingOrder {
  owner?: string;
}

function isPending(value: unknown): value is OwnedPending {
  if (typeof value !== 'object' || value === null) return false;
  const { orderId, at }: { orderId?: unknown; at?: unknown } = value;
  return typeof orderId === 'string' && orderId !== '' && typeof at === 'number';
}

/** Remembers an order before the browser leaves for the payment page. */
export async function rememberPending(pending: PendingOrder): Promise<void> {
  try {
    tabStorage()?.setItem(KEY, pending.orderId);
  } catch {
    // full: the address of the return, or the device, has it
  }
  await writeSetting(SETTING, { ...pending, owner: currentOwner() });
}

/** Reads this tab's pending order and removes it; null when there is none. */
export function takePending(): string | null {
  const orderId = tabStorage()?.getItem(KEY) ?? null;
  tabStorage()?.removeItem(KEY);
  return orderId;
}

/** The present user's pending order, of any tab of this device; null when there is none or it is a day old. */
export async function readPending(now: number): Promise<PendingOrder | null> {
  const kept = await readSetting(SETTING);
  if (!isPending(kept) || (kept.owner ?? '') !== currentOwner() || now - kept.at >= KEPT_MS) return null;
  const { orderId, at, url } = kept;
  return { orderId, at, ...(typeof url === 'string' && { url }) };
}

/** The payment page of a pending order while it is open; null afterwards, and for what a browser must not be sent to. */
export function continueAddress({ url = '', at }: PendingOrder, now: number): string | null {
  const isOpen = now >= at && now - at < OPEN_MS;
  return isOpen && /^https?:\/\//.test(url) ? url : null;
}

/** How this order ended is known, or its buyer does not want to be reminded; another pending order stays. */
export async function forgetPending(orderId: string): Promise<void> {
  if (tabStorage()?.getItem(KEY) === orderId) tabStorage()?.removeItem(KEY);
  const kept = await readSetting(SETTING);
  if (isPending(kept) && kept.orderId === orderId) await writeSetting(SETTING, null);
}

/** Forgets the pending order of a user, who has signed out. */
export async function forgetPendingOf(owner: string): Promise<void> {
  const kept = await readSetting(SETTING);
  if (isPending(kept) && kept.owner === owner) await forgetPending(kept.orderId);
}
