import { Inject, Injectable } from '@nestjs/common';
import { PLANS } from '@nivida/contract/orders/plans';
import { DataSource, type EntityManager } from 'typeorm';
import type { Config } from '../base/config.ts';
import { CLOCK, CONFIG } from '../base/injection-tokens.ts';
import { END_FREE_PLANS, GRANT_FREE_PLANS } from './plans.sql.ts';

/** The plan of every account when nothing is sold (R81). It has no order and does not end. */
@Injectable()
export class FreePlanService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Applies the operator's setting to all accounts at the start. If something is sold, free plans end. */
  async applyToAll(): Promise<void> {
    if (this.config.freePlan) await this.grant(this.dataSource.manager, null);
    else await this.dataSource.query(END_FREE_PLANS, [this.now()]);
  }

  /** Grants the plan to an account, with the state of its registration. null: to all accounts that lack it. */
  async grant(manager: EntityManager, userId: string | null): Promise<void> {
    const { freePlan } = this.config;
    if (!freePlan) return;
    await manager.query(GRANT_FREE_PLANS, [freePlan, PLANS[freePlan].states, this.now(), userId]);
  }
}
