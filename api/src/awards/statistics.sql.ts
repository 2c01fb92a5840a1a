/** Statements of the statistics job. SQL: each reads or writes the awards of a state at once. */

/** States whose statistics are older than their awards, or than the Indian day $1. */
export const DUE_STATES = `
  SELECT state, change_no::float8 AS "changeNo", to_char(checked_on, 'YYYY-MM-DD') AS "checkedOn",
    refusals_predict AS "refusalsPredict"
  FROM award_state WHERE computed_no < change_no OR computed_at IS NULL
    OR (computed_at AT TIME ZONE 'Asia/Kolkata')::date < $1::date
  ORDER BY state`;

/** The facts of the awards of a state that were known from the day $2 on. */
export const STATE_FACTS = `
  SELECT office_key AS office, department, known_on - date '1970-01-01' AS "knownOn",
    published_on - date '1970-01-01' AS "publishedOn", closes_on - date '1970-01-01' AS "closesOn", bidders,
    refused_technical AS "refusedTechnical", not_admitted AS "notAdmitted",
    coalesce(price::text, exclusion, 'no-value') AS price, days_to_contract AS "daysToContract", origin
  FROM award WHERE state = $1 AND known_on >= $2::date AND known_on <= $3::date`;

export const KNOWN_DAYS = `
  SELECT known_on - date '1970-01-01' AS day FROM award WHERE state = $1 AND known_on IS NOT NULL`;

/** Bids of the last 24 hours before closing, by office. Only awards whose tender has a known closing hour count. */
export const LATE_BIDS = `
  SELECT a.office_id AS "officeId", count(DISTINCT a.id)::int AS awards, count(*)::int AS bids,
    count(*) FILTER (WHERE s.at >= t.closes_at - interval '24 hours')::int AS late
  FROM award a JOIN tender t USING (portal, source_id) CROSS JOIN LATERAL unnest(a.submitted) s(at)
  WHERE a.state = $1 AND a.known_on >= $2::date AND a.known_on <= $3::date AND t.closing_time_known
    AND t.origin = 'portal' AND s.at <= t.closes_at
  GROUP BY a.office_id`;

/** Changes of rules of a state until the day $2. */
export const STATE_REGIMES = `
  SELECT department, to_char(from_on, 'YYYY-MM-DD') AS "from", rule, source FROM price_regime
  WHERE state = $1 AND from_on <= $2::date`;

export const HAS_DEPARTMENT_AWARDS = `
  SELECT EXISTS (SELECT FROM award WHERE state = $1 AND department = $2) AS known`;

export const INSERT_DETECTED_REGIME = `
  INSERT INTO price_regime (state, department, from_on, price, share_before, share_after, noticed_at)
  VALUES ($1, $2, $3::date, $4, $5, $6, $7) ON CONFLICT DO NOTHING`;

export const INSERT_REGIME = `
  INSERT INTO price_regime (state, department, from_on, rule, source, noticed_at) VALUES ($1, $2, $3::date, $4, $5, $6)
  ON CONFLICT (state, department, from_on) DO UPDATE SET rule = excluded.rule, source = excluded.source`;

export const STORE_COVERAGE = `
  INSERT INTO award_coverage (state, statistic, covered, ranges, checked_on) VALUES ($1, $2, $3, $4, $5::date)
  ON CONFLICT (state, statistic) DO UPDATE SET covered = excluded.covered, ranges = excluded.ranges,
    checked_on = excluded.checked_on`;

export const STORE_CHECK = 'UPDATE award_state SET checked_on = $2::date, refusals_predict = $3 WHERE state = $1';

export const STATE_COVERAGE = 'SELECT statistic, covered, ranges FROM award_coverage WHERE state = $1';

/** Stores the changed offices of $2 for the state $1 and removes offices without awards. Returns the sum of both counts. */
export const STORE_STATISTICS = `
  WITH given AS (
    SELECT * FROM jsonb_to_recordset($2) AS g(office_id text, office_key text, department text, awards integer,
      last_known_on date, statistics jsonb)
  ), gone AS (
    DELETE FROM office_statistics o WHERE o.state = $1 AND NOT EXISTS (SELECT FROM given g WHERE g.office_id = o.office_id)
    RETURNING 1
  ), stored AS (
    INSERT INTO office_statistics AS o (office_id, state, office_key, department, awards, last_known_on, statistics, updated_at)
    SELECT office_id, $1, office_key, department, awards, last_known_on, statistics, $3::timestamptz FROM given
    ON CONFLICT (office_id) DO UPDATE SET awards = excluded.awards, last_known_on = excluded.last_known_on,
      statistics = excluded.statistics, updated_at = excluded.updated_at
    WHERE o.statistics - 'computedOn' IS DISTINCT FROM excluded.statistics - 'computedOn'
    RETURNING 1
  )
  SELECT ((SELECT count(*) FROM gone) + (SELECT count(*) FROM stored))::int AS changed`;

export const STORE_STATE = `
  UPDATE award_state SET computed_no = greatest(computed_no, $2), computed_on = $3::date, computed_at = $4, awards = $5,
    offices = $6, is_demonstration = $7,
    version = CASE WHEN $8 OR version IS NULL THEN $2::text || '-' || to_char($4::timestamptz, 'YYYYMMDDHH24MI') ELSE version END
  WHERE state = $1`;

export const STATE_AWARDS = 'SELECT count(*)::int AS count FROM award WHERE state = $1';
