/** Reads the due deliveries of devices. */
import type { AlertPreferences } from '@nivida/contract/push/push';
import type { EntityManager } from 'typeorm';
import { latestPauseEnd } from './delivery-outcomes.ts';
import { DUE_DELIVERIES, DUE_DEVICES } from './sending.sql.ts';

/** A device, or the alert mails of an account. */
export interface PushDevice {
  id: string;
  channel: 'push' | 'email';
  userId: string | null;
  recipient: string;
  host: string;
  endpoint: string | null;
  p256dh: string | null;
  auth: string | null;
  vapidKid: string | null;
  preferences: AlertPreferences;
  errors: number;
  errorsSince: Date | null;
  goneSince: Date | null;
  lastOkAt: Date | null;
  /** Null for a deleted account. */
  email: string | null;
  /** Limited messages since midnight of its zone. */
  countedToday: number;
  /** End of the present quiet hours. */
  quietUntil: Date | null;
}

/** One notice for one device, with its tender as it is now. */
export interface NoticeDelivery {
  id: string;
  deviceId: string;
  tries: number;
  /** A `NoticeKind`, or a kind of a newer version of this server. */
  kind: string;
  version: number;
  works: number;
  detail: { fields: string[]; oldClosing?: string; newClosing?: string; officeName?: string } | null;
  searchName: string | null;
  tenderId: number;
  title: string;
  sourceId: string;
  reference: string | null;
  nitKey: string | null;
  district: string | null;
  state: string;
  closesAt: Date;
  closingTimeKnown: boolean;
  /** Cancelled or retendered. */
  isOut: boolean;
  /** The closing was moved after the notice was created. */
  isOutdated: boolean;
  /** The recipient no longer follows the tender, or the office of a notice about an office. */
  isLetGo: boolean;
  /** By the present preferences of the device. */
  isWanted: boolean;
}

/** All due deliveries of these devices, by closing. */
export async function readDueDeliveries(
  manager: EntityManager,
  deviceIds: string[],
  now: Date,
): Promise<{ device: PushDevice; deliveries: NoticeDelivery[] }[]> {
  const devices: PushDevice[] = await manager.query(DUE_DEVICES, [deviceIds, now]);
  const deliveries: NoticeDelivery[] = await manager.query(DUE_DELIVERIES, [deviceIds, now, latestPauseEnd(now)]);
  const byDevice = Map.groupBy(deliveries, ({ deviceId }) => deviceId);
  return devices.map((device) => ({ device, deliveries: byDevice.get(device.id) ?? [] }));
}
