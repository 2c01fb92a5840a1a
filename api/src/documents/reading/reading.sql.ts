/** Statements of readings. SQL: the tables have no entity, and leases are taken in one step. */
import { openForBidsCondition } from '../../tenders/tender.entity.ts';

/** Files of the package $1 that belong to the tender $2. */
const FILES_OF_TENDER = "f.nit = $1 AND (f.tender_id = $2 OR f.all_works) AND f.state = 'ready'";

/** A file whose content changed is not read; one that an earlier version of the reader has read is. */
const READ_FILES = `file_reading r JOIN package_file f ON f.id = r.package_file_id AND f.read_version > 0`;

export const FILES_WITH_STATE = `
  SELECT coalesce(r.id::text, 'file-' || f.id) AS id, coalesce(r.name, f.name) AS name, coalesce(r.kind, f.kind) AS kind,
    coalesce(r.sha256, f.sha256) AS sha256, coalesce(r.state, 'waiting') AS state, r.pages,
    coalesce(r.unread_pages, '[]') AS "unreadPages", r.read_at AS "readAt"
  FROM package_file f LEFT JOIN file_reading r ON r.package_file_id = f.id AND f.read_version > 0
  WHERE ${FILES_OF_TENDER} ORDER BY f.id, r.id`;

/** What tells versions of readings apart, of the published tenders $1 that have files. $2: now. */
export const READING_COUNTS = `
  SELECT t.id, count(*)::int AS files, max(r.read_at) AS "readAt",
    coalesce(sum(d.lines), 0)::int AS lines, coalesce(sum(d.checked), 0)::int AS checked
  FROM tender t
    JOIN package_file f ON f.nit = nit_of(t.nit_key, t.id) AND (f.tender_id = t.id OR f.all_works) AND f.state = 'ready'
    LEFT JOIN file_reading r ON r.package_file_id = f.id AND f.read_version > 0
    LEFT JOIN LATERAL (
      SELECT count(*) FILTER (WHERE state <> 'hidden') AS lines,
        count(*) FILTER (WHERE state IN ('confirmed', 'corrected')) AS checked
      FROM document_fact WHERE file_reading_id = r.id) d ON true
  WHERE t.id = ANY ($1::integer[]) AND t.published_at <= $2
  GROUP BY t.id`;

/** Lines in the order of the documents, without hidden ones. */
export const FACTS_OF_TENDER = `
  SELECT d.id, d.file_reading_id AS "fileId", d.topic, d.page, d.quote, d.state,
    CASE d.state WHEN 'corrected' THEN d.corrected_value ELSE d.value END AS value
  FROM document_fact d JOIN ${READ_FILES} ON r.id = d.file_reading_id
  WHERE ${FILES_OF_TENDER} AND d.state <> 'hidden'
  ORDER BY d.file_reading_id, d.page, d.id`;

const BOQ_OF_FILE = 'read_boq b ON b.nit = f.nit AND b.tender_id = f.tender_id AND b.sha256 = r.sha256';

/** $3: with the table itself. */
export const BOQS_OF_TENDER = `
  SELECT r.id AS "fileId", r.name, b.summary, b.tender_id AS "tenderId", b.read_at AS "readAt",
    CASE WHEN $3 THEN b.boq END AS boq
  FROM ${READ_FILES} JOIN ${BOQ_OF_FILE}
  WHERE ${FILES_OF_TENDER} ORDER BY r.id`;

/** BOQs of the package $1 that no file has any more, the latest first. */
export const EARLIER_BOQS = `
  SELECT e.tender_id AS "tenderId", e.name, e.boq, e.read_at AS "readAt" FROM read_boq e
  WHERE e.nit = $1 AND NOT EXISTS (
    SELECT FROM ${READ_FILES} JOIN ${BOQ_OF_FILE} WHERE b.nit = e.nit AND b.tender_id = e.tender_id AND b.sha256 = e.sha256)
  ORDER BY e.read_at DESC`;

export const HAS_DOWNLOADED = 'SELECT EXISTS (SELECT FROM download WHERE user_id = $1 AND nit = $2) AS downloaded';

/**
 * Takes a file that this version of the reader has not read. $1: now, $2: end of the lease, $3: the version, $4: end of the
 * lease of a file whose reading was interrupted $5 times; a later end is of a clock that was set back.
 */
export const LEASE_UNREAD_FILE = `
  UPDATE package_file SET read_tries = read_tries + 1,
    read_until = CASE WHEN read_tries < $5 THEN $2::timestamptz ELSE $4::timestamptz END
  WHERE id = (
    SELECT id FROM package_file
    WHERE state = 'ready' AND read_version < $3 AND (read_until IS NULL OR read_until <= $1 OR read_until > $4)
    ORDER BY read_version, id LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING id, nit, tender_id AS "tenderId", name, kind, file_key AS "fileKey", sha256, read_tries AS tries`;

/** A try in which the reader did not run does not count. */
export const TAKE_TRY_BACK = 'UPDATE package_file SET read_tries = greatest(read_tries - 1, 0) WHERE id = $1';

/** Locks the file $1 while it has the content $2. */
export const LOCK_READ_FILE = "SELECT FROM package_file WHERE id = $1 AND sha256 = $2 AND state = 'ready' FOR UPDATE";

export const MARK_FILE_READ =
  'UPDATE package_file SET read_version = $2, read_tries = 0, read_until = NULL WHERE id = $1';

/** What this version of the reader found in the same content elsewhere. A broken one may have been lost in the store. */
export const KNOWN_READING = `
  SELECT r.state, r.pages, r.unread_pages AS "unreadPages", r.texts,
    coalesce((SELECT json_agg(json_build_object('topic', topic, 'page', page, 'quote', quote, 'value', value) ORDER BY id)
      FROM document_fact WHERE file_reading_id = r.id), '[]') AS facts,
    (SELECT boq FROM read_boq b WHERE b.nit = f.nit AND b.tender_id = f.tender_id AND b.sha256 = r.sha256) AS boq
  FROM file_reading r JOIN package_file f ON f.id = r.package_file_id
  WHERE r.sha256 = $1 AND r.version = $2 AND r.state <> 'broken' LIMIT 1`;

/** Removes what was read in other contents of the package file $1. $2: names, $3: digests. */
export const DELETE_OTHER_READINGS = `
  DELETE FROM file_reading WHERE package_file_id = $1
    AND (name, sha256) NOT IN (SELECT * FROM unnest($2::text[], $3::text[]))`;

export const UPSERT_READING = `
  INSERT INTO file_reading (package_file_id, name, kind, sha256, version, state, pages, unread_pages, texts, read_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  ON CONFLICT (package_file_id, name) DO UPDATE SET kind = excluded.kind, version = excluded.version,
    state = excluded.state, pages = excluded.pages, unread_pages = excluded.unread_pages, texts = excluded.texts,
    read_at = excluded.read_at
  RETURNING id, xmax = 0 AS "isNew"`;

export const FACTS_OF_FILE =
  'SELECT id, topic, page, quote, value, state FROM document_fact WHERE file_reading_id = $1 ORDER BY id FOR UPDATE';
export const DELETE_FACTS = 'DELETE FROM document_fact WHERE id = ANY ($1::bigint[])';
export const UPDATE_FACT_VALUE = 'UPDATE document_fact SET value = $2 WHERE id = $1';
export const INSERT_FACTS = `
  INSERT INTO document_fact (file_reading_id, topic, page, quote, value)
  SELECT $1, topic, page, quote, value FROM jsonb_to_recordset($2) AS f(topic text, page integer, quote text, value jsonb)`;

/** $7: now; $8: whether the file has this content only now. */
export const UPSERT_BOQ = `
  INSERT INTO read_boq AS held (nit, tender_id, sha256, name, boq, summary, read_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (nit, tender_id, sha256) DO UPDATE SET name = excluded.name, boq = excluded.boq,
    summary = excluded.summary, read_at = CASE WHEN $8 THEN excluded.read_at ELSE held.read_at END`;

/** All lines of the tender $2, as an operator sees them. */
export const LINES_OF_TENDER = `
  SELECT d.id, d.file_reading_id AS "fileId", d.topic, d.page, d.quote, d.state, d.value AS "foundValue",
    d.decided_at AS "decidedAt", CASE d.state WHEN 'corrected' THEN d.corrected_value ELSE d.value END AS value
  FROM document_fact d JOIN ${READ_FILES} ON r.id = d.file_reading_id
  WHERE ${FILES_OF_TENDER} ORDER BY d.file_reading_id, d.page, d.id`;

/** The line $3 of the tender $2, locked. */
export const LOCK_LINE = `
  SELECT d.topic, d.page, d.state, d.decided_at AS "decidedAt", r.name AS file,
    CASE d.state WHEN 'corrected' THEN d.corrected_value ELSE d.value END AS value
  FROM document_fact d JOIN ${READ_FILES} ON r.id = d.file_reading_id
  WHERE ${FILES_OF_TENDER} AND d.id = $3 FOR UPDATE OF d`;

/** Decides on a line. $2: the state, $3: the corrected value, $4: now. */
export const DECIDE_ON_LINE = `
  UPDATE document_fact SET state = $2, corrected_value = $3, decided_at = CASE WHEN $2 <> 'found' THEN $4::timestamptz END
  WHERE id = $1`;

export const TENDER_OF_LINE = `
  SELECT f.tender_id AS id FROM document_fact d JOIN ${READ_FILES} ON r.id = d.file_reading_id WHERE d.id = $1`;

/** Open tenders that the file $1 belongs to. $2: now. */
export const OPEN_TENDERS_OF_FILE = `
  SELECT t.id FROM package_file f JOIN tender t ON t.id = f.tender_id OR f.all_works AND t.nit_key = f.nit
  WHERE f.id = $1 AND ${openForBidsCondition('t', '$2')} AND t.published_at <= $2`;
