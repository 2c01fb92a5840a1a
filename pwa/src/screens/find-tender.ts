import { currentTime } from '../data/clock.ts';
import type { TenderRow } from '../data/db.ts';

/**
 * All of a tender from this device, opened before or in a pack; undefined when it is not here. For the bookmark button,
 * which keeps it; the packs' code is loaded when first asked.
 */
export async function findTender(id: string): Promise<TenderRow | undefined> {
  const { findOnDevice } = await import('../features/tenders/packs/local.ts');
  return findOnDevice(id, currentTime());
}
