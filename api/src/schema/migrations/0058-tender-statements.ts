import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The OCDS releases that made a tender, reduced to what is read and without names of people: a later release may hold only
 * what changed, and an older one must not take a newer one's value back.
 */
export class TenderStatements1764000000058 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE tender_statement (
        portal text NOT NULL,
        source_id text NOT NULL,
        -- Null while the releases wait for one that names their tender.
        tender_id integer REFERENCES tender (id) ON DELETE CASCADE,
        releases jsonb NOT NULL,
        stored_at timestamptz NOT NULL,
        PRIMARY KEY (portal, source_id)
      );
      CREATE INDEX tender_statement_tender ON tender_statement (tender_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE tender_statement');
  }
}
