/** Live queries of the user's firms, readable offline. */
import type { Firm } from '@nivida/contract/firms/firms';
import { type DeviceQuery, type LiveRows, useLiveRows } from '../../data/device/live-query.ts';
import { type LostFirm, readFirms } from '../../data/firms/firm-list.ts';
import { firmOf, useRecordOwner } from '../../data/firms/space.ts';

const loadFirms = async (): Promise<DeviceQuery<Firm[]>> => readFirms;
const loadLost = async (): Promise<DeviceQuery<LostFirm[]>> =>
  (await import('../../data/firms/firm-rows.ts')).readLostFirms;

/** The user's firms as the server last named them. */
export const useFirms = (): LiveRows<Firm[]> => useLiveRows(loadFirms);

/** Firms whose data were deleted from this device, until their note is closed. */
export const useLostFirms = (): LostFirm[] => useLiveRows(loadLost).rows ?? [];

/** The firm whose records are shown; undefined for the user's own ones. */
export function usePresentFirm(): Firm | undefined {
  const id = firmOf(useRecordOwner());
  const firms = useFirms().rows;
  return id === undefined ? undefined : firms?.find((firm) => firm.id === id);
}
