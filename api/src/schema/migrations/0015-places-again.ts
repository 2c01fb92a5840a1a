import type { MigrationInterface, QueryRunner } from 'typeorm';
import { rederivePlaces } from '../../ingest/places/rederive-places.job.ts';

/**
 * Derives departments and districts again by the current rules: tenders of unlisted organisations had no department, and
 * the PIN code of the office overrode named districts. Updates the index of saved searches too.
 */
export class PlacesAgain1764000000015 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const [{ now }] = await runner.query('SELECT now()');
    await rederivePlaces(runner.manager, now);
    await runner.query("DELETE FROM search_probe WHERE probe = '-' OR probe LIKE 'p %'");
  }

  async down(): Promise<void> {}
}
