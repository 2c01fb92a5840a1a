import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Terms have one spelling for each letter of the Indian scripts. The job of the alerts stores the saved searches in these
 * scripts under their present terms.
 */
export class IndicProbes1764000000062 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query("DELETE FROM search_probe WHERE probe ~ '[^ -~]'");
  }

  async down(): Promise<void> {}
}
