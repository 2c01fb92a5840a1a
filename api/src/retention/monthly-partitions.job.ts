import { dropOldMonths, makeMissingMonths } from '../database/monthly-partitions.sql.ts';
import type { Job, JobContext } from '../jobs/job.ts';

/** Makes the partitions of the next months, then drops those past their retention. Returns the number of partitions and of old rows outside of them. */
export async function maintainPartitions({ dataSource, now }: Pick<JobContext, 'dataSource' | 'now'>): Promise<number> {
  return (await makeMissingMonths(dataSource, now)) + (await dropOldMonths(dataSource, now));
}

export const monthlyPartitionsJob: Job = { name: 'monthly-partitions', cron: '47 * * * *', run: maintainPartitions };
