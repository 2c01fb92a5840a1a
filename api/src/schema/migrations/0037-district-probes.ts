import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Saved searches for 'stairs' or 'habitation' were stored under the districts Sidhi and Basti, whose names are such words.
 * The job of the alerts stores them under their words.
 */
export class DistrictProbes1764000000037 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query("DELETE FROM search_probe WHERE probe LIKE 'p %'");
  }

  async down(): Promise<void> {}
}
