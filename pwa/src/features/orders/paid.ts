/** Documents that were bought on this device without an account, so that they are not offered for money again. */
import type { Tender } from '@nivida/contract/tender';
import { useEffect, useState } from 'react';
import { currentOwner, useSession } from '../../data/session.ts';
import { readSetting, writeSetting } from '../../data/settings.ts';

const SETTING = 'documents bought signed out';
const MAX_KEPT = 100;

/** A paid order of documents. */
export interface PaidOrder {
  orderId: string;
  tenderId: string;
}

function isPaid(value: unknown): value is PaidOrder {
  if (typeof value !== 'object' || value === null) return false;
  const { orderId, tenderId }: { orderId?: unknown; tenderId?: unknown } = value;
  return typeof orderId === 'string' && typeof tenderId === 'string';
}

/** The newest first. */
export async function readPaid(): Promise<PaidOrder[]> {
  const kept = await readSetting(SETTING);
  return Array.isArray(kept) ? kept.filter(isPaid) : [];
}

/** The order of a signed-out buyer is paid. An order of an account stands in its list. */
export async function rememberPaid(paid: PaidOrder): Promise<void> {
  if (currentOwner() !== '') return;
  const others = (await readPaid()).filter(({ orderId }) => orderId !== paid.orderId);
  await writeSetting(SETTING, [paid, ...others].slice(0, MAX_KEPT));
}

/** The money of an order went back. */
export async function forgetPaid(orderId: string): Promise<void> {
  const kept = await readPaid();
  const others = kept.filter((paid) => paid.orderId !== orderId);
  if (others.length < kept.length) await writeSetting(SETTING, others);
}

/** The order that bought a tender's documents, or those of another work of its notice; null when there is none. */
export function paidFor(orders: readonly PaidOrder[], tender: Pick<Tender, '_id' | 'nit_siblings'>): string | null {
  const works = new Set([tender._id, ...tender.nit_siblings.map(({ _id }) => _id)]);
  return orders.find(({ tenderId }) => works.has(tenderId))?.orderId ?? null;
}

/** The same for this device while it is signed out; read again when `isChanging` ends. */
export function usePaidOrder(tender: Tender | undefined, isChanging: boolean): string | null {
  const isSignedIn = useSession() !== null;
  const [orders, setOrders] = useState<readonly PaidOrder[]>([]);
  useEffect(() => {
    let isWanted = true;
    if (!isChanging) void readPaid().then((kept) => isWanted && setOrders(kept));
    return () => {
      isWanted = false;
    };
  }, [isChanging]);
  return isSignedIn || !tender ? null : paidFor(orders, tender);
}
