import type { JobContext } from '../jobs/schedule.ts';

/**
 * Deletes expired rows: ended rate limit windows, sign-in failures after 30 days unless they lock for good, known browsers
 * after 180 days, sessions 30 days after their end, webhooks and document links after 400 days. Returns the number of rows.
 */
export async function deleteExpiredAuthData({
  dataSource,
  now,
}: Pick<JobContext, 'dataSource' | 'now'>): Promise<number> {
  const counts = await dataSource.transaction(async (manager) => {
    const remove = async (sql: string) => (await manager.query<[unknown, number]>(sql, [now]))[1];
    return [
      // Skips counters that are locked by a request; waiting for them could deadlock.
      await remove(`DELETE FROM rate_limit WHERE (name, key, per_seconds) IN (
        SELECT name, key, per_seconds FROM rate_limit
          WHERE ends_at <= $1 OR ends_at > $1::timestamptz + per_seconds * interval '1 second' + interval '1 hour' FOR UPDATE SKIP LOCKED)`),
      await remove(`DELETE FROM sign_in_failure
        WHERE last_at <= $1::timestamptz - interval '30 days' AND locked_until <= $1`),
      await remove('DELETE FROM known_device WHERE expires_at <= $1'),
      await remove(
        `DELETE FROM session WHERE least(expires_at, coalesce(revoked_at, expires_at)) <= $1::timestamptz - interval '30 days'`,
      ),
      await remove(`DELETE FROM webhook_event WHERE received_at <= $1::timestamptz - interval '400 days'`),
      // The newest link and the newest used link stay: they record which version was delivered.
      await remove(`DELETE FROM download_link l WHERE l.created_at <= $1::timestamptz - interval '400 days' AND EXISTS (
        SELECT 1 FROM download_link n WHERE n.entitlement_id = l.entitlement_id AND n.nit = l.nit
          AND n.created_at > l.created_at AND (n.fetches > 0 OR l.fetches = 0))`),
    ];
  });
  return counts.reduce((sum, count) => sum + count, 0);
}
