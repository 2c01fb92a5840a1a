import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One-time tokens by which a device sends changes while its app is closed. */
export class SendTokens1764000000021 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE send_token (
        digest text PRIMARY KEY,
        session_id uuid NOT NULL REFERENCES session (id) ON DELETE CASCADE
      );
      CREATE INDEX send_token_session ON send_token (session_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE send_token');
  }
}
