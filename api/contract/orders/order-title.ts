import { t } from '@lingui/core/macro';
import { PLANS, type PlanId } from './plans.ts';

/** The title of an order in the present language: the name of its plan, or that of its tender. Stored titles are English. */
export const orderTitle = ({ planId, title }: { planId: PlanId | null; title: string }): string =>
  planId ? t`${{ name: PLANS[planId].name }} plan, one year` : title;
