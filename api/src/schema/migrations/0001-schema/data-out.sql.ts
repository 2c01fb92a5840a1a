/** Private feeds of saved searches, keys of the API, files of the OCDS export. */

export const DATA_OUT = [
  `
  CREATE TABLE search_feed (
    search_id uuid PRIMARY KEY REFERENCES saved_search ON DELETE CASCADE,
    token_sha256 text NOT NULL,
    created_at timestamptz NOT NULL,
    -- The last read, at most an hour late.
    read_at timestamptz
  );
  CREATE UNIQUE INDEX search_feed_token ON search_feed (token_sha256);

  CREATE TABLE api_key (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES account ON DELETE CASCADE,
    name text NOT NULL,
    -- The beginning of the key, by which its owner recognises it.
    hint text NOT NULL,
    key_sha256 text NOT NULL,
    created_at timestamptz NOT NULL,
    -- The last call, at most a minute late.
    used_at timestamptz,
    revoked_at timestamptz
  );
  CREATE UNIQUE INDEX api_key_digest ON api_key (key_sha256);
  CREATE INDEX api_key_account ON api_key (user_id);

  -- The newest file of the OCDS export of a state and a year.
  CREATE TABLE ocds_dump (
    state text NOT NULL,
    year integer NOT NULL,
    file_key text NOT NULL,
    bytes bigint NOT NULL,
    sha256 text NOT NULL,
    records integer NOT NULL,
    made_at timestamptz NOT NULL,
    PRIMARY KEY (state, year)
  );
`,
];
