import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CLOCK } from '../http/injection-tokens.ts';
import { EntitlementsService } from '../plans/entitlements.service.ts';
import type { UserEntity } from '../users/user.entity.ts';

/** Gives accounts what was bought with their verified e-mail before anybody was signed in (RESOLUTIONS R45). */
@Injectable()
export class BuyerAccountService {
  constructor(
    @Inject(EntitlementsService) private readonly entitlements: EntitlementsService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Claims orders and what they granted, in the transaction that lets the user in or changes his verified e-mail. */
  async claimOrders(manager: EntityManager, user: Pick<UserEntity, 'id' | 'email'>): Promise<void> {
    // The orders first, as everywhere: one that is being settled is waited for.
    await manager.query('UPDATE orders SET user_id = $1 WHERE user_id IS NULL AND lower(buyer_email) = lower($2)', [
      user.id,
      user.email,
    ]);
    await this.entitlements.claim(manager, user, this.now());
  }
}
