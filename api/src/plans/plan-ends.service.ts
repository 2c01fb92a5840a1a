import { Inject, Injectable } from '@nestjs/common';
import { PLANS, type PlanId } from '@nivida/contract/orders/plans';
import { DataSource } from 'typeorm';
import type { Config } from '../config.ts';
import { CLOCK, CONFIG } from '../http/injection-tokens.ts';
import type { JobContext } from '../jobs/schedule.ts';
import { MailService } from '../mail/mail.service.ts';
import { PaymentGateway } from '../payments/payment-gateway.port.ts';

/** Days of the Indian calendar before the end. */
const FIRST_NOTICE_DAYS = 14;
const SECOND_NOTICE_DAYS = 2;
/** Plans that ended longer ago are not mentioned. */
const MAX_ENDED_DAYS = 7;

interface EndingPlan {
  id: string;
  plan_id: PlanId;
  ends_at: Date;
  email: string;
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
    const plans: EndingPlan[] = await this.dataSource.query(ENDING_PLANS, [this.now(), !this.gateway.live]);
    let sent = 0;
    for (const plan of plans) if (await this.notify(plan)) sent += 1;
    return sent;
  }

  private notify(plan: EndingPlan): Promise<boolean> {
    const stage = plan.has_ended ? 'ended' : plan.days <= SECOND_NOTICE_DAYS ? 'in-2-days' : 'in-14-days';
    return this.dataSource.transaction(async (manager) => {
      const added: unknown[] = await manager.query(
        'INSERT INTO plan_notice VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING stage',
        [plan.id, plan.ends_at, stage, this.now()],
      );
      if (added.length === 0) return false;
      await this.mails.queue(manager, {
        kind: 'plan-ends',
        to: plan.email,
        planName: PLANS[plan.plan_id].name,
        endsAt: plan.ends_at.toISOString(),
        days: plan.has_ended ? -1 : plan.days,
        link: `${this.config.publicOrigin}/pricing`,
      });
      return true;
    });
  }
}

/** $1 now, $2 whether test plans count. A plan that another one continues does not end. */
const ENDING_PLANS = `
  SELECT e.id, e.plan_id, e.ends_at, coalesce(a.email, e.email) AS email, e.ends_at <= $1 AS has_ended,
    (e.ends_at AT TIME ZONE 'Asia/Kolkata')::date - ($1::timestamptz AT TIME ZONE 'Asia/Kolkata')::date AS days
  FROM entitlement e LEFT JOIN account a ON a.id = e.user_id
  WHERE e.kind = 'plan' AND e.revoked_at IS NULL AND e.is_test = $2 AND e.starts_at <= $1
    AND (e.ends_at AT TIME ZONE 'Asia/Kolkata')::date - ($1::timestamptz AT TIME ZONE 'Asia/Kolkata')::date
      BETWEEN -${MAX_ENDED_DAYS} AND ${FIRST_NOTICE_DAYS}
    AND a.deleted_at IS NULL AND coalesce(a.email, e.email) <> ''
    AND NOT EXISTS (
      SELECT 1 FROM entitlement o
      WHERE o.kind = 'plan' AND o.revoked_at IS NULL AND o.is_test = $2 AND o.id <> e.id
        AND o.starts_at <= greatest(e.ends_at, $1) AND o.ends_at > greatest(e.ends_at, $1)
        AND (o.user_id = e.user_id OR o.user_id IS NULL AND e.user_id IS NULL AND lower(o.email) = lower(e.email)))
  ORDER BY e.id`;

/** The job: `plan-ends`. */
export async function notifyPlanEnds({ find }: JobContext): Promise<number> {
  return (await find(PlanEndsService)).run();
}
