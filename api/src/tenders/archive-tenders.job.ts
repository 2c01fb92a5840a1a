import type { DataSource } from 'typeorm';
import { runInBatches } from '../database/delete-in-batches.sql.ts';
import { ARCHIVE_CLOSED_TENDERS, UNARCHIVE_OPEN_TENDERS } from './tenders.sql.ts';

/**
 * Takes tenders that have closed out of the indexes of open ones, and puts open ones back that were archived while the clock
 * was ahead. Returns the number of both.
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
