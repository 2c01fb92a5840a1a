import { Inject, Injectable } from '@nestjs/common';
import { type Language, pathIn } from '@nivida/contract/languages';
import { PLANS, type PlanId } from '@nivida/contract/orders/plans';
import { DataSource } from 'typeorm';
import type { Config } from '../base/config.ts';
import { CLOCK, CONFIG } from '../base/injection-tokens.ts';
import type { Job } from '../jobs/job.ts';
import { MailService } from '../mail/mail.service.ts';
import { PaymentGateway } from '../payments/payment-gateway.port.ts';
import { ENDING_PLANS, INSERT_PLAN_NOTICE } from './plans.sql.ts';

/** Indian calendar days before the end of a plan. */
const SECOND_NOTICE_DAYS = 2;

interface EndingPlan {
  id: string;
  plan_id: PlanId;
  is_firm: boolean;
  ends_at: Date;
  email: string;
  language: Language;
  days: number;
  has_ended: boolean;
}

/** Mails the owners of plans that end or have ended, once per stage. */
@Injectable()
export class PlanEndsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly gateway: PaymentGateway,
    private readonly mails: MailService,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Returns the number of mails. */
  async run(): Promise<number> {
    if (this.gateway.mode === 'none') return 0;
    const plans: EndingPlan[] = await this.dataSource.query(ENDING_PLANS, [this.now(), !this.gateway.live]);
    let sent = 0;
    for (const plan of plans) if (await this.notify(plan)) sent += 1;
    return sent;
  }

  private notify(plan: EndingPlan): Promise<boolean> {
    const stage = plan.has_ended ? 'ended' : plan.days <= SECOND_NOTICE_DAYS ? 'in-2-days' : 'in-14-days';
    return this.dataSource.transaction(async (manager) => {
      const added: unknown[] = await manager.query(INSERT_PLAN_NOTICE, [plan.id, plan.ends_at, stage, this.now()]);
      if (added.length === 0) return false;
      await this.mails.queue(manager, {
        kind: 'plan-ends',
        to: plan.email,
        language: plan.language,
        planName: plan.is_firm ? 'Firm' : PLANS[plan.plan_id].name,
        endsAt: plan.ends_at.toISOString(),
        days: plan.has_ended ? -1 : plan.days,
        link: `${this.config.publicOrigin}${pathIn(plan.language, plan.is_firm ? '/dashboard/firms' : '/pricing')}`,
      });
      return true;
    });
  }
}

export const planEndsJob: Job = {
  name: 'plan-ends',
  cron: '11 10 * * *',
  run: async ({ find }) => (await find(PlanEndsService)).run(),
};
