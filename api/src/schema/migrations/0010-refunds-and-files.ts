import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The revoked part of a refunded plan, and the removed files of old packages. */
export class RefundsAndFiles1764000000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Of a plan that a higher one has ended: when it would have ended by itself, and the order of the higher one.
      ALTER TABLE entitlement ADD COLUMN own_end_at timestamptz, ADD COLUMN ended_by bigint REFERENCES orders,
        ADD CONSTRAINT entitlement_ended_check CHECK ((own_end_at IS NULL) = (ended_by IS NULL));
      -- When the file of an old version was removed; the row stays for the links that led to it.
      ALTER TABLE document_package ADD COLUMN removed_at timestamptz;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE document_package DROP COLUMN removed_at;
      ALTER TABLE entitlement DROP COLUMN own_end_at, DROP COLUMN ended_by;
    `);
  }
}
