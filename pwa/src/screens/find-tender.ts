import { currentTime } from '../data/clock.ts';
import type { TenderRow } from '../data/device/schema.ts';
import { findTenderOnDevice } from '../features/tenders/packs/local-engines.ts';

/** All of a tender from this device, opened before or in a pack, for the button that keeps it; undefined when it is not here. */
export function findTender(id: string): Promise<TenderRow | undefined> {
  return findTenderOnDevice(id, currentTime());
}
