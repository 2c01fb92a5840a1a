/** Messages of the operator to many accounts. */

export const MAILINGS = [
  `
  CREATE TABLE mailing (
    -- Chosen by the operator. An account gets one mail of a name.
    name text PRIMARY KEY,
    -- Subject and paragraphs by language.
    texts jsonb NOT NULL,
    started_at timestamptz NOT NULL,
    stopped_at timestamptz
  );

  CREATE TABLE mailing_recipient (
    mailing text NOT NULL REFERENCES mailing ON DELETE CASCADE,
    user_id uuid NOT NULL REFERENCES account ON DELETE CASCADE,
    -- When its mail was handed to the queue; null while it waits.
    queued_at timestamptz,
    PRIMARY KEY (mailing, user_id)
  );
  CREATE INDEX mailing_recipient_account ON mailing_recipient (user_id);
  CREATE INDEX mailing_recipient_waiting ON mailing_recipient (mailing) WHERE queued_at IS NULL;
`,
];
