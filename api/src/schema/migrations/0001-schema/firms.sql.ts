/** Firms that several accounts share, with their members and invitations. Records of a firm are in `bid_record`. */

export const FIRMS = [
  `
  CREATE TABLE firm (
    id uuid PRIMARY KEY,
    name text NOT NULL CHECK (name <> ''),
    -- For invoices; '' when none was given.
    address text NOT NULL,
    gstin text NOT NULL,
    created_at timestamptz NOT NULL
  );

  -- Members who have left stay, without access, for the names on their comments.
  CREATE TABLE firm_member (
    firm_id uuid NOT NULL REFERENCES firm ON DELETE CASCADE,
    user_id uuid NOT NULL REFERENCES account ON DELETE CASCADE,
    role text NOT NULL CHECK (role IN ('owner', 'member')),
    joined_at timestamptz NOT NULL,
    left_at timestamptz,
    PRIMARY KEY (firm_id, user_id)
  );
  CREATE INDEX firm_member_account ON firm_member (user_id) WHERE left_at IS NULL;

  -- An open invitation. It is deleted when it is accepted, withdrawn or replaced.
  CREATE TABLE firm_invitation (
    id uuid PRIMARY KEY,
    firm_id uuid NOT NULL REFERENCES firm ON DELETE CASCADE,
    email text NOT NULL CHECK (email = lower(email)),
    role text NOT NULL CHECK (role IN ('owner', 'member')),
    -- SHA-256 of the token in the mailed link.
    token_hash text NOT NULL,
    invited_by uuid NOT NULL REFERENCES account ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
  );
  CREATE UNIQUE INDEX firm_invitation_token ON firm_invitation (token_hash);
  CREATE UNIQUE INDEX firm_invitation_address ON firm_invitation (firm_id, email);
  CREATE INDEX firm_invitation_inviter ON firm_invitation (invited_by);
  CREATE INDEX firm_invitation_expiry ON firm_invitation (expires_at);
`,
];
