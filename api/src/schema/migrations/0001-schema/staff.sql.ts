/** The staff of the desk and their acts. */

export const STAFF = [
  `
  CREATE TABLE staff (
    user_id uuid PRIMARY KEY REFERENCES account ON DELETE CASCADE,
    role text NOT NULL CHECK (role IN ('support', 'operator', 'owner')),
    granted_at timestamptz NOT NULL,
    -- Name of the operator's login on the server that ran the command.
    granted_by text NOT NULL
  );

  -- An act of the desk by the key that its caller chose, so that a repeated call does nothing more.
  CREATE TABLE desk_act (
    actor_id uuid NOT NULL REFERENCES account ON DELETE CASCADE,
    key uuid NOT NULL,
    -- Method, address and digest of the body. The same key for another act is refused.
    request_sha256 text NOT NULL,
    began_at timestamptz NOT NULL,
    -- Null while it runs, or when its process ended.
    answer jsonb,
    PRIMARY KEY (actor_id, key)
  );
  CREATE INDEX desk_act_began ON desk_act (began_at);

  -- An act that a second member of staff must confirm.
  CREATE TABLE act_proposal (
    id uuid PRIMARY KEY,
    act text NOT NULL CHECK (act IN ('order.refund', 'account.erase')),
    subject text NOT NULL,
    reason text NOT NULL,
    proposed_by uuid NOT NULL,
    proposed_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    decided_by uuid CHECK (decided_by <> proposed_by OR decision = 'withdrawn'),
    decided_at timestamptz,
    decision text CHECK (decision IN ('confirmed', 'refused', 'withdrawn')),
    CONSTRAINT act_proposal_decided_check CHECK ((decided_at IS NULL) = (decision IS NULL) AND (decided_at IS NULL) = (decided_by IS NULL))
  );
  CREATE UNIQUE INDEX act_proposal_open ON act_proposal (act, subject) WHERE decided_at IS NULL;
`,
];
