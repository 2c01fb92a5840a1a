import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Messages of the contact form, and saved searches. */
export class ContactAndSearches1764000000006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE contact_message (
        id uuid PRIMARY KEY,
        name text NOT NULL,
        email text NOT NULL,
        phone text NOT NULL,
        company text NOT NULL,
        subject text NOT NULL,
        message text NOT NULL,
        received_at timestamptz NOT NULL
      );
      CREATE INDEX contact_message_received ON contact_message (received_at);

      CREATE SEQUENCE saved_search_no AS bigint;

      CREATE TABLE saved_search (
        id uuid PRIMARY KEY,
        user_id uuid NOT NULL REFERENCES account ON DELETE CASCADE,
        search_no bigint NOT NULL DEFAULT nextval('saved_search_no'),
        name text NOT NULL,
        filter jsonb NOT NULL,
        opened_up_to integer NOT NULL,
        created_at timestamptz NOT NULL
      );
      CREATE INDEX saved_search_account ON saved_search (user_id, search_no);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE saved_search, contact_message;
      DROP SEQUENCE saved_search_no;
    `);
  }
}
