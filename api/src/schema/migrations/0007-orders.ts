import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Orders, payments, entitlements and invoices. The database enforces the rules of money: the transitions of states, the
 * columns of an order that never change, one entitlement and one invoice of a kind per order.
 */
export class Orders1764000000007 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ORDERS);
    await runner.query(STATES);
    await runner.query(INVOICES);
    await runner.query(PACKAGES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE download, download_link, package_file, document_package, invoice, invoice_series, webhook_event,
        trial_taken, entitlement, refund, payment, attempt, orders;
      DROP FUNCTION guard_order;
    `);
  }
}

const ORDERS = `
  CREATE TABLE orders (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- The only public id: a caller that knows it may read the order's status.
    public_id text NOT NULL CHECK (public_id ~ '^[A-Za-z0-9_-]{22}$'),
    product text NOT NULL CHECK (product IN ('tender-documents', 'yearly-subscription')),
    -- No reference: an order outlives a demonstration tender.
    tender_id integer,
    -- Works of one notice share their documents (R43); a tender without one stands for itself.
    nit text,
    plan_id text CHECK (plan_id IN ('basic', 'premium', 'enterprise')),
    states text[] NOT NULL,
    -- The tender's title or the plan's name, as it was bought.
    title text NOT NULL,
    amount_paise integer NOT NULL CHECK (amount_paise > 0),
    currency text NOT NULL,
    -- Survives the account, without it.
    user_id uuid,
    buyer_name text NOT NULL,
    buyer_email text NOT NULL,
    buyer_mobile text NOT NULL,
    billing_state text NOT NULL,
    gstin text NOT NULL,
    return_path text NOT NULL,
    idempotency_scope text NOT NULL,
    idempotency_key text NOT NULL,
    body_sha256 text NOT NULL,
    provider text NOT NULL,
    live boolean NOT NULL,
    status text NOT NULL CHECK (status IN
      ('CREATED', 'PENDING', 'SUCCESS', 'FAILED', 'EXPIRED', 'REVIEW', 'REFUND_PENDING', 'REFUNDED')),
    -- Why it is not paid: the provider's code, or REFUSED for a checkout that it did not take.
    failure text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    paid_at timestamptz,
    -- Of the checkout.
    expires_at timestamptz NOT NULL,
    last_checked_at timestamptz,
    next_check_at timestamptz,
    checks integer NOT NULL,
    CONSTRAINT orders_documents_check CHECK ((product = 'tender-documents') = (tender_id IS NOT NULL AND nit IS NOT NULL)),
    CONSTRAINT orders_plan_check CHECK ((product = 'yearly-subscription') = (plan_id IS NOT NULL))
  );
  CREATE UNIQUE INDEX orders_public_id ON orders (public_id);
  CREATE UNIQUE INDEX orders_idempotency ON orders (idempotency_scope, idempotency_key);
  CREATE INDEX orders_user ON orders (user_id, id DESC) WHERE user_id IS NOT NULL;
  CREATE INDEX orders_email ON orders (lower(buyer_email), id DESC);
  CREATE INDEX orders_due ON orders (next_check_at) WHERE next_check_at IS NOT NULL;
  CREATE INDEX orders_review ON orders (id) WHERE status = 'REVIEW';

  -- One try at the provider's page; an order may have several.
  CREATE TABLE attempt (
    ref text PRIMARY KEY CHECK (ref ~ '^[A-Za-z0-9_-]{1,38}$'),
    order_id bigint NOT NULL REFERENCES orders,
    provider_ref text,
    url text,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    -- Since when a process asks the provider for its page; null when none does.
    claimed_at timestamptz
  );
  CREATE INDEX attempt_order ON attempt (order_id);

  -- Money that a provider says it captured. 'duplicate' and 'mismatch' grant nothing and go back.
  CREATE TABLE payment (
    provider text NOT NULL,
    provider_payment_id text NOT NULL,
    order_id bigint NOT NULL REFERENCES orders,
    attempt_ref text NOT NULL REFERENCES attempt,
    amount_paise integer NOT NULL,
    currency text NOT NULL,
    method text,
    kind text NOT NULL CHECK (kind IN ('capture', 'duplicate', 'mismatch')),
    noticed_at timestamptz NOT NULL,
    PRIMARY KEY (provider, provider_payment_id)
  );
  CREATE UNIQUE INDEX payment_capture ON payment (order_id) WHERE kind = 'capture';
  CREATE INDEX payment_order ON payment (order_id);

  CREATE TABLE refund (
    ref text PRIMARY KEY,
    order_id bigint NOT NULL REFERENCES orders,
    provider text NOT NULL,
    provider_payment_id text NOT NULL,
    amount_paise integer NOT NULL CHECK (amount_paise > 0),
    reason text NOT NULL,
    state text NOT NULL CHECK (state IN ('QUEUED', 'PENDING', 'SUCCEEDED', 'FAILED')),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    next_check_at timestamptz,
    checks integer NOT NULL,
    FOREIGN KEY (provider, provider_payment_id) REFERENCES payment (provider, provider_payment_id)
  );
  -- Each payment goes back once.
  CREATE UNIQUE INDEX refund_payment ON refund (provider, provider_payment_id) WHERE state <> 'FAILED';
  CREATE INDEX refund_due ON refund (next_check_at) WHERE next_check_at IS NOT NULL;

  -- What a paid order, or a trial, gives.
  CREATE TABLE entitlement (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- Null for a trial.
    order_id bigint REFERENCES orders,
    kind text NOT NULL CHECK (kind IN ('documents', 'plan', 'trial')),
    user_id uuid,
    -- Of the buyer: an account that has verified it claims what was bought without one (R45).
    email text NOT NULL,
    nit text,
    tender_id integer,
    plan_id text,
    -- Those chosen so far; nothing is chosen of a plan for all of India.
    states text[] NOT NULL,
    states_chosen_at timestamptz,
    starts_at timestamptz NOT NULL,
    -- Exclusive; null for documents, which do not end.
    ends_at timestamptz,
    is_test boolean NOT NULL,
    revoked_at timestamptz,
    created_at timestamptz NOT NULL,
    CONSTRAINT entitlement_documents_check CHECK ((kind = 'documents') = (nit IS NOT NULL)),
    CONSTRAINT entitlement_end_check CHECK ((kind = 'documents') = (ends_at IS NULL)),
    CONSTRAINT entitlement_trial_check CHECK ((kind = 'trial') = (order_id IS NULL))
  );
  CREATE UNIQUE INDEX entitlement_order ON entitlement (order_id);
  CREATE INDEX entitlement_user ON entitlement (user_id, kind);
  CREATE INDEX entitlement_email ON entitlement (lower(email)) WHERE user_id IS NULL;

  -- Digests of the e-mails and mobile numbers that had a trial: one each, also after the account is gone.
  CREATE TABLE trial_taken (
    key_sha256 text PRIMARY KEY,
    taken_at timestamptz NOT NULL
  );

  -- What providers sent: a hint to look, never a status.
  CREATE TABLE webhook_event (
    provider text NOT NULL,
    event_id text NOT NULL,
    body_sha256 text NOT NULL,
    attempt_ref text,
    refund_ref text,
    received_at timestamptz NOT NULL,
    PRIMARY KEY (provider, event_id)
  );
`;

const STATES = `
  CREATE FUNCTION guard_order() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF (NEW.public_id, NEW.product, NEW.tender_id, NEW.nit, NEW.plan_id, NEW.states, NEW.amount_paise, NEW.currency,
        NEW.provider, NEW.live, NEW.idempotency_scope, NEW.idempotency_key, NEW.body_sha256, NEW.created_at)
      IS DISTINCT FROM
       (OLD.public_id, OLD.product, OLD.tender_id, OLD.nit, OLD.plan_id, OLD.states, OLD.amount_paise, OLD.currency,
        OLD.provider, OLD.live, OLD.idempotency_scope, OLD.idempotency_key, OLD.body_sha256, OLD.created_at)
    THEN
      RAISE EXCEPTION 'what order % is for never changes', OLD.public_id USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.status <> OLD.status AND NOT (OLD.status, NEW.status) IN (
      ('CREATED', 'PENDING'), ('CREATED', 'FAILED'), ('CREATED', 'EXPIRED'),
      -- The answer of the provider was lost and the buyer paid.
      ('CREATED', 'SUCCESS'), ('CREATED', 'REVIEW'),
      ('PENDING', 'SUCCESS'), ('PENDING', 'FAILED'), ('PENDING', 'EXPIRED'), ('PENDING', 'REVIEW'),
      -- Another try, and money that comes late.
      ('FAILED', 'PENDING'), ('EXPIRED', 'PENDING'),
      ('FAILED', 'SUCCESS'), ('EXPIRED', 'SUCCESS'), ('FAILED', 'REVIEW'), ('EXPIRED', 'REVIEW'),
      ('REVIEW', 'SUCCESS'), ('REVIEW', 'REFUND_PENDING'),
      ('SUCCESS', 'REFUND_PENDING'), ('REFUND_PENDING', 'REFUNDED'), ('REFUND_PENDING', 'SUCCESS'),
      ('REFUND_PENDING', 'REVIEW')
    ) THEN
      RAISE EXCEPTION 'order % cannot go from % to %', OLD.public_id, OLD.status, NEW.status USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER orders_guard BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION guard_order();
  CREATE TRIGGER orders_kept BEFORE DELETE ON orders FOR EACH ROW EXECUTE FUNCTION refuse_change();
`;

const INVOICES = `
  -- Numbers without gaps: the row is locked last in the transaction that uses a number, and goes back with it.
  CREATE TABLE invoice_series (
    series text NOT NULL,
    -- '26-27': April to March, in India.
    financial_year text NOT NULL,
    last_no integer NOT NULL CHECK (last_no > 0),
    PRIMARY KEY (series, financial_year)
  );

  CREATE TABLE invoice (
    order_id bigint NOT NULL REFERENCES orders,
    kind text NOT NULL CHECK (kind IN ('receipt', 'invoice', 'credit_note')),
    series text NOT NULL,
    financial_year text NOT NULL,
    no integer NOT NULL,
    -- 16 characters are the most that the law allows; a test is no paper of the law.
    number text NOT NULL UNIQUE CHECK (length(number) <= 16 OR series = 'TEST'),
    issued_at timestamptz NOT NULL,
    -- Everything that is printed, as it was then: seller, buyer, lines, taxes in paise.
    content jsonb NOT NULL,
    PRIMARY KEY (order_id, kind),
    UNIQUE (series, financial_year, no)
  );
  CREATE TRIGGER invoice_kept BEFORE UPDATE OR DELETE ON invoice FOR EACH ROW EXECUTE FUNCTION refuse_change();
`;

const PACKAGES = `
  -- A version of the documents of one NIT; the newest one is delivered.
  CREATE TABLE document_package (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    nit text NOT NULL,
    version integer NOT NULL,
    -- Key in the file store, of the zip.
    file_key text NOT NULL,
    sha256 text NOT NULL,
    bytes bigint NOT NULL,
    file_names text[] NOT NULL,
    -- Digest of all that went in: with another one a new version is due.
    fingerprint text NOT NULL,
    is_demonstration boolean NOT NULL,
    created_at timestamptz NOT NULL,
    UNIQUE (nit, version)
  );

  -- A file as it came, before it goes into a package.
  CREATE TABLE package_file (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    nit text NOT NULL,
    tender_id integer NOT NULL,
    name text NOT NULL,
    -- Null for a file that was attached from this machine.
    source_url text,
    file_key text,
    sha256 text,
    bytes bigint,
    state text NOT NULL CHECK (state IN ('waiting', 'ready', 'refused')),
    -- Why it was refused, or what its readers should know of it, for operator and readers.
    note text,
    tries integer NOT NULL DEFAULT 0,
    next_try_at timestamptz,
    added_at timestamptz NOT NULL,
    ready_at timestamptz,
    UNIQUE (nit, tender_id, name)
  );
  CREATE INDEX package_file_ready ON package_file (ready_at) WHERE state = 'ready';
  CREATE INDEX package_file_due ON package_file (next_try_at) WHERE state = 'waiting';

  CREATE TABLE download_link (
    token_sha256 text PRIMARY KEY,
    entitlement_id bigint NOT NULL REFERENCES entitlement,
    nit text NOT NULL,
    -- The work for which it was asked.
    tender_id integer NOT NULL,
    package_id bigint NOT NULL REFERENCES document_package,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    fetches integer NOT NULL DEFAULT 0,
    revoked_at timestamptz
  );
  CREATE INDEX download_link_entitlement ON download_link (entitlement_id);

  -- What a plan was charged for: an NIT once in an Indian calendar month.
  CREATE TABLE download (
    user_id uuid NOT NULL,
    -- First day of the month, in India.
    month date NOT NULL,
    nit text NOT NULL,
    -- The work for which it was asked.
    tender_id integer NOT NULL,
    entitlement_id bigint NOT NULL REFERENCES entitlement,
    charged_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, month, nit)
  );
`;
