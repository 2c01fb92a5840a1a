import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Notices about documents of users' vaults, which have no tender. */
export class ExpiryNotices1764000000050 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE notice DROP CONSTRAINT notice_kind_check;
      ALTER TABLE notice ADD CONSTRAINT notice_kind_check
        CHECK (kind IN ('d7', 'd3', 'eve', 'h3', 'changed', 'match', 'office', 'expiry'));
      ALTER TABLE notice ALTER COLUMN tender_id DROP NOT NULL;
      ALTER TABLE notice ADD CONSTRAINT notice_tender_check CHECK (tender_id IS NOT NULL OR kind = 'expiry');
      -- A document that was renewed is announced again.
      CREATE UNIQUE INDEX notice_expiry_once
        ON notice (recipient, (detail->>'documentId'), (detail->>'validUntil'), version) WHERE kind = 'expiry';

      CREATE INDEX bid_record_expiry ON bid_record ((fields->>'validUntil')) WHERE kind = 'bidDocument' AND NOT is_deleted;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX bid_record_expiry;
      DELETE FROM notice WHERE kind = 'expiry';
      DROP INDEX notice_expiry_once;
      ALTER TABLE notice DROP CONSTRAINT notice_tender_check;
      ALTER TABLE notice ALTER COLUMN tender_id SET NOT NULL;
      ALTER TABLE notice DROP CONSTRAINT notice_kind_check;
      ALTER TABLE notice ADD CONSTRAINT notice_kind_check
        CHECK (kind IN ('d7', 'd3', 'eve', 'h3', 'changed', 'match', 'office'));
    `);
  }
}
