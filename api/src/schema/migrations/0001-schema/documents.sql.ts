/** Document packages, their delivery and quotas, and requests for missing documents. */

const PACKAGES = `
  -- A version of the documents of one NIT. The newest version is delivered.
  CREATE TABLE document_package (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    nit text NOT NULL,
    version integer NOT NULL,
    -- Key of the zip in the file store.
    file_key text NOT NULL,
    sha256 text NOT NULL,
    bytes bigint NOT NULL,
    file_names text[] NOT NULL,
    -- Digest of the contents. If it changes, a new version is built.
    fingerprint text NOT NULL,
    is_demonstration boolean NOT NULL,
    created_at timestamptz NOT NULL,
    -- When the file of an old version was removed. The row stays for the links that refer to it.
    removed_at timestamptz,
    UNIQUE (nit, version)
  );

  -- A file as the portal published it, before it goes into a package.
  CREATE TABLE package_file (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    nit text NOT NULL,
    tender_id integer NOT NULL,
    -- Whether the file belongs to every work of its notice instead of tender_id only.
    all_works boolean NOT NULL DEFAULT false,
    kind text NOT NULL DEFAULT 'other' CHECK (kind IN ('nit', 'boq', 'other')),
    name text NOT NULL,
    -- Null for a file that was attached from this machine.
    source_url text,
    file_key text,
    sha256 text,
    bytes bigint,
    state text NOT NULL CHECK (state IN ('waiting', 'ready', 'refused')),
    -- Why it was refused, or a remark for its readers.
    note text,
    -- The code of a refusal that the desk has advice for.
    problem text,
    tries integer NOT NULL DEFAULT 0,
    next_try_at timestamptz,
    added_at timestamptz NOT NULL,
    ready_at timestamptz,
    -- The version of the reader that has read it; 0 when its content was not read.
    read_version integer NOT NULL DEFAULT 0,
    read_tries integer NOT NULL DEFAULT 0,
    -- Until then a worker is reading it.
    read_until timestamptz,
    UNIQUE (nit, tender_id, name),
    CHECK (state <> 'ready' OR (file_key IS NOT NULL AND sha256 IS NOT NULL))
  );
  CREATE INDEX package_file_unread ON package_file (read_version) WHERE state = 'ready';
  CREATE INDEX package_file_ready ON package_file (ready_at) WHERE state = 'ready';
  CREATE INDEX package_file_due ON package_file (next_try_at) WHERE state = 'waiting';

  CREATE TABLE download_link (
    token_sha256 text PRIMARY KEY,
    entitlement_id bigint NOT NULL REFERENCES entitlement,
    nit text NOT NULL,
    -- The work for which it was requested.
    tender_id integer NOT NULL,
    package_id bigint NOT NULL REFERENCES document_package,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    fetches integer NOT NULL DEFAULT 0,
    revoked_at timestamptz
  );
  CREATE INDEX download_link_entitlement ON download_link (entitlement_id);

  -- A request for the documents of a tender that has no package yet.
  CREATE TABLE document_request (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tender_id integer NOT NULL REFERENCES tender ON DELETE CASCADE,
    -- The account that requested; without one, email has the address in lower case.
    user_id uuid REFERENCES account ON DELETE CASCADE,
    email text CHECK (email = lower(email)),
    requested_at timestamptz NOT NULL,
    -- When notice and mail were created.
    answered_at timestamptz,
    language text NOT NULL DEFAULT 'en' CHECK (language ~ '^[a-z]{2,3}$'),
    CHECK ((user_id IS NULL) <> (email IS NULL))
  );
  CREATE UNIQUE INDEX document_request_user ON document_request (tender_id, user_id) WHERE user_id IS NOT NULL;
  CREATE UNIQUE INDEX document_request_email ON document_request (tender_id, email) WHERE email IS NOT NULL;
  CREATE INDEX document_request_open ON document_request (tender_id) WHERE answered_at IS NULL;
  CREATE INDEX document_request_account ON document_request (user_id);
  CREATE INDEX document_request_waiting_account ON document_request (user_id)
    WHERE user_id IS NOT NULL AND answered_at IS NULL;
  CREATE INDEX document_request_waiting_email ON document_request (email)
    WHERE email IS NOT NULL AND answered_at IS NULL;
`;

/** What the files of packages say. */
const READINGS = `
  -- A file of a package as it was read, or a file in an archive of the package.
  CREATE TABLE file_reading (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    package_file_id bigint NOT NULL REFERENCES package_file ON DELETE CASCADE,
    -- With the name of its archive: 'documents.zip/nit.pdf'.
    name text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('nit', 'boq', 'other')),
    sha256 text NOT NULL,
    -- The version of the reader.
    version integer NOT NULL,
    state text NOT NULL CHECK (state IN (
      'done', 'part', 'pictures', 'font', 'locked', 'broken', 'too-large', 'template', 'other')),
    pages integer,
    unread_pages jsonb NOT NULL,
    -- The text of each page: for the search, and to find lines again that an operator has confirmed.
    texts text[] NOT NULL,
    read_at timestamptz NOT NULL,
    UNIQUE (package_file_id, name)
  );
  CREATE INDEX file_reading_content ON file_reading (sha256);

  -- A line of a file. A value is never without its line and page.
  CREATE TABLE document_fact (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    file_reading_id bigint NOT NULL REFERENCES file_reading ON DELETE CASCADE,
    topic text NOT NULL,
    page integer NOT NULL CHECK (page > 0),
    quote text NOT NULL CHECK (quote <> '' AND length(quote) <= 600),
    value jsonb,
    state text NOT NULL DEFAULT 'found' CHECK (state IN ('found', 'confirmed', 'corrected', 'hidden')),
    -- The value that the operator read in the line; null when the line has none.
    corrected_value jsonb CHECK (corrected_value IS NULL OR state = 'corrected'),
    -- When an operator decided. The audit events say who.
    decided_at timestamptz CHECK ((decided_at IS NULL) = (state = 'found'))
  );
  CREATE INDEX document_fact_file ON document_fact (file_reading_id);

  -- A BOQ that was read, with its headings. Those of files that were replaced stay for the comparison.
  CREATE TABLE read_boq (
    nit text NOT NULL,
    tender_id integer NOT NULL,
    sha256 text NOT NULL,
    name text NOT NULL,
    boq jsonb NOT NULL,
    summary jsonb NOT NULL,
    -- When the file became what it is.
    read_at timestamptz NOT NULL,
    PRIMARY KEY (nit, tender_id, sha256)
  );

  -- The search terms of a page, or of an item of a workbook, by its position in the texts of the reading.
  CREATE TABLE document_part (
    file_reading_id bigint NOT NULL REFERENCES file_reading ON DELETE CASCADE,
    part integer NOT NULL,
    words tsvector NOT NULL,
    PRIMARY KEY (file_reading_id, part)
  );
  CREATE INDEX document_part_words ON document_part USING gin (words);

  -- Which reading was indexed, and by which rules of terms.
  CREATE TABLE document_index (
    file_reading_id bigint PRIMARY KEY REFERENCES file_reading ON DELETE CASCADE,
    read_at timestamptz NOT NULL,
    terms_version integer NOT NULL
  );
`;

/**
 * Whether an account may download the documents of a tender; used by the API, the download page and the jobs. The limits
 * are those of the plans in the contract; a test compares them.
 */
const DOWNLOADS = `
  -- Downloads charged to a plan. An NIT counts once in an Indian calendar month.
  CREATE TABLE download (
    user_id uuid NOT NULL,
    -- First day of the month, in India.
    month date NOT NULL,
    nit text NOT NULL,
    -- The work for which it was requested.
    tender_id integer NOT NULL,
    entitlement_id bigint NOT NULL REFERENCES entitlement,
    charged_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, month, nit)
  );

  -- Works of one notice share their documents (R43); a tender without a notice has its own.
  CREATE FUNCTION nit_of(nit_key text, id integer) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(nit_key, 'tender-' || id)
  $$;

  -- First day of the calendar month in India.
  CREATE FUNCTION indian_month(at timestamptz) RETURNS date LANGUAGE sql IMMUTABLE AS $$
    SELECT date_trunc('month', at AT TIME ZONE 'Asia/Kolkata')::date
  $$;

  -- Always one row. refusal is null when the download is allowed, else 'plan' (none is valid), 'state' (none covers it),
  -- 'month' or 'day' (used up). is_free: it takes nothing from the plan. Purchases in a sandbox count only where no real
  -- money is taken.
  CREATE FUNCTION can_download(who uuid, asked integer, at timestamptz, is_live boolean)
  RETURNS TABLE (entitlement_id bigint, grant_kind text, refusal text, is_free boolean, used_in_month integer,
    per_month integer) LANGUAGE plpgsql STABLE AS $$
  DECLARE
    wanted record;
    plan record;
    day_begins timestamptz := date_trunc('day', at AT TIME ZONE 'Asia/Kolkata') AT TIME ZONE 'Asia/Kolkata';
    used_today integer;
  BEGIN
    SELECT nit_of(t.nit_key, t.id) AS nit, t.state INTO wanted FROM tender t WHERE t.id = asked;

    SELECT e.id INTO entitlement_id FROM entitlement e
      WHERE e.user_id = who AND e.kind = 'documents' AND e.nit = wanted.nit AND e.revoked_at IS NULL
        AND NOT (is_live AND e.is_test) ORDER BY e.id LIMIT 1;
    IF FOUND THEN
      grant_kind := 'documents'; is_free := true;
      RETURN NEXT; RETURN;
    END IF;

    grant_kind := 'plan'; is_free := false;
    SELECT e.id, e.plan_id = 'enterprise' OR wanted.state = ANY (e.states) AS covers,
        CASE e.plan_id WHEN 'basic' THEN 10 END AS per_month,
        CASE e.plan_id WHEN 'premium' THEN 200 WHEN 'enterprise' THEN 500 END AS per_day
      INTO plan FROM entitlement e
      WHERE (e.user_id = who OR e.firm_id IN (SELECT m.firm_id FROM firm_member m WHERE m.user_id = who AND m.left_at IS NULL))
        AND e.kind = 'plan' AND e.revoked_at IS NULL AND NOT (is_live AND e.is_test)
        AND e.starts_at <= at AND e.ends_at > at
      -- The largest of those that cover it.
      ORDER BY covers DESC, per_day DESC NULLS LAST, e.id LIMIT 1;
    IF NOT FOUND THEN
      refusal := 'plan';
      RETURN NEXT; RETURN;
    END IF;
    entitlement_id := plan.id; per_month := plan.per_month;

    -- A row in the future, written under a wrong clock, does not use up the daily limit.
    SELECT count(*), count(*) FILTER (WHERE d.charged_at >= day_begins AND d.charged_at <= at + interval '5 seconds'),
        coalesce(bool_or(d.nit = wanted.nit), false)
      INTO used_in_month, used_today, is_free FROM download d
      WHERE d.user_id = who AND d.month = indian_month(at);
    refusal := CASE
      WHEN NOT plan.covers THEN 'state'
      WHEN is_free THEN NULL
      WHEN used_in_month >= plan.per_month THEN 'month'
      WHEN used_today >= plan.per_day THEN 'day'
    END;
    RETURN NEXT;
  END $$;
`;

const OWN_READINGS = `
  -- A document that a user shared into the app, and what was read in it for this user alone.
  CREATE TABLE own_reading (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES account ON DELETE CASCADE,
    -- SHA-256 of the whole file, in hexadecimal digits.
    sha256 text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
    name text NOT NULL,
    -- Size of the stored parts.
    bytes integer NOT NULL,
    parts smallint NOT NULL,
    -- Keys of the stored parts in the file store; empty when the file is read.
    file_keys text[] NOT NULL,
    -- DocumentReading without its texts; null until the file is read.
    reading jsonb,
    -- The tender it is kept with.
    tender_id integer REFERENCES tender ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    expires_at timestamptz,
    CHECK ((tender_id IS NULL) = (expires_at IS NOT NULL) AND (reading IS NULL OR file_keys = '{}'))
  );
  CREATE UNIQUE INDEX own_reading_file ON own_reading (user_id, sha256);
  CREATE INDEX own_reading_tender ON own_reading (tender_id);
  CREATE INDEX own_reading_expiry ON own_reading (expires_at) WHERE expires_at IS NOT NULL;
`;

export const DOCUMENTS = [PACKAGES, READINGS, OWN_READINGS, DOWNLOADS];
