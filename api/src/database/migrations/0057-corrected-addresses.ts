import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The operator's correction of an order's address did not reach what the order grants. An account claims it by its address. */
export class CorrectedAddresses1764000000057 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `UPDATE entitlement e SET email = o.buyer_email FROM orders o
       WHERE o.id = e.order_id AND e.user_id IS NULL AND o.buyer_email <> '' AND e.email <> ''
         AND lower(e.email) <> lower(o.buyer_email)`,
    );
  }

  async down(): Promise<void> {}
}
