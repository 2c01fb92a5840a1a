/** The sandbox's own tables in their own schema, without references to or from the app's tables. */
import { Pool, type PoolClient } from 'pg';
import type { SandboxDatabaseAddress } from './config.ts';

const MIGRATION_LOCK = 4_770_091;

const TABLES = `
CREATE SCHEMA IF NOT EXISTS sandbox;

CREATE TABLE IF NOT EXISTS sandbox.checkout (
  attempt_ref text PRIMARY KEY,
  id text NOT NULL UNIQUE,
  request_hash text NOT NULL,
  amount_paise integer NOT NULL,
  description text NOT NULL,
  buyer jsonb NOT NULL,
  return_url text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  state text NOT NULL DEFAULT 'PENDING' CHECK (state IN ('PENDING', 'PAID', 'FAILED')),
  error_code text,
  outcome text,
  method text,
  acted_at timestamptz
);

CREATE TABLE IF NOT EXISTS sandbox.preset (attempt_ref text PRIMARY KEY, outcome text NOT NULL);

CREATE TABLE IF NOT EXISTS sandbox.step (
  attempt_ref text NOT NULL REFERENCES sandbox.checkout,
  number integer NOT NULL,
  due_at timestamptz NOT NULL,
  PRIMARY KEY (attempt_ref, number)
);

CREATE TABLE IF NOT EXISTS sandbox.payment (
  payment_id text PRIMARY KEY,
  attempt_ref text NOT NULL REFERENCES sandbox.checkout,
  amount_paise integer NOT NULL,
  currency text NOT NULL,
  method text NOT NULL,
  captured_at timestamptz NOT NULL
);
CREATE INDEX IF NOT EXISTS payment_attempt ON sandbox.payment (attempt_ref);

CREATE TABLE IF NOT EXISTS sandbox.refund (
  refund_ref text PRIMARY KEY,
  attempt_ref text NOT NULL REFERENCES sandbox.checkout,
  amount_paise integer NOT NULL,
  state text NOT NULL CHECK (state IN ('PENDING', 'SUCCEEDED', 'FAILED')),
  error_code text,
  due_at timestamptz
);
CREATE INDEX IF NOT EXISTS refund_attempt ON sandbox.refund (attempt_ref);

-- due_at is null once the receiver has it or the tries are used up; answer is what the last try met.
CREATE TABLE IF NOT EXISTS sandbox.delivery (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event_id text NOT NULL,
  event text NOT NULL,
  attempt_ref text NOT NULL,
  body text NOT NULL,
  fault text,
  created_at timestamptz NOT NULL,
  due_at timestamptz,
  tries integer NOT NULL DEFAULT 0,
  answer text
);
CREATE INDEX IF NOT EXISTS delivery_due ON sandbox.delivery (due_at) WHERE due_at IS NOT NULL;
`;

/** Connects and creates missing tables; safe in several processes at once. */
export async function openTables(address: SandboxDatabaseAddress): Promise<Pool> {
  const pool = new Pool({
    ...(typeof address === 'string' ? { connectionString: address } : address),
    max: 4,
    options: '-c timezone=UTC -c client_min_messages=warning',
  });
  // A broken idle connection is replaced at the next use; without a listener the error would end the process.
  pool.on('error', () => {});
  try {
    await inTransaction(pool, async (client) => {
      await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
      await client.query(TABLES);
    });
    return pool;
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/** Runs `work` in one transaction. */
export async function inTransaction<Result>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((reason: Error) => {
      broken = reason;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
