/**
 * Marketing figures and phrases, and the services that exist. The operator confirms or hides each of them here and in
 * plan-features.ts (docs/operations.md, "Claims"); no other file contains them.
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

/** The availability of the services on the home and services pages. */
export const SERVICE_STATUS = {
  tenderManagement: 'available',
  bidPrediction: 'available',
  fintech: 'soon',
  competitiveAnalysis: 'available',
  notifications: 'available',
  teams: 'available',
} as const satisfies Record<string, FeatureAvailability>;
