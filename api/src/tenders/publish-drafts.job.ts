import type { DataSource } from 'typeorm';
import { takeChangeLock } from '../database/locks.sql.ts';

const BATCH_SIZE = 1_000;

/**
 * Publishes drafts whose instant has come: their first history row, with the next change number. Lists go by the clock
 * and do not wait for this; sync and alerts read the history. Gives the number published.
 */
export async function publishDueDrafts({ dataSource, now }: { dataSource: DataSource; now: Date }): Promise<number> {
  for (let published = 0; ; ) {
    const batch = await dataSource.transaction(async (manager) => {
      await takeChangeLock(manager);
      const [{ count }] = await manager.query(
        `WITH due AS (
           SELECT id FROM tender WHERE change_no IS NULL AND published_at <= $1 ORDER BY published_at, id LIMIT ${BATCH_SIZE}
         ), numbered AS (
           UPDATE tender t SET change_no = nextval('tender_change_no') FROM due WHERE t.id = due.id
           RETURNING t.change_no, t.id, t.state, t.version, t.published_at
         ), noted AS (
           INSERT INTO tender_history (change_no, tender_id, state, version, kind, changes, at)
           SELECT change_no, id, state, version, 'published', '[]', published_at FROM numbered
         )
         SELECT count(*)::int AS count FROM numbered`,
        [now],
      );
      return count as number;
    });
    published += batch;
    if (batch < BATCH_SIZE) return published;
  }
}
