/**
 * Orders, payments, entitlements and invoices. The database enforces the allowed changes of an order's status, its columns
 * that never change, and one entitlement and one invoice of each kind per order.
 */

const ORDERS_AND_PAYMENTS = `
  CREATE TABLE orders (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- The only public id. A caller who knows it may read the order's status.
    public_id text NOT NULL CHECK (public_id ~ '^[A-Za-z0-9_-]{22}$'),
    product text NOT NULL CHECK (product IN ('tender-documents', 'yearly-subscription')),
    -- No foreign key, because an order outlives a demonstration tender.
    tender_id integer,
    -- Works of one notice share their documents (R43).
    nit text,
    plan_id text CHECK (plan_id IN ('basic', 'premium', 'enterprise')),
    states text[] NOT NULL,
    -- The firm of an order of a firm's plan.
    firm_id uuid,
    -- What was credited for the buyer's own plans: [{entitlementId, planId, unusedDays, paise}].
    credits jsonb NOT NULL DEFAULT '[]',
    -- The tender's title or the plan's name at the time of the order.
    title text NOT NULL,
    amount_paise integer NOT NULL CHECK (amount_paise > 0),
    currency text NOT NULL,
    -- Null for an order without an account, and after the account was erased.
    user_id uuid,
    buyer_name text NOT NULL,
    buyer_email text NOT NULL,
    buyer_mobile text NOT NULL,
    -- A tax invoice to a registered buyer shows firm and address (CGST Rule 46).
    buyer_firm text NOT NULL DEFAULT '',
    buyer_address text NOT NULL DEFAULT '',
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
    -- Why it is not paid: the provider's code, or REFUSED for a checkout that the provider did not accept.
    failure text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    paid_at timestamptz,
    -- End of the newest checkout.
    expires_at timestamptz NOT NULL,
    last_checked_at timestamptz,
    next_check_at timestamptz,
    checks integer NOT NULL,
    -- Language of its mails and documents: that of the app in which it was placed.
    language text NOT NULL DEFAULT 'en' CHECK (language ~ '^[a-z]{2,3}$'),
    CONSTRAINT orders_documents_check CHECK ((product = 'tender-documents') = (tender_id IS NOT NULL AND nit IS NOT NULL)),
    CONSTRAINT orders_firm_check CHECK (firm_id IS NULL AND credits = '[]' OR plan_id = 'enterprise'),
    CONSTRAINT orders_plan_check CHECK ((product = 'yearly-subscription') = (plan_id IS NOT NULL))
  );
  CREATE UNIQUE INDEX orders_public_id ON orders (public_id);
  CREATE UNIQUE INDEX orders_idempotency ON orders (idempotency_scope, idempotency_key);
  CREATE INDEX orders_user ON orders (user_id, id DESC) WHERE user_id IS NOT NULL;
  CREATE INDEX orders_email ON orders (lower(buyer_email), id DESC);
  CREATE INDEX orders_due ON orders (next_check_at) WHERE next_check_at IS NOT NULL;
  CREATE INDEX orders_review ON orders (id) WHERE status = 'REVIEW';

  CREATE FUNCTION guard_order() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF (NEW.public_id, NEW.product, NEW.tender_id, NEW.nit, NEW.plan_id, NEW.states, NEW.firm_id, NEW.credits, NEW.amount_paise, NEW.currency,
        NEW.live, NEW.idempotency_scope, NEW.idempotency_key, NEW.body_sha256, NEW.created_at)
      IS DISTINCT FROM
       (OLD.public_id, OLD.product, OLD.tender_id, OLD.nit, OLD.plan_id, OLD.states, OLD.firm_id, OLD.credits, OLD.amount_paise, OLD.currency,
        OLD.live, OLD.idempotency_scope, OLD.idempotency_key, OLD.body_sha256, OLD.created_at)
    THEN
      RAISE EXCEPTION 'what order % is for never changes', OLD.public_id USING ERRCODE = 'check_violation';
    END IF;
    -- Only an order whose buyer has received no payment page may go to another provider.
    IF NEW.provider <> OLD.provider AND ((OLD.status, NEW.status) <> ('CREATED', 'CREATED')
      OR EXISTS (SELECT FROM attempt WHERE order_id = OLD.id AND url IS NOT NULL))
    THEN
      RAISE EXCEPTION 'order % stays with its provider', OLD.public_id USING ERRCODE = 'check_violation';
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
  CREATE TRIGGER orders_undeleted BEFORE DELETE ON orders FOR EACH ROW EXECUTE FUNCTION refuse_change();

  -- One attempt to pay at the provider's page. An order may have several.
  CREATE TABLE attempt (
    ref text PRIMARY KEY CHECK (ref ~ '^[A-Za-z0-9_-]{1,38}$'),
    order_id bigint NOT NULL REFERENCES orders,
    -- That of the order, except for attempts before the order went to another one.
    provider text NOT NULL,
    provider_ref text,
    url text,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    -- When the buyer came back without having paid, as far as the provider says so on the way back.
    left_at timestamptz,
    -- When a process began to ask the provider for the page; null when no process is asking.
    claimed_at timestamptz
  );
  CREATE INDEX attempt_order ON attempt (order_id);
  CREATE INDEX attempt_provider_ref ON attempt (provider_ref) WHERE provider_ref IS NOT NULL;

  -- Money that a provider reports as captured. 'duplicate' and 'mismatch' grant nothing and are refunded.
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
    FOREIGN KEY (provider, provider_payment_id) REFERENCES payment
  );
  -- A payment is refunded once.
  CREATE UNIQUE INDEX refund_payment ON refund (provider, provider_payment_id) WHERE state <> 'FAILED';
  CREATE INDEX refund_due ON refund (next_check_at) WHERE next_check_at IS NOT NULL;

  -- Webhooks of providers. They are hints to ask the provider and never have the status.
  CREATE TABLE webhook_event (
    provider text NOT NULL,
    event_id text NOT NULL,
    body_sha256 text NOT NULL,
    attempt_ref text,
    refund_ref text,
    received_at timestamptz NOT NULL,
    PRIMARY KEY (provider, event_id)
  );
  CREATE INDEX webhook_event_attempt ON webhook_event (attempt_ref, received_at);
`;

const ENTITLEMENTS = `
  -- What an order, a trial, a free plan or a gift grants.
  CREATE TABLE entitlement (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- Null for a trial, a free plan and a gift.
    order_id bigint REFERENCES orders,
    kind text NOT NULL CHECK (kind IN ('documents', 'plan', 'trial')),
    user_id uuid,
    -- The firm of a firm's plan, which gives each member Enterprise; user_id is then null.
    firm_id uuid,
    -- E-mail address of the buyer. An account that has verified it claims purchases made without an account (R45).
    email text NOT NULL,
    nit text,
    tender_id integer,
    plan_id text,
    -- States chosen so far; empty for a plan of all of India.
    states text[] NOT NULL,
    states_chosen_at timestamptz,
    starts_at timestamptz NOT NULL,
    -- Exclusive; null for documents, which do not end.
    ends_at timestamptz,
    -- If a higher plan has ended this plan: its original end, and the order of the higher plan.
    own_end_at timestamptz,
    ended_by bigint REFERENCES orders,
    is_test boolean NOT NULL,
    -- Given by an operator, without an order.
    is_gift boolean NOT NULL DEFAULT false CHECK (NOT is_gift OR kind = 'plan' AND order_id IS NULL),
    revoked_at timestamptz,
    created_at timestamptz NOT NULL,
    CONSTRAINT entitlement_documents_check CHECK ((kind = 'documents') = (nit IS NOT NULL)),
    CONSTRAINT entitlement_end_check CHECK ((kind = 'documents') = (ends_at IS NULL)),
    CONSTRAINT entitlement_firm_check CHECK (firm_id IS NULL OR kind = 'plan' AND user_id IS NULL),
    CONSTRAINT entitlement_ended_check CHECK ((own_end_at IS NULL) = (ended_by IS NULL)),
    CONSTRAINT entitlement_order_check CHECK (
      CASE kind WHEN 'trial' THEN order_id IS NULL WHEN 'documents' THEN order_id IS NOT NULL ELSE true END)
  );
  CREATE UNIQUE INDEX entitlement_order ON entitlement (order_id);
  CREATE UNIQUE INDEX entitlement_free_plan ON entitlement (user_id) WHERE kind = 'plan' AND order_id IS NULL AND NOT is_gift;
  CREATE INDEX entitlement_user ON entitlement (user_id, kind);
  CREATE INDEX entitlement_firm ON entitlement (firm_id) WHERE firm_id IS NOT NULL;
  CREATE INDEX entitlement_email ON entitlement (lower(email)) WHERE user_id IS NULL AND firm_id IS NULL;

  -- Digests of e-mail addresses and mobile numbers that had a trial. They stay when the account is erased.
  CREATE TABLE trial_taken (
    key_sha256 text PRIMARY KEY,
    taken_at timestamptz NOT NULL
  );

  -- The mails about the end of a plan that were sent.
  CREATE TABLE plan_notice (
    entitlement_id bigint NOT NULL REFERENCES entitlement,
    -- A plan may be moved, so each end has mails of its own.
    ends_at timestamptz NOT NULL,
    stage text NOT NULL CHECK (stage IN ('in-14-days', 'in-2-days', 'ended')),
    sent_at timestamptz NOT NULL,
    PRIMARY KEY (entitlement_id, ends_at, stage)
  );
`;

const INVOICES = `
  -- Numbers have no gaps. The transaction that uses a number locks the row last, and a rollback frees the number.
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
    -- The law allows 16 characters. It does not apply to tests.
    number text NOT NULL UNIQUE CHECK (length(number) <= 16 OR series = 'TEST'),
    issued_at timestamptz NOT NULL,
    -- Everything that is printed: seller, buyer, lines, taxes in paise.
    content jsonb NOT NULL,
    PRIMARY KEY (order_id, kind),
    UNIQUE (series, financial_year, no)
  );
  CREATE TRIGGER invoice_unchanged BEFORE UPDATE OR DELETE ON invoice FOR EACH ROW EXECUTE FUNCTION refuse_change();
`;

export const ORDERS = [ORDERS_AND_PAYMENTS, ENTITLEMENTS, INVOICES];
