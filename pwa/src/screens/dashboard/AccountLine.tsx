import { useShallow } from 'zustand/react/shallow';
import { useOrders } from '../../features/orders/orders.ts';
import { scopeName, searchableScopes, usePacks } from '../../features/tenders/packs/pack-status.ts';
import css from './DashboardHome.module.css';
import { accountText } from './dashboard.ts';

/** The plan or trial, and the states on this device; empty while nothing is known. */
export function AccountLine({ userId }: { userId: string }) {
  const plan = useOrders(userId).answer?.plan ?? null;
  const states = usePacks(useShallow(searchableScopes)).map(scopeName);
  return <p className={`xs muted ${css.account}`}>{accountText(plan, states)}</p>;
}
