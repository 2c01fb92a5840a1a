import type { EntityManager } from 'typeorm';

/**
 * Takes erased accounts out of their orders, in the transaction that erases them. What papers must show stays: the name
 * and the State, without a way to reach anybody.
 */
export async function eraseBuyers(manager: EntityManager, userIds: readonly string[]): Promise<void> {
  await manager.query(
    "UPDATE orders SET user_id = NULL, buyer_email = '', buyer_mobile = '', buyer_firm = '', buyer_address = '' WHERE user_id = ANY($1)",
    [userIds],
  );
  await manager.query("UPDATE entitlement SET user_id = NULL, email = '' WHERE user_id = ANY($1)", [userIds]);
}
