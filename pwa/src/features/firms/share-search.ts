/** Shares a search with a firm. */
import { recordIdFor } from '@nivida/contract/bids/record-ids';
import { currentTime } from '../../data/clock.ts';
import { withDatabase } from '../../data/device/database.ts';
import { firmOwner } from '../../data/firms/firm-list.ts';
import { sendRecordsSoon } from '../../data/records/sync-records.ts';

/** Equal searches are shared once. Throws TooManyRecordsError and the errors of a full device. */
export async function shareSearch(userId: string, firmId: string, name: string, query: string): Promise<void> {
  const now = currentTime();
  const id = recordIdFor('sharedSearch', firmId, query);
  const change = { name, query, createdAt: now.toISOString() };
  const { writeRecords } = await import('../../data/records/record-rows.ts');
  await withDatabase((db) =>
    writeRecords(db, firmOwner(userId, firmId), [{ kind: 'sharedSearch', id, change }], now.getTime()),
  );
  sendRecordsSoon();
}
