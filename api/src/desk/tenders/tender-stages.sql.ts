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

/** Notices of each kind about the tender $1. */
export const NOTICES_BY_KIND = `
  SELECT kind, count(*)::int AS count FROM notice WHERE tender_id = $1 AND state = 'due' GROUP BY kind ORDER BY kind`;
