import { DAY_MS } from '@nivida/contract/time';
import type { DataSource } from 'typeorm';
import { runInBatches } from '../database/delete-in-batches.sql.ts';
import type { Job } from '../jobs/job.ts';
import { ARCHIVE_CLOSED_TENDERS, ARCHIVED_AFTER_DAYS, UNARCHIVE_OPEN_TENDERS } from './tenders.sql.ts';

/** Whether a new tender with this closing is stored as archived, so that an import of old tenders never fills the open ones. */
export const isArchivedAt = (closesAt: Date, now: Date): boolean =>
  closesAt.getTime() <= now.getTime() - ARCHIVED_AFTER_DAYS * DAY_MS;

/**
 * Archives closed tenders, and restores open ones that were archived while the clock was ahead. Returns the sum of both
 * numbers.
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
