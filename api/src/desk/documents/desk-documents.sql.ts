/** Statements of official files at the desk. SQL: counts of requests beside their tenders, and tables without an entity. */

const TENDER_COLUMNS = `t.id, t.source_id AS tender, t.portal, t.title, to_json(t.closes_at)#>>'{}' AS "closesAt",
  (SELECT count(*)::int FROM document_request r WHERE r.tender_id = t.id AND r.answered_at IS NULL) AS asked,
  (SELECT to_json(min(r.requested_at))#>>'{}' FROM document_request r
    WHERE r.tender_id = t.id AND r.answered_at IS NULL) AS "firstAskedAt"`;

/** $1: an id of ours or -1. $2: an id of a portal. */
export const FOUND_TENDERS = `
  SELECT ${TENDER_COLUMNS} FROM tender t WHERE t.id = $1 OR t.source_id = $2 ORDER BY t.id LIMIT 20`;

/** The tender $1 with the files of its package $2. */
export const TENDER_DOCUMENTS = `
  SELECT ${TENDER_COLUMNS}, t.package_kind IS NOT NULL OR t.origin = 'generated' AS "isSellable",
    t.nit_key IS NOT NULL AND EXISTS (SELECT FROM tender o WHERE o.nit_key = t.nit_key AND o.id <> t.id) AS "hasOtherWorks",
    coalesce((
      SELECT json_agg(json_build_object('id', f.id::text, 'name', f.name, 'kind', f.kind, 'allWorks', f.all_works,
        'isOwn', f.tender_id = t.id, 'state', f.state, 'bytes', f.bytes, 'note', f.note, 'problem', f.problem) ORDER BY f.kind = 'other', f.kind DESC, f.name)
      FROM package_file f WHERE f.nit = $2 AND (f.tender_id = t.id OR f.all_works)), '[]') AS files
  FROM tender t WHERE t.id = $1`;
