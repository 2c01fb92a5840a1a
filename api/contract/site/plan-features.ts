/** The features that plans list. They are not in claims.ts, because the home page loads that file. */
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** A feature of the plans by its name in SPEC. */
export interface PlanFeature {
  text: MessageDescriptor;
  /** Who can use it (R84): everyone, owners of a plan that lists it, or no user yet. */
  status: 'free' | 'plan' | 'soon';
  /** An explanation of the name. */
  note?: MessageDescriptor;
}

const ALERTS_NOTE = msg`alerts of saved searches and followed offices`;

/** The features that plans list. Only this list decides what is free, what a plan includes and what is coming soon. */
export const FEATURES = {
  allTenders: { text: msg`All tenders`, status: 'free' },
  oneState: { text: msg`1 state`, status: 'plan', note: ALERTS_NOTE },
  basicFilters: { text: msg`Basic search filters`, status: 'free' },
  emailNotifications: { text: msg`Email notifications`, status: 'free' },
  tenDownloads: { text: msg`Up to 10 document downloads per month`, status: 'plan' },
  allBasic: { text: msg`All Basic features`, status: 'plan' },
  competitiveAnalysis: { text: msg`Competitive analysis`, status: 'free' },
  fiveStates: { text: msg`5 states`, status: 'plan', note: ALERTS_NOTE },
  advancedFilters: { text: msg`Advanced filters`, status: 'free' },
  prioritySupport: { text: msg`Priority support`, status: 'plan', note: msg`your messages are answered first` },
  unlimitedDownloads: { text: msg`Unlimited downloads`, status: 'plan' },
  tenderAnalytics: { text: msg`Tender analytics`, status: 'soon' },
  customAlerts: { text: msg`Custom alerts`, status: 'plan', note: msg`also with Basic` },
  allPremium: { text: msg`All Premium features`, status: 'plan' },
  allIndia: { text: msg`All India`, status: 'plan', note: ALERTS_NOTE },
  accountManager: { text: msg`Dedicated account manager`, status: 'soon' },
  customReporting: { text: msg`Custom reporting`, status: 'soon' },
  teamCollaboration: {
    text: msg`Team collaboration`,
    status: 'plan',
    note: msg`with the plan of a firm, for up to five people`,
  },
} satisfies Record<string, PlanFeature>;

export type FeatureId = keyof typeof FEATURES;
