import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When unchanged tenders were last read. An update of the tender itself would write its wide row and each of its indexes;
 * here half of each page stays free, so that an update writes one narrow row and no index.
 */
export class TenderSeen1764000000036 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE tender_seen (
        -- Without a foreign key: its check would write to the row of the tender.
        tender_id integer PRIMARY KEY,
        seen_at timestamptz NOT NULL
      ) WITH (fillfactor = 50);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE tender t SET fetched_at = s.seen_at FROM tender_seen s WHERE s.tender_id = t.id AND s.seen_at > t.fetched_at;
      DROP TABLE tender_seen;
    `);
  }
}
