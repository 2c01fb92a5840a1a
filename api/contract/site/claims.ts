/**
 * Marketing figures and phrases, and the features that exist. The operator confirms or hides each of them here
 * (docs/operations.md, "Claims"); no other file contains them.
 */

import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** A figure or phrase; it is hidden when `shown` is false. */
export interface MarketingClaim {
  text: MessageDescriptor;
  /** Text below a figure. */
  label?: MessageDescriptor;
  shown: boolean;
  /** 'soon' shows 'Coming soon', for something that does not exist yet (R50). */
  status?: 'soon';
}

/** Home: the figures under the services. */
export const HOME_FIGURES: readonly MarketingClaim[] = [
  { text: msg`5,000+`, label: msg`active contractors`, shown: true },
  { text: msg`500Cr+`, label: msg`tenders won`, shown: true },
  { text: msg`95%`, label: msg`success rate`, shown: true },
];

/** Home: a customer's quote. There is none yet; never invent one. */
export const TESTIMONIAL_CLAIM: MarketingClaim = {
  text: { id: '', message: '' },
  label: msg`Name, company, district`,
  shown: false,
};

/** About: the impact. */
export const IMPACT_FIGURES: readonly MarketingClaim[] = [
  { text: msg`Over 5,000`, label: msg`contractors`, shown: true },
  { text: msg`Over ₹2,500 crore`, label: msg`in tenders`, shown: true },
];

/** Services: the text next to the three benefits. */
export const BENEFIT_FIGURES = {
  price: { text: msg`Plans from ₹999 per month`, shown: true },
  time: { text: msg`Up to 70% time saving`, shown: true },
  reach: { text: msg`Tenders from 1000+ organisations`, shown: true },
} satisfies Record<string, MarketingClaim>;

/** The offer of the free trial (R23). */
export const TRIAL_CLAIM: MarketingClaim = { text: msg`7-day free trial, no credit card`, shown: true };

/** Pricing: under the plans. */
export const PRICING_CLAIMS: readonly MarketingClaim[] = [
  TRIAL_CLAIM,
  { text: msg`24/7 support`, shown: true, status: 'soon' },
  { text: msg`Secure payment`, shown: true },
];

/** Support hours on the contact page and legal pages. */
export const SUPPORT_CLAIMS = {
  hours: { text: msg`Monday-Friday 9am-5pm IST`, shown: true },
  response: { text: msg`Response within 24 hours`, shown: true },
} satisfies Record<string, MarketingClaim>;

/** Whether a service is available. `soon` shows 'Coming soon' next to its name (R50). */
export type FeatureAvailability = 'available' | 'soon';

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
  prioritySupport: { text: msg`Priority support`, status: 'soon' },
  unlimitedDownloads: { text: msg`Unlimited downloads`, status: 'plan' },
  tenderAnalytics: { text: msg`Tender analytics`, status: 'soon' },
  customAlerts: { text: msg`Custom alerts`, status: 'plan', note: msg`also with Basic` },
  allPremium: { text: msg`All Premium features`, status: 'plan' },
  allIndia: { text: msg`All India`, status: 'plan', note: ALERTS_NOTE },
  accountManager: { text: msg`Dedicated account manager`, status: 'soon' },
  customReporting: { text: msg`Custom reporting`, status: 'soon' },
  teamCollaboration: { text: msg`Team collaboration`, status: 'soon' },
} satisfies Record<string, PlanFeature>;

export type FeatureId = keyof typeof FEATURES;

/** The availability of the services on the home and services pages. */
export const SERVICE_STATUS = {
  tenderManagement: 'available',
  bidPrediction: 'available',
  fintech: 'soon',
  competitiveAnalysis: 'available',
  notifications: 'available',
  teams: 'soon',
} as const satisfies Record<string, FeatureAvailability>;
