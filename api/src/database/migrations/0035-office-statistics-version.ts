import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A state has one version for all its offices; that of the single office was never read. */
export class OfficeStatisticsVersion1764000000035 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE office_statistics DROP COLUMN version');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE office_statistics ADD COLUMN version integer NOT NULL DEFAULT 1');
  }
}
