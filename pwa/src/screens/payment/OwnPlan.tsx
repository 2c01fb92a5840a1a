import type { PlanState } from '@nivida/contract/orders/order';
import { useEffect } from 'react';
import { useNow } from '../../data/clock.ts';
import { useOrders } from '../../features/orders/orders.ts';

interface OwnPlanProps {
  userId: string;
  onRead: (own: PlanState | null) => void;
}

/** Loads the signed-in user's current plan or trial. Renders nothing. */
export function OwnPlan({ userId, onRead }: OwnPlanProps) {
  const now = useNow();
  const plan = useOrders(userId).answer?.plan ?? null;
  const own = plan && Date.parse(plan.endsAt) > now.getTime() ? plan : null;
  useEffect(() => onRead(own), [own, onRead]);
  return null;
}
