import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Search terms have the class of their best field, for the order of lists; the job `reindex-tenders` stores them. Corrections
 * come from a table of the contract, so the stored vocabulary goes. Searches saved before places were read in their words
 * keep their reading.
 */
export class FieldClasses1764000000022 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE search_word;
      UPDATE saved_search SET filter = filter || '{"literal": "all"}' WHERE filter->>'q' <> '';
      DELETE FROM search_probe;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE search_word (word text COLLATE "C" PRIMARY KEY);
      UPDATE saved_search SET filter = filter - 'literal';
      UPDATE tender SET words = strip(words);
      DELETE FROM search_probe;
    `);
  }
}
