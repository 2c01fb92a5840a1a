import { EXPIRY_WARNING_DAYS } from '@nivida/contract/bids/document-kinds';
import { indianDay } from '@nivida/contract/format';
import { dayText } from '@nivida/contract/time';
import type { Job, JobContext } from '../../jobs/job.ts';
import { PushSenderService } from '../sending/push-sender.service.ts';
import { INSERT_EXPIRY_NOTICES } from './alerts.sql.ts';

/** A warning that a stopped worker missed is still sent on the two following days. */
const LATE_DAYS = 2;

/**
 * Warns of documents whose validity ends in 30 or 7 days, once for each date. Any number of processes may run it. Returns
 * the number of messages sent.
 */
export async function warnOfExpiringDocuments({ dataSource, now, find }: JobContext): Promise<number> {
  const today = indianDay(now);
  const due = EXPIRY_WARNING_DAYS.flatMap((warning) =>
    Array.from({ length: LATE_DAYS + 1 }, (_, late) => ({ warning, validUntil: dayText(today + warning - late) })),
  );
  await dataSource.query(INSERT_EXPIRY_NOTICES, [
    due.map(({ validUntil }) => validUntil),
    now,
    due.map(({ warning }) => warning),
  ]);
  return (await find(PushSenderService)).sendDue();
}

export const documentExpiryJob: Job = { name: 'document-expiry', cron: '0 9 * * *', run: warnOfExpiringDocuments };
