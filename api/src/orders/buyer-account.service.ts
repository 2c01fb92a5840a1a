import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { UserEntity } from '../auth/user.entity.ts';
import { CLOCK } from '../base/injection-tokens.ts';
import { EntitlementsService } from '../plans/entitlements.service.ts';
import {
  ACTIVE_ACCOUNT_BY_EMAIL,
  CLAIM_ORDERS,
  ERASE_BUYERS_OF_ORDERS,
  ERASE_OWNERS_OF_ENTITLEMENTS,
} from './orders.sql.ts';

/** Assigns guest orders to the account with the same verified e-mail (R45). */
@Injectable()
export class BuyerAccountService {
  constructor(
    private readonly entitlements: EntitlementsService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Runs in the transaction of the sign-in or of the change of the verified e-mail. */
  async claimOrders(manager: EntityManager, user: Pick<UserEntity, 'id' | 'email'>): Promise<void> {
    // Orders are locked before entitlements, as in all transactions. This waits for orders that are being settled.
    await manager.query(CLAIM_ORDERS, [user.id, user.email]);
    await this.entitlements.claim(manager, user, this.now());
  }
}

/** The account with this verified e-mail, which a guest has entered (R45). */
export async function findVerifiedOwner(manager: EntityManager, email: string): Promise<string | null> {
  const rows: { id: string }[] = await manager.query(ACTIVE_ACCOUNT_BY_EMAIL, [email]);
  return rows[0]?.id ?? null;
}

/** Removes erased accounts from their orders, in their transaction. Name and State stay, because invoices show them. */
export async function eraseBuyers(manager: EntityManager, userIds: readonly string[]): Promise<void> {
  await manager.query(ERASE_BUYERS_OF_ORDERS, [userIds]);
  await manager.query(ERASE_OWNERS_OF_ENTITLEMENTS, [userIds]);
}
