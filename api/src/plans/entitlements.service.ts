import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull } from 'typeorm';
import { takeNamedLock } from '../database/locks.sql.ts';
import { EntitlementEntity } from './entitlement.entity.ts';
import { closeGap, type PlacedPlan, placePlan } from './plan-periods.ts';
import {
  END_CREDITED_PLANS,
  LOCK_CREDITED_PLANS,
  ORDER_OF_CREDIT,
  PLACED_PLANS,
  RESTORE_TRIAL_ENDS,
} from './plans.sql.ts';

type PlanId = NonNullable<EntitlementEntity['planId']>;

/** The buyer of plans, and the kind of money of the order. */
interface PlanOwner {
  userId: string | null;
  buyerEmail: string;
  live: boolean;
  /** The firm of a firm's plan. */
  firmId?: string | null;
}

/** What an order has bought: a plan, or the documents of a tender. */
interface PaidOrder extends PlanOwner {
  id: string;
  planId: PlanId | null;
  states: string[];
  nit: string | null;
  tenderId: number | null;
  credits?: readonly { entitlementId: string }[];
}

/** Grants and revokes entitlements. */
@Injectable()
export class EntitlementsService {
  /** Grants a paid order, in the transaction that makes it SUCCESS; the order's row is locked. */
  async grant(manager: EntityManager, order: PaidOrder, now: Date): Promise<EntitlementEntity> {
    const entitlements = manager.getRepository(EntitlementEntity);
    const { moved = [], ...period } = order.planId
      ? placePlan(order.planId, await this.findPlans(manager, order, now), now)
      : { startsAt: now, endsAt: null };
    for (const { id, startsAt, endsAt, ownEndAt } of moved)
      await entitlements.update({ id }, { startsAt, endsAt, ...(ownEndAt && { ownEndAt, endedBy: order.id }) });
    const { firmId = null } = order;
    return entitlements.save({
      orderId: order.id,
      kind: order.planId ? 'plan' : 'documents',
      // A firm's plan is not the buyer's: it is not claimed by the address.
      userId: firmId === null ? order.userId : null,
      firmId,
      email: firmId === null ? order.buyerEmail : '',
      nit: order.nit,
      tenderId: order.tenderId,
      planId: order.planId,
      states: order.states,
      statesChosenAt: order.states.length > 0 ? now : null,
      ownEndAt: null,
      endedBy: null,
      ...period,
      isTest: !order.live,
      isGift: false,
      revokedAt: null,
      createdAt: now,
    } as EntitlementEntity);
  }

  /**
   * Ends the plans that a paid order credits, before it is granted. False, and nothing has changed, if the credit of one is
   * gone: another order has credited or ended it, or it is refunded.
   */
  async useCredits(manager: EntityManager, order: PaidOrder, now: Date): Promise<boolean> {
    const { id, userId, buyerEmail, credits = [] } = order;
    if (credits.length === 0) return true;
    await this.lockPlans(manager, { userId, buyerEmail });
    const plans = credits.map(({ entitlementId }) => entitlementId);
    const unused: unknown[] = await manager.query(LOCK_CREDITED_PLANS, [plans, userId]);
    if (unused.length < plans.length) return false;
    await manager.query(END_CREDITED_PLANS, [plans, now, id]);
    return true;
  }

  /** The public id of the order to which the plan of an order was credited, with the buyer's plans locked. */
  async orderOfCredit(manager: EntityManager, order: Pick<PaidOrder, 'id' | 'userId' | 'buyerEmail'>) {
    await this.lockPlans(manager, order);
    const rows: { public_id: string }[] = await manager.query(ORDER_OF_CREDIT, [order.id]);
    return rows[0]?.public_id;
  }

  /**
   * Revokes an order's entitlement; null when there is none. Other plans continue as if this one had never been bought. A
   * lower plan that it ended continues until its original end, and waiting plans begin earlier.
   */
  async revoke(manager: EntityManager, orderId: string, now: Date): Promise<EntitlementEntity | null> {
    const entitlements = manager.getRepository(EntitlementEntity);
    const found = await entitlements.findOneBy({ orderId });
    if (!found || found.revokedAt) return found;
    const owner = { userId: found.userId, buyerEmail: found.email, live: !found.isTest, firmId: found.firmId };
    if (found.kind === 'plan') await this.lockPlans(manager, owner);
    await entitlements.update({ id: found.id }, { revokedAt: now });
    if (found.kind === 'plan') {
      await manager.query(RESTORE_TRIAL_ENDS, [orderId]);
      await this.closeGap(manager, owner, now);
    }
    return { ...found, revokedAt: now };
  }

  /** Ends a gift; plans that waited for its end begin earlier. False when it was ended before. */
  async endGift(manager: EntityManager, gift: EntitlementEntity, now: Date): Promise<boolean> {
    const owner = { userId: gift.userId, buyerEmail: gift.email, live: !gift.isTest };
    await this.lockPlans(manager, owner);
    const { affected } = await manager
      .getRepository(EntitlementEntity)
      .update({ id: gift.id, isGift: true, revokedAt: IsNull() }, { revokedAt: now });
    if (affected === 0) return false;
    await this.closeGap(manager, owner, now);
    return true;
  }

  private async closeGap(manager: EntityManager, owner: PlanOwner, now: Date): Promise<void> {
    for (const { id, startsAt, endsAt } of closeGap(await this.findPlans(manager, owner, now), now))
      await manager.getRepository(EntitlementEntity).update({ id }, { startsAt, endsAt });
  }

  /**
   * Assigns guest entitlements to the account with the same verified e-mail (R45). A plan that has to wait for another one
   * keeps its unused days.
   */
  async claim(manager: EntityManager, user: { id: string; email: string }, now: Date): Promise<void> {
    const entitlements = manager.getRepository(EntitlementEntity);
    const found = await entitlements
      .createQueryBuilder('entitlement')
      .where('entitlement.userId IS NULL AND entitlement.firmId IS NULL AND lower(entitlement.email) = lower(:email)', {
        email: user.email,
      })
      .orderBy('entitlement.startsAt')
      .setLock('pessimistic_write')
      .getMany();
    for (const each of found) {
      await entitlements.update(
        { id: each.id },
        { userId: user.id, ...(await this.rescheduled(manager, user, each, now)) },
      );
    }
  }

  private async rescheduled(
    manager: EntityManager,
    { id: userId, email: buyerEmail }: { id: string; email: string },
    { kind, planId, startsAt, endsAt, isTest, isGift }: EntitlementEntity,
    now: Date,
  ): Promise<Partial<EntitlementEntity>> {
    // A gift runs beside bought plans until its own day.
    if (kind !== 'plan' || isGift || !planId || !endsAt || endsAt <= now) return {};
    const plans = await this.findPlans(manager, { userId, buyerEmail, live: !isTest }, now);
    const free = placePlan(planId, plans, now).startsAt;
    if (free <= startsAt || free <= now) return {};
    const unusedMs = endsAt.getTime() - Math.max(startsAt.getTime(), now.getTime());
    return { startsAt: free, endsAt: new Date(free.getTime() + unusedMs) };
  }

  /** A buyer's running and waiting plans; none for an erased buyer, whose plans cannot be identified. */
  private async findPlans(manager: EntityManager, owner: PlanOwner, now: Date): Promise<PlacedPlan[]> {
    await this.lockPlans(manager, owner);
    return manager.query(PLACED_PLANS, [owner.userId, owner.buyerEmail, now, !owner.live, owner.firmId ?? null]);
  }

  /** Serialises the orders of one buyer, so that a second payment extends the plan of the first. */
  async lockPlans(manager: EntityManager, { userId, buyerEmail, firmId }: Omit<PlanOwner, 'live'>): Promise<void> {
    const owner = firmId ?? userId ?? buyerEmail.toLowerCase();
    await takeNamedLock(manager, `plans of ${owner}`);
  }
}
