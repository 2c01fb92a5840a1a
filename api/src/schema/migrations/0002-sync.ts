import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Segments of the scopes, shared by all web processes, and the index that deltas use to find changes. */
export class Sync1764000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX tender_change ON tender (change_no, state);
      CREATE INDEX tender_history_removed ON tender_history (change_no) WHERE kind = 'removed';

      CREATE TABLE sync_segment (
        hash text PRIMARY KEY,
        body bytea NOT NULL,
        created_at timestamptz NOT NULL,
        left_at timestamptz
      );
      -- The bodies are compressed already.
      ALTER TABLE sync_segment ALTER COLUMN body SET STORAGE EXTERNAL;

      CREATE TABLE sync_manifest (
        scope text PRIMARY KEY,
        epoch text NOT NULL,
        cursor bigint NOT NULL,
        segments jsonb NOT NULL,
        checked jsonb NOT NULL,
        built_at timestamptz NOT NULL
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE sync_manifest, sync_segment;
      DROP INDEX tender_history_removed, tender_change;
    `);
  }
}
