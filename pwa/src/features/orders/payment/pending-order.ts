/**
 * The order whose payment page the browser has opened. Its id is in session storage (SPEC section 4). It is
 * stored on the device too, because a UPI app or a restart can destroy the tab (R42).
 */

import { MAX_UNCONFIRMED_MS } from '@nivida/contract/orders/payment-times';
import { DAY_MS, MINUTE_MS } from '@nivida/contract/time';
import { tabStorage } from '../../../data/device/browser-storage.ts';
import { readSetting, writeSetting } from '../../../data/device/settings.ts';
import { currentOwner } from '../../../data/session.ts';

const SESSION_STORAGE_KEY = 'pendingOrderId';
const PENDING_ORDER_KEY = 'pending order';
/** How long the server keeps a payment page open. */
const PAYMENT_PAGE_OPEN_MS = 20 * MINUTE_MS;
/** After this time a mail has told the buyer the outcome. */
const PENDING_RETENTION_MS = MAX_UNCONFIRMED_MS + DAY_MS;

/** `at` is when the buyer left for the payment page `url` (milliseconds since 1970). */
export interface PendingOrder {
  orderId: string;
  at: number;
  url?: string;
}

/** The stored row. Only its owner, or the signed-out device (''), sees it. */
interface StoredPendingOrder extends PendingOrder {
  owner?: string;
}

function isStoredPendingOrder(value: unknown): value is StoredPendingOrder {
  if (typeof value !== 'object' || value === null) return false;
  const { orderId, at }: { orderId?: unknown; at?: unknown } = value;
  return typeof orderId === 'string' && orderId !== '' && typeof at === 'number';
}

/** Stores an order before the browser leaves for the payment page. */
export async function storePendingOrder(order: PendingOrder): Promise<void> {
  try {
    tabStorage()?.setItem(SESSION_STORAGE_KEY, order.orderId);
  } catch {
    // Storage is full. The return address and the device also have the id.
  }
  await writeSetting(PENDING_ORDER_KEY, { ...order, owner: currentOwner() });
}

/** Reads this tab's pending order and removes it. Null when there is none. */
export function takePendingOrderId(): string | null {
  const orderId = tabStorage()?.getItem(SESSION_STORAGE_KEY) ?? null;
  tabStorage()?.removeItem(SESSION_STORAGE_KEY);
  return orderId;
}

/**
 * The current user's pending order from any tab of this device. Null when there is none or it is four days
 * old.
 */
export async function readPendingOrder(now: number): Promise<PendingOrder | null> {
  const stored = await readSetting(PENDING_ORDER_KEY);
  if (
    !isStoredPendingOrder(stored) ||
    (stored.owner ?? '') !== currentOwner() ||
    now - stored.at >= PENDING_RETENTION_MS
  )
    return null;
  const { orderId, at, url } = stored;
  return { orderId, at, ...(typeof url === 'string' && { url }) };
}

/**
 * The payment page of a pending order while it is open. Null afterwards, and for an address that is not
 * http(s).
 */
export function openPaymentUrl({ url = '', at }: PendingOrder, now: number): string | null {
  const isOpen = now >= at && now - at < PAYMENT_PAGE_OPEN_MS;
  return isOpen && /^https?:\/\//.test(url) ? url : null;
}

/** Deletes the pending order with this id. */
export async function deletePendingOrder(orderId: string): Promise<void> {
  if (tabStorage()?.getItem(SESSION_STORAGE_KEY) === orderId) tabStorage()?.removeItem(SESSION_STORAGE_KEY);
  const stored = await readSetting(PENDING_ORDER_KEY);
  if (isStoredPendingOrder(stored) && stored.orderId === orderId) await writeSetting(PENDING_ORDER_KEY, null);
}

/** Deletes the pending order of a user at the sign-out. */
export async function deletePendingOrderOf(owner: string): Promise<void> {
  const stored = await readSetting(PENDING_ORDER_KEY);
  if (isStoredPendingOrder(stored) && stored.owner === owner) await deletePendingOrder(stored.orderId);
}
