import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Records of the bid desk and the owner's numbers of changes. */
export class BidRecords1764000000039 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE bid_record (
        user_id uuid NOT NULL REFERENCES account ON DELETE CASCADE,
        id uuid NOT NULL,
        kind text NOT NULL,
        fields jsonb NOT NULL,
        -- the stamp of each field's last change
        stamps jsonb NOT NULL,
        -- the stamp of the last deletion
        deleted text,
        is_deleted boolean NOT NULL,
        number bigint NOT NULL,
        updated_at timestamptz NOT NULL,
        PRIMARY KEY (user_id, id)
      );
      CREATE UNIQUE INDEX bid_record_number ON bid_record (user_id, number);
      CREATE INDEX bid_record_deleted ON bid_record (updated_at) WHERE is_deleted;

      CREATE TABLE bid_sync (
        user_id uuid PRIMARY KEY REFERENCES account ON DELETE CASCADE,
        -- the number of the owner's newest change
        last_number bigint NOT NULL,
        -- deleted records up to this number may be gone
        removed_up_to bigint NOT NULL DEFAULT 0
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE bid_sync; DROP TABLE bid_record');
  }
}
