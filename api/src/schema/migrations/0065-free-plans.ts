import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A plan without an order: every account has one where nothing is sold. */
export class FreePlans1764000000065 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE entitlement DROP CONSTRAINT entitlement_trial_check,
        ADD CONSTRAINT entitlement_order_check CHECK (
          CASE kind WHEN 'trial' THEN order_id IS NULL WHEN 'documents' THEN order_id IS NOT NULL ELSE true END);
      CREATE UNIQUE INDEX entitlement_free_plan ON entitlement (user_id) WHERE kind = 'plan' AND order_id IS NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX entitlement_free_plan;
      ALTER TABLE entitlement DROP CONSTRAINT entitlement_order_check,
        ADD CONSTRAINT entitlement_trial_check CHECK ((kind = 'trial') = (order_id IS NULL));
    `);
  }
}
