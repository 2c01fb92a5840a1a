/** Accounts, sign-in, consents and the audit log. */

const ACCOUNT = `
  CREATE TABLE account (
    id uuid PRIMARY KEY,
    username text NOT NULL,
    email text NOT NULL,
    -- The row of an erased account stays for the rows that refer to it. Its text keeps the number unique and frees the real one.
    mobile_no text NOT NULL
      CONSTRAINT account_mobile_no_check CHECK (mobile_no ~ '^\\+91[6-9][0-9]{9}$' OR mobile_no = 'erased-' || id::text),
    password_hash text,
    company_name text NOT NULL,
    company_type text NOT NULL CHECK (company_type IN ('private', 'public', 'partnership', 'proprietorship')),
    state text NOT NULL,
    districts text[] NOT NULL,
    departments text[] NOT NULL,
    address text NOT NULL DEFAULT '',
    min_price numeric(16,2) NOT NULL DEFAULT 0,
    max_price numeric(16,2),
    created_at timestamptz NOT NULL,
    deleted_at timestamptz,
    -- Whether a sign-in by password or Google needs a passkey or a recovery code too.
    second_factor boolean NOT NULL DEFAULT false,
    -- GSTIN of the newest order that had one; '' without one.
    gstin text NOT NULL DEFAULT '',
    billing_firm text NOT NULL DEFAULT '',
    billing_address text NOT NULL DEFAULT '',
    -- Language of mails: the one chosen in the app.
    language text NOT NULL DEFAULT 'en' CHECK (language ~ '^[a-z]{2,3}$')
  );
  CREATE UNIQUE INDEX account_mobile ON account (mobile_no);
  CREATE UNIQUE INDEX account_email ON account (lower(email));
  -- The desk finds people and firms by name, and the accounts that are to be erased.
  CREATE INDEX account_name ON account (lower(username));
  CREATE INDEX account_firm ON account (lower(company_name));
  CREATE INDEX account_closing ON account (deleted_at) WHERE deleted_at IS NOT NULL AND mobile_no NOT LIKE 'erased-%';

  CREATE TABLE session (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES account ON DELETE CASCADE,
    token_id uuid NOT NULL,
    previous_token_id uuid,
    renewed_at timestamptz,
    remembered boolean NOT NULL,
    user_agent text NOT NULL,
    created_at timestamptz NOT NULL,
    last_used_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz,
    -- When a passkey was last shown in this session.
    passkey_at timestamptz,
    -- The passkey that was shown then. No foreign key, because the table of passkeys is made later.
    passkey_id uuid,
    -- Whether it is on the device of this session.
    is_passkey_here boolean NOT NULL DEFAULT false,
    -- When the password was last entered again in this session.
    password_at timestamptz,
    -- When the desk was last used in this session.
    desk_used_at timestamptz
  );
  CREATE INDEX session_account ON session (user_id);

  -- One-time tokens with which a device sends changes while its app is closed.
  CREATE TABLE send_token (
    digest text PRIMARY KEY,
    session_id uuid NOT NULL REFERENCES session ON DELETE CASCADE
  );
  CREATE INDEX send_token_session ON send_token (session_id);
`;

const SIGN_IN = `
  CREATE TABLE rate_limit (
    name text NOT NULL,
    key text NOT NULL,
    per_seconds integer NOT NULL,
    ends_at timestamptz NOT NULL,
    count integer NOT NULL,
    PRIMARY KEY (name, key, per_seconds)
  );
  CREATE INDEX rate_limit_end ON rate_limit (ends_at);

  -- A mobile number with failures has a row for each of its counters. The number needs no account.
  CREATE TABLE sign_in_failure (
    mobile_hash text NOT NULL,
    -- '' is the counter of all unknown browsers.
    counter text NOT NULL,
    lately integer NOT NULL,
    lately_since timestamptz NOT NULL,
    daily integer NOT NULL,
    daily_since timestamptz NOT NULL,
    in_a_row integer NOT NULL,
    last_at timestamptz NOT NULL,
    -- 'infinity' means until the password is reset.
    locked_until timestamptz NOT NULL,
    PRIMARY KEY (mobile_hash, counter)
  );
  CREATE INDEX sign_in_failure_last ON sign_in_failure (last_at);

  -- Browsers that have signed in before have failure counters of their own.
  CREATE TABLE known_device (
    token_hash text NOT NULL,
    user_id uuid NOT NULL REFERENCES account ON DELETE CASCADE,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (token_hash, user_id)
  );
  CREATE INDEX known_device_account ON known_device (user_id);
  CREATE INDEX known_device_end ON known_device (expires_at);

  CREATE TABLE email_proof (
    id uuid PRIMARY KEY,
    context text NOT NULL,
    email text NOT NULL,
    user_id uuid REFERENCES account ON DELETE CASCADE,
    code_hash bytea NOT NULL,
    tries smallint NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    verified_at timestamptz
  );
  CREATE UNIQUE INDEX email_proof_context ON email_proof (context);
  CREATE INDEX email_proof_account ON email_proof (user_id);
  CREATE INDEX email_proof_created ON email_proof (created_at);

  CREATE TABLE password_reset (
    user_id uuid PRIMARY KEY REFERENCES account ON DELETE CASCADE,
    token_hash text NOT NULL,
    expires_at timestamptz NOT NULL,
    used_at timestamptz
  );
  CREATE UNIQUE INDEX password_reset_token ON password_reset (token_hash);
`;

const CONSENT_AND_AUDIT = `
  CREATE TABLE consent (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES account ON DELETE CASCADE,
    purpose text NOT NULL CHECK (purpose IN ('account', 'alerts', 'marketing')),
    terms_version text NOT NULL,
    address_hash bytea NOT NULL,
    given_at timestamptz NOT NULL
  );
  CREATE INDEX consent_account ON consent (user_id);

  -- No foreign keys, because events outlive their account or order.
  CREATE TABLE audit (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL,
    action text NOT NULL,
    actor_id uuid,
    subject text NOT NULL,
    detail jsonb NOT NULL,
    request_id text
  );
  CREATE INDEX audit_actor ON audit (actor_id);
  CREATE INDEX audit_subject ON audit (subject);
  CREATE INDEX audit_at ON audit (at);

  CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'Rows of % are never changed or removed', TG_TABLE_NAME;
  END $$;
  CREATE TRIGGER audit_unchanged BEFORE UPDATE OR TRUNCATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

  -- Security events can be deleted after 400 days, others after 8 years.
  CREATE FUNCTION refuse_early_removal() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF OLD.at > now() - interval '400 days' OR (OLD.at > now() - interval '8 years'
      AND OLD.action !~ '^(sign-in|password-check|code|reset|session)[.]') THEN
      RAISE EXCEPTION 'Rows of % are never changed or removed', TG_TABLE_NAME;
    END IF;
    RETURN OLD;
  END $$;
  CREATE TRIGGER audit_removal BEFORE DELETE ON audit FOR EACH ROW EXECUTE FUNCTION refuse_early_removal();
`;

export const ACCOUNTS = [ACCOUNT, SIGN_IN, CONSENT_AND_AUDIT];
