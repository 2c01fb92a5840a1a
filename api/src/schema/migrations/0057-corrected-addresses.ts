import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Earlier versions corrected the address of an order only, but an account claims an entitlement by the entitlement's
 * address.
 */
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
