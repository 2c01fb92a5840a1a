/** Statements of data in. SQL: lists over several tables, one statement each. */

/** Files with their senders, the newest first: $1 limit, $2 offset. */
export const SENT_FILE_ROWS = `
  SELECT f.id, f.name, f.portal, f.status, f.is_dry_run AS "isDryRun", f.problem->>'code' AS problem, f.counts, f.sent_at,
    coalesce(k.name, a.username) AS sender
  FROM sent_file f LEFT JOIN import_key k ON k.id = f.key_id LEFT JOIN account a ON a.id = f.actor_id
  ORDER BY f.sent_at DESC, f.id LIMIT $1 OFFSET $2`;

export const SENDER_OF_FILE = `
  SELECT coalesce(k.name, a.username) AS sender
  FROM sent_file f LEFT JOIN import_key k ON k.id = f.key_id LEFT JOIN account a ON a.id = f.actor_id WHERE f.id = $1`;

/** Portals with real tenders, an import or a mapping, the one that was imported last first, with its rows. $1 now. */
export const COMPARED_PORTALS = `
  WITH stored AS (
    SELECT portal, count(*)::int AS tenders, max(published_at) FILTER (WHERE published_at <= $1) AS published_at
    FROM tender WHERE origin <> 'generated' GROUP BY portal
  ), open AS (
    SELECT t.portal, count(*)::int AS open FROM open_tender o JOIN tender t USING (id)
    WHERE o.closes_at > $1 AND t.published_at <= $1 AND t.origin <> 'generated' GROUP BY t.portal
  ), mapped AS (SELECT portal, max(version) AS version FROM portal_mapping GROUP BY portal)
  SELECT portal, coalesce(tenders, 0) AS tenders, coalesce(open, 0) AS open, imported_at, published_at,
    (counts->>'read')::int AS rows, (counts->>'rejected')::int AS rejected, version AS mapping_version
  FROM stored FULL JOIN import_run USING (portal) FULL JOIN mapped USING (portal) LEFT JOIN open USING (portal)
  ORDER BY imported_at DESC NULLS LAST, portal`;
