import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Offices that users follow, and notices about their new tenders and results. */
export class FollowedOffices1764000000041 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE followed_office (
        user_id uuid NOT NULL REFERENCES account ON DELETE CASCADE,
        office_id text NOT NULL,
        -- OfficeReference of the contract: an office without recent awards has no statistics any more.
        office jsonb NOT NULL,
        created_at timestamptz NOT NULL,
        PRIMARY KEY (user_id, office_id)
      );
      CREATE INDEX followed_office_office ON followed_office (office_id);

      ALTER TABLE notice DROP CONSTRAINT notice_kind_check;
      ALTER TABLE notice ADD CONSTRAINT notice_kind_check
        CHECK (kind IN ('d7', 'd3', 'eve', 'h3', 'changed', 'match', 'office'));
      -- A recipient gets one notice about the new works of one NIT.
      CREATE UNIQUE INDEX notice_office_nit_once ON notice (recipient, nit) WHERE kind = 'office' AND nit IS NOT NULL;

      -- Earlier changes create no notice.
      INSERT INTO setting SELECT 'push offices up to', to_jsonb(coalesce(max(change_no), 0)) FROM tender_history;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM setting WHERE key = 'push offices up to';
      DELETE FROM notice WHERE kind = 'office';
      DROP INDEX notice_office_nit_once;
      ALTER TABLE notice DROP CONSTRAINT notice_kind_check;
      ALTER TABLE notice ADD CONSTRAINT notice_kind_check CHECK (kind IN ('d7', 'd3', 'eve', 'h3', 'changed', 'match'));
      DROP TABLE followed_office;
    `);
  }
}
