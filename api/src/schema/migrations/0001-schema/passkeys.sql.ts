/** Passkeys, their challenges, recovery codes, sign-ins that wait for a second factor, and identities at a provider. */

export const PASSKEYS = [
  `
  CREATE TABLE passkey (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES account ON DELETE CASCADE,
    -- base64url, as the authenticator chose it.
    credential_id text NOT NULL,
    -- COSE key.
    public_key bytea NOT NULL,
    -- Signatures so far; always 0 for passkeys that are synchronised between devices.
    counter bigint NOT NULL,
    transports text[] NOT NULL,
    device_type text NOT NULL CHECK (device_type IN ('singleDevice', 'multiDevice')),
    backed_up boolean NOT NULL,
    -- The model of the authenticator; zeros when it does not say.
    aaguid text NOT NULL,
    name text NOT NULL,
    created_at timestamptz NOT NULL,
    last_used_at timestamptz
  );
  CREATE UNIQUE INDEX passkey_credential ON passkey (credential_id);
  CREATE INDEX passkey_account ON passkey (user_id);

  -- A challenge is answered once, for its purpose, account and session.
  CREATE TABLE passkey_challenge (
    digest bytea PRIMARY KEY,
    purpose text NOT NULL CHECK (purpose IN ('registration', 'confirmation', 'sign-in', 'second-factor')),
    user_id uuid REFERENCES account ON DELETE CASCADE,
    session_id uuid REFERENCES session ON DELETE CASCADE,
    expires_at timestamptz NOT NULL
  );
  CREATE INDEX passkey_challenge_account ON passkey_challenge (user_id);
  CREATE INDEX passkey_challenge_session ON passkey_challenge (session_id);
  CREATE INDEX passkey_challenge_end ON passkey_challenge (expires_at);

  CREATE TABLE recovery_code (
    user_id uuid NOT NULL REFERENCES account ON DELETE CASCADE,
    -- The code begins with it.
    number smallint NOT NULL CHECK (number BETWEEN 0 AND 9),
    code_hash text NOT NULL,
    created_at timestamptz NOT NULL,
    used_at timestamptz,
    PRIMARY KEY (user_id, number)
  );

  -- A sign-in whose password or Google token was right and that needs a passkey or a recovery code too.
  CREATE TABLE pending_sign_in (
    token_hash text PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES account ON DELETE CASCADE,
    way text NOT NULL CHECK (way IN ('password', 'google')),
    remembered boolean NOT NULL,
    -- The identity at Google that is linked with the account when the sign-in is complete.
    google_subject text,
    tries smallint NOT NULL DEFAULT 0,
    expires_at timestamptz NOT NULL
  );
  CREATE INDEX pending_sign_in_account ON pending_sign_in (user_id);
  CREATE INDEX pending_sign_in_end ON pending_sign_in (expires_at);

  -- The identity at a provider with which an account signs in: the provider's sub, which is never given to another user.
  CREATE TABLE provider_identity (
    provider text NOT NULL CHECK (provider IN ('google')),
    subject text NOT NULL,
    user_id uuid NOT NULL REFERENCES account ON DELETE CASCADE,
    linked_at timestamptz NOT NULL,
    PRIMARY KEY (provider, subject)
  );
  CREATE UNIQUE INDEX provider_identity_account ON provider_identity (user_id, provider);

  -- Nonces of ID tokens that have signed in: a token works once.
  CREATE TABLE used_nonce (
    digest text PRIMARY KEY,
    expires_at timestamptz NOT NULL
  );
  CREATE INDEX used_nonce_end ON used_nonce (expires_at);
`,
];
