/** Statements that store awards. SQL: each writes a whole batch. */

/** Whether the award `a` has a winner and was known at the instant `now`, a parameter. */
export const isKnownResult = (now: string): string =>
  `a.accepted > 0 AND a.known_on <= (${now}::timestamptz AT TIME ZONE 'Asia/Kolkata')::date`;

const COLUMNS = [
  ...'portal source_id state title office_id office_key department category pincode estimate awarded_value'.split(' '),
  ...'published_on closes_on contract_on known_on bidders accepted refused_technical not_admitted price'.split(' '),
  ...'days_to_contract exclusion submitted winner winner_hash origin content_hash reported_by'.split(' '),
];

/**
 * Stores the awards $1 at $2. An award whose content and winner are unchanged is left alone. The district comes from the
 * known tender, else it is the most probable one of the PIN code. Hidden names are not stored. An award from the tender's
 * own portal replaces one from another portal, never the reverse.
 */
export const UPSERT_AWARDS = `
  INSERT INTO award AS stored (${COLUMNS.join(', ')}, district, imported_at)
  SELECT ${COLUMNS.map((column) => {
    if (column === 'winner') return 'CASE WHEN h.name_hash IS NULL THEN r.winner END';
    return column === 'winner_hash' ? 'CASE WHEN h.name_hash IS NULL THEN r.winner_hash END' : `r.${column}`;
  }).join(', ')},
    coalesce(t.district, (
      SELECT p.district FROM pincode p WHERE p.pincode = r.pincode AND p.state = r.state
      ORDER BY p.share DESC, p.district LIMIT 1)), $2::timestamptz
  FROM json_populate_recordset(NULL::award, $1) r
    LEFT JOIN hidden_name h ON h.name_hash = r.winner_hash
    LEFT JOIN tender t ON t.portal = r.portal AND t.source_id = r.source_id AND t.origin <> 'generated'
  ON CONFLICT (portal, source_id) DO UPDATE SET
    ${COLUMNS.map((column) => `${column} = excluded.${column}`).join(', ')},
    district = excluded.district, imported_at = excluded.imported_at
  WHERE (stored.content_hash <> excluded.content_hash OR stored.origin <> excluded.origin
      OR stored.winner_hash IS DISTINCT FROM excluded.winner_hash)
    AND (excluded.reported_by IS NULL OR stored.reported_by = excluded.reported_by)
  RETURNING id, state, xmax = 0 AS "isNew"`;

/** For the portals $1 and ids $2 that are attached sources: the key of the tender they are attached to. */
export const ATTACHED_AWARD_KEYS = `
  SELECT s.portal, s.source_id, t.portal AS own_portal, t.source_id AS own_id
  FROM unnest($1::text[], $2::text[]) AS asked(portal, source_id)
    JOIN attached_source s USING (portal, source_id) JOIN tender t ON t.id = s.tender_id`;

/** Moves awards of sources attached to the tenders $1 to these tenders. If a tender has an award of its own, that one stays. */
export const MOVE_AWARDS_TO_TENDERS = `
  WITH source AS (
    SELECT DISTINCT ON (t.id) a.id, t.portal, t.source_id, o.id IS NOT NULL AS doubled
    FROM attached_source s JOIN tender t ON t.id = s.tender_id
      JOIN award a ON a.portal = s.portal AND a.source_id = s.source_id
      LEFT JOIN award o ON o.portal = t.portal AND o.source_id = t.source_id
    WHERE t.id = ANY($1::int[]) AND a.origin = 'portal' ORDER BY t.id, a.id
  ), gone AS (DELETE FROM award a USING source s WHERE a.id = s.id AND s.doubled RETURNING a.id, a.state),
  moved AS (UPDATE award a SET portal = s.portal, source_id = s.source_id, reported_by = a.portal
    FROM source s WHERE a.id = s.id AND NOT s.doubled RETURNING a.id, a.state)
  SELECT id, state FROM moved UNION ALL SELECT id, state FROM gone`;

/** For the awards of the portals $1 and ids $2: the names of the file columns that are already filled. */
export const FILLED_FACTS = `
  SELECT asked.n::int - 1 AS n, array_remove(ARRAY[
    CASE WHEN a.bidders > 0 THEN 'bids' END, CASE WHEN a.estimate IS NOT NULL THEN 'estimate' END,
    CASE WHEN a.awarded_value IS NOT NULL THEN 'awarded_value' END, CASE WHEN a.contract_on IS NOT NULL THEN 'contract_date' END,
    CASE WHEN a.closes_on IS NOT NULL THEN 'closing_date' END, CASE WHEN a.published_on IS NOT NULL THEN 'publish_date' END,
    CASE WHEN a.category IS NOT NULL THEN 'category' END, CASE WHEN a.pincode IS NOT NULL THEN 'pincode' END], NULL) AS filled
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked(portal, source_id, n)
    LEFT JOIN attached_source s USING (portal, source_id) LEFT JOIN tender t ON t.id = s.tender_id
    JOIN award a ON a.portal = coalesce(t.portal, asked.portal) AND a.source_id = coalesce(t.source_id, asked.source_id)
      AND a.reported_by IS NOT DISTINCT FROM s.portal
  WHERE a.origin = 'portal'`;

export const RAISE_STATES = `
  INSERT INTO award_state (state) SELECT unnest($1::text[])
  ON CONFLICT (state) DO UPDATE SET change_no = award_state.change_no + 1`;

/** The first real tenders or awards of a state replace its generated awards. */
export const REMOVE_GENERATED_AWARDS = `
  WITH gone AS (DELETE FROM award WHERE origin = 'generated' AND state = ANY($1::text[]) RETURNING state)
  UPDATE award_state SET change_no = change_no + 1 WHERE state IN (SELECT state FROM gone)`;

/**
 * Closed tenders whose award became known get the stage "awarded", a history row and the next change number. Rebased and
 * generated tenders are left out, because their dates differ from those of their awards. $2: now.
 */
const markAwardedTenders = (condition: string) => `
  WITH due AS (
    SELECT t.id, t.stage FROM award a JOIN tender t USING (portal, source_id)
    WHERE ${condition} AND ${isKnownResult('$2')} AND a.origin = 'portal'
      AND t.origin = 'portal' AND t.change_no IS NOT NULL AND t.closes_at <= $2
      AND t.stage IN ('published', 'under_evaluation')
    FOR UPDATE OF t
  ), marked AS (
    UPDATE tender t SET stage = 'awarded', version = t.version + 1, updated_at = $2, change_no = nextval('tender_change_no')
    FROM due WHERE t.id = due.id
    RETURNING t.id, t.state, t.version, t.change_no, due.stage AS before
  )
  INSERT INTO tender_history (change_no, tender_id, state, version, kind, changes, at)
  SELECT change_no, id, state, version, 'changed',
    jsonb_build_array(jsonb_build_object('field', 'stage', 'old', before, 'new', 'awarded')), $2
  FROM marked`;

/** Marks the tenders of the awards $1. */
export const MARK_AWARDED_TENDERS = markAwardedTenders('a.id = ANY($1::int[])');

/** Marks tenders of the portals $1. An award may have been imported before its tender. */
export const MARK_AWARDED_OF_PORTALS = markAwardedTenders('a.portal = ANY($1::text[])');

/** Whether the award of a tender is known at $3. */
export const HAS_KNOWN_RESULT = `
  SELECT EXISTS (
    SELECT FROM award a WHERE a.portal = $1 AND a.source_id = $2 AND a.origin = 'portal' AND ${isKnownResult('$3')}) AS known`;

export const HIDE_NAME = `
  WITH hidden AS (INSERT INTO hidden_name (name_hash, hidden_at) VALUES ($1, $2) ON CONFLICT DO NOTHING)
  UPDATE award SET winner = NULL, winner_hash = NULL WHERE winner_hash = $1`;

export const SHOW_NAME = 'DELETE FROM hidden_name WHERE name_hash = $1';
