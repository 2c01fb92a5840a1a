/** Statements of the packages. SQL: the contents of all works are compared in one statement, and the tables have no entity. */

export const BOQ_ITEMS = `
  SELECT tender_id AS "tenderId", no, description, quantity::text AS quantity, unit FROM boq_item
  WHERE tender_id = ANY($1) ORDER BY array_position($1, tender_id), no`;

/** When unchanged tenders were last read. */
export const SEEN_TENDERS = 'SELECT tender_id AS id, seen_at AS at FROM tender_seen WHERE tender_id = ANY($1)';

/** Every work of the NIT $1 with the ready files that cover it; $2 is the instant. */
const WORK_CONTENTS = `
  WITH work AS (
    SELECT t.id, t.published_at <= $2 AS is_public, t.package_kind, t.package_works,
      t.origin <> 'generated' AND EXISTS (
        SELECT FROM package_file f WHERE f.nit = $1 AND f.state = 'ready' AND f.kind = 'nit'
          AND (f.tender_id = t.id OR f.all_works)) AS has_nit,
      EXISTS (SELECT FROM package_file f WHERE f.nit = $1 AND f.state = 'ready' AND f.kind = 'boq'
          AND (f.tender_id = t.id OR f.all_works))
        OR EXISTS (SELECT FROM boq_item b WHERE b.tender_id = t.id) AS has_boq
    FROM tender t
    WHERE t.nit_key = $1
      OR t.nit_key IS NULL AND t.id = CASE WHEN $1 ~ '^tender-[0-9]{1,9}$' THEN substr($1, 8)::integer END
  ), found AS (
    SELECT id, package_kind, package_works,
      CASE WHEN has_nit THEN CASE WHEN has_boq THEN 'nit-boq' ELSE 'nit' END END AS kind,
      CASE WHEN has_nit THEN (count(*) FILTER (WHERE has_nit AND is_public) OVER ())::integer END AS works
    FROM work
  ), differing AS (
    SELECT * FROM found WHERE (kind, works) IS DISTINCT FROM (package_kind, package_works)
  )`;

export const DIFFERING_CONTENTS = `${WORK_CONTENTS} SELECT FROM differing LIMIT 1`;

export const UPDATE_CONTENTS = `${WORK_CONTENTS}
  UPDATE tender t SET package_kind = d.kind, package_works = d.works,
    change_no = CASE WHEN t.change_no IS NULL THEN NULL ELSE nextval('tender_change_no') END
  FROM differing d WHERE t.id = d.id`;

export const READY_FILES = 'SELECT tender_id, all_works, name, file_key, sha256, note FROM package_file';

export const PACKAGE_COLUMNS = `p.id, p.nit, p.version, p.file_key AS "fileKey", p.sha256, p.bytes::float8 AS bytes,
  p.file_names AS "fileNames", p.is_demonstration AS "isDemonstration", p.created_at AS "createdAt"`;

export const NEWEST_PACKAGE = `
  SELECT ${PACKAGE_COLUMNS} FROM document_package p
  WHERE p.nit = $1 ORDER BY p.version DESC LIMIT 1`;

export const PACKAGE_FINGERPRINT = 'SELECT fingerprint FROM document_package WHERE id = $1';

export const INSERT_PACKAGE = `
  INSERT INTO document_package
    (nit, version, file_key, sha256, bytes, file_names, fingerprint, is_demonstration, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (nit, version) DO NOTHING RETURNING id`;
