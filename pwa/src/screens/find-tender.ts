import { currentTime } from '../data/clock.ts';
import type { TenderRow } from '../data/device/schema.ts';
import { findTenderOnDevice } from '../features/tenders/packs/local-engines.ts';

/** A tender with all its fields from this device, opened before or in a pack, for bookmarking; undefined when it is not stored. */
export function findTender(id: string): Promise<TenderRow | undefined> {
  return findTenderOnDevice(id, currentTime());
}
