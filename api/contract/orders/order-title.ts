import { t } from '@lingui/core/macro';
import { FIRM_PLAN, PLANS, type Plan, type PlanId } from './plans.ts';

interface TitledOrder {
  planId?: string | null | undefined;
  title: string;
}

/** The title of an order in the present language: the name of its plan, or that of its tender. Stored titles are English. */
export function orderTitle({ planId, title }: TitledOrder): string {
  if (title === FIRM_PLAN.title) return t`Firm plan, one year`;
  const plan: Plan | undefined = PLANS[planId as PlanId];
  return plan ? t`${{ name: plan.name }} plan, one year` : title;
}
