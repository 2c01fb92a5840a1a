/** Receives the user's firms. */
import { type Firm, FirmListResponse } from '@nivida/contract/firms/firms';
import type { OutboxResponse } from '@nivida/contract/sync/outbox';
import { withDatabase } from '../device/database.ts';
import type { DeviceDatabase } from '../device/schema.ts';
import { apiOf } from '../server/api.ts';
import { currentOwner } from '../session.ts';
import { readFirms, reportLostFirms } from './firm-list.ts';
import { keepFirmsOnly, storeFirms } from './firm-rows.ts';

/** Takes the firms of a sync's answer. The data of other firms are deleted. */
export async function receiveFirms(
  db: DeviceDatabase,
  owner: string,
  firms: OutboxResponse['present']['firms'] = [],
): Promise<void> {
  if (currentOwner() !== owner) return;
  const ids = firms.map(({ id }) => id);
  reportLostFirms(await keepFirmsOnly(db, owner, ids));
  if (ids.length > 0) await refreshFirms(db, owner);
}

/** Asks the server for the user's firms and stores them. Throws when it does not answer. */
export async function refreshFirms(db: DeviceDatabase, owner: string): Promise<Firm[]> {
  const { firms } = await apiOf(owner).get('api/firms').json(FirmListResponse);
  if (currentOwner() === owner) reportLostFirms(await storeFirms(db, owner, firms));
  return firms;
}

/** Stores one firm of an answer. */
export async function storeFirm(owner: string, firm: Firm): Promise<void> {
  await withDatabase(async (db) => {
    if (currentOwner() !== owner) return;
    const others = (await readFirms(db, owner)).filter(({ id }) => id !== firm.id);
    await storeFirms(db, owner, [...others, firm]);
  });
}
