/** The yearly plans (SPEC sections 3 and 9): the one catalogue of pricing page, plan dialog and orders. */
import type { FeatureId } from '../site/claims.ts';

/** The plans' ids, cheapest first. */
export const PLAN_IDS = ['basic', 'premium', 'enterprise'] as const;
export type PlanId = (typeof PLAN_IDS)[number];

/** A plan; one payment buys one year, and nothing renews by itself. */
export interface Plan {
  id: PlanId;
  name: string;
  /** All taxes included (RESOLUTIONS R49). */
  pricePaise: number;
  duration: 'year';
  /** How many states it covers; null is all of India. */
  states: number | null;
  /** Document packages per Indian calendar month; null is without a monthly limit. */
  downloadsPerMonth: number | null;
  /** Fair use where there is no monthly limit; null where there is one. */
  downloadsPerDay: number | null;
  /** In SPEC's order. */
  features: readonly FeatureId[];
}

/** The three plans. */
export const PLANS: Readonly<Record<PlanId, Plan>> = {
  basic: {
    id: 'basic',
    name: 'Basic',
    pricePaise: 589_900,
    duration: 'year',
    states: 1,
    downloadsPerMonth: 10,
    downloadsPerDay: null,
    features: ['allTenders', 'oneState', 'basicFilters', 'emailNotifications', 'tenDownloads'],
  },
  premium: {
    id: 'premium',
    name: 'Premium',
    pricePaise: 1_089_900,
    duration: 'year',
    states: 5,
    downloadsPerMonth: null,
    downloadsPerDay: 200,
    features: [
      'allBasic',
      'competitiveAnalysis',
      'fiveStates',
      'advancedFilters',
      'prioritySupport',
      'unlimitedDownloads',
      'tenderAnalytics',
      'customAlerts',
    ],
  },
  enterprise: {
    id: 'enterprise',
    name: 'Enterprise',
    pricePaise: 1_499_900,
    duration: 'year',
    states: null,
    downloadsPerMonth: null,
    downloadsPerDay: 500,
    features: [
      'allPremium',
      'competitiveAnalysis',
      'allIndia',
      'accountManager',
      'customReporting',
      'teamCollaboration',
    ],
  },
};
