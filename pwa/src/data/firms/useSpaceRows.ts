import { type DeviceQuery, type LiveRows, useRowsOf } from '../device/live-query.ts';
import { useRecordOwner } from './space.ts';

/** `useLiveRows` for rows of records: those of the chosen space, which may be a firm. */
export function useSpaceRows<Rows>(loadQuery: () => Promise<DeviceQuery<Rows>>): LiveRows<Rows> {
  return useRowsOf(loadQuery, useRecordOwner());
}
