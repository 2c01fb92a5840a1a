/** Statements of the index of what official documents say. The tables of readings are those of `documents/reading`. */

const IS_UNINDEXED = '(d.file_reading_id IS NULL OR d.read_at <> r.read_at OR d.terms_version < $1)';

/** The newest readings that this version of the terms ($1) has not indexed, at most $2. */
export const UNINDEXED_READINGS = `
  SELECT r.id FROM file_reading r LEFT JOIN document_index d ON d.file_reading_id = r.id
  WHERE ${IS_UNINDEXED} ORDER BY r.id DESC LIMIT $2`;

/** The reading $2 with the items of a workbook; nothing while another worker indexes it. */
export const LOCK_UNINDEXED = `
  SELECT r.id, r.read_at AS "readAt", r.texts, b.boq->'items' AS items
  FROM file_reading r JOIN package_file f ON f.id = r.package_file_id
    LEFT JOIN document_index d ON d.file_reading_id = r.id
    LEFT JOIN read_boq b ON b.nit = f.nit AND b.tender_id = f.tender_id AND b.sha256 = r.sha256
  WHERE r.id = $2 AND ${IS_UNINDEXED} FOR UPDATE OF r SKIP LOCKED`;

export const DELETE_PARTS = 'DELETE FROM document_part WHERE file_reading_id = $1';

/** $2: positions in `texts`, $3: their terms. */
export const INSERT_PARTS = `
  INSERT INTO document_part (file_reading_id, part, words)
  SELECT $1, part, words::tsvector FROM unnest($2::int[], $3::text[]) AS p(part, words)`;

export const MARK_INDEXED = `
  INSERT INTO document_index (file_reading_id, read_at, terms_version) VALUES ($1, $2, $3)
  ON CONFLICT (file_reading_id) DO UPDATE SET read_at = excluded.read_at, terms_version = excluded.terms_version`;

/** The texts of hits: the page, or the items of the workbook. $1: readings, $2: positions. */
export const TEXTS_OF_HITS = `
  SELECT r.id AS "readingId", asked.part, r.name AS file, r.texts[asked.part + 1] AS text, b.boq->'items' AS items
  FROM unnest($1::bigint[], $2::int[]) WITH ORDINALITY asked(id, part, nth)
    JOIN file_reading r ON r.id = asked.id JOIN package_file f ON f.id = r.package_file_id
    LEFT JOIN read_boq b ON b.nit = f.nit AND b.tender_id = f.tender_id AND b.sha256 = r.sha256
  ORDER BY asked.nth`;
