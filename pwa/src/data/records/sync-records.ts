/**
 * Decides when records are exchanged. The code of the exchange is loaded only when there is something to do.
 */
import { withDatabase } from '../device/database.ts';
import type { DeviceDatabase } from '../device/schema.ts';
import { recordOwnersOf } from '../firms/firm-list.ts';
import { userOf } from '../firms/space.ts';
import { currentOwner } from '../session.ts';
import { newestCursor, watchNewestCursor } from './newest-cursor.ts';

const loadExchange = () => import('./exchange-records.ts');

/** True when a record is unsent, was made on the signed-out device, or is new on the server. */
async function hasWork(db: DeviceDatabase, user: string): Promise<boolean> {
  const stored = (await db.records.orderBy('owner').uniqueKeys()) as string[];
  if (stored.some((owner) => userOf(owner) !== user)) return true;
  for (const owner of await recordOwnersOf(db, user)) {
    if ((await db.outbox.where({ owner, kind: 'record' }).count()) > 0) return true;
    const newest = newestCursor(owner);
    if (newest === '') continue;
    const { readRecordCursor } = await import('./record-rows.ts');
    if (newest !== (await readRecordCursor(db, owner))) return true;
  }
  return false;
}

/** Lets refused records be sent once more, because there may be room for them now. */
async function clearRefusals(db: DeviceDatabase, user: string): Promise<void> {
  const mine = db.records.where('owner').anyOf(await recordOwnersOf(db, user));
  await mine.and(({ refusal }) => refusal !== null).modify({ refusal: null });
}

/** Exchanges the records of the signed-in user if there is something to exchange. Throws what has failed. */
export async function syncRecords(): Promise<void> {
  watchNewestCursor(() => void syncRecords().catch(() => undefined));
  const owner = currentOwner();
  if (owner === '' || !(await withDatabase((db) => hasWork(db, owner)))) return;
  await withDatabase((db) => clearRefusals(db, owner));
  const { runRecordExchange } = await loadExchange();
  await runRecordExchange();
}

/** Starts to send what was just saved. */
export function sendRecordsSoon(): void {
  if (currentOwner() === '') return;
  void loadExchange()
    .then(({ runRecordExchange }) => runRecordExchange())
    .catch(() => undefined);
}
