import { DAY_MS } from '@nivida/contract/time';
import type { EntityManager } from 'typeorm';
import type { Job, JobContext } from '../../jobs/job.ts';
import { PushSenderService } from '../sending/push-sender.service.ts';
import { DELETE_OLD_NOTICES, DELETE_OLD_RECEIPTS } from './alerts.sql.ts';
import { createChangeNotices } from './change-notices.ts';
import { createReminders } from './reminder-notices.ts';

const NOTICE_RETENTION_MS = 60 * DAY_MS;

/**
 * Creates reminders and change notices, deletes old notices and receipts, and sends all due deliveries. Any number of
 * processes may run it. Returns the number of messages sent.
 */
export async function createAndSendAlerts({ dataSource, now, find }: JobContext): Promise<number> {
  await dataSource.transaction(async (manager) => {
    await createReminders(manager, now);
    await createChangeNotices(manager, now);
    await deleteOldNotices(manager, now);
  });
  return (await find(PushSenderService)).sendDue();
}

/** Deletes notices, and receipts of sent messages, after 60 days. */
async function deleteOldNotices(manager: EntityManager, now: Date): Promise<void> {
  const before = new Date(now.getTime() - NOTICE_RETENTION_MS);
  await manager.query(DELETE_OLD_NOTICES, [before]);
  await manager.query(DELETE_OLD_RECEIPTS, [before]);
}

export const closingSoonJob: Job = { name: 'closing-soon', cron: '* * * * *', run: createAndSendAlerts };
