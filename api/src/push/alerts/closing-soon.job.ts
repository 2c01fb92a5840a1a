import type { Job, JobContext } from '../../jobs/job.ts';
import { PushSenderService } from '../sending/push-sender.service.ts';
import { createChangeNotices } from './change-notices.ts';
import { createReminders } from './reminder-notices.ts';

/**
 * Creates reminders and change notices, and sends all due deliveries. Any number of processes may run it. Returns the number
 * of messages sent.
 */
export async function createAndSendAlerts({ dataSource, now, find }: JobContext): Promise<number> {
  await dataSource.transaction(async (manager) => {
    await createReminders(manager, now);
    await createChangeNotices(manager, now);
  });
  return (await find(PushSenderService)).sendDue();
}

export const closingSoonJob: Job = { name: 'closing-soon', cron: '* * * * *', run: createAndSendAlerts };
