import type { MigrationInterface, QueryRunner } from 'typeorm';
import { rederivePlaces } from '../../ingest/places/rederive-places.job.ts';

/**
 * Tenders of an organisation that is not listed had no department, and named districts lost against the PIN code of the
 * office. The rules of the running program derive both again; saved searches are filed again under the new departments.
 */
export class PlacesAgain1764000000015 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const [{ now }] = await runner.query('SELECT now()');
    await rederivePlaces(runner.manager, now);
    await runner.query("DELETE FROM search_probe WHERE probe = '-' OR probe LIKE 'p %'");
  }

  async down(): Promise<void> {}
}
