import type { MigrationInterface, QueryRunner } from 'typeorm';
import { rederivePlaces } from '../../ingest/places/rederive-places.job.ts';

/** Tenders of engineers' posts get the departments of these posts; the index of saved searches follows. */
export class DepartmentsOfPosts1764000000072 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const [{ now }] = await runner.query('SELECT now()');
    await rederivePlaces(runner.manager, now);
    await runner.query("DELETE FROM search_probe WHERE probe = '-' OR probe LIKE 'p %'");
  }

  async down(): Promise<void> {}
}
