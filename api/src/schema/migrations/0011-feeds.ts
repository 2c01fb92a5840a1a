import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The state of each feed. */
export class Feeds1764000000011 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE feed (
        -- Of the portal, as FEEDS names it.
        name text PRIMARY KEY,
        -- With another source everything that was remembered of it is forgotten.
        source text NOT NULL,
        tried_at timestamptz NOT NULL,
        succeeded_at timestamptz,
        -- Of the last try; null when it succeeded.
        error text,
        -- Of the last import that read something.
        counts jsonb,
        -- By which a source says that nothing is new: validators of an address, times and sizes of a folder's files.
        seen jsonb NOT NULL
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE feed');
  }
}
