/** Decides when messages with support are exchanged. The code of the exchange is loaded only when there is something to do. */
import { DAY_MS } from '@nivida/contract/time';
import { currentTime } from '../clock.ts';
import { withDatabase } from '../device/database.ts';
import type { DeviceDatabase } from '../device/schema.ts';
import { currentOwner } from '../session.ts';

/** A device without threads asks this often whether another device has begun one. */
const MAX_LIST_AGE_MS = DAY_MS;

/** True when the user has threads or has changed one, or when the device has not asked for a day. */
async function hasWork(db: DeviceDatabase, owner: string): Promise<boolean> {
  if ((await db.supportThreads.where('owner').equals(owner).count()) > 0) return true;
  if ((await db.outbox.where('[owner+kind]').anyOf([owner, 'message'], [owner, 'close']).count()) > 0) return true;
  const { readReceivedList } = await import('./support-rows.ts');
  return (await readReceivedList(db, owner)).at + MAX_LIST_AGE_MS < currentTime().getTime();
}

/** Exchanges the threads of the signed-in user if there is something to exchange. Throws what has failed. */
export async function syncSupport(): Promise<void> {
  const owner = currentOwner();
  if (owner === '' || !(await withDatabase((db) => hasWork(db, owner)))) return;
  const { exchangeSupport } = await import('./exchange-support.ts');
  await exchangeSupport();
}
