import { type LiveRows, useLiveRows } from '../../data/device/live-query.ts';
import type { DeskRows } from './read-desk.ts';

const loadDesk = async () => (await import('./read-desk.ts')).readDesk;

/** The current owner's bids, and again after each change. */
export const useDesk = (): LiveRows<DeskRows> => useLiveRows(loadDesk);
