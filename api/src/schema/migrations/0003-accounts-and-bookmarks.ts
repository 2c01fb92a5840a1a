import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Accounts, their sessions and their bookmarks. */
export class AccountsAndBookmarks1764000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE account (
        id uuid PRIMARY KEY,
        username text NOT NULL,
        email text NOT NULL,
        mobile_no text NOT NULL CHECK (mobile_no ~ '^\\+91[6-9][0-9]{9}$'),
        password_hash text,
        company_name text NOT NULL,
        company_type text NOT NULL CHECK (company_type IN ('private', 'public', 'partnership', 'proprietorship')),
        state text NOT NULL,
        districts text[] NOT NULL,
        departments text[] NOT NULL,
        address text NOT NULL DEFAULT '',
        min_price numeric(16,2) NOT NULL DEFAULT 0,
        max_price numeric(16,2),
        created_at timestamptz NOT NULL,
        deleted_at timestamptz
      );
      CREATE UNIQUE INDEX account_mobile ON account (mobile_no);
      CREATE UNIQUE INDEX account_email ON account (lower(email));

      CREATE TABLE session (
        id uuid PRIMARY KEY,
        user_id uuid NOT NULL REFERENCES account ON DELETE CASCADE,
        token_id uuid NOT NULL,
        previous_token_id uuid,
        renewed_at timestamptz,
        remembered boolean NOT NULL,
        user_agent text NOT NULL,
        created_at timestamptz NOT NULL,
        last_used_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        revoked_at timestamptz
      );
      CREATE INDEX session_account ON session (user_id);

      CREATE SEQUENCE bookmark_no AS bigint;

      -- A bookmark goes with its tender: a first import replaces the demonstration tenders of a state.
      CREATE TABLE bookmark (
        user_id uuid NOT NULL REFERENCES account ON DELETE CASCADE,
        tender_id integer NOT NULL REFERENCES tender ON DELETE CASCADE,
        bookmark_no bigint NOT NULL,
        created_at timestamptz NOT NULL,
        PRIMARY KEY (user_id, tender_id)
      );
      CREATE INDEX bookmark_tender ON bookmark (tender_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE bookmark, session, account;
      DROP SEQUENCE bookmark_no;
    `);
  }
}
