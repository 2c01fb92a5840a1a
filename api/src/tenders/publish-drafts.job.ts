import type { DataSource } from 'typeorm';
import { takeChangeLock } from '../database/locks.sql.ts';
import type { Job } from '../jobs/job.ts';
import { PUBLISH_DUE_DRAFTS } from './tenders.sql.ts';

const BATCH_SIZE = 1_000;

/**
 * Publishes drafts whose publishing time has come: inserts their first history row with the next change number, which sync
 * and alerts read. Lists use the clock and do not wait for this. Returns the number of published drafts.
 */
export async function publishDueDrafts({ dataSource, now }: { dataSource: DataSource; now: Date }): Promise<number> {
  for (let published = 0; ; ) {
    const batch = await dataSource.transaction(async (manager) => {
      await takeChangeLock(manager);
      const [{ count }] = await manager.query(PUBLISH_DUE_DRAFTS, [now, BATCH_SIZE]);
      return count as number;
    });
    published += batch;
    if (batch < BATCH_SIZE) return published;
  }
}

export const publishDraftsJob: Job = { name: 'publish-drafts', cron: '* * * * *', run: publishDueDrafts };
