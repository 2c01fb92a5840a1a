import type { JobContext } from '../jobs/schedule.ts';

/**
 * Forgets what no longer counts: limits whose time has passed, failures of 30 days ago unless they lock for good, known
 * browsers of 180 days ago, sessions that ended 30 days ago, and of 400 days ago webhooks and links to documents. Gives
 * the number of rows.
 */
export async function deleteExpiredAuthData({
  dataSource,
  now,
}: Pick<JobContext, 'dataSource' | 'now'>): Promise<number> {
  const counts = await dataSource.transaction(async (manager) => {
    const remove = async (sql: string) => (await manager.query<[unknown, number]>(sql, [now]))[1];
    return [
      // Counters that are being counted right now are left for the next run: waiting for them could be mutual.
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
      // The newest link, and the newest that was used, stay: they tell what was delivered, in which version.
      await remove(`DELETE FROM download_link l WHERE l.created_at <= $1::timestamptz - interval '400 days' AND EXISTS (
        SELECT 1 FROM download_link n WHERE n.entitlement_id = l.entitlement_id AND n.nit = l.nit
          AND n.created_at > l.created_at AND (n.fetches > 0 OR l.fetches = 0))`),
    ];
  });
  return counts.reduce((sum, count) => sum + count, 0);
}
