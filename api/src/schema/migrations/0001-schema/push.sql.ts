/**
 * Push subscriptions, notices, their deliveries, and the quiet hours. Notices, deliveries and receipts grow with the users, so
 * they have partitions by month (database/monthly-partitions.ts).
 */

const SUBSCRIPTIONS = `
  CREATE TABLE push_subscription (
    id uuid PRIMARY KEY,
    -- 'email' is for the mails of an account, which count as one more device.
    channel text NOT NULL CHECK (channel IN ('push', 'email')),
    -- Null for a signed-out device, which is notified of the tenders it watches.
    user_id uuid REFERENCES account ON DELETE CASCADE,
    session_id uuid REFERENCES session ON DELETE CASCADE,
    -- The account, or the device without an account. A recipient gets one notice for all its devices.
    recipient uuid NOT NULL CHECK (recipient = coalesce(user_id, id)),
    secret_sha256 text,
    endpoint text,
    endpoint_sha256 text,
    -- Host of the endpoint, with its port if it has one; 'email' for mails.
    host text NOT NULL,
    p256dh text,
    auth text,
    -- Id of our key with which the browser subscribed.
    vapid_kid text,
    name text NOT NULL,
    preferences jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    last_ok_at timestamptz,
    last_error_at timestamptz,
    -- Consecutive refusals that may be the device's fault, and since when.
    errors integer NOT NULL DEFAULT 0,
    errors_since timestamptz,
    -- Since when the push service reports the device as unknown, while it reports many.
    gone_since timestamptz,
    CONSTRAINT push_subscription_push_check CHECK ((channel = 'push') = (endpoint IS NOT NULL AND endpoint_sha256 IS NOT NULL
      AND p256dh IS NOT NULL AND auth IS NOT NULL AND vapid_kid IS NOT NULL AND secret_sha256 IS NOT NULL)),
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

  -- The bookmarks of a signed-out device.
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
    id bigint GENERATED ALWAYS AS IDENTITY,
    user_id uuid REFERENCES account ON DELETE CASCADE,
    subscription_id uuid REFERENCES push_subscription ON DELETE CASCADE,
    recipient uuid NOT NULL CHECK (recipient = coalesce(user_id, subscription_id)),
    tender_id integer REFERENCES tender ON DELETE CASCADE,
    kind text NOT NULL CHECK (kind IN ('closing_in_7_days', 'closing_in_3_days', 'closing_tomorrow', 'closing_in_3_hours', 'changed', 'match', 'office', 'expiry', 'answer', 'assigned')),
    -- For a reminder the version of the closing, for a change the version of the tender, for a match 0.
    version integer NOT NULL,
    -- 'skipped': a more urgent one was due at the same time.
    state text NOT NULL CHECK (state IN ('due', 'skipped')),
    -- For a match or a new tender of an office: the NIT, because its works are notified once.
    nit text,
    works integer NOT NULL DEFAULT 1,
    -- For a change {fields, oldClosing, newClosing}; for an expiry the document; for an answer the message; for an assignment the row of a
    -- checklist with its firm.
    detail jsonb,
    -- For a match: the searches, and the instant of the digest.
    search_ids uuid[] NOT NULL DEFAULT '{}',
    digest_at timestamptz,
    created_at timestamptz NOT NULL,
    read_at timestamptz,
    -- The key of the month. For a reminder the closing less its days, for an expiry the day on which its warning is due: equal
    -- in every process, also on both sides of the end of a month. Otherwise that of created_at: what creates these notices holds
    -- a lock and looks into all months.
    event_at timestamptz NOT NULL,
    PRIMARY KEY (id, event_at),
    CONSTRAINT notice_tender_check CHECK (tender_id IS NOT NULL OR kind IN ('expiry', 'answer', 'assigned'))
  ) PARTITION BY RANGE (event_at);
  CREATE TABLE notice_default PARTITION OF notice DEFAULT;
  -- A recipient is notified once, even if several schedulers run.
  CREATE UNIQUE INDEX notice_once ON notice (recipient, tender_id, kind, version, event_at);
  CREATE UNIQUE INDEX notice_nit_once ON notice (recipient, kind, nit, event_at) WHERE nit IS NOT NULL;
  -- A renewed document has another date, so it is announced again.
  CREATE UNIQUE INDEX notice_expiry_once
    ON notice (recipient, (detail->>'documentId'), (detail->>'validUntil'), version, event_at) WHERE kind = 'expiry';
  CREATE UNIQUE INDEX notice_answer_once ON notice (recipient, (detail->>'messageId'), event_at) WHERE kind = 'answer';
  -- The number of the change: a row that is assigned again is announced again.
  CREATE UNIQUE INDEX notice_assigned_once
    ON notice (recipient, (detail->>'rowId'), (detail->>'number'), event_at) WHERE kind = 'assigned';
  CREATE INDEX notice_list ON notice (recipient, event_at) WHERE state = 'due';
  CREATE INDEX notice_tender ON notice (tender_id);
  CREATE INDEX notice_user ON notice (user_id);
  CREATE INDEX notice_subscription ON notice (subscription_id);

  -- Change numbers up to which notices were created.
  INSERT INTO setting VALUES ('push changes up to', '0'), ('push matches up to', '0'), ('push offices up to', '0');
`;

const SENDING = `
  -- A notice on its way to one device.
  CREATE TABLE push_delivery (
    id bigint GENERATED ALWAYS AS IDENTITY,
    -- No foreign key: a month that is dropped would be looked up in all deliveries.
    notice_id bigint NOT NULL,
    subscription_id uuid NOT NULL REFERENCES push_subscription ON DELETE CASCADE,
    -- Host of the subscription, because each push service has a queue of its own.
    host text NOT NULL,
    state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'skipped', 'failed')),
    send_at timestamptz NOT NULL,
    tries integer NOT NULL DEFAULT 0,
    sent_at timestamptz,
    -- Counts towards the daily limit of messages.
    counted boolean NOT NULL DEFAULT false,
    -- That of the notice, so that both have the same month.
    event_at timestamptz NOT NULL,
    PRIMARY KEY (id, event_at)
  ) PARTITION BY RANGE (event_at);
  CREATE TABLE push_delivery_default PARTITION OF push_delivery DEFAULT;
  CREATE UNIQUE INDEX push_delivery_once ON push_delivery (notice_id, subscription_id, event_at);
  CREATE INDEX push_delivery_due ON push_delivery (host, send_at, id) WHERE state = 'waiting';
  CREATE INDEX push_delivery_waiting ON push_delivery (subscription_id, id) WHERE state = 'waiting';
  CREATE INDEX push_delivery_counted ON push_delivery (subscription_id, sent_at) WHERE counted;
  CREATE INDEX push_delivery_subscription ON push_delivery (subscription_id);

  CREATE FUNCTION remove_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM push_delivery WHERE notice_id = OLD.id AND event_at = OLD.event_at;
    RETURN NULL;
  END $$;
  CREATE TRIGGER notice_removed AFTER DELETE ON notice FOR EACH ROW EXECUTE FUNCTION remove_deliveries();

  -- How a push service answered in its last five minutes, and until when nothing is sent to it.
  CREATE TABLE push_host (
    host text PRIMARY KEY,
    since timestamptz NOT NULL,
    sent integer NOT NULL,
    refused integer NOT NULL,
    gone integer NOT NULL,
    paused_until timestamptz,
    pauses integer NOT NULL
  );

  -- Counts a message without naming its recipient.
  CREATE TABLE push_receipt (
    nid text NOT NULL,
    day date NOT NULL,
    kind text NOT NULL,
    clicked boolean NOT NULL DEFAULT false,
    dismissed boolean NOT NULL DEFAULT false,
    PRIMARY KEY (nid, day)
  ) PARTITION BY RANGE (day);
  CREATE TABLE push_receipt_default PARTITION OF push_receipt DEFAULT;
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

/** Called for each delivery, hence plpgsql: SQL functions with the same result were five times slower. */
const QUIET_HOURS = `
  -- The zone of the preferences. India's, if this database does not know it: browsers have more names.
  CREATE FUNCTION push_zone(preferences jsonb) RETURNS text LANGUAGE plpgsql STABLE AS $$
  DECLARE
    zone text := preferences ->> 'zone';
  BEGIN
    IF zone = 'Asia/Kolkata' THEN RETURN zone; END IF;
    PERFORM now() AT TIME ZONE zone;
    RETURN coalesce(zone, 'Asia/Kolkata');
  EXCEPTION WHEN invalid_parameter_value THEN
    RETURN 'Asia/Kolkata';
  END $$;

  -- The beginning of the quiet hours that an instant falls into; null outside of them.
  CREATE FUNCTION quiet_begin(at timestamptz, preferences jsonb) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
  DECLARE
    begins time := preferences #>> '{quiet,from}';
    ends time := preferences #>> '{quiet,until}';
    zone text;
    clock timestamp;
  BEGIN
    IF begins IS NULL OR begins = ends THEN RETURN NULL; END IF;
    zone := push_zone(preferences);
    clock := at AT TIME ZONE zone;
    IF begins < ends AND clock::time >= begins AND clock::time < ends OR begins > ends AND clock::time >= begins THEN
      RETURN (clock::date + begins) AT TIME ZONE zone;
    ELSIF begins > ends AND clock::time < ends THEN
      RETURN (clock::date - 1 + begins) AT TIME ZONE zone;
    END IF;
    RETURN NULL;
  END $$;

  -- The instant itself, or the end of the quiet hours that it falls into.
  CREATE FUNCTION after_quiet(at timestamptz, preferences jsonb) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
  DECLARE
    begins time := preferences #>> '{quiet,from}';
    ends time := preferences #>> '{quiet,until}';
    zone text;
    clock timestamp;
  BEGIN
    IF begins IS NULL OR begins = ends THEN RETURN at; END IF;
    zone := push_zone(preferences);
    clock := at AT TIME ZONE zone;
    IF begins < ends AND clock::time >= begins AND clock::time < ends OR begins > ends AND clock::time < ends THEN
      RETURN (clock::date + ends) AT TIME ZONE zone;
    ELSIF begins > ends AND clock::time >= begins THEN
      RETURN (clock::date + 1 + ends) AT TIME ZONE zone;
    END IF;
    RETURN at;
  END $$;

  -- When a push that is due at an instant is sent: then, or when the quiet hours end. If they end less than an hour
  -- before the tender closes, or later: in the last minute before they begin, or now if that has passed.
  CREATE FUNCTION push_send_at(due timestamptz, now timestamptz, closes_at timestamptz, preferences jsonb)
  RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
  DECLARE
    planned timestamptz := greatest(due, now);
    released timestamptz := after_quiet(planned, preferences);
  BEGIN
    IF released = planned OR released <= closes_at - interval '1 hour' THEN RETURN released; END IF;
    RETURN greatest(now, quiet_begin(planned, preferences) - interval '1 minute');
  END $$;
`;

export const PUSH = [SUBSCRIPTIONS, NOTICES, SENDING, QUIET_HOURS];
