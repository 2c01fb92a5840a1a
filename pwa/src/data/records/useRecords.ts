import type { RecordKind } from '@nivida/contract/bids/records';
import type { DeviceQuery } from '../device/live-query.ts';
import type { RecordRow } from '../device/schema.ts';
import { useSpaceRows } from '../firms/useSpaceRows.ts';

type LoadRecords<Kind extends RecordKind> = () => Promise<DeviceQuery<RecordRow<Kind>[]>>;

const loaders = new Map<RecordKind, LoadRecords<RecordKind>>();

function loaderOf<Kind extends RecordKind>(kind: Kind): LoadRecords<Kind> {
  const load =
    loaders.get(kind) ??
    (async () => {
      const { readRecords } = await import('./record-rows.ts');
      return (db, owner) => readRecords(db, owner, kind);
    });
  loaders.set(kind, load);
  return load as LoadRecords<Kind>;
}

/**
 * The current owner's records of a kind, last changed first, renewed after each change. Undefined while they
 * are read and where the device stores nothing.
 */
export function useRecords<Kind extends RecordKind>(kind: Kind): RecordRow<Kind>[] | undefined {
  return useSpaceRows(loaderOf(kind)).rows;
}
