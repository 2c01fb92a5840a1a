import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The newest file of each feed is read once more: its rows get the stage that the corrected reader gives them. Of a
 * folder only the newest file counts, because older ones would bring older versions back.
 */
export class ReadFeedsAgain1764000000014 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE feed ADD COLUMN held_back boolean NOT NULL DEFAULT false;
      UPDATE feed SET seen = CASE WHEN source LIKE '/%' THEN seen - (
          SELECT key FROM jsonb_each_text(seen) ORDER BY split_part(value, ' ', 1)::float8 DESC, key DESC LIMIT 1)
        ELSE '{}' END
      WHERE seen <> '{}'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE feed DROP COLUMN held_back');
  }
}
