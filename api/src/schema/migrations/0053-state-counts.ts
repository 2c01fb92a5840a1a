import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The open tenders of each state are counted by an index alone: home asks for them. */
export class StateCounts1764000000053 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX tender_state_closing;
      CREATE INDEX tender_state_closing ON tender (state, closes_at) INCLUDE (published_at, origin);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX tender_state_closing;
      CREATE INDEX tender_state_closing ON tender (state, closes_at) INCLUDE (published_at);
    `);
  }
}
