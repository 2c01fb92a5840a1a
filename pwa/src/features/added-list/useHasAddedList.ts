import { type DeviceQuery, useLiveRows } from '../../data/device/live-query.ts';
import type { AddedList } from './added-list.ts';

export const loadAddedList = async (): Promise<DeviceQuery<AddedList | null>> =>
  (await import('./added-list.ts')).readAddedList;

/** Whether the user has a list. False until it is read. */
export const useHasAddedList = (): boolean => Boolean(useLiveRows(loadAddedList).rows);
