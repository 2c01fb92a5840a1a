/** Statements about the server and the schema. SQL: they run before entities can be used. */

export const PING = 'SELECT 1';
export const SERVER_VERSION = "SELECT current_setting('server_version_num')::int AS version";
export const KNOWN_DATABASE = 'SELECT 1 FROM pg_database WHERE datname = $1';
export const HAS_MIGRATION_TABLE = "SELECT to_regclass('migration') IS NOT NULL AS exists";
export const MIGRATION_NAMES = 'SELECT name FROM migration ORDER BY id';
export const LOCK_MIGRATIONS = 'SELECT pg_advisory_lock($1)';
export const UNLOCK_MIGRATIONS = 'SELECT pg_advisory_unlock($1)';

export const IS_USED_DATABASE = `
  SELECT to_regclass('pgboss.version') IS NOT NULL OR EXISTS (SELECT FROM account) OR EXISTS (SELECT FROM orders)
    OR EXISTS (SELECT FROM push_subscription) AS used`;

/** Maximum replication lag before reads fall back to the primary. Jobs write every minute, so the lag is measurable. */
const MAX_REPLICA_LAG_SECONDS = 300;

export const IS_REPLICA_BEHIND = `
  SELECT pg_is_in_recovery()
    AND coalesce(extract(epoch FROM now() - pg_last_xact_replay_timestamp()) > ${MAX_REPLICA_LAG_SECONDS}, false) AS behind`;

/** Seconds of lag. It is zero on a connected replica that has replayed everything, even if the primary has not written for long. */
export const REPLICA_LAG = `
  SELECT CASE WHEN NOT pg_is_in_recovery() THEN 0
    WHEN pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() AND EXISTS (SELECT FROM pg_stat_wal_receiver) THEN 0
    ELSE coalesce(extract(epoch FROM now() - pg_last_xact_replay_timestamp()), 0) END::float8 AS seconds`;
