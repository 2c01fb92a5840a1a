import type { JobContext } from '../jobs/schedule.ts';

/**
 * Forgets what no longer counts: limits whose time has passed, failures of 30 days ago unless they lock for good, known
 * browsers of 180 days ago, and sessions that ended 30 days ago. Gives the number of rows.
 */
export async function forgetAttempts({ dataSource, now }: Pick<JobContext, 'dataSource' | 'now'>): Promise<number> {
  const counts = await dataSource.transaction(async (manager) => {
    const remove = async (sql: string) => (await manager.query<[unknown, number]>(sql, [now]))[1];
    return [
      // Counters that are being counted right now are left for the next run: waiting for them could be mutual.
      await remove(`DELETE FROM rate_limit WHERE (name, key, per_seconds) IN (
        SELECT name, key, per_seconds FROM rate_limit WHERE ends_at <= $1 FOR UPDATE SKIP LOCKED)`),
      await remove(`DELETE FROM sign_in_failure
        WHERE last_at <= $1::timestamptz - interval '30 days' AND locked_until <= $1`),
      await remove('DELETE FROM known_device WHERE expires_at <= $1'),
      await remove(
        `DELETE FROM session WHERE least(expires_at, coalesce(revoked_at, expires_at)) <= $1::timestamptz - interval '30 days'`,
      ),
    ];
  });
  return counts.reduce((sum, count) => sum + count, 0);
}
