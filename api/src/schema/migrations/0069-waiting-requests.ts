import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The open requests for documents of an account and of an e-mail address, which are counted before one is added. */
export class WaitingRequests1764000000069 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX document_request_waiting_account ON document_request (user_id)
        WHERE user_id IS NOT NULL AND answered_at IS NULL;
      CREATE INDEX document_request_waiting_email ON document_request (email)
        WHERE email IS NOT NULL AND answered_at IS NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX document_request_waiting_account; DROP INDEX document_request_waiting_email');
  }
}
