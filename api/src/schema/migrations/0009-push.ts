import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Push subscriptions, notices and deliveries, and the words that match saved searches. */
export class Push1764000000009 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SUBSCRIPTIONS);
    await runner.query(NOTICES);
    await runner.query(SENDING);
    await runner.query(SEARCHES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM setting WHERE key IN ('push changes up to', 'push matches up to');
      DROP TRIGGER session_push ON session;
      DROP TABLE search_probe, push_tally, push_receipt, push_host, push_delivery, notice, push_watch, push_subscription;
      DROP FUNCTION end_push_of_session, after_quiet, closing_version;
    `);
  }
}

const SUBSCRIPTIONS = `
  CREATE TABLE push_subscription (
    id uuid PRIMARY KEY,
    -- 'email': the mails of an account, notified like one more device.
    channel text NOT NULL CHECK (channel IN ('push', 'email')),
    -- Null for a signed-out device, which is notified of the tenders it watches.
    user_id uuid REFERENCES account ON DELETE CASCADE,
    session_id uuid REFERENCES session ON DELETE CASCADE,
    -- Who is notified once: the account, or the device that has none.
    recipient uuid NOT NULL CHECK (recipient = coalesce(user_id, id)),
    secret_sha256 text,
    endpoint text,
    endpoint_sha256 text,
    -- Of the endpoint, with its port where it has one; 'email'.
    host text NOT NULL,
    p256dh text,
    auth text,
    -- Which of our keys the browser subscribed with.
    vapid_kid text,
    name text NOT NULL,
    preferences jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    last_ok_at timestamptz,
    last_error_at timestamptz,
    -- Refusals in a row that may be the device's fault, and since when.
    errors integer NOT NULL DEFAULT 0,
    errors_since timestamptz,
    CONSTRAINT push_subscription_push_check CHECK ((channel = 'push') = (endpoint IS NOT NULL AND endpoint_sha256 IS NOT NULL AND p256dh IS NOT NULL
      AND auth IS NOT NULL AND vapid_kid IS NOT NULL AND secret_sha256 IS NOT NULL)),
    CONSTRAINT push_subscription_email_check CHECK (channel = 'push' OR user_id IS NOT NULL)
  );
  CREATE UNIQUE INDEX push_subscription_endpoint ON push_subscription (endpoint_sha256);
  CREATE UNIQUE INDEX push_subscription_email ON push_subscription (user_id) WHERE channel = 'email';
  CREATE INDEX push_subscription_recipient ON push_subscription (recipient);
  CREATE INDEX push_subscription_session ON push_subscription (session_id);
  CREATE INDEX push_subscription_host ON push_subscription (host);

  -- The end of a session, for any reason, ends the pushes of that device.
  CREATE FUNCTION end_push_of_session() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM push_subscription WHERE session_id = NEW.id;
    RETURN NULL;
  END $$;
  CREATE TRIGGER session_push AFTER UPDATE OF revoked_at ON session FOR EACH ROW
    WHEN (NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION end_push_of_session();

  -- What a signed-out device keeps.
  CREATE TABLE push_watch (
    subscription_id uuid NOT NULL REFERENCES push_subscription ON DELETE CASCADE,
    tender_id integer NOT NULL REFERENCES tender ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (subscription_id, tender_id)
  );
  CREATE INDEX push_watch_tender ON push_watch (tender_id);
`;

const NOTICES = `
  CREATE TABLE notice (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id uuid REFERENCES account ON DELETE CASCADE,
    subscription_id uuid REFERENCES push_subscription ON DELETE CASCADE,
    recipient uuid NOT NULL CHECK (recipient = coalesce(user_id, subscription_id)),
    tender_id integer NOT NULL REFERENCES tender ON DELETE CASCADE,
    kind text NOT NULL CHECK (kind IN ('d7', 'd3', 'eve', 'h3', 'changed', 'match')),
    -- Of a reminder the version of the closing, of a change that of the tender, of a match 0.
    version integer NOT NULL,
    -- 'skipped': a more urgent one was due at the same time.
    state text NOT NULL CHECK (state IN ('due', 'skipped')),
    -- Of a match: works of one NIT are notified once.
    nit text,
    works integer NOT NULL DEFAULT 1,
    -- Of a change: {fields, oldClosing, newClosing}.
    detail jsonb,
    -- Of a match, with the instant of its digest.
    search_ids uuid[] NOT NULL DEFAULT '{}',
    digest_at timestamptz,
    created_at timestamptz NOT NULL,
    read_at timestamptz
  );
  -- No recipient is notified twice, however many schedulers run.
  CREATE UNIQUE INDEX notice_once ON notice (recipient, tender_id, kind, version);
  CREATE UNIQUE INDEX notice_nit_once ON notice (recipient, nit) WHERE kind = 'match' AND nit IS NOT NULL;
  CREATE INDEX notice_list ON notice (recipient, id DESC) WHERE state = 'due';
  CREATE INDEX notice_tender ON notice (tender_id);
  CREATE INDEX notice_user ON notice (user_id);
  CREATE INDEX notice_subscription ON notice (subscription_id);
  CREATE INDEX notice_created ON notice (created_at);

  -- Version of the tender when its closing was last moved.
  CREATE FUNCTION closing_version(tender integer) RETURNS integer LANGUAGE sql STABLE AS $$
    SELECT coalesce(max(h.version), 1) FROM tender_history h
    WHERE h.tender_id = tender AND h.kind = 'changed' AND h.changes @> '[{"field": "closing_date"}]'
  $$;

  -- The instant itself, or the end of the quiet hours that it falls into.
  CREATE FUNCTION after_quiet(at timestamptz, preferences jsonb) RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT CASE
      WHEN q.begins IS NULL OR q.begins = q.ends THEN at
      WHEN q.begins < q.ends AND q.clock >= q.begins AND q.clock < q.ends
        THEN (q.day + q.ends) AT TIME ZONE q.zone
      WHEN q.begins > q.ends AND q.clock >= q.begins THEN (q.day + 1 + q.ends) AT TIME ZONE q.zone
      WHEN q.begins > q.ends AND q.clock < q.ends THEN (q.day + q.ends) AT TIME ZONE q.zone
      ELSE at END
    FROM (
      SELECT (preferences #>> '{quiet,from}')::time AS begins, (preferences #>> '{quiet,until}')::time AS ends,
        preferences ->> 'zone' AS zone, (at AT TIME ZONE (preferences ->> 'zone'))::time AS clock,
        (at AT TIME ZONE (preferences ->> 'zone'))::date AS day
    ) q
  $$;

  -- What stood in the history before this is no news.
  INSERT INTO setting SELECT key, to_jsonb(coalesce(max(change_no), 0))
    FROM (VALUES ('push changes up to'), ('push matches up to')) k(key) LEFT JOIN tender_history ON true GROUP BY key;
`;

const SENDING = `
  -- A notice on its way to one device.
  CREATE TABLE push_delivery (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    notice_id bigint NOT NULL REFERENCES notice ON DELETE CASCADE,
    subscription_id uuid NOT NULL REFERENCES push_subscription ON DELETE CASCADE,
    -- Of the subscription: each push service has a queue of its own.
    host text NOT NULL,
    state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'skipped', 'failed')),
    send_at timestamptz NOT NULL,
    tries integer NOT NULL DEFAULT 0,
    sent_at timestamptz,
    -- One of the messages that are limited in a day.
    counted boolean NOT NULL DEFAULT false
  );
  CREATE UNIQUE INDEX push_delivery_once ON push_delivery (notice_id, subscription_id);
  CREATE INDEX push_delivery_due ON push_delivery (host, send_at, id) WHERE state = 'waiting';
  CREATE INDEX push_delivery_waiting ON push_delivery (subscription_id, id) WHERE state = 'waiting';
  CREATE INDEX push_delivery_counted ON push_delivery (subscription_id, sent_at) WHERE counted;
  CREATE INDEX push_delivery_subscription ON push_delivery (subscription_id);

  -- How a push service answers: its last five minutes, and until when it is left alone.
  CREATE TABLE push_host (
    host text PRIMARY KEY,
    since timestamptz NOT NULL,
    sent integer NOT NULL,
    refused integer NOT NULL,
    gone integer NOT NULL,
    paused_until timestamptz,
    pauses integer NOT NULL
  );

  -- What a message may be counted by, without anything of who got it.
  CREATE TABLE push_receipt (
    nid text PRIMARY KEY,
    day date NOT NULL,
    kind text NOT NULL,
    clicked boolean NOT NULL DEFAULT false,
    dismissed boolean NOT NULL DEFAULT false
  );
  CREATE INDEX push_receipt_day ON push_receipt (day);
  CREATE TABLE push_tally (
    day date NOT NULL,
    kind text NOT NULL,
    sent integer NOT NULL DEFAULT 0,
    accepted integer NOT NULL DEFAULT 0,
    clicked integer NOT NULL DEFAULT 0,
    dismissed integer NOT NULL DEFAULT 0,
    PRIMARY KEY (day, kind)
  );
`;

const SEARCHES = `
  -- By what a saved search is found: at least one of its probes is in every tender that it matches.
  CREATE TABLE search_probe (
    probe text COLLATE "C" NOT NULL,
    search_id uuid NOT NULL REFERENCES saved_search ON DELETE CASCADE,
    PRIMARY KEY (probe, search_id)
  );
  CREATE INDEX search_probe_search ON search_probe (search_id);
`;
