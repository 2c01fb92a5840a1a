/** Gauges over the database. SQL: each is one aggregate over tables of several features. */

import { MONTHS_AHEAD_OF_TABLES } from '../../database/monthly-partitions.sql.ts';

/** A gauge read from the database. Its rows have a column for each label, and `value`. `$1` in the query is now. */
export interface StateMetric {
  name: string;
  help: string;
  labels: string[];
  query: string;
}

/** Maximum number of portals as label values. */
const MAX_PORTALS = 200;

/** Every gauge over the database. */
export const STATE_METRICS: readonly StateMetric[] = [
  {
    name: 'nivida_queue_jobs',
    help: 'Waiting, running and failed jobs by queue',
    labels: ['queue', 'state'],
    query: `SELECT name AS queue, state::text, count(*) AS value FROM pgboss.job
      WHERE state IN ('created', 'retry', 'active', 'failed') GROUP BY name, state`,
  },
  {
    name: 'nivida_queue_oldest_seconds',
    help: 'Seconds since the oldest waiting job of a queue became due',
    labels: ['queue'],
    // Uses now() because pg-boss writes times by the database's clock.
    query: `SELECT name AS queue, extract(epoch FROM now() - min(start_after)) AS value FROM pgboss.job
      WHERE state IN ('created', 'retry') AND start_after <= now() GROUP BY name`,
  },
  {
    name: 'nivida_job_age_seconds',
    help: 'Seconds since a recurring job last succeeded, or since it was first scheduled',
    labels: ['name'],
    query: `SELECT job AS name, extract(epoch FROM $1::timestamptz - coalesce(succeeded_at, registered_at)) AS value FROM job_run
      WHERE job <> 'backup'`,
  },
  {
    name: 'nivida_job_interval_seconds',
    help: 'Seconds between two runs of a recurring job',
    labels: ['name'],
    query: "SELECT job AS name, every_seconds AS value FROM job_run WHERE job <> 'backup'",
  },
  {
    name: 'nivida_job_last_seconds',
    help: 'Duration of the last run of a job in any process',
    labels: ['name'],
    query: 'SELECT job AS name, seconds AS value FROM job_run WHERE seconds IS NOT NULL',
  },
  {
    name: 'nivida_job_failures',
    help: 'Failed runs of a job since its last success',
    labels: ['name'],
    query: 'SELECT job AS name, failures AS value FROM job_run',
  },
  {
    name: 'nivida_backup_age_seconds',
    help: 'Seconds since the newest backup was written; absent when there is none',
    labels: [],
    query: `SELECT extract(epoch FROM $1::timestamptz - succeeded_at) AS value FROM job_run
      WHERE job = 'backup' AND succeeded_at IS NOT NULL`,
  },
  {
    name: 'nivida_backup_bytes',
    help: 'Size of the newest backup',
    labels: [],
    query: "SELECT items AS value FROM job_run WHERE job = 'backup' AND items IS NOT NULL",
  },
  {
    name: 'nivida_push_messages',
    help: 'Messages sent to push services since the installation, by whether they were accepted',
    labels: ['kind', 'outcome'],
    query: `SELECT kind, outcome, sum(count) AS value FROM push_tally,
        LATERAL (VALUES ('accepted', accepted), ('refused', sent - accepted)) o(outcome, count)
      GROUP BY kind, outcome`,
  },
  {
    name: 'nivida_push_waiting',
    help: 'Waiting deliveries to devices, by whether they are due',
    labels: ['due'],
    query: `SELECT (send_at <= $1) AS due, count(*) AS value FROM push_delivery WHERE state = 'waiting' GROUP BY 1`,
  },
  {
    name: 'nivida_push_oldest_seconds',
    help: 'Seconds since the oldest waiting delivery to a device became due',
    labels: [],
    query: `SELECT coalesce(extract(epoch FROM $1::timestamptz - min(send_at)), 0) AS value FROM push_delivery
      WHERE state = 'waiting' AND send_at <= $1`,
  },
  {
    name: 'nivida_push_hosts_paused',
    help: 'Push services to which sending is paused',
    labels: [],
    query: 'SELECT count(*) AS value FROM push_host WHERE paused_until > $1',
  },
  {
    name: 'nivida_partition_months_ahead',
    help: 'Months after the present one for which a table has a partition',
    labels: ['table'],
    query: MONTHS_AHEAD_OF_TABLES,
  },
  {
    name: 'nivida_orders',
    help: 'Orders by status, and whether they are for real money',
    labels: ['status', 'live'],
    query: 'SELECT status, live, count(*) AS value FROM orders GROUP BY status, live',
  },
  {
    name: 'nivida_payments',
    help: 'Captured payments by kind: those that grant an entitlement, duplicates and mismatches',
    labels: ['kind'],
    query: 'SELECT kind, count(*) AS value FROM payment GROUP BY kind',
  },
  {
    name: 'nivida_refunds',
    help: 'Refunds by state',
    labels: ['state'],
    query: 'SELECT state, count(*) AS value FROM refund GROUP BY state',
  },
  {
    name: 'nivida_accounts',
    help: 'Accounts, by whether they are open, deleted and not yet erased, or erased',
    labels: ['state'],
    query: `SELECT CASE WHEN deleted_at IS NULL THEN 'open' WHEN mobile_no LIKE 'erased-%' THEN 'erased' ELSE 'deleted' END AS state,
        count(*) AS value FROM account GROUP BY 1`,
  },
  {
    name: 'nivida_accounts_opened_day',
    help: 'Accounts that were opened within the last 24 hours',
    labels: [],
    query: "SELECT count(*) AS value FROM account WHERE created_at > $1::timestamptz - interval '24 hours'",
  },
  {
    name: 'nivida_devices_active_day',
    help: 'Signed-in devices that called within the last 24 hours',
    labels: [],
    query: `SELECT count(*) AS value FROM session
      WHERE last_used_at > $1::timestamptz - interval '24 hours' AND revoked_at IS NULL`,
  },
  {
    name: 'nivida_portal_age_seconds',
    help: 'Seconds since a file of a portal was last imported; absent while its feed is paused',
    labels: ['portal'],
    query: `SELECT portal, extract(epoch FROM $1::timestamptz - imported_at) AS value FROM import_run
      WHERE NOT EXISTS (SELECT FROM feed WHERE name = portal AND paused_at IS NOT NULL)
      ORDER BY imported_at DESC LIMIT ${MAX_PORTALS}`,
  },
  {
    name: 'nivida_import_last_seconds',
    help: 'Duration of the last import of a portal',
    labels: ['portal'],
    query: `SELECT portal, seconds AS value FROM import_run WHERE seconds IS NOT NULL
      ORDER BY imported_at DESC LIMIT ${MAX_PORTALS}`,
  },
  {
    name: 'nivida_import_last_rows',
    help: 'Rows of the last import of a portal by result',
    labels: ['portal', 'result'],
    query: `SELECT portal, result, value FROM (
        SELECT portal, counts FROM import_run WHERE counts IS NOT NULL ORDER BY imported_at DESC LIMIT ${MAX_PORTALS}
      ) i, LATERAL jsonb_each_text(counts) AS c(result, value)`,
  },
  {
    name: 'nivida_pack_age_seconds',
    help: 'Seconds since the offline pack of a scope was built; a pack without changes is not built again',
    labels: ['scope'],
    query: 'SELECT scope, extract(epoch FROM $1::timestamptz - built_at) AS value FROM sync_manifest',
  },
  {
    name: 'nivida_packs_missing',
    help: 'States with tenders, and all India, whose offline pack was not built at the last run of prepare-packs',
    labels: [],
    query: "SELECT items AS value FROM job_run WHERE job = 'prepare-packs' AND items IS NOT NULL",
  },
  {
    name: 'nivida_pack_bytes',
    help: 'Bytes of the offline pack of a scope on the wire',
    labels: ['scope'],
    query: `SELECT scope, coalesce(sum(bytes::float8), 0) AS value FROM sync_manifest
        LEFT JOIN LATERAL jsonb_path_query(segments, '$[*].*.bytes') AS bytes ON true
      GROUP BY scope`,
  },
  {
    name: 'nivida_database_bytes',
    help: 'Size of the database',
    labels: [],
    query: 'SELECT pg_database_size(current_database()) AS value',
  },
  {
    name: 'nivida_award_coverage',
    help: 'Share of tenders of two past quarters whose award fell into the range of its office, where at least 40 were tested',
    labels: ['state', 'statistic'],
    query: `SELECT state, statistic, covered::float8 / ranges AS value FROM award_coverage WHERE ranges >= 40`,
  },
  {
    name: 'nivida_award_regimes_new',
    help: 'Changes of price rules that the detector found within the last 30 days',
    labels: ['state'],
    query: `SELECT state, count(*) FILTER (WHERE p.rule IS NULL AND p.noticed_at > $1::timestamptz - interval '30 days') AS value
      FROM award_state s LEFT JOIN price_regime p USING (state) GROUP BY state`,
  },
  {
    name: 'nivida_awards_due_seconds',
    help: 'Seconds since the statistics of a state with newer awards were computed',
    labels: ['state'],
    query: `SELECT state, extract(epoch FROM $1::timestamptz - computed_at) AS value FROM award_state
      WHERE computed_no < change_no AND computed_at IS NOT NULL`,
  },
  {
    name: 'nivida_feed_age_seconds',
    help: 'Seconds since a feed was last read without an error',
    labels: ['feed'],
    query: `SELECT name AS feed, extract(epoch FROM $1::timestamptz - succeeded_at) AS value FROM feed
      WHERE succeeded_at IS NOT NULL AND paused_at IS NULL`,
  },
  {
    name: 'nivida_feed_paused',
    help: '1 while an operator has paused a feed, else 0',
    labels: ['feed'],
    query: 'SELECT name AS feed, (paused_at IS NOT NULL)::int AS value FROM feed',
  },
  {
    name: 'nivida_feed_failed',
    help: '1 when the last run of a feed failed, else 0; absent while it is paused',
    labels: ['feed'],
    query: 'SELECT name AS feed, (error IS NOT NULL)::int AS value FROM feed WHERE paused_at IS NULL',
  },
];
