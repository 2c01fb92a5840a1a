/** Statements of requests, library and cleanup. SQL: locks, joins over several features, and tables without an entity. */
import { batchedDelete } from '../database/delete-in-batches.sql.ts';
import { openForBidsCondition } from '../tenders/tender.entity.ts';

export const OPEN_REQUESTS_OF_BUYER = `
  SELECT count(*)::int AS open FROM document_request
  WHERE (user_id = $1 OR $1::uuid IS NULL AND email = lower($2)) AND answered_at IS NULL AND tender_id <> $3`;

export const INSERT_REQUEST = `
  INSERT INTO document_request (tender_id, user_id, email, requested_at, language)
  VALUES ($1, $2, CASE WHEN $2::uuid IS NULL THEN lower($3) END, $4, $5) ON CONFLICT DO NOTHING`;

export const DELETE_OLD_REQUESTS = batchedDelete(
  'document_request',
  "EXISTS (SELECT FROM tender WHERE id = t.tender_id AND closes_at < $1::timestamptz - interval '30 days')",
);

export const REQUEST_BATCH_SIZE = 200;

export const ANSWERABLE_REQUESTS = `
  SELECT r.id, r.tender_id AS "tenderId", t.title, r.user_id AS "userId", coalesce(r.email, a.email) AS email,
    coalesce(a.language, r.language) AS language
  FROM document_request r JOIN tender t ON t.id = r.tender_id LEFT JOIN account a ON a.id = r.user_id
  WHERE r.answered_at IS NULL AND t.package_kind IS NOT NULL AND t.published_at <= $1 AND t.closes_at > $1
    AND t.stage NOT IN ('cancelled', 'retendered') AND a.deleted_at IS NULL
  ORDER BY r.id LIMIT ${REQUEST_BATCH_SIZE} FOR UPDATE OF r SKIP LOCKED`;

/** Version of these notices. Tender versions are positive, so it never equals the version of a change notice. */
const NOTICE_VERSION = -1;

export const INSERT_DOCUMENTS_NOTICES = `
  INSERT INTO notice (user_id, recipient, tender_id, kind, version, state, detail, created_at, event_at)
  SELECT user_id, user_id, tender_id, 'changed', ${NOTICE_VERSION}, 'due', '{"fields": ["documents", "package"]}', $3, $3
  FROM unnest($1::uuid[], $2::int[]) AS asked (user_id, tender_id) WHERE NOT EXISTS (
    SELECT 1 FROM notice o WHERE o.recipient = asked.user_id AND o.tender_id = asked.tender_id AND o.kind = 'changed'
      AND o.version = ${NOTICE_VERSION})
  ON CONFLICT DO NOTHING`;

export const MARK_REQUESTS_ANSWERED = 'UPDATE document_request SET answered_at = $2 WHERE id = ANY($1)';

export const IS_TENDER_OPEN = `
  SELECT ${openForBidsCondition('t', '$2')} AS "isOpen" FROM tender t
  WHERE id = $1 AND published_at <= $2`;

export const REQUESTED_TENDERS = `
  SELECT t.source_id AS tender, t.id, t.portal, t.title, count(*)::int AS asked,
    to_json(min(r.requested_at))#>>'{}' AS "firstAskedAt", to_json(t.closes_at)#>>'{}' AS "closesAt"
  FROM document_request r JOIN tender t ON t.id = r.tender_id
  WHERE r.answered_at IS NULL AND ${openForBidsCondition('t', '$1')} GROUP BY t.id ORDER BY asked DESC, t.closes_at, t.id`;

export const MARK_PACKAGE_REMOVED = 'UPDATE document_package SET removed_at = $2 WHERE id = $1';

/** Old package versions to remove. $1: now. $2: only versions that were replaced before this instant. */
export const UNUSED_PACKAGES = `
  SELECT p.id, p.file_key AS "fileKey" FROM document_package p
  WHERE p.removed_at IS NULL
    AND EXISTS (SELECT 1 FROM document_package n WHERE n.nit = p.nit AND n.version > p.version AND n.created_at <= $2)
    AND NOT EXISTS (
      SELECT 1 FROM download_link l WHERE l.package_id = p.id AND l.revoked_at IS NULL AND l.expires_at > $1)
  ORDER BY p.id`;

export const ORDER_OF_ENTITLEMENT =
  'SELECT o.public_id FROM entitlement e JOIN orders o ON o.id = e.order_id WHERE e.id = $1';

/** The library of the account $1. $2: whether the provider is live. Bought documents come before those of a plan. */
export const LIBRARY_QUERY = `
  WITH held AS (
    SELECT DISTINCT ON (nit) * FROM (
      SELECT e.nit, e.tender_id, e.created_at AS acquired_at, 'purchase' AS by, o.public_id, o.title
      FROM entitlement e JOIN orders o ON o.id = e.order_id
      WHERE e.user_id = $1 AND e.kind = 'documents' AND e.revoked_at IS NULL AND NOT (e.is_test AND $2)
      UNION ALL
      SELECT d.nit, d.tender_id, d.charged_at, 'plan', NULL, NULL FROM download d WHERE d.user_id = $1
    ) every ORDER BY nit, by DESC, acquired_at DESC
  )
  SELECT h.nit, h.tender_id::text AS "tenderId", coalesce(h.title, t.title, h.nit) AS title, p.file_names AS files,
    p.bytes::float8 AS bytes, p.sha256, p.version,
    coalesce(p.version > (
      SELECT max(f.version) FROM download_link l JOIN document_package f ON f.id = l.package_id
        JOIN entitlement e ON e.id = l.entitlement_id
      WHERE l.nit = h.nit AND l.fetches > 0 AND e.user_id = $1), false) AS "hasNewer",
    to_char(h.acquired_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "acquiredAt", h.by,
    h.public_id AS "orderId"
  FROM held h
  JOIN LATERAL (SELECT * FROM document_package WHERE nit = h.nit ORDER BY version DESC LIMIT 1) p ON true
  LEFT JOIN tender t ON t.id = h.tender_id
  ORDER BY h.acquired_at DESC`;
