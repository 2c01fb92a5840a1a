import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Conditions in the words of a saved search are no longer words. The job of the alerts stores the searches with words
 * under their present terms.
 */
export class ProbesOfConditions1764000000071 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "DELETE FROM search_probe WHERE search_id IN (SELECT id FROM saved_search WHERE filter->>'q' <> '')",
    );
  }

  async down(): Promise<void> {}
}
