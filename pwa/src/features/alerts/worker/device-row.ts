import { withRawStores } from '../../../data/device/raw-database.ts';
import type { PushDeviceRow } from '../../../data/device/schema.ts';

/** The subscription of this device; undefined where there is none, or nothing can be read. */
export async function readPushDeviceRow(): Promise<PushDeviceRow | undefined> {
  try {
    return await withRawStores(['pushDevice'], 'readonly', ({ pushDevice }) => pushDevice.get('device'));
  } catch {
    return undefined;
  }
}
