import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Reads the newest file of each feed again, because a corrected reader assigns other stages. Of a folder only the newest
 * file is read, because older files would restore older versions. Public tenders with a publishing date in the future
 * become visible again.
 */
export class ReadFeedsAgain1764000000014 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE feed ADD COLUMN held_back boolean NOT NULL DEFAULT false;
      UPDATE feed SET seen = CASE WHEN source LIKE '/%' THEN seen - (
          SELECT key FROM jsonb_each_text(seen) ORDER BY split_part(value, ' ', 1)::float8 DESC, key DESC LIMIT 1)
        ELSE '{}' END
      WHERE seen <> '{}';

      -- A published tender whose publishing date had moved ahead was hidden: once public it stays public.
      SELECT pg_advisory_xact_lock(4770002);
      UPDATE tender t SET published_at = h.at, change_no = nextval('tender_change_no')
      FROM (SELECT tender_id, min(at) AS at FROM tender_history WHERE kind = 'published' GROUP BY tender_id) h
      WHERE h.tender_id = t.id AND t.change_no IS NOT NULL AND t.published_at > now() AND h.at <= now()
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE feed DROP COLUMN held_back');
  }
}
