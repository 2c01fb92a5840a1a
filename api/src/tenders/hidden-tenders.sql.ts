/** Statements of hidden tenders. SQL: each changes a tender and writes its history row with the next change number. */

/** Hides the tender $1 at $2 until $3. A draft has no history row, because no device has it. */
export const HIDE_TENDER = `
  WITH before AS (SELECT id, change_no FROM tender WHERE id = $1),
  hidden AS (
    UPDATE tender t SET change_no = NULL, published_at = $3, version = t.version + 1, updated_at = $2
    WHERE t.id = $1 RETURNING t.id, t.state, t.version
  )
  INSERT INTO tender_history (change_no, tender_id, state, version, kind, changes, at)
  SELECT nextval('tender_change_no'), h.id, h.state, h.version, 'removed', '[]', $2
  FROM hidden h JOIN before b USING (id) WHERE b.change_no IS NOT NULL`;

/** Shows the tender $1 again at $2, published at $3. Without $4 it stays a draft, which the next run of a job publishes. */
export const UNHIDE_TENDER = `
  WITH shown AS (
    UPDATE tender t SET change_no = CASE WHEN $4 THEN nextval('tender_change_no') END, published_at = $3,
      version = t.version + 1, updated_at = $2
    WHERE t.id = $1 RETURNING t.id, t.state, t.version, t.change_no
  )
  INSERT INTO tender_history (change_no, tender_id, state, version, kind, changes, at)
  SELECT change_no, id, state, version, 'changed', '[{"field": "hidden", "old": true, "new": false}]', $2
  FROM shown WHERE change_no IS NOT NULL`;

/** Whether the tender $1 is hidden. */
export const IS_HIDDEN = { name: 'is hidden', text: 'SELECT FROM hidden_tender WHERE tender_id = $1' };
