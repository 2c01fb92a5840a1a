/** Statements of the files. SQL: leases and upserts in one step, and tables without an entity. */

export const LISTED_FILES = `
  SELECT coalesce(t.source_id, f.tender_id::text) AS tender, f.name, f.kind, f.all_works AS "allWorks", f.state, f.bytes::float8 AS bytes, f.note
  FROM package_file f LEFT JOIN tender t ON t.id = f.tender_id
  WHERE $1::integer IS NULL OR f.tender_id = $1 ORDER BY f.tender_id, f.id`;

/** Removes the file $1 of the package $2, which belongs to the tender $3 or to all its works. */
export const DELETE_FILE =
  'DELETE FROM package_file WHERE id = $1 AND nit = $2 AND (tender_id = $3 OR all_works) RETURNING name, kind, file_key AS "fileKey"';

/** A package can be sold when it has the NIT. A generated tender is sold with a demonstration package. */
export const IS_SELLABLE =
  "SELECT package_kind IS NOT NULL OR origin = 'generated' AS sellable FROM tender WHERE id = $1";
export const FILE_BATCH_SIZE = 20;

export const LEASE_DUE_FILES = `
  UPDATE package_file SET next_try_at = $2, tries = tries + 1 WHERE id IN (
    SELECT id FROM package_file WHERE state = 'waiting'
      -- A try planned too far ahead was planned by a clock that has been set back since.
      AND (next_try_at <= $1 OR next_try_at > $3)
    ORDER BY next_try_at LIMIT ${FILE_BATCH_SIZE} FOR UPDATE SKIP LOCKED)
  RETURNING id, nit, tender_id AS "tenderId", name, source_url AS "sourceUrl", tries, kind`;

export const SCHEDULE_NEXT_TRY = 'UPDATE package_file SET next_try_at = $2, note = $3 WHERE id = $1';

export const UNDELIVERED_ORDERS = `
  SELECT o.public_id AS "publicId" FROM entitlement e JOIN orders o ON o.id = e.order_id
  WHERE e.kind = 'documents' AND e.revoked_at IS NULL AND o.status = 'SUCCESS' AND o.live = $2 AND o.paid_at <= $1
    AND NOT EXISTS (SELECT 1 FROM download_link l WHERE l.entitlement_id = e.id)
    AND NOT EXISTS (
      SELECT 1 FROM refund r JOIN payment p USING (provider, provider_payment_id)
      WHERE r.order_id = o.id AND p.kind = 'capture' AND r.checks > 0)
  ORDER BY e.id`;

/** NITs that have official files or buyers, and whose files or works are newer than their newest package. */
export const STALE_PACKAGES = `
  WITH retained AS (
    SELECT nit FROM package_file WHERE state = 'ready' UNION SELECT nit FROM entitlement WHERE kind = 'documents'
  )
  SELECT k.nit FROM retained k
    LEFT JOIN LATERAL (
      SELECT created_at FROM document_package WHERE nit = k.nit ORDER BY version DESC LIMIT 1) p ON true
  WHERE p.created_at IS NULL
    OR EXISTS (SELECT 1 FROM package_file f WHERE f.nit = k.nit AND f.state = 'ready' AND f.ready_at > p.created_at)
    OR EXISTS (SELECT 1 FROM tender t WHERE t.nit_key = k.nit AND t.updated_at > p.created_at)
    OR EXISTS (
      SELECT 1 FROM tender t WHERE t.nit_key IS NULL AND t.updated_at > p.created_at
        AND t.id = CASE WHEN k.nit ~ '^tender-[0-9]{1,9}$' THEN substr(k.nit, 8)::integer END)
  ORDER BY k.nit`;

/** Orders that are owed a link. $1: now. $2: whether the provider is live. */
export const OWED_LINKS = `
  SELECT e.order_id AS "orderId", o.public_id AS "publicId", e.id,
    CASE WHEN linked.version IS NULL THEN 'bought'
      WHEN EXISTS (
          SELECT 1 FROM tender t WHERE t.updated_at > linked.created_at AND (t.id = e.tender_id OR t.nit_key = e.nit))
        OR EXISTS (
          SELECT 1 FROM package_file f WHERE f.nit = e.nit AND f.state = 'ready' AND f.ready_at > linked.created_at)
        THEN 'changed'
      -- The same contents, built differently.
      ELSE 'again' END AS news
  FROM entitlement e JOIN orders o ON o.id = e.order_id
    JOIN LATERAL (SELECT max(version) AS version FROM document_package WHERE nit = e.nit) newest ON true
    JOIN LATERAL (
      SELECT max(p.version) AS version, max(p.created_at) AS created_at FROM download_link l JOIN document_package p ON p.id = l.package_id
      WHERE l.entitlement_id = e.id) linked ON true
  WHERE e.kind = 'documents' AND e.revoked_at IS NULL AND NOT (e.is_test AND $2) AND newest.version IS NOT NULL
    AND o.status = 'SUCCESS' AND o.buyer_email <> ''
    AND (linked.version IS NULL OR linked.version < newest.version AND EXISTS (
      SELECT 1 FROM tender t WHERE t.closes_at > $1 AND (t.id = e.tender_id OR t.nit_key = e.nit)))
  ORDER BY e.id`;

export const PACKAGE_BYTES_WITHOUT_FILE = `
  SELECT coalesce(sum(bytes), 0)::float8 AS total FROM package_file
  WHERE nit = $1 AND state = 'ready' AND (tender_id, name) <> ($2, $3)`;

export const STORED_FILE = `
  SELECT file_key AS "fileKey", sha256, note FROM package_file
  WHERE nit = $1 AND tender_id = $2 AND name = $3 AND kind = $4 AND all_works = $5 AND state = 'ready'`;

export const UPSERT_FILE = `
  INSERT INTO package_file
    (nit, tender_id, name, source_url, file_key, sha256, bytes, state, note, added_at, ready_at, kind, all_works, problem)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $11, $12, $13)
  ON CONFLICT (nit, tender_id, name) DO UPDATE SET source_url = excluded.source_url, file_key = excluded.file_key,
    sha256 = excluded.sha256, bytes = excluded.bytes, state = excluded.state, note = excluded.note, problem = excluded.problem,
    kind = excluded.kind, all_works = excluded.all_works, next_try_at = NULL, read_tries = 0, read_until = NULL,
    read_version = CASE WHEN (package_file.sha256, package_file.kind) IS DISTINCT FROM (excluded.sha256, excluded.kind)
        OR EXISTS (SELECT FROM file_reading r WHERE r.package_file_id = package_file.id AND r.state = 'broken')
      THEN 0 ELSE package_file.read_version END,
    ready_at = CASE
      WHEN (package_file.sha256, package_file.kind, package_file.all_works)
        IS DISTINCT FROM (excluded.sha256, excluded.kind, excluded.all_works) THEN excluded.ready_at ELSE package_file.ready_at END`;
