import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a second portal says of a tender that another portal brought first: the tender is stored once. */
export class AttachedSources1764000000066 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE attached_source (
        portal text NOT NULL,
        source_id text NOT NULL,
        tender_id integer NOT NULL REFERENCES tender (id) ON DELETE CASCADE,
        -- The source's own closing, never moved by a rebase.
        closes_at timestamptz NOT NULL,
        closing_time_known boolean NOT NULL,
        stage text NOT NULL,
        attached_at timestamptz NOT NULL,
        seen_at timestamptz NOT NULL,
        PRIMARY KEY (portal, source_id)
      );
      CREATE INDEX attached_source_tender ON attached_source (tender_id);
      CREATE INDEX tender_bare_id ON tender (regexp_replace(source_id, '^ocds-[a-z0-9]{6}-(?=\\d{4}_)', '', 'i'));
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX tender_bare_id; DROP TABLE attached_source');
  }
}
