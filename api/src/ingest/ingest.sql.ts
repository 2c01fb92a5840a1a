/** Statements of the import. SQL: each writes a whole batch. */
import { TENDER_FIELD_LIST } from '@nivida/contract/tenders/tender-fields';

export const DELETE_BOQ_ITEMS = `
  DELETE FROM boq_item b USING tender t, jsonb_to_recordset($1) AS k(portal text, source_id text)
  WHERE t.portal = k.portal AND t.source_id = k.source_id AND b.tender_id = t.id`;

export const INSERT_BOQ_ITEMS = `
  INSERT INTO boq_item (tender_id, no, description, quantity, unit)
  SELECT t.id, l.no, l.description, l.quantity, l.unit
  FROM jsonb_to_recordset($1) AS l(portal text, source_id text, no integer, description text, quantity numeric, unit text)
    JOIN tender t USING (portal, source_id)`;

export const UPSERT_PACKAGE_FILES = `
  INSERT INTO package_file AS held (nit, tender_id, name, kind, source_url, state, next_try_at, added_at)
  SELECT nit_of(t.nit_key, t.id), t.id, f.name, f.kind, f.url, 'waiting', $2, $2
  FROM jsonb_to_recordset($1) AS f(portal text, source_id text, name text, kind text, url text) JOIN tender t USING (portal, source_id)
  ON CONFLICT (nit, tender_id, name) DO UPDATE SET source_url = excluded.source_url, kind = excluded.kind, state = 'waiting', tries = 0,
    next_try_at = excluded.next_try_at, note = NULL
  WHERE held.source_url <> excluded.source_url`;

export const GENERATED_TENDERS_BY_STATE = `
  SELECT state, count(*)::int AS count FROM tender
  WHERE origin = 'generated' GROUP BY state ORDER BY state`;

export const KNOWN_TENDERS = `
  SELECT t.id, t.portal, t.source_id, t.content_hash, t.shift_days, t.origin
  FROM unnest($1::text[], $2::text[]) AS asked(portal, source_id) JOIN tender t USING (portal, source_id)`;

export const REMOVE_GENERATED_TENDERS = `
  WITH gone AS (DELETE FROM tender WHERE origin = 'generated' AND state = ANY($1) RETURNING id, state, version, change_no),
    unseen AS (DELETE FROM tender_seen WHERE tender_id IN (SELECT id FROM gone))
  INSERT INTO tender_history (change_no, tender_id, state, version, kind, changes, at)
  SELECT nextval('tender_change_no'), id, state, version + 1, 'removed', '[]', $2 FROM gone WHERE change_no IS NOT NULL`;

/** The searched fields of the next tenders after an id, in the names of the contract. */
export const NEXT_SEARCHED_TENDERS = `
  SELECT id, title, description, source_id AS source_tender_id, reference AS reference_number, organisation_chain,
    district, second_district, department, place, pincode
  FROM tender WHERE id < $1 ORDER BY id DESC LIMIT $2`;

export const UPDATE_WORDS = `
  UPDATE tender t SET words = r.words::tsvector
  FROM unnest($1::int[], $2::text[]) r(id, words)
  WHERE t.id = r.id AND t.words IS DISTINCT FROM r.words::tsvector`;

export const HAS_REAL_TENDERS = `
  SELECT EXISTS (
    SELECT FROM tender WHERE origin <> 'generated' AND ($1::text IS NULL OR portal = $1)) AS some`;

const COMPARED_COLUMNS = [
  ...'title description price emd reference category closing_time_known documents'.split(' '),
  ...'published_at bid_start_at closes_at opens_at pre_bid_at'.split(' '),
  ...TENDER_FIELD_LIST.map(({ name }) => name),
]
  .map((column) => `c.${column}`)
  .join(', ');

/** Compares rows, and the digests of their cells, with stored tenders. A stage that comes from an award is not compared, because notices do not have it. */
export const COMPARED_TENDERS = `
  SELECT asked.n::int - 1 AS n, t.id, t.origin, t.content_hash = asked.hash AS same, t.shift_days,
    coalesce(s.digest = asked.cells, asked.cells IS NULL) AS same_cells, ${COMPARED_COLUMNS},
    CASE WHEN c.stage = 'awarded' AND EXISTS (
      SELECT FROM award a WHERE a.portal = c.portal AND a.source_id = c.source_id AND a.accepted > 0
    ) THEN 'published' ELSE c.stage END AS stage
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::boolean[])
      WITH ORDINALITY AS asked(portal, source_id, hash, cells, is_listed, n)
    JOIN tender t ON t.portal = asked.portal AND t.source_id = asked.source_id AND t.origin <> 'generated'
    LEFT JOIN tender c ON c.id = t.id AND c.content_hash <> asked.hash
    LEFT JOIN tender_source_row s ON s.tender_id = t.id AND s.is_listed = asked.is_listed`;

export const STATED_RELEASES = `
  SELECT portal, source_id AS "sourceId", releases, tender_id IS NOT NULL AS "isKnown"
  FROM unnest($1::text[], $2::text[]) AS asked(portal, source_id) JOIN tender_statement USING (portal, source_id)`;

export const UPSERT_STATEMENTS = `
  INSERT INTO tender_statement (portal, source_id, tender_id, releases, stored_at)
  SELECT s.portal, s."sourceId", coalesce(t.id, a.tender_id), s.releases, $2
  FROM jsonb_to_recordset($1) AS s(portal text, "sourceId" text, releases jsonb)
    LEFT JOIN tender t ON t.portal = s.portal AND t.source_id = s."sourceId"
    LEFT JOIN attached_source a ON a.portal = s.portal AND a.source_id = s."sourceId"
  ON CONFLICT (portal, source_id) DO UPDATE SET tender_id = excluded.tender_id, releases = excluded.releases,
    stored_at = excluded.stored_at`;

export const LOCK_RELEASES = 'SELECT pg_advisory_lock($1)';
export const UNLOCK_RELEASES = 'SELECT pg_advisory_unlock($1)';

export const TRY_LOCK_PORTAL = 'SELECT pg_try_advisory_lock($1, hashtext($2)) AS held';
export const UNLOCK_PORTAL = 'SELECT pg_advisory_unlock($1, hashtext($2))';

/** Columns that come from the row itself. */
const ROW_COLUMNS = [
  ...'portal source_id state district second_district district_confidence department title description reference nit_key'.split(
    ' ',
  ),
  ...'organisation_chain category price price_text emd published_at bid_start_at closes_at closing_time_known'.split(
    ' ',
  ),
  ...'opens_at pre_bid_at documents stage words shift_days content_hash is_listed'.split(' '),
  ...TENDER_FIELD_LIST.map(({ name }) => name),
];

/** Ids of $1 new tenders and change numbers of the $2 public ones. */
export const RESERVE_NUMBERS = `
  SELECT ARRAY(SELECT nextval('tender_id_seq')::int FROM generate_series(1, $1)) AS ids,
    ARRAY(SELECT nextval('tender_change_no')::float8 FROM generate_series(1, $2)) AS change_numbers`;

/** Columns of COPY_TENDERS, in its order. */
export const COPIED_COLUMNS = [
  ...ROW_COLUMNS,
  ...['id', 'change_no', 'last_corrigendum', 'origin', 'archived', 'fetched_at', 'updated_at'],
];

/** COPY is faster than INSERT: it has nothing to plan, and no parameters or JSON to parse. */
export const COPY_TENDERS = `COPY tender (${COPIED_COLUMNS.join(', ')}) FROM STDIN`;

const SOURCE_ROW_COLUMNS = 'tender_id, is_listed, header, digest, cells, file, line, read_at';

export const COPY_SOURCE_ROWS = `COPY tender_source_row (${SOURCE_ROW_COLUMNS}) FROM STDIN`;

export const INSERT_SOURCE_HEADERS = `
  INSERT INTO tender_source_header (digest, columns) SELECT digest, columns::json
  FROM unnest($1::text[], $2::text[]) AS h(digest, columns) ON CONFLICT DO NOTHING`;

export const SOURCE_ROW_DIGESTS = `
  SELECT tender_id, is_listed, digest FROM tender_source_row WHERE tender_id = ANY($1::int[])`;

export const UPSERT_SOURCE_ROWS = `
  INSERT INTO tender_source_row (${SOURCE_ROW_COLUMNS})
  SELECT tender_id, is_listed, header, digest, cells::json, file, line, read_at
  FROM unnest($1::int[], $2::boolean[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int[], $8::timestamptz[])
    AS r(${SOURCE_ROW_COLUMNS})
  ON CONFLICT (tender_id, is_listed) DO UPDATE SET header = excluded.header, digest = excluded.digest,
    cells = excluded.cells, file = excluded.file, line = excluded.line, read_at = excluded.read_at`;

export const INSERT_PUBLICATIONS = `
  INSERT INTO tender_history (change_no, tender_id, state, version, kind, changes, at)
  SELECT change_no, id, state, 1, 'published', '[]', $4
  FROM unnest($1::bigint[], $2::int[], $3::text[]) AS r(change_no, id, state)`;

/** Stores that unchanged tenders were read at $1. The rows of the tenders stay as they are. */
export const UPDATE_SEEN = `
  WITH again AS (UPDATE tender_seen SET seen_at = $1 WHERE tender_id = ANY($2) RETURNING tender_id)
  SELECT tender_id FROM again`;

/** Stores when tenders were seen again for the first time. COPY writes many rows to the log at once. */
export const COPY_SEEN = 'COPY tender_seen (tender_id, seen_at) FROM STDIN';

/** Moves dates and returns how many of each kind moved. */
export const MOVE_DATES = `
  WITH r AS (SELECT * FROM json_populate_recordset(NULL::tender, $1)),
  before AS (SELECT t.id, t.published_at, t.bid_start_at, t.closes_at, t.opens_at, t.pre_bid_at FROM tender t JOIN r USING (id)),
  after AS (UPDATE tender t SET bid_start_at = r.bid_start_at, closes_at = r.closes_at,
    opens_at = r.opens_at, pre_bid_at = r.pre_bid_at, shift_days = r.shift_days, origin = r.origin, fetched_at = $2,
    published_at = CASE WHEN EXISTS (SELECT FROM hidden_tender h WHERE h.tender_id = t.id) THEN t.published_at
      WHEN t.change_no IS NOT NULL AND r.published_at > $2 THEN least(t.published_at, $2)
      ELSE r.published_at END,
    change_no = CASE WHEN t.change_no IS NULL THEN NULL ELSE nextval('tender_change_no') END
  FROM r WHERE t.id = r.id RETURNING t.id, t.published_at, t.bid_start_at, t.closes_at, t.opens_at, t.pre_bid_at)
  SELECT count(*) FILTER (WHERE before.published_at <> after.published_at)::int AS publishing,
    count(*) FILTER (WHERE before.bid_start_at <> after.bid_start_at)::int AS "bid start",
    count(*) FILTER (WHERE before.closes_at <> after.closes_at)::int AS closing,
    count(*) FILTER (WHERE before.opens_at <> after.opens_at)::int AS opening,
    count(*) FILTER (WHERE before.pre_bid_at <> after.pre_bid_at)::int AS "pre-bid meeting"
  FROM before JOIN after USING (id)`;

const UPDATED_COLUMNS = [...ROW_COLUMNS, 'version', 'change_no', 'last_corrigendum', 'updated_at'];

/**
 * The key of the NIT of a work. It includes the reference, which portals may correct. If the NIT has files or packages the
 * old key stays, because orders, entitlements and downloads contain it. An order always has a package, and rows of packages
 * and files are never deleted, so checking these two tables is enough.
 */
const UPDATED_NIT_KEY = `CASE WHEN r.nit_key IS DISTINCT FROM t.nit_key AND (
    EXISTS (SELECT FROM document_package p WHERE p.nit = nit_of(t.nit_key, t.id))
    OR EXISTS (SELECT FROM package_file f WHERE f.nit = nit_of(t.nit_key, t.id))
  ) THEN t.nit_key ELSE r.nit_key END`;

function updatedValue(column: string): string {
  if (column === 'nit_key') return UPDATED_NIT_KEY;
  // A row that keeps the searched texts has no words.
  return column === 'words' ? 'coalesce(r.words, t.words)' : `r.${column}`;
}

export const UPDATE_TENDERS = `
  UPDATE tender t SET ${UPDATED_COLUMNS.map((column) => `${column} = ${updatedValue(column)}`).join(', ')}, origin = $2, fetched_at = $3
  FROM json_populate_recordset(NULL::tender, $1) r WHERE t.id = r.id`;

export const INSERT_CHANGES = `
  INSERT INTO tender_history (change_no, tender_id, state, version, kind, changes, at)
  SELECT t.change_no, t.id, t.state, t.version, 'changed', r.changes, $2
  FROM jsonb_to_recordset($1) AS r(id integer, changes jsonb) JOIN tender t ON t.id = r.id`;

export const INSERT_CORRIGENDA = `
  INSERT INTO corrigendum (tender_id, title, type, changes, noticed_at)
  SELECT tender_id, title, type, changes, $2 FROM json_populate_recordset(NULL::corrigendum, $1)`;

export const NAMED_TITLES = 'SELECT tender_id, title, type FROM corrigendum WHERE tender_id = ANY($1)';

/** First and last portal, read from the ends of an index. Most installations have one portal. */
export const PORTAL_RANGE = `
  SELECT min(portal) AS first, max(portal) AS last, EXISTS (SELECT FROM attached_source) AS "isAnyAttached" FROM tender`;

export const ATTACHED_SOURCES = `
  SELECT s.portal, s.source_id, s.tender_id, s.closes_at, s.closing_time_known, s.stage
  FROM unnest($1::text[], $2::text[]) AS asked(portal, source_id) JOIN attached_source s USING (portal, source_id)`;

/** Stored tenders of other portals than $1 with the bare id $2, oldest first. */
export const SAME_ID_TENDERS = `
  SELECT asked.n::int - 1 AS n, t.id, t.portal, t.source_id, t.state, t.title, t.reference, t.closes_at, t.closing_time_known, t.shift_days,
    ARRAY(
      SELECT c->>'old' FROM tender_history h, jsonb_array_elements(h.changes) c
      WHERE h.tender_id = t.id AND c->>'field' = 'closing_date') AS earlier_closings
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked(portal, bare_id, n)
    JOIN tender t ON regexp_replace(t.source_id, '^ocds-[a-z0-9]{6}-(?=\\d{4}_)', '', 'i') = asked.bare_id
  WHERE t.portal <> asked.portal AND t.origin = $3 ORDER BY t.id`;

const SOURCE_ROWS = `jsonb_to_recordset($1) AS r(
    portal text, source_id text, tender_id integer, closes_at timestamptz, closing_time_known boolean, stage text)`;

export const INSERT_ATTACHED_SOURCES = `
  INSERT INTO attached_source (portal, source_id, tender_id, closes_at, closing_time_known, stage, attached_at, seen_at)
  SELECT portal, source_id, tender_id, closes_at, closing_time_known, stage, $2, $2 FROM ${SOURCE_ROWS}`;

export const UPDATE_ATTACHED_SOURCES = `
  UPDATE attached_source s SET closes_at = r.closes_at, closing_time_known = r.closing_time_known, stage = r.stage, seen_at = $2
  FROM ${SOURCE_ROWS} WHERE s.portal = r.portal AND s.source_id = r.source_id`;

/** Makes devices receive the tenders $1 again. No history row is written, so there is no alert. */
export const RAISE_CHANGE_NUMBERS = `
  UPDATE tender SET change_no = nextval('tender_change_no') WHERE id = ANY($1::int[]) AND change_no IS NOT NULL`;

export const PORTALS_OF = 'SELECT DISTINCT portal FROM tender WHERE id = ANY($1)';

export const RECORD_IMPORT = `
  INSERT INTO import_run (portal, imported_at, seconds, counts) SELECT portal, $2, $3, $4 FROM unnest($1::text[]) AS portal
  ON CONFLICT (portal) DO UPDATE SET imported_at = excluded.imported_at, seconds = excluded.seconds, counts = excluded.counts`;

/** The organisation of each stored id of a portal. */
export const ORGANISATIONS_OF_IDS = `
  SELECT source_id AS id, (SELECT string_agg(level, ' ' ORDER BY n)
      FROM jsonb_array_elements_text(organisation_chain) WITH ORDINALITY AS each(level, n)) AS organisation
  FROM tender WHERE portal = $1`;
