/** When plans begin and end. */
import { PLAN_IDS, type PlanId } from '@nivida/contract/plans';

const INDIA_MS = 5.5 * 3_600_000;

/** The same wall-clock moment in India one year later; 29 February becomes the 28th. */
export function yearAfter(instant: Date): Date {
  const india = new Date(instant.getTime() + INDIA_MS);
  const month = india.getUTCMonth();
  india.setUTCFullYear(india.getUTCFullYear() + 1);
  // 29 February has run over into March.
  if (india.getUTCMonth() !== month) india.setUTCDate(0);
  return new Date(india.getTime() - INDIA_MS);
}

/** First day of the Indian calendar month of an instant, as `download.month` holds it: '2026-11-01'. */
export function monthOf(instant: Date): string {
  return `${new Date(instant.getTime() + INDIA_MS).toISOString().slice(0, 7)}-01`;
}

/** Plans by what they give: a higher one includes the lower ones. */
export const rankOf = (plan: PlanId): number => PLAN_IDS.indexOf(plan);

/** A plan that was paid for, and is running or waits for its turn. */
export interface Held {
  id: string;
  planId: PlanId;
  startsAt: Date;
  endsAt: Date;
}

/** Where a newly paid plan stands, and which of those held move for it. */
export interface Placement {
  startsAt: Date;
  endsAt: Date;
  moved: Moved[];
}

/** A plan that was held before, where it stands now; `ownEndAt` when it was ended early. */
export interface Moved extends Omit<Held, 'planId'> {
  ownEndAt?: Date;
}

/**
 * Places a newly paid year of `plan` among what somebody holds. The same plan, and a lower one, begin when those held of
 * its rank or above end; a higher one begins now and ends the lower one that runs. Paid years that have not begun are
 * never lost: lower ones wait until the new one is over.
 */
export function placePlan(plan: PlanId, held: readonly Held[], now: Date): Placement {
  const rank = rankOf(plan);
  const above = held.filter((each) => rankOf(each.planId) >= rank && each.endsAt > now);
  const startsAt = new Date(Math.max(now.getTime(), ...above.map(({ endsAt }) => endsAt.getTime())));
  const endsAt = yearAfter(startsAt);
  const below = held.filter((each) => rankOf(each.planId) < rank && each.endsAt > startsAt);
  const moved: Placement['moved'] = [];
  let free = endsAt;
  for (const { id, startsAt: begins, endsAt: ownEndAt } of below.toSorted(
    (one, other) => one.startsAt.getTime() - other.startsAt.getTime(),
  )) {
    if (begins <= now) {
      moved.push({ id, startsAt: begins, endsAt: startsAt, ownEndAt });
    } else if (begins < free) {
      moved.push({ id, startsAt: free, endsAt: yearAfter(free) });
      free = yearAfter(free);
    }
  }
  return { startsAt, endsAt, moved };
}

/**
 * Closes the gap that a refunded plan leaves: what waits begins as soon as nothing of its rank or above runs before it,
 * and keeps its length. `held` is what is left.
 */
export function closeGap(held: readonly Held[], now: Date): Moved[] {
  const placed = held.filter(({ startsAt }) => startsAt <= now);
  const moved: Moved[] = [];
  for (const each of held
    .filter(({ startsAt }) => startsAt > now)
    .toSorted((one, other) => one.startsAt.getTime() - other.startsAt.getTime())) {
    const before = placed.filter(({ planId }) => rankOf(planId) >= rankOf(each.planId));
    const free = Math.max(now.getTime(), ...before.map(({ endsAt }) => endsAt.getTime()));
    const startsAt = new Date(free);
    const endsAt = new Date(free + each.endsAt.getTime() - each.startsAt.getTime());
    placed.push({ ...each, startsAt, endsAt });
    if (startsAt < each.startsAt) moved.push({ id: each.id, startsAt, endsAt });
  }
  return moved;
}
