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

/** Portals with real tenders or files, the one that was imported last first, with the rows of the last 30 days. $1 now. */
export const COMPARED_PORTALS = `
  WITH stored AS (
    SELECT portal, count(*)::int AS tenders, max(published_at) FILTER (WHERE published_at <= $1) AS published_at
    FROM tender WHERE origin <> 'generated' GROUP BY portal
  ), open AS (
    SELECT t.portal, count(*)::int AS open FROM open_tender o JOIN tender t USING (id)
    WHERE o.closes_at > $1 AND t.published_at <= $1 AND t.origin <> 'generated' GROUP BY t.portal
  ), files AS (
    SELECT portal, sum((counts->>'read')::int)::int AS rows, sum((counts->>'rejected')::int)::int AS rejected
    FROM sent_file
    WHERE NOT is_dry_run AND portal IS NOT NULL AND counts IS NOT NULL AND sent_at > $1::timestamptz - interval '30 days'
    GROUP BY portal
  ), recent AS (
    SELECT portal, (counts->>'read')::int AS rows, (counts->>'rejected')::int AS rejected
    FROM import_run WHERE imported_at > $1::timestamptz - interval '30 days'
  ), mapped AS (SELECT portal, max(version) AS version FROM portal_mapping GROUP BY portal)
  SELECT portal, coalesce(tenders, 0) AS tenders, coalesce(open, 0) AS open, imported_at, published_at,
    coalesce(files.rows, recent.rows) AS rows, coalesce(files.rejected, recent.rejected) AS rejected,
    version AS mapping_version
  FROM stored FULL JOIN import_run USING (portal) FULL JOIN files USING (portal) FULL JOIN mapped USING (portal)
    LEFT JOIN open USING (portal) LEFT JOIN recent USING (portal)
  ORDER BY imported_at DESC NULLS LAST, portal`;
