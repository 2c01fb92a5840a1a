import { plural, t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import type { PlanState } from '@nivida/contract/orders/order';
import { PLANS, type PlanId } from '@nivida/contract/orders/plans';
import { findRegion } from '@nivida/contract/regions/regions';
import { DAY_MS } from '@nivida/contract/time';
import { DataSource, type EntityManager } from 'typeorm';
import { recordAuditEvent } from '../audit/record-audit-event.ts';
import { AppError, invalidField } from '../base/app-error.ts';
import { CLOCK, latestPlausibleInstant } from '../base/injection-tokens.ts';
import { PaymentGateway } from '../payments/payment-gateway.port.ts';
import { EntitlementEntity } from './entitlement.entity.ts';
import { firstDayOfMonth, planRank } from './plan-periods.ts';
import { CREDITABLE_PLANS, DOWNLOADS_OF_MONTH, FIRM_NAME, FIRMS_OF_USER } from './plans.sql.ts';

const STATES_CHANGE_INTERVAL_MS = 30 * DAY_MS;

/** The current plan or trial of an account. */
@Injectable()
export class PlansService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly gateway: PaymentGateway,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** The current plan or trial: plans come before trials, higher plans before lower ones. */
  async current(userId: string): Promise<PlanState | null> {
    const now = this.now();
    const found = await this.find(this.dataSource.manager, userId, now);
    return found && this.describe(userId, found, now);
  }

  /**
   * Chooses the states of the current plan. States may be added up to the plan's number at any time; replacing is
   * possible once in 30 days. NOT_FOUND without a plan, CONFLICT for a trial, for a plan of all India, and too early.
   */
  async chooseStates(userId: string, names: readonly string[], requestId: string): Promise<PlanState> {
    const now = this.now();
    const changed = await this.dataSource.transaction(async (manager) => {
      const plan = await this.find(manager, userId, now, true);
      if (!plan?.planId) throw new AppError('NOT_FOUND', () => t`You have no plan`);
      if (plan.kind === 'trial')
        throw new AppError('CONFLICT', () => t`The trial covers the state of your registration`);
      if (PLANS[plan.planId].states === null) throw new AppError('CONFLICT', () => t`Your plan covers all of India`);
      const states = validatePlanStates(plan.planId, names);
      const isReplacing = plan.states.some((state) => !states.includes(state));
      if (isReplacing && statesChangeableAt(plan, now) > now)
        throw new AppError('CONFLICT', () => t`States can be changed once in 30 days`);
      const statesChosenAt = isReplacing || !plan.statesChosenAt ? now : plan.statesChosenAt;
      await manager.getRepository(EntitlementEntity).update({ id: plan.id }, { states, statesChosenAt });
      const event = { action: 'plan.states-chosen', actorId: userId, subject: plan.id, detail: { states }, requestId };
      await recordAuditEvent(manager, event, this.now());
      return { ...plan, states, statesChosenAt };
    });
    return this.describe(userId, changed, now);
  }

  /** Bought plans of a user that run or wait, for a credit of the firm's plan. */
  creditable(
    manager: EntityManager,
    { userId, firmId, live }: { userId: string; firmId: string; live: boolean },
    now: Date,
  ): Promise<{ id: string; planId: PlanId; startsAt: Date; endsAt: Date; paidPaise: number }[]> {
    return manager.query(CREDITABLE_PLANS, [userId, now, !live, firmId]);
  }

  private async find(
    manager: EntityManager,
    userId: string,
    now: Date,
    isLocked = false,
  ): Promise<EntitlementEntity | null> {
    const query = manager
      .createQueryBuilder(EntitlementEntity, 'own')
      .where(`(own.userId = :userId OR own.firmId IN (${FIRMS_OF_USER}))`, { userId })
      .andWhere("own.kind IN ('plan', 'trial') AND own.revokedAt IS NULL")
      .andWhere('own.startsAt <= :now AND own.endsAt > :now', { now });
    if (this.gateway.live) query.andWhere('NOT own.isTest');
    if (isLocked) query.setLock('pessimistic_write');
    const entitlements = await query.getMany();
    return entitlements.toSorted((one, other) => entitlementPriority(other) - entitlementPriority(one))[0] ?? null;
  }

  private async describe(userId: string, entitlement: EntitlementEntity, now: Date): Promise<PlanState> {
    const planId = entitlement.planId as PlanId;
    const plan = PLANS[planId];
    const isTrial = entitlement.kind === 'trial';
    const [{ used }] = await this.dataSource.query(DOWNLOADS_OF_MONTH, [userId, firstDayOfMonth(now)]);
    const [firm]: { name: string }[] = entitlement.firmId
      ? await this.dataSource.query(FIRM_NAME, [entitlement.firmId])
      : [];
    return {
      planId,
      isTrial,
      ...(firm && { firm: firm.name }),
      isGift: entitlement.isGift,
      states: entitlement.states,
      startsAt: entitlement.startsAt.toISOString(),
      endsAt: (entitlement.endsAt as Date).toISOString(),
      downloadsUsed: used,
      downloadsPerMonth: isTrial ? 0 : plan.downloadsPerMonth,
      statesChangeableAt: isTrial || plan.states === null ? null : statesChangeableAt(entitlement, now).toISOString(),
    };
  }
}

const entitlementPriority = ({ kind, planId }: EntitlementEntity): number =>
  (kind === 'plan' ? 10 : 0) + planRank(planId as PlanId);

function statesChangeableAt({ statesChosenAt, startsAt }: EntitlementEntity, now: Date): Date {
  return statesChosenAt && statesChosenAt <= latestPlausibleInstant(now)
    ? new Date(statesChosenAt.getTime() + STATES_CHANGE_INTERVAL_MS)
    : startsAt;
}

/**
 * The chosen states under their listed names, without duplicates; none for a plan of all India. INVALID (422) for an
 * unlisted state and for more than the plan covers.
 */
export function validatePlanStates(plan: PlanId, names: readonly string[]): string[] {
  const { states: maxStates, name } = PLANS[plan];
  if (maxStates === null) return [];
  const listed = names.map((each) => findRegion(each)?.state.name);
  if (listed.includes(undefined)) throw invalidField('states', () => t`Please choose a state from the list`, 422);
  const states = [...new Set(listed as string[])];
  if (states.length > maxStates)
    throw invalidField(
      'states',
      () => t`${name} covers ${plural(maxStates, { one: '# state', other: '# states' })}`,
      422,
    );
  return states;
}
