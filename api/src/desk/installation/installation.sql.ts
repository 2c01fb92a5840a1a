/** What `doctor` reads. SQL: settings of the server and one row over tables of several features. */

export const SERVER_FACTS = `
  SELECT current_setting('server_version_num')::int AS "versionNumber", current_setting('server_version') AS version,
    clock_timestamp() AS now, pg_encoding_to_char(d.encoding) AS encoding,
    current_setting('max_connections')::int AS "maxConnections",
    (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections,
    (SELECT array_agg(name ORDER BY name) FROM pg_settings
      WHERE name IN ('fsync', 'full_page_writes', 'autovacuum', 'data_checksums', 'synchronous_commit') AND setting = 'off') AS "offSettings"
  FROM pg_database d WHERE d.datname = current_database()`;

export const JOB_FACTS = `
  SELECT job, failures, error, every_seconds AS "everySeconds", started_at IS NOT NULL AS "hasRun",
    extract(epoch FROM $1::timestamptz - coalesce(succeeded_at, registered_at))::float8 AS "ageSeconds",
    succeeded_at IS NOT NULL AS "hasSucceeded"
  FROM job_run ORDER BY job`;

export const FEED_FACTS = `
  SELECT name, error, paused_reason AS "pausedReason" FROM feed
  WHERE error IS NOT NULL OR paused_at IS NOT NULL ORDER BY name`;

export const QUEUE_FACTS = `
  SELECT count(*) FILTER (WHERE state IN ('created', 'retry') AND start_after < now() - interval '15 minutes')::int AS late,
    count(*) FILTER (WHERE state = 'failed')::int AS failed
  FROM pgboss.job WHERE name = 'mail'`;

/** Packs that were missing at the last run of prepare-packs, and builds that are not retried any more. */
export const PACK_FACTS = `
  SELECT coalesce((SELECT items FROM job_run WHERE job = 'prepare-packs'), 0)::int AS missing,
    (SELECT count(*)::int FROM pgboss.job WHERE name = 'build-packs' AND state = 'failed') AS failed`;

export const HAS_QUEUES = "SELECT to_regclass('pgboss.job') IS NOT NULL AS exists";

export const PUSH_FACTS = `
  SELECT s.host, count(*)::int AS devices, array_agg(DISTINCT s.vapid_kid) AS "keyIds",
    coalesce(bool_or(h.paused_until > $1), false) AS paused
  FROM push_subscription s LEFT JOIN push_host h ON h.host = s.host
  WHERE s.channel = 'push' GROUP BY s.host ORDER BY devices DESC LIMIT 20`;

export const ORDER_FACTS = "SELECT count(*)::int AS review FROM orders WHERE status = 'REVIEW' AND live";

/** Files that no version of the reader has read for more than a day. $1: now. */
export const UNREAD_FACTS = `
  SELECT count(*)::int AS unread FROM package_file
  WHERE state = 'ready' AND read_version = 0 AND ready_at < $1::timestamptz - interval '1 day'`;
