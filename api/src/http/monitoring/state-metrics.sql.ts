/** Gauges over the database. SQL: each is one aggregate over tables of several features. */

/** A gauge read from the database. Its rows have a column for each label, and `value`. `$1` in the query is now. */
export interface StateMetric {
  name: string;
  help: string;
  labels: string[];
  query: string;
}

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
    name: 'nivida_push_hosts_paused',
    help: 'Push services to which sending is paused',
    labels: [],
    query: 'SELECT count(*) AS value FROM push_host WHERE paused_until > $1',
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
    name: 'nivida_portal_age_seconds',
    help: 'Seconds since a portal was last fetched',
    labels: ['portal'],
    query: `SELECT portal, extract(epoch FROM $1::timestamptz - max(fetched_at)) AS value FROM tender
      WHERE origin = 'portal' GROUP BY portal ORDER BY max(fetched_at) DESC LIMIT 200`,
  },
  {
    name: 'nivida_feed_age_seconds',
    help: 'Seconds since a feed was last read without an error',
    labels: ['feed'],
    query: `SELECT name AS feed, extract(epoch FROM $1::timestamptz - succeeded_at) AS value FROM feed
      WHERE succeeded_at IS NOT NULL`,
  },
  {
    name: 'nivida_feed_failed',
    help: '1 when the last run of a feed failed, else 0',
    labels: ['feed'],
    query: 'SELECT name AS feed, (error IS NOT NULL)::int AS value FROM feed',
  },
];
