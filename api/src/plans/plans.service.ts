import { Inject, Injectable } from '@nestjs/common';
import type { PlanState } from '@nivida/contract/order';
import { PLANS, type PlanId } from '@nivida/contract/plans';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditService } from '../audit/audit.service.ts';
import { AppError } from '../http/app-error.ts';
import { latestWritten } from '../http/clock-tolerance.ts';
import { CLOCK } from '../http/tokens.ts';
import { PaymentGateway } from '../payments/gateway.service.ts';
import { EntitlementEntity } from './entitlement.entity.ts';
import { monthOf, rankOf } from './periods.ts';
import { chosenStates } from './states.service.ts';

const STATES_KEPT_MS = 30 * 86_400_000;

/** What somebody's plan or trial is now. */
@Injectable()
export class PlansService {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(PaymentGateway) private readonly gateway: PaymentGateway,
    @Inject(AuditService) private readonly audit: AuditService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** The plan or trial that counts now; a paid plan goes before a trial, a higher before a lower one. */
  async current(userId: string): Promise<PlanState | null> {
    const now = this.now();
    const found = await this.find(this.dataSource.manager, userId, now);
    return found && this.describe(found, now);
  }

  /**
   * Chooses the states of the plan that counts now. Adding up to the plan's number is free at any time; replacing is
   * possible once in 30 days. NOT_FOUND without a plan, CONFLICT for a trial, for a plan of all India, and too early.
   */
  async chooseStates(userId: string, names: readonly string[], requestId: string): Promise<PlanState> {
    const now = this.now();
    const changed = await this.dataSource.transaction(async (manager) => {
      const plan = await this.find(manager, userId, now, true);
      if (!plan?.planId) throw new AppError('NOT_FOUND', 'You have no plan');
      if (plan.kind === 'trial') throw new AppError('CONFLICT', 'The trial covers the state of your registration');
      if (PLANS[plan.planId].states === null) throw new AppError('CONFLICT', 'Your plan covers all of India');
      const states = chosenStates(plan.planId, names);
      const isReplacing = plan.states.some((state) => !states.includes(state));
      if (isReplacing && changeableAt(plan, now) > now)
        throw new AppError('CONFLICT', 'States can be changed once in 30 days');
      const statesChosenAt = isReplacing || !plan.statesChosenAt ? now : plan.statesChosenAt;
      await manager.getRepository(EntitlementEntity).update({ id: plan.id }, { states, statesChosenAt });
      const deed = { action: 'plan.states-chosen', actorId: userId, subject: plan.id, detail: { states }, requestId };
      await this.audit.record(manager, deed);
      return { ...plan, states, statesChosenAt };
    });
    return this.describe(changed, now);
  }

  private async find(
    manager: EntityManager,
    userId: string,
    now: Date,
    isLocked = false,
  ): Promise<EntitlementEntity | null> {
    const query = manager
      .createQueryBuilder(EntitlementEntity, 'held')
      .where("held.userId = :userId AND held.kind IN ('plan', 'trial') AND held.revokedAt IS NULL", { userId })
      .andWhere('held.startsAt <= :now AND held.endsAt > :now', { now });
    if (this.gateway.live) query.andWhere('NOT held.isTest');
    if (isLocked) query.setLock('pessimistic_write');
    const held = await query.getMany();
    return held.toSorted((one, other) => worth(other) - worth(one))[0] ?? null;
  }

  private async describe(held: EntitlementEntity, now: Date): Promise<PlanState> {
    const planId = held.planId as PlanId;
    const plan = PLANS[planId];
    const isTrial = held.kind === 'trial';
    const [{ used }] = await this.dataSource.query(
      'SELECT count(*)::int AS used FROM download WHERE user_id = $1 AND month = $2',
      [held.userId, monthOf(now)],
    );
    return {
      planId,
      isTrial,
      states: held.states,
      startsAt: held.startsAt.toISOString(),
      endsAt: (held.endsAt as Date).toISOString(),
      downloadsUsed: used,
      downloadsPerMonth: isTrial ? 0 : plan.downloadsPerMonth,
      statesChangeableAt: isTrial || plan.states === null ? null : changeableAt(held, now).toISOString(),
    };
  }
}

const worth = ({ kind, planId }: EntitlementEntity): number => (kind === 'plan' ? 10 : 0) + rankOf(planId as PlanId);

function changeableAt({ statesChosenAt, startsAt }: EntitlementEntity, now: Date): Date {
  return statesChosenAt && statesChosenAt <= latestWritten(now)
    ? new Date(statesChosenAt.getTime() + STATES_KEPT_MS)
    : startsAt;
}
