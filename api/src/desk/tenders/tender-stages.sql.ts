/** What the desk reads of tenders. SQL: aggregates over tables of several features. */

const LISTED = `SELECT t.id, t.title, t.portal, t.source_id, h.tender_id IS NOT NULL AS is_hidden,
    coalesce((SELECT array_agg(c.field ORDER BY c.id) FROM tender_correction c
      WHERE c.tender_id = t.id AND c.ended_at IS NULL), '{}') AS corrected,
    (SELECT count(*)::int FROM tender_report r WHERE r.tender_id = t.id AND r.closed_at IS NULL) AS reports
  FROM tender t LEFT JOIN hidden_tender h ON h.tender_id = t.id`;

/** The tenders that operators have hidden or corrected, the last change first. */
export const CHANGED_BY_OPERATORS = `${LISTED}
  JOIN (SELECT tender_id, max(at) AS at FROM (
      SELECT tender_id, hidden_at AS at FROM hidden_tender
      UNION ALL SELECT tender_id, at FROM tender_correction WHERE ended_at IS NULL) each GROUP BY 1) last ON last.tender_id = t.id
  ORDER BY last.at DESC LIMIT $1`;

/** The tenders with open reports, the oldest report first. */
export const REPORTED_TENDERS = `${LISTED}
  JOIN (SELECT tender_id, min(created_at) AS at FROM tender_report WHERE closed_at IS NULL GROUP BY 1) open ON open.tender_id = t.id
  ORDER BY open.at LIMIT $1`;

/** The tenders with an id ($2) or the words $3; first the one whose portal's id is $4. */
export const FIND_TENDERS = `${LISTED}
  WHERE t.id = $2 OR t.words @@ $3::tsquery
  ORDER BY t.id = $2 DESC NULLS LAST, t.source_id = $4 DESC, t.id DESC LIMIT $1`;

/** When the tender $1 was last read unchanged. */
export const LAST_SEEN_AT = 'SELECT seen_at AS "seenAt" FROM tender_seen WHERE tender_id = $1';

/** The rows of files from which the tender $1 is made: of a notice, then of a list. */
export const ROWS_OF_TENDER = `
  SELECT r.is_listed, r.file, r.line, r.read_at, r.cells, h.columns
  FROM tender_source_row r JOIN tender_source_header h ON h.digest = r.header
  WHERE r.tender_id = $1 ORDER BY r.is_listed`;

/** The OCDS releases of the tender with the portal $1 and its id $2. */
export const RELEASES_OF_TENDER = 'SELECT releases FROM tender_statement WHERE portal = $1 AND source_id = $2';

/** Notices of each kind about the tender $1. */
export const NOTICES_BY_KIND = `
  SELECT kind, count(*)::int AS count FROM notice WHERE tender_id = $1 AND state = 'due' GROUP BY kind ORDER BY kind`;
