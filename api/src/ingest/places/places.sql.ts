/** Statements of the places. SQL: each reads or writes a whole batch. */

export const INSERT_PINCODES = 'INSERT INTO pincode SELECT * FROM json_populate_recordset(NULL::pincode, $1)';
export const PINCODES = 'SELECT pincode, state, district, share FROM pincode';

/** Rows of one transaction. */
const BATCH_SIZE = 1_000;

export const TENDERS_AFTER = `
  SELECT id, state, district, second_district, department, pincode, title, description, source_id, reference, place, address, organisation_chain
  FROM tender WHERE id > $1 ORDER BY id LIMIT ${BATCH_SIZE}`;

export const STORE_PLACES = `
  WITH placed AS (
    UPDATE tender t SET district = r.district, second_district = r.second_district, district_confidence = r.confidence, department = r.department,
      words = r.words::tsvector, version = t.version + 1, updated_at = $2,
      change_no = CASE WHEN t.change_no IS NULL THEN NULL ELSE nextval('tender_change_no') END
    FROM jsonb_to_recordset($1) r(id int, district text, second_district text, confidence real, department text, words text, changes jsonb)
    WHERE t.id = r.id
    RETURNING t.change_no, t.id, t.state, t.version, r.changes
  )
  INSERT INTO tender_history (change_no, tender_id, state, version, kind, changes, at)
  SELECT change_no, id, state, version, 'changed', changes, $2 FROM placed WHERE change_no IS NOT NULL`;
