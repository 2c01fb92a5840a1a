import type { PushDeviceRow } from '../../../data/db.ts';
import { onStores } from '../../../data/stores.ts';

/** The subscription of this device; undefined where there is none, or nothing can be read. */
export async function readDevice(): Promise<PushDeviceRow | undefined> {
  try {
    return await onStores(['pushDevice'], 'readonly', ({ pushDevice }) => pushDevice.get('device'));
  } catch {
    return undefined;
  }
}
