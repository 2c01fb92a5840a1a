import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a tax invoice to a registered buyer must show (CGST Rule 46), and which mails about the end of a plan were sent. */
export class BillingAndPlanNotices1764000000020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE orders
        ADD COLUMN buyer_firm text NOT NULL DEFAULT '',
        ADD COLUMN buyer_address text NOT NULL DEFAULT '';

      -- Of the newest order with a GSTIN; '' without one.
      ALTER TABLE account
        ADD COLUMN gstin text NOT NULL DEFAULT '',
        ADD COLUMN billing_firm text NOT NULL DEFAULT '',
        ADD COLUMN billing_address text NOT NULL DEFAULT '';

      CREATE TABLE plan_notice (
        entitlement_id bigint NOT NULL REFERENCES entitlement,
        -- A plan may be moved: each end has its own mails.
        ends_at timestamptz NOT NULL,
        stage text NOT NULL CHECK (stage IN ('in-14-days', 'in-2-days', 'ended')),
        sent_at timestamptz NOT NULL,
        PRIMARY KEY (entitlement_id, ends_at, stage)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE plan_notice;
      ALTER TABLE account DROP COLUMN gstin, DROP COLUMN billing_firm, DROP COLUMN billing_address;
      ALTER TABLE orders DROP COLUMN buyer_firm, DROP COLUMN buyer_address;
    `);
  }
}
