import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The last run of each recurring job and of the backup, and the last import of each portal. */
export class JobRuns1764000000026 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE job_run (
        job text PRIMARY KEY,
        every_seconds integer NOT NULL,
        -- The age of a job that has never succeeded counts from here.
        registered_at timestamptz NOT NULL,
        started_at timestamptz,
        succeeded_at timestamptz,
        seconds real,
        items bigint,
        -- Failures since the last success.
        failures integer NOT NULL DEFAULT 0,
        error text
      );

      CREATE TABLE import_run (
        portal text PRIMARY KEY,
        imported_at timestamptz NOT NULL,
        seconds real,
        -- Null when the file named several portals.
        counts jsonb
      );
      INSERT INTO import_run (portal, imported_at)
      SELECT portal, max(fetched_at) FROM tender WHERE origin = 'portal' GROUP BY portal;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE import_run, job_run');
  }
}
