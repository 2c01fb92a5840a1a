import type { RecordKind } from '@nivida/contract/bids/records';
import { useCallback } from 'react';
import { type DeviceQuery, useLiveRows } from '../device/live-query.ts';
import type { RecordRow } from '../device/schema.ts';
import type { RecordFilter } from './record-rows.ts';

/**
 * The current owner's records of a kind, last changed first, and again after each change; undefined while they are read
 * and where the device stores nothing.
 */
export function useRecords<Kind extends RecordKind>(
  kind: Kind,
  { bidId, tenderId }: RecordFilter = {},
): RecordRow<Kind>[] | undefined {
  const loadQuery = useCallback(async (): Promise<DeviceQuery<RecordRow<Kind>[]>> => {
    const { readRecords } = await import('./record-rows.ts');
    return (db, owner) => readRecords(db, owner, kind, { bidId, tenderId });
  }, [kind, bidId, tenderId]);
  return useLiveRows(loadQuery).rows;
}
