/** Files that operators and programs send for import, and the keys of the programs. */

export const SENT_FILES = [
  `
  CREATE TABLE import_key (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    key_sha256 text NOT NULL,
    -- The only portal for which the key sends files; null: any.
    portal text,
    -- A key of the bookmarklet: it stands in a browser, so it sends copied lists only.
    lists_only boolean NOT NULL,
    created_at timestamptz NOT NULL,
    -- The member of staff, or the operator's login on the server.
    created_by text NOT NULL,
    used_at timestamptz,
    revoked_at timestamptz
  );
  CREATE UNIQUE INDEX import_key_digest ON import_key (key_sha256);
  CREATE UNIQUE INDEX import_key_name ON import_key (name) WHERE revoked_at IS NULL;

  CREATE TABLE sent_file (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    -- Parts of the file in the file store, in their order; empty when they are removed.
    file_keys text[] NOT NULL,
    bytes bigint NOT NULL,
    -- Null for a file that came in several parts.
    sha256 text,
    -- The key or the account that sent it.
    key_id uuid REFERENCES import_key,
    actor_id uuid,
    portal text,
    state text,
    format text NOT NULL,
    status text NOT NULL CHECK (status IN ('staged', 'waiting', 'running', 'done', 'refused')),
    -- A dry run stores nothing.
    is_dry_run boolean NOT NULL,
    accepts text[] NOT NULL,
    read_rows integer,
    all_rows integer,
    counts jsonb,
    problem jsonb,
    rejects jsonb,
    -- The complete report of rejected rows in the file store.
    rejects_key text,
    tenders jsonb,
    -- A mapping that is not saved, for a dry run.
    mapping jsonb,
    rejections jsonb,
    notes jsonb,
    sent_at timestamptz NOT NULL,
    ended_at timestamptz
  );
  CREATE INDEX sent_file_portal ON sent_file (portal, sent_at DESC);
  CREATE INDEX sent_file_sent ON sent_file (sent_at);
`,
];
