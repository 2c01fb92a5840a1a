/** State of the server: settings, feeds, imports, jobs and built packs. */

export const SERVER = [
  `
  CREATE TABLE setting (key text PRIMARY KEY, value jsonb NOT NULL);

  CREATE TABLE feed (
    -- The portal, as FEEDS names it.
    name text PRIMARY KEY,
    -- When the source changes, \`seen\` is emptied.
    source text NOT NULL,
    tried_at timestamptz NOT NULL,
    succeeded_at timestamptz,
    -- Error of the last attempt; null when it succeeded.
    error text,
    -- Counts of the last import that read rows.
    counts jsonb,
    -- To find out whether there is something new: validators of an address, or times and sizes of a folder's files.
    seen jsonb NOT NULL,
    -- Files that wait for the operator: name, digest, problem and its text.
    held_files jsonb NOT NULL DEFAULT '[]',
    -- A paused feed is read only when an operator asks for it.
    paused_at timestamptz,
    paused_reason text
  );

  CREATE TABLE import_run (
    portal text PRIMARY KEY,
    imported_at timestamptz NOT NULL,
    seconds real,
    -- Null when the file named several portals.
    counts jsonb
  );

  CREATE TABLE job_run (
    job text PRIMARY KEY,
    every_seconds integer NOT NULL,
    -- The age of a job that has never succeeded is counted from this time.
    registered_at timestamptz NOT NULL,
    started_at timestamptz,
    succeeded_at timestamptz,
    seconds real,
    items bigint,
    -- Failures since the last success.
    failures integer NOT NULL DEFAULT 0,
    error text
  );

  -- Segments of the scopes, shared by all web processes.
  CREATE TABLE sync_segment (
    hash text PRIMARY KEY,
    body bytea NOT NULL,
    created_at timestamptz NOT NULL,
    left_at timestamptz
  );
  -- The bodies are already compressed.
  ALTER TABLE sync_segment ALTER COLUMN body SET STORAGE EXTERNAL;

  CREATE TABLE sync_manifest (
    scope text PRIMARY KEY,
    epoch text NOT NULL,
    cursor bigint NOT NULL,
    segments jsonb NOT NULL,
    checked jsonb NOT NULL,
    built_at timestamptz NOT NULL
  );
`,
];
