/** What users save: bookmarks, searches, followed offices, records of the bid desk with their files. */

const BOOKMARKS_AND_SEARCHES = `
  CREATE SEQUENCE bookmark_no AS bigint;

  -- A bookmark is removed with its tender, because the first import of a state replaces its demonstration tenders.
  CREATE TABLE bookmark (
    user_id uuid NOT NULL REFERENCES account ON DELETE CASCADE,
    tender_id integer NOT NULL REFERENCES tender ON DELETE CASCADE,
    bookmark_no bigint NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, tender_id)
  );
  CREATE INDEX bookmark_tender ON bookmark (tender_id);

  CREATE SEQUENCE saved_search_no AS bigint;

  CREATE TABLE saved_search (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES account ON DELETE CASCADE,
    search_no bigint NOT NULL DEFAULT nextval('saved_search_no'),
    name text NOT NULL,
    filter jsonb NOT NULL,
    opened_up_to integer NOT NULL,
    created_at timestamptz NOT NULL
  );
  CREATE INDEX saved_search_account ON saved_search (user_id, search_no);

  -- Every tender that a saved search matches has at least one of the search's probes.
  CREATE TABLE search_probe (
    probe text COLLATE "C" NOT NULL,
    search_id uuid NOT NULL REFERENCES saved_search ON DELETE CASCADE,
    PRIMARY KEY (probe, search_id)
  );
  CREATE INDEX search_probe_search ON search_probe (search_id);

  CREATE TABLE followed_office (
    user_id uuid NOT NULL REFERENCES account ON DELETE CASCADE,
    office_id text NOT NULL,
    -- OfficeReference of the contract. It is stored because an office without recent awards has no statistics.
    office jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, office_id)
  );
  CREATE INDEX followed_office_office ON followed_office (office_id);
`;

const RECORDS = `
  CREATE TABLE bid_record (
    -- An account or a firm. Their ids are random, so both can be owners in one column. Their rows are locked for every change.
    owner_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    fields jsonb NOT NULL,
    -- The stamp of each field's last change.
    stamps jsonb NOT NULL,
    -- The stamp of the last deletion.
    deleted text,
    is_deleted boolean NOT NULL,
    number bigint NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (owner_id, id)
  );
  CREATE UNIQUE INDEX bid_record_number ON bid_record (owner_id, number);
  CREATE INDEX bid_record_deleted ON bid_record (updated_at) WHERE is_deleted;
  CREATE INDEX bid_record_expiry ON bid_record ((fields->>'validUntil')) WHERE kind = 'bidDocument' AND NOT is_deleted;

  CREATE TABLE bid_sync (
    owner_id uuid PRIMARY KEY,
    -- The number of the owner's newest change.
    last_number bigint NOT NULL,
    -- Deleted records up to this number may be gone.
    removed_up_to bigint NOT NULL DEFAULT 0
  );

  -- Records of each kind of an owner, counted by triggers.
  CREATE TABLE record_usage (
    owner_id uuid NOT NULL,
    kind text NOT NULL,
    -- Including deleted records that are not removed yet.
    stored integer NOT NULL,
    live integer NOT NULL,
    bytes bigint NOT NULL,
    PRIMARY KEY (owner_id, kind)
  );

  CREATE FUNCTION record_bytes(fields jsonb, stamps jsonb) RETURNS integer IMMUTABLE LANGUAGE sql
    AS 'SELECT octet_length(fields::text) + octet_length(stamps::text)';

  -- Runs once for each statement: a request changes up to 100 records. The order of rows is fixed to avoid deadlocks.
  CREATE FUNCTION count_record_usage() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP <> 'DELETE' THEN
      INSERT INTO record_usage AS u
      SELECT owner_id, kind, count(*), count(*) FILTER (WHERE NOT is_deleted), sum(record_bytes(fields, stamps))
      FROM new_rows GROUP BY owner_id, kind ORDER BY owner_id, kind
      ON CONFLICT (owner_id, kind) DO UPDATE SET
        stored = u.stored + excluded.stored, live = u.live + excluded.live, bytes = u.bytes + excluded.bytes;
    END IF;
    IF TG_OP <> 'INSERT' THEN
      INSERT INTO record_usage AS u
      SELECT owner_id, kind, count(*), count(*) FILTER (WHERE NOT is_deleted), sum(record_bytes(fields, stamps))
      FROM old_rows GROUP BY owner_id, kind ORDER BY owner_id, kind
      ON CONFLICT (owner_id, kind) DO UPDATE SET
        stored = u.stored - excluded.stored, live = u.live - excluded.live, bytes = u.bytes - excluded.bytes;
      DELETE FROM record_usage u USING (SELECT DISTINCT owner_id, kind FROM old_rows) o
      WHERE u.owner_id = o.owner_id AND u.kind = o.kind AND u.stored = 0;
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER bid_record_added AFTER INSERT ON bid_record REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION count_record_usage();
  CREATE TRIGGER bid_record_changed AFTER UPDATE ON bid_record
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_record_usage();
  CREATE TRIGGER bid_record_removed AFTER DELETE ON bid_record REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION count_record_usage();
`;

const FILES = `
  -- Backup of the files of an owner's documents.
  CREATE TABLE file_backup (
    owner_id uuid PRIMARY KEY,
    -- Seals the owner's files. Without the row they cannot be read.
    key bytea NOT NULL CHECK (octet_length(key) = 32),
    created_at timestamptz NOT NULL
  );

  CREATE TABLE backup_file (
    file_key text PRIMARY KEY,
    -- Null when the account was erased or the firm was closed.
    owner_id uuid,
    -- SHA-256 of the whole content, in hexadecimal digits.
    hash text NOT NULL,
    part smallint NOT NULL,
    -- Number of parts of the file.
    parts smallint NOT NULL,
    -- Size of the part's content in bytes.
    bytes integer NOT NULL,
    created_at timestamptz NOT NULL,
    -- The file belongs to a backup that was switched off, of an erased account or of a closed firm. A job removes it.
    is_dropped boolean NOT NULL DEFAULT false
  );
  CREATE UNIQUE INDEX backup_file_part ON backup_file (owner_id, hash, part) WHERE NOT is_dropped;

  -- Storage that the files of an owner use, counted by a trigger.
  CREATE TABLE file_usage (
    owner_id uuid PRIMARY KEY,
    -- Including dropped parts that are not removed yet.
    parts integer NOT NULL,
    bytes bigint NOT NULL
  );

  CREATE FUNCTION count_file_usage() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP <> 'INSERT' AND OLD.owner_id IS NOT NULL THEN
      UPDATE file_usage SET parts = parts - 1, bytes = bytes - OLD.bytes WHERE owner_id = OLD.owner_id;
      DELETE FROM file_usage WHERE owner_id = OLD.owner_id AND parts = 0;
    END IF;
    IF TG_OP <> 'DELETE' AND NEW.owner_id IS NOT NULL THEN
      INSERT INTO file_usage AS u (owner_id, parts, bytes) VALUES (NEW.owner_id, 1, NEW.bytes)
      ON CONFLICT (owner_id) DO UPDATE SET parts = u.parts + 1, bytes = u.bytes + excluded.bytes;
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER backup_file_usage AFTER INSERT OR DELETE OR UPDATE OF owner_id, bytes ON backup_file
    FOR EACH ROW EXECUTE FUNCTION count_file_usage();
`;

export const USER_DATA = [BOOKMARKS_AND_SEARCHES, RECORDS, FILES];
