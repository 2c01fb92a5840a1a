import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import type { GrantedPlan, ListedGift } from '@nivida/contract/desk/people';
import { endOfIndianDay } from '@nivida/contract/format';
import type { PlanId } from '@nivida/contract/orders/plans';
import { DataSource, type EntityManager, type FindOptionsWhere, In } from 'typeorm';
import { type OperatorAct, recordAct } from '../audit/record-act.ts';
import { maskEmail } from '../auth/security-events.service.ts';
import { UserEntity } from '../auth/user.entity.ts';
import { AppError } from '../base/app-error.ts';
import { CLOCK } from '../base/injection-tokens.ts';
import { PaymentGateway } from '../payments/payment-gateway.port.ts';
import { EntitlementEntity } from './entitlement.entity.ts';
import { EntitlementsService } from './entitlements.service.ts';
import { validatePlanStates } from './plans.service.ts';

const GIFTS_PER_PAGE = 100;

/** A plan to give. */
export interface Gift {
  planId: PlanId;
  email: string;
  /** Last Indian day: '2027-03-31'. */
  until: string;
  /** States of the plan; undefined: that of the account, or the user chooses. */
  states?: readonly string[] | undefined;
}

/** What became of a gift. */
export interface GivenGift {
  id: string;
  /** `unchanged`: the person had it already; `changed`: it has another end or other states now. */
  outcome: 'given' | 'changed' | 'unchanged';
  /** False: it waits until an account with this e-mail address is registered. */
  hasAccount: boolean;
}

/** Plans that an operator gives: without an order, an invoice or a payment, beside plans that the user has bought. */
@Injectable()
export class GiftsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly entitlements: EntitlementsService,
    private readonly gateway: PaymentGateway,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /**
   * Gives a plan from now until the end of a day. A person has one gift of each plan; giving it again changes its end and its
   * states. INVALID for a day that is over, for unlisted states and for more than the plan covers.
   */
  give({ planId, email, until, states }: Gift, act: OperatorAct): Promise<GivenGift> {
    const now = this.now();
    const lastMoment = endOfIndianDay(until);
    if (lastMoment <= now) throw new AppError('INVALID', () => t`The last day of the plan is over already`);
    const endsAt = new Date(lastMoment.getTime() + 1);
    const chosen = states && validatePlanStates(planId, states);
    return this.dataSource.transaction(async (manager) => {
      const user = await this.findAccount(manager, email);
      const userId = user?.id ?? null;
      await this.entitlements.lockPlans(manager, { userId, buyerEmail: email });
      const present = await this.findGift(manager, planId, userId, email, now);
      const own = chosen ?? present?.states ?? validatePlanStates(planId, user ? [user.state] : []);
      const outcome = present ? changeOf(present, endsAt, own) : 'given';
      const id = await this.store(manager, present, { planId, userId, email, states: own, endsAt }, outcome);
      if (outcome !== 'unchanged') {
        const detail = { plan: planId, until, states: own, entitlement: id, outcome };
        await recordAct(manager, act, { action: 'plan.given', subject: userId ?? maskEmail(email), detail }, now);
      }
      return { id, outcome, hasAccount: user !== null };
    });
  }

  /** Ends a gift now. NOT_FOUND; CONFLICT for a plan that was bought, and for one that has ended. */
  async end(id: string, act: OperatorAct): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const now = this.now();
      const found = /^\d{1,18}$/.test(id) && (await manager.getRepository(EntitlementEntity).findOneBy({ id }));
      if (!found || found.kind === 'documents') throw new AppError('NOT_FOUND', () => t`There is no such plan`);
      if (!found.isGift)
        throw new AppError('CONFLICT', () =>
          found.orderId ? t`This plan was bought: refund its order` : t`Only a plan that was given can be ended`,
        );
      if ((found.endsAt && found.endsAt <= now) || !(await this.entitlements.endGift(manager, found, now)))
        throw new AppError('CONFLICT', () => t`This plan has ended already`);
      const subject = found.userId ?? maskEmail(found.email);
      const detail = { plan: found.planId ?? '', entitlement: id };
      await recordAct(manager, act, { action: 'plan.ended', subject, detail }, now);
    });
  }

  /** All plans and trials of an account, the newest first. */
  listOf(userId: string): Promise<GrantedPlan[]> {
    return this.granted({ userId, kind: In(['plan', 'trial']) });
  }

  /** All plans of a firm, the newest first. */
  listOfFirm(firmId: string): Promise<GrantedPlan[]> {
    return this.granted({ firmId });
  }

  private async granted(where: FindOptionsWhere<EntitlementEntity>): Promise<GrantedPlan[]> {
    const now = this.now();
    const found = await this.dataSource
      .getRepository(EntitlementEntity)
      .find({ where, order: { startsAt: 'DESC', id: 'DESC' } });
    return found.map((each) => toGranted(each, now));
  }

  /** A page of 100 gifts that have not ended, the newest first; with `email` those that wait for its account. */
  async list({ page = 1, email }: { page?: number; email?: string | undefined }): Promise<ListedGift[]> {
    const now = this.now();
    const query = this.dataSource
      .getRepository(EntitlementEntity)
      .createQueryBuilder('gift')
      .where('gift.isGift AND gift.revokedAt IS NULL AND gift.endsAt > :now', { now });
    if (email !== undefined) query.andWhere('gift.userId IS NULL AND lower(gift.email) = lower(:email)', { email });
    const found = await query
      .orderBy('gift.id', 'DESC')
      .limit(GIFTS_PER_PAGE)
      .offset((page - 1) * GIFTS_PER_PAGE)
      .getMany();
    return found.map((each) => ({
      ...toGranted(each, now),
      userId: each.userId,
      email: each.email ? maskEmail(each.email) : '',
    }));
  }

  private findAccount(manager: EntityManager, email: string): Promise<UserEntity | null> {
    return manager
      .getRepository(UserEntity)
      .createQueryBuilder('owner')
      .where('lower(owner.email) = lower(:email) AND owner.deletedAt IS NULL', { email })
      .getOne();
  }

  private findGift(
    manager: EntityManager,
    planId: PlanId,
    userId: string | null,
    email: string,
    now: Date,
  ): Promise<EntitlementEntity | null> {
    const query = manager
      .getRepository(EntitlementEntity)
      .createQueryBuilder('gift')
      .where('gift.isGift AND gift.planId = :planId AND gift.revokedAt IS NULL AND gift.endsAt > :now', {
        planId,
        now,
      });
    if (userId) query.andWhere('gift.userId = :userId', { userId });
    else query.andWhere('gift.userId IS NULL AND lower(gift.email) = lower(:email)', { email });
    return query.getOne();
  }

  /** Returns the id of the entitlement. */
  private async store(
    manager: EntityManager,
    present: EntitlementEntity | null,
    gift: Pick<EntitlementEntity, 'planId' | 'userId' | 'email' | 'states' | 'endsAt'>,
    outcome: GivenGift['outcome'],
  ): Promise<string> {
    const repository = manager.getRepository(EntitlementEntity);
    const now = this.now();
    const { states, endsAt } = gift;
    if (present) {
      if (outcome === 'changed') await repository.update({ id: present.id }, { states, endsAt });
      return present.id;
    }
    const { id } = await repository.save({
      ...gift,
      ...{ orderId: null, kind: 'plan', nit: null, tenderId: null, ownEndAt: null, endedBy: null, revokedAt: null },
      statesChosenAt: null,
      startsAt: now,
      isTest: this.gateway.mode === 'sandbox',
      isGift: true,
      createdAt: now,
    } as EntitlementEntity);
    return id;
  }
}

const changeOf = ({ endsAt, states }: EntitlementEntity, newEnd: Date, newStates: string[]): 'changed' | 'unchanged' =>
  endsAt?.getTime() === newEnd.getTime() && states.join() === newStates.join() ? 'unchanged' : 'changed';

function toGranted(entitlement: EntitlementEntity, now: Date): GrantedPlan {
  const { id, planId, kind, orderId, isGift, states, startsAt, endsAt, revokedAt, isTest } = entitlement;
  const end = endsAt ?? now;
  return {
    id,
    planId: planId as PlanId,
    origin: kind === 'trial' ? 'trial' : isGift ? 'gift' : orderId ? 'order' : 'free',
    states,
    startsAt: startsAt.toISOString(),
    endsAt: end.toISOString(),
    status: revokedAt ? 'revoked' : end <= now ? 'ended' : startsAt > now ? 'waiting' : 'running',
    isTest,
  };
}
