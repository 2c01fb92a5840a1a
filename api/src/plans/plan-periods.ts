/** Start and end of plans. */

import { PLAN_IDS, type PlanId } from '@nivida/contract/orders/plans';
import { HOUR_MS } from '@nivida/contract/time';

const INDIA_MS = 5.5 * HOUR_MS;

/** The same wall-clock moment in India one year later; 29 February becomes the 28th. */
export function oneYearLater(instant: Date): Date {
  const india = new Date(instant.getTime() + INDIA_MS);
  const month = india.getUTCMonth();
  india.setUTCFullYear(india.getUTCFullYear() + 1);
  // 29 February has overflowed into March.
  if (india.getUTCMonth() !== month) india.setUTCDate(0);
  return new Date(india.getTime() - INDIA_MS);
}

/** First day of the Indian calendar month of an instant, as `download.month` holds it: '2026-11-01'. */
export function firstDayOfMonth(instant: Date): string {
  return `${new Date(instant.getTime() + INDIA_MS).toISOString().slice(0, 7)}-01`;
}

/** Rank of a plan: a higher plan includes the lower ones. */
export const planRank = (plan: PlanId): number => PLAN_IDS.indexOf(plan);

/** A paid plan that runs or waits. */
export interface PlacedPlan {
  id: string;
  planId: PlanId;
  startsAt: Date;
  endsAt: Date;
}

/** The period of a new plan, and the existing plans that move for it. */
export interface PlanPlacement {
  startsAt: Date;
  endsAt: Date;
  moved: MovedPlan[];
}

/** An existing plan with its new period; `ownEndAt` when it was ended early. */
export interface MovedPlan extends Omit<PlacedPlan, 'planId'> {
  ownEndAt?: Date;
}

/** The end of a waiting plan if it begins at `startsAt`: after a calendar year, or after its remaining days. */
function movedEnd(plan: Pick<PlacedPlan, 'startsAt' | 'endsAt'>, startsAt: Date): Date {
  const isYear = plan.endsAt.getTime() === oneYearLater(plan.startsAt).getTime();
  return isYear
    ? oneYearLater(startsAt)
    : new Date(startsAt.getTime() + plan.endsAt.getTime() - plan.startsAt.getTime());
}

/**
 * Places a new year of `plan` among the buyer's plans. It begins when all plans of the same or a higher rank have ended. If
 * there are none it begins now and ends a lower plan that runs. Paid time that has not begun is never lost: lower plans
 * wait with their full length until the new one is over.
 */
export function placePlan(plan: PlanId, plans: readonly PlacedPlan[], now: Date): PlanPlacement {
  const rank = planRank(plan);
  const above = plans.filter((each) => planRank(each.planId) >= rank && each.endsAt > now);
  const startsAt = new Date(Math.max(now.getTime(), ...above.map(({ endsAt }) => endsAt.getTime())));
  const endsAt = oneYearLater(startsAt);
  const below = plans.filter((each) => planRank(each.planId) < rank && each.endsAt > startsAt);
  const moved: PlanPlacement['moved'] = [];
  let free = endsAt;
  for (const { id, startsAt: begins, endsAt: ownEndAt } of below.toSorted(
    (one, other) => one.startsAt.getTime() - other.startsAt.getTime(),
  )) {
    if (begins <= now) {
      moved.push({ id, startsAt: begins, endsAt: startsAt, ownEndAt });
    } else if (begins < free) {
      const end = movedEnd({ startsAt: begins, endsAt: ownEndAt }, free);
      moved.push({ id, startsAt: free, endsAt: end });
      free = end;
    }
  }
  return { startsAt, endsAt, moved };
}

/**
 * Closes the gap of a refunded plan. Waiting plans keep their length and begin as soon as no plan of the same or a higher
 * rank runs. `plans` are the remaining plans.
 */
export function closeGap(plans: readonly PlacedPlan[], now: Date): MovedPlan[] {
  const placed = plans.filter(({ startsAt }) => startsAt <= now);
  const moved: MovedPlan[] = [];
  for (const each of plans
    .filter(({ startsAt }) => startsAt > now)
    .toSorted((one, other) => one.startsAt.getTime() - other.startsAt.getTime())) {
    const before = placed.filter(({ planId }) => planRank(planId) >= planRank(each.planId));
    const free = Math.max(now.getTime(), ...before.map(({ endsAt }) => endsAt.getTime()));
    const startsAt = new Date(free);
    const endsAt = new Date(free + each.endsAt.getTime() - each.startsAt.getTime());
    placed.push({ ...each, startsAt, endsAt });
    if (startsAt < each.startsAt) moved.push({ id: each.id, startsAt, endsAt });
  }
  return moved;
}
