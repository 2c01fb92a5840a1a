/**
 * Marketing figures and phrases, and the features that exist. The operator confirms or hides each of them here
 * (docs/operations.md, "Claims"); no other file contains them.
 */

/** A figure or phrase; it is hidden when `shown` is false. */
export interface MarketingClaim {
  text: string;
  /** Text below a figure. */
  label?: string;
  shown: boolean;
  /** 'soon' shows 'Coming soon', for something that does not exist yet (R50). */
  status?: 'soon';
}

/** Home: the figures under the services. */
export const HOME_FIGURES: readonly MarketingClaim[] = [
  { text: '5,000+', label: 'active contractors', shown: true },
  { text: '500Cr+', label: 'tenders won', shown: true },
  { text: '95%', label: 'success rate', shown: true },
];

/** Home: a customer's quote. There is none yet; never invent one. */
export const TESTIMONIAL_CLAIM: MarketingClaim = { text: '', label: 'Name, company, district', shown: false };

/** About: the impact. */
export const IMPACT_FIGURES: readonly MarketingClaim[] = [
  { text: 'Over 5,000', label: 'contractors', shown: true },
  { text: 'Over ₹2,500 crore', label: 'in tenders', shown: true },
];

/** Services: the text next to the three benefits. */
export const BENEFIT_FIGURES = {
  price: { text: 'Plans from ₹999 per month', shown: true },
  time: { text: 'Up to 70% time saving', shown: true },
  reach: { text: 'Tenders from 1000+ organisations', shown: true },
} satisfies Record<string, MarketingClaim>;

/** The offer of the free trial (R23). */
export const TRIAL_CLAIM: MarketingClaim = { text: '7-day free trial, no credit card', shown: true };

/** Pricing: under the plans. */
export const PRICING_CLAIMS: readonly MarketingClaim[] = [
  TRIAL_CLAIM,
  { text: '24/7 support', shown: true, status: 'soon' },
  { text: 'Secure payment', shown: true },
];

/** Support hours on the contact page and legal pages. */
export const SUPPORT_CLAIMS = {
  hours: { text: 'Monday-Friday 9am-5pm IST', shown: true },
  response: { text: 'Response within 24 hours', shown: true },
} satisfies Record<string, MarketingClaim>;

/** Whether a service is available. `soon` shows 'Coming soon' next to its name (R50). */
export type FeatureAvailability = 'available' | 'soon';

/** A feature of the plans by its name in SPEC. */
export interface PlanFeature {
  text: string;
  /** Who can use it (R84): everyone, owners of a plan that lists it, or no user yet. */
  status: 'free' | 'plan' | 'soon';
  /** An explanation of the name. */
  note?: string;
}

const ALERTS_NOTE = 'alerts of saved searches and followed offices';

/** The features that plans list. Only this list decides what is free, what a plan includes and what is coming soon. */
export const FEATURES = {
  allTenders: { text: 'All tenders', status: 'free' },
  oneState: { text: '1 state', status: 'plan', note: ALERTS_NOTE },
  basicFilters: { text: 'Basic search filters', status: 'free' },
  emailNotifications: { text: 'Email notifications', status: 'free' },
  tenDownloads: { text: 'Up to 10 document downloads per month', status: 'plan' },
  allBasic: { text: 'All Basic features', status: 'plan' },
  competitiveAnalysis: { text: 'Competitive analysis', status: 'free' },
  fiveStates: { text: '5 states', status: 'plan', note: ALERTS_NOTE },
  advancedFilters: { text: 'Advanced filters', status: 'free' },
  prioritySupport: { text: 'Priority support', status: 'soon' },
  unlimitedDownloads: { text: 'Unlimited downloads', status: 'plan' },
  tenderAnalytics: { text: 'Tender analytics', status: 'soon' },
  customAlerts: { text: 'Custom alerts', status: 'plan', note: 'also with Basic' },
  allPremium: { text: 'All Premium features', status: 'plan' },
  allIndia: { text: 'All India', status: 'plan', note: ALERTS_NOTE },
  accountManager: { text: 'Dedicated account manager', status: 'soon' },
  customReporting: { text: 'Custom reporting', status: 'soon' },
  teamCollaboration: { text: 'Team collaboration', status: 'soon' },
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
