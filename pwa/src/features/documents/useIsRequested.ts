import { useLiveRows } from '../../data/device/live-query.ts';

const loadQuery = async () => (await import('./requests.ts')).requestedIds;

/** True when this user has requested the documents of a tender; false until the device is read. */
export function useIsRequested(tenderId: string): boolean {
  return useLiveRows(loadQuery).rows?.includes(tenderId) ?? false;
}
