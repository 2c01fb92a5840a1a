import type { RecordKind } from '@nivida/contract/bids/records';
import { useCallback } from 'react';
import { type DeviceQuery, useLiveRows } from '../device/live-query.ts';
import type { RecordRow } from '../device/schema.ts';

/**
 * The current owner's records of a kind, last changed first, renewed after each change. Undefined while they
 * are read and where the device stores nothing.
 */
export function useRecords<Kind extends RecordKind>(kind: Kind): RecordRow<Kind>[] | undefined {
  const loadQuery = useCallback(async (): Promise<DeviceQuery<RecordRow<Kind>[]>> => {
    const { readRecords } = await import('./record-rows.ts');
    return (db, owner) => readRecords(db, owner, kind);
  }, [kind]);
  return useLiveRows(loadQuery).rows;
}
