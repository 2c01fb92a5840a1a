import { DAY_MS } from '@nivida/contract/time';
import type { EntityManager } from 'typeorm';
import { DELETE_OLD_NOTICES, DELETE_OLD_RECEIPTS } from './alerts.sql.ts';

const NOTICE_RETENTION_MS = 60 * DAY_MS;

/** Deletes notices, and receipts of sent messages, after 60 days. */
export async function deleteOldNotices(manager: EntityManager, now: Date): Promise<void> {
  const before = new Date(now.getTime() - NOTICE_RETENTION_MS);
  await manager.query(DELETE_OLD_NOTICES, [before]);
  await manager.query(DELETE_OLD_RECEIPTS, [before]);
}
