import type { DataSource } from 'typeorm';
import { runInBatches } from '../database/delete-in-batches.sql.ts';
import { ARCHIVE_CLOSED_TENDERS } from './tenders.sql.ts';

/** Takes tenders that have closed out of the indexes of open ones. Returns their number. */
export const archiveClosedTenders = ({ dataSource, now }: { dataSource: DataSource; now: Date }): Promise<number> =>
  runInBatches(dataSource, ARCHIVE_CLOSED_TENDERS, [now]);
