/** Documents bought on this device without an account. They are not offered again. */
import type { Tender } from '@nivida/contract/tenders/tender';
import { useEffect, useState } from 'react';
import { readSetting, writeSetting } from '../../data/device/settings.ts';
import { currentOwner, useSession } from '../../data/session.ts';

const PAID_ORDERS_KEY = 'documents bought signed out';
const MAX_STORED = 100;

/** A paid order of documents. */
export interface PaidOrder {
  orderId: string;
  tenderId: string;
}

function isPaidOrder(value: unknown): value is PaidOrder {
  if (typeof value !== 'object' || value === null) return false;
  const { orderId, tenderId }: { orderId?: unknown; tenderId?: unknown } = value;
  return typeof orderId === 'string' && typeof tenderId === 'string';
}

/** The stored orders, newest first. */
export async function readPaidOrders(): Promise<PaidOrder[]> {
  const stored = await readSetting(PAID_ORDERS_KEY);
  return Array.isArray(stored) ? stored.filter(isPaidOrder) : [];
}

/** Stores the paid order of a signed-out buyer. Orders of an account are listed by the server. */
export async function storePaidOrder(paid: PaidOrder): Promise<void> {
  if (currentOwner() !== '') return;
  const others = (await readPaidOrders()).filter(({ orderId }) => orderId !== paid.orderId);
  await writeSetting(PAID_ORDERS_KEY, [paid, ...others].slice(0, MAX_STORED));
}

/** Deletes a refunded order. */
export async function deletePaidOrder(orderId: string): Promise<void> {
  const stored = await readPaidOrders();
  const others = stored.filter((paid) => paid.orderId !== orderId);
  if (others.length < stored.length) await writeSetting(PAID_ORDERS_KEY, others);
}

/**
 * Id of the paid order of a tender's documents, or of the documents of another work of its NIT. Null when
 * there is none.
 */
export function paidOrderFor(
  orders: readonly PaidOrder[],
  tender: Pick<Tender, '_id' | 'nit_siblings'>,
): string | null {
  const works = new Set([tender._id, ...tender.nit_siblings.map(({ _id }) => _id)]);
  return orders.find(({ tenderId }) => works.has(tenderId))?.orderId ?? null;
}

/** The paid order of a tender on a signed-out device. It is read again when `isChanging` becomes false. */
export function usePaidOrder(tender: Tender | undefined, isChanging: boolean): string | null {
  const isSignedIn = useSession() !== null;
  const [orders, setOrders] = useState<readonly PaidOrder[]>([]);
  useEffect(() => {
    let isWanted = true;
    if (!isChanging) void readPaidOrders().then((storedOrders) => isWanted && setOrders(storedOrders));
    return () => {
      isWanted = false;
    };
  }, [isChanging]);
  return isSignedIn || !tender ? null : paidOrderFor(orders, tender);
}
