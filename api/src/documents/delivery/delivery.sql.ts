/** Statements of links and downloads. SQL: conditional updates count fetches, and the tables have no entity. */
import { PACKAGE_COLUMNS } from '../packages/packages.sql.ts';

export const DOWNLOAD_PERMISSION = `
  SELECT entitlement_id AS "entitlementId", grant_kind AS kind, refusal, is_free AS "isFree",
    used_in_month AS "usedInMonth", per_month AS "perMonth" FROM can_download($1, $2, $3, $4)`;

export const INSERT_DOWNLOAD = `
  INSERT INTO download (user_id, month, nit, tender_id, entitlement_id, charged_at)
  VALUES ($1, indian_month($5), $2, $3, $4, $5)`;

export const INSERT_LINK = `
  INSERT INTO download_link (token_sha256, entitlement_id, nit, tender_id, package_id, created_at, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`;

export const COUNT_FETCH = 'UPDATE download_link SET fetches = fetches + 1 WHERE token_sha256 = $1 AND fetches < $2';
export const REVOKE_LINKS = 'UPDATE download_link SET revoked_at = $2 WHERE entitlement_id = $1 AND revoked_at IS NULL';

export const VALID_LINK = `
  SELECT ${PACKAGE_COLUMNS}, coalesce(o.title, t.title, l.nit) AS title, l.expires_at, l.fetches, e.kind, e.user_id,
    l.tender_id, e.is_test,
    coalesce(o.language, a.language, 'en') AS language
  FROM download_link l JOIN document_package p ON p.id = l.package_id JOIN entitlement e ON e.id = l.entitlement_id
    LEFT JOIN orders o ON o.id = e.order_id AND o.product = 'tender-documents' LEFT JOIN tender t ON t.id = l.tender_id
    LEFT JOIN account a ON a.id = e.user_id
  WHERE l.token_sha256 = $1 AND l.expires_at > $2 AND l.created_at <= $6 AND l.revoked_at IS NULL AND e.revoked_at IS NULL
    AND (l.fetches < $3 OR $4) AND NOT (e.is_test AND $5)`;
