import { DAY_MS } from '@nivida/contract/time';
import type { DataSource } from 'typeorm';
import { runInBatches } from '../database/delete-in-batches.sql.ts';
import type { Job } from '../jobs/job.ts';
import { ARCHIVE_CLOSED_TENDERS, ARCHIVED_AFTER_DAYS, UNARCHIVE_OPEN_TENDERS } from './tenders.sql.ts';

/** Whether a new tender with this closing is stored as archived. The rows of an old archive are never among the open ones. */
export const isArchivedAt = (closesAt: Date, now: Date): boolean =>
  closesAt.getTime() <= now.getTime() - ARCHIVED_AFTER_DAYS * DAY_MS;

/**
 * Takes tenders that have closed out of the open ones, and puts open ones back that were archived while the clock was ahead.
 * Returns the number of both.
 */
export async function archiveClosedTenders({
  dataSource,
  now,
}: {
  dataSource: DataSource;
  now: Date;
}): Promise<number> {
  const opened = await runInBatches(dataSource, UNARCHIVE_OPEN_TENDERS, [now]);
  return opened + (await runInBatches(dataSource, ARCHIVE_CLOSED_TENDERS, [now]));
}

export const archiveTendersJob: Job = { name: 'archive-tenders', cron: '27 * * * *', run: archiveClosedTenders };
