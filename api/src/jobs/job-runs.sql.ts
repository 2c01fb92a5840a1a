/** Statements of the records of job runs. SQL: the upsert keeps earlier values, and a client without entities runs it too. */

/** $1 job, $2 interval in seconds, $3 start, $4 seconds, $5 instant of success or null, $6 items or null, $7 error or null. */
export const RECORD_JOB_RUN = `
  INSERT INTO job_run AS r (job, every_seconds, registered_at, started_at, seconds, succeeded_at, items, failures, error)
  VALUES ($1, $2, $3, $3, $4, $5, $6, CASE WHEN $7::text IS NULL THEN 0 ELSE 1 END, $7)
  ON CONFLICT (job) DO UPDATE SET every_seconds = excluded.every_seconds, started_at = excluded.started_at,
    seconds = excluded.seconds, succeeded_at = coalesce(excluded.succeeded_at, r.succeeded_at),
    items = coalesce(excluded.items, r.items),
    failures = CASE WHEN excluded.error IS NULL THEN 0 ELSE r.failures + 1 END, error = excluded.error`;

export const REGISTER_JOBS = `
  INSERT INTO job_run AS r (job, every_seconds, registered_at)
  SELECT job, every_seconds, $3 FROM unnest($1::text[], $2::int[]) AS given (job, every_seconds)
  ON CONFLICT (job) DO UPDATE SET every_seconds = excluded.every_seconds
  WHERE r.every_seconds <> excluded.every_seconds`;

/** $1 jobs of this version, $2 now. An unknown job that ran recently is kept, because it may belong to a newer version. */
export const FORGET_REMOVED_JOBS = `
  DELETE FROM job_run
  WHERE job <> ALL ($1) AND coalesce(started_at, registered_at) < $2::timestamptz - interval '2 days'`;
