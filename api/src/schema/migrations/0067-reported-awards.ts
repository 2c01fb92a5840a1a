import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An award that a second portal reported is the award of the tender, until the tender's own portal reports it. */
export class ReportedAwards1764000000067 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Null: the portal of the row.
      ALTER TABLE award ADD COLUMN reported_by text;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE award DROP COLUMN reported_by');
  }
}
