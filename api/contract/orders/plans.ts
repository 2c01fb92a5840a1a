/** The yearly plans (SPEC sections 3 and 9), for pricing page, plan dialog and orders. */
import type { FeatureId } from '../site/plan-features.ts';

/** The plans' ids, cheapest first. */
export const PLAN_IDS = ['basic', 'premium', 'enterprise'] as const;
export type PlanId = (typeof PLAN_IDS)[number];

/** A plan; one payment buys one year, without renewal. */
export interface Plan {
  id: PlanId;
  name: string;
  /** All taxes included (R49). */
  pricePaise: number;
  duration: 'year';
  /** Number of states; null: all of India. */
  states: number | null;
  /** Document packages per Indian calendar month; null: no monthly limit. */
  downloadsPerMonth: number | null;
  /** Daily fair use of a plan without a monthly limit; null otherwise. */
  downloadsPerDay: number | null;
  /** In SPEC's order. */
  features: readonly FeatureId[];
}

/** The plan of a firm: Enterprise for each of its members, and shared records. One payment buys one year. */
export const FIRM_PLAN = {
  /** Title of its orders, as stored. */
  title: 'Firm plan, one year',
  /** All taxes included (R49). */
  pricePaise: 2_999_900,
};

const DAYS_OF_A_YEAR = 365;

/** What unused whole days of a plan are worth, in paise; whole rupees, rounded down. `paidPaise` was paid for the year. */
export const creditPaise = (paidPaise: number, unusedDays: number): number =>
  Math.floor((paidPaise * Math.min(Math.max(unusedDays, 0), DAYS_OF_A_YEAR)) / DAYS_OF_A_YEAR / 100) * 100;

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
