import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CLOCK } from '../http/injection-tokens.ts';
import { EntitlementsService } from '../plans/entitlements.service.ts';
import type { UserEntity } from '../users/user.entity.ts';

/** Assigns guest orders to the account with the same verified e-mail (RESOLUTIONS R45). */
@Injectable()
export class BuyerAccountService {
  constructor(
    private readonly entitlements: EntitlementsService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Runs in the transaction of the sign-in or of the change of the verified e-mail. */
  async claimOrders(manager: EntityManager, user: Pick<UserEntity, 'id' | 'email'>): Promise<void> {
    // Orders are locked before entitlements, as everywhere; this waits for an order that is being settled.
    await manager.query('UPDATE orders SET user_id = $1 WHERE user_id IS NULL AND lower(buyer_email) = lower($2)', [
      user.id,
      user.email,
    ]);
    await this.entitlements.claim(manager, user, this.now());
  }
}

/** Removes erased accounts from their orders, in their transaction. Name and State stay, because invoices show them. */
export async function eraseBuyers(manager: EntityManager, userIds: readonly string[]): Promise<void> {
  await manager.query(
    "UPDATE orders SET user_id = NULL, buyer_email = '', buyer_mobile = '', buyer_firm = '', buyer_address = '' WHERE user_id = ANY($1)",
    [userIds],
  );
  await manager.query("UPDATE entitlement SET user_id = NULL, email = '' WHERE user_id = ANY($1)", [userIds]);
}
