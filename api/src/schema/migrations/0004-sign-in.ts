import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counters of rate limits and of failed sign-ins, and known browsers, which have separate failure counters. */
export class SignIn1764000000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE rate_limit (
        name text NOT NULL,
        key text NOT NULL,
        per_seconds integer NOT NULL,
        ends_at timestamptz NOT NULL,
        count integer NOT NULL,
        PRIMARY KEY (name, key, per_seconds)
      );
      CREATE INDEX rate_limit_end ON rate_limit (ends_at);

      -- One row for each mobile number and counter of it ('' is that of all unknown browsers), as long as there are
      -- failures. Numbers need no account.
      CREATE TABLE sign_in_failure (
        mobile_hash text NOT NULL,
        counter text NOT NULL,
        lately integer NOT NULL,
        lately_since timestamptz NOT NULL,
        daily integer NOT NULL,
        daily_since timestamptz NOT NULL,
        in_a_row integer NOT NULL,
        last_at timestamptz NOT NULL,
        -- 'infinity': until the password is reset.
        locked_until timestamptz NOT NULL,
        PRIMARY KEY (mobile_hash, counter)
      );
      CREATE INDEX sign_in_failure_last ON sign_in_failure (last_at);

      CREATE TABLE known_device (
        token_hash text NOT NULL,
        user_id uuid NOT NULL REFERENCES account ON DELETE CASCADE,
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (token_hash, user_id)
      );
      CREATE INDEX known_device_account ON known_device (user_id);
      CREATE INDEX known_device_end ON known_device (expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE known_device, sign_in_failure, rate_limit');
  }
}
