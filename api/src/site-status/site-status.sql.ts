/** What the page of the status reads. SQL: one row over tables of several features. */

/** A job that did not succeed for three of its intervals and ten minutes is late. */
const IS_LATE = `extract(epoch FROM $1::timestamptz - coalesce(succeeded_at, registered_at)) > 3 * every_seconds + 600`;
/** Mails and pushes that wait longer than this are late. */
const MAX_WAIT = "interval '15 minutes'";

export const STATUS_FACTS = `
  SELECT coalesce((SELECT bool_or(${IS_LATE}) FROM job_run WHERE job IN ('closing-soon', 'search-alerts', 'send-pushes')), false)
      OR EXISTS (SELECT FROM push_delivery WHERE state = 'waiting' AND send_at < $1::timestamptz - ${MAX_WAIT}) AS "areAlertsLate",
    coalesce((SELECT bool_or(${IS_LATE}) OR max(items) > 0 FROM job_run WHERE job = 'prepare-packs'), false) AS "arePacksLate",
    coalesce((SELECT bool_or(${IS_LATE} OR failures > 0) FROM job_run WHERE job = 'reconcile-orders'), false) AS "arePaymentsLate"`;

/** Mails that are late. The table belongs to the queue, which may not exist yet. */
export const LATE_MAILS = `
  SELECT EXISTS (SELECT FROM pgboss.job WHERE name = 'mail' AND state IN ('created', 'retry')
    AND start_after < now() - ${MAX_WAIT}) AS late`;

export const HAS_MAIL_QUEUE = "SELECT to_regclass('pgboss.job') IS NOT NULL AS exists";

/** When each portal was last read, the newest first. */
export const PORTALS_READ = `
  SELECT portal, imported_at AS "readAt" FROM import_run ORDER BY imported_at DESC LIMIT 100`;
