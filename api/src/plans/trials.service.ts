import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DAY_MS } from '@nivida/contract/time';
import type { EntityManager } from 'typeorm';
import type { UserEntity } from '../auth/user.entity.ts';
import type { Config } from '../base/config.ts';
import { CLOCK, CONFIG } from '../base/injection-tokens.ts';
import { PaymentGateway } from '../payments/payment-gateway.port.ts';
import { EntitlementEntity } from './entitlement.entity.ts';
import { FreePlanService } from './free-plan.service.ts';
import { INSERT_TAKEN_TRIALS } from './plans.sql.ts';

const TRIAL_MS = 7 * DAY_MS;

/** The trial of new accounts (R23). */
@Injectable()
export class TrialsService {
  constructor(
    private readonly gateway: PaymentGateway,
    private readonly freePlan: FreePlanService,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /**
   * Grants 7 days of Basic for the registered state, unless this e-mail or mobile number has had a trial. If nothing is sold,
   * the account gets the free plan instead.
   */
  async start(manager: EntityManager, user: Pick<UserEntity, 'id' | 'email' | 'mobileNo' | 'state'>): Promise<void> {
    if (this.config.freePlan) return this.freePlan.grant(manager, user.id);
    const now = this.now();
    const names = [`trial e-mail ${user.email.toLowerCase()}`, `trial mobile ${user.mobileNo}`];
    // Digests with the secret pepper: they are stored forever, and mobile numbers could be guessed from plain ones.
    const keys = names.map((name) => createHmac('sha256', this.config.otpPepper).update(name).digest('hex'));
    const isFree: unknown[] = await manager.query(INSERT_TAKEN_TRIALS, [keys, now]);
    if (isFree.length < keys.length) return;
    await manager.getRepository(EntitlementEntity).insert({
      orderId: null,
      kind: 'trial',
      userId: user.id,
      email: user.email,
      nit: null,
      tenderId: null,
      planId: 'basic',
      states: [user.state],
      statesChosenAt: now,
      startsAt: now,
      endsAt: new Date(now.getTime() + TRIAL_MS),
      // A trial has no payment; it is a test when the provider is not live.
      ownEndAt: null,
      endedBy: null,
      isTest: !this.gateway.live,
      isGift: false,
      revokedAt: null,
      createdAt: now,
    });
  }
}
