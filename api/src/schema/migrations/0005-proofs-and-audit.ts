import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Proofs of e-mail addresses, password reset links, consents, the audit log, and the rows of erased accounts. */
export class ProofsAndAudit1764000000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
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

      CREATE TABLE consent (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id uuid NOT NULL REFERENCES account ON DELETE CASCADE,
        purpose text NOT NULL CHECK (purpose IN ('account', 'alerts', 'marketing')),
        terms_version text NOT NULL,
        address_hash bytea NOT NULL,
        given_at timestamptz NOT NULL
      );
      CREATE INDEX consent_account ON consent (user_id);

      -- No foreign keys: the log outlives what it speaks of.
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

      CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'Rows of % are never changed or removed', TG_TABLE_NAME;
      END $$;
      CREATE TRIGGER audit_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

      -- The row of an erased account stays for what points to it; a text of its own keeps the number unique and frees
      -- the real one.
      ALTER TABLE account DROP CONSTRAINT account_mobile_no_check,
        ADD CONSTRAINT account_mobile_no_check
          CHECK (mobile_no ~ '^\\+91[6-9][0-9]{9}$' OR mobile_no = 'erased-' || id::text);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE audit, consent, password_reset, email_proof;
      DROP FUNCTION refuse_change;
      ALTER TABLE account DROP CONSTRAINT account_mobile_no_check,
        ADD CONSTRAINT account_mobile_no_check CHECK (mobile_no ~ '^\\+91[6-9][0-9]{9}$') NOT VALID;
    `);
  }
}
