/**
 * Marketing figures and phrases, and the features that exist. The operator confirms or hides each of them here
 * (docs/operations.md, "Claims"); no other file contains them.
 */

/** A figure or phrase; it is hidden when `shown` is false. */
export interface MarketingClaim {
  text: string;
  /** What a figure counts. */
  label?: string;
  shown: boolean;
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

/** Services: the text beside the three benefits. */
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
  { text: '24/7 support', shown: true },
  { text: 'Secure payment', shown: true },
];

/** Support hours on the contact page and legal pages. */
export const SUPPORT_CLAIMS = {
  hours: { text: 'Monday-Friday 9am-5pm IST', shown: true },
  response: { text: 'Response within 24 hours', shown: true },
} satisfies Record<string, MarketingClaim>;

/** Whether a feature is available; `soon` shows 'Coming soon' beside its name (R50). */
export type FeatureAvailability = 'available' | 'soon';

/** A feature of the plans by its name in SPEC. */
export interface PlanFeature {
  text: string;
  status: FeatureAvailability;
}

/** The features that plans list. */
export const FEATURES = {
  allTenders: { text: 'All tenders', status: 'available' },
  oneState: { text: '1 state', status: 'available' },
  basicFilters: { text: 'Basic search filters', status: 'available' },
  emailNotifications: { text: 'Email notifications', status: 'available' },
  tenDownloads: { text: 'Up to 10 document downloads per month', status: 'available' },
  allBasic: { text: 'All Basic features', status: 'available' },
  competitiveAnalysis: { text: 'Competitive analysis', status: 'available' },
  fiveStates: { text: '5 states', status: 'available' },
  advancedFilters: { text: 'Advanced filters', status: 'available' },
  prioritySupport: { text: 'Priority support', status: 'available' },
  unlimitedDownloads: { text: 'Unlimited downloads', status: 'available' },
  tenderAnalytics: { text: 'Tender analytics', status: 'soon' },
  customAlerts: { text: 'Custom alerts', status: 'available' },
  allPremium: { text: 'All Premium features', status: 'available' },
  allIndia: { text: 'All India', status: 'available' },
  accountManager: { text: 'Dedicated account manager', status: 'soon' },
  customReporting: { text: 'Custom reporting', status: 'soon' },
  teamCollaboration: { text: 'Team collaboration', status: 'soon' },
} as const satisfies Record<string, PlanFeature>;

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
