/** Reads the due deliveries of devices. */
import { endOfIndianDay } from '@nivida/contract/format';
import type { EntityManager } from 'typeorm';
import type { NoticeDelivery, PushDevice } from './delivery.ts';
import { latestPauseEnd } from './delivery-outcomes.ts';
import { DUE_DELIVERIES, DUE_DEVICES } from './sending.sql.ts';

type TenderField = 'title' | 'sourceId' | 'state' | 'closesAt' | 'closingTimeKnown';
/** A row without a tender has nulls in the fields of the tender. */
type DeliveryRow = Omit<NoticeDelivery, TenderField> & { [Field in TenderField]: NoticeDelivery[Field] | null };

function toDelivery(row: DeliveryRow): NoticeDelivery {
  return {
    ...row,
    title: row.title ?? '',
    sourceId: row.sourceId ?? '',
    state: row.state ?? '',
    closesAt: row.closesAt ?? endOfIndianDay(row.detail?.validUntil ?? ''),
    closingTimeKnown: row.closingTimeKnown ?? false,
  };
}

/** All due deliveries of these devices, by closing. */
export async function readDueDeliveries(
  manager: EntityManager,
  deviceIds: string[],
  now: Date,
): Promise<{ device: PushDevice; deliveries: NoticeDelivery[] }[]> {
  const devices: PushDevice[] = await manager.query(DUE_DEVICES, [deviceIds, now]);
  const rows: DeliveryRow[] = await manager.query(DUE_DELIVERIES, [deviceIds, now, latestPauseEnd(now)]);
  const deliveries = rows.map(toDelivery);
  const byDevice = Map.groupBy(deliveries, ({ deviceId }) => deviceId);
  return devices.map((device) => ({ device, deliveries: byDevice.get(device.id) ?? [] }));
}
