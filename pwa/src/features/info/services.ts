/**
 * Texts about each service for the home page and the services page. The claims say whether a service is
 * available.
 */
import {
  BENEFIT_FIGURES,
  type FeatureAvailability,
  type MarketingClaim,
  SERVICE_STATUS,
} from '@nivida/contract/site/claims';
import type { IconName } from '../../ui/display/Icon.tsx';

/** One card. */
export interface Service {
  icon: IconName;
  title: string;
  text: string;
  /** A claim in bold, between title and text. */
  claim?: MarketingClaim;
  /** `soon` marks a planned service. Absent where the page says it for all services. */
  status?: FeatureAvailability;
}

const TENDER_MANAGEMENT: Service = {
  icon: 'list',
  title: 'Tender Management',
  text: 'Every open tender of a state on your phone, with its closing hour, always up to date and searched without a connection.',
  status: SERVICE_STATUS.tenderManagement,
};
const BID_PREDICTION: Service = {
  icon: 'chart',
  title: 'AI Bid Prediction',
  text: 'The range in which comparable works were awarded, where the results of a state are known.',
  status: SERVICE_STATUS.bidPrediction,
};
const FINTECH: Service = {
  icon: 'rupee',
  title: 'Fintech Solutions',
  text: 'Bank guarantees and earnest money (EMD) without the branch visit.',
  status: SERVICE_STATUS.fintech,
};
const COMPETITIVE_ANALYSIS: Service = {
  icon: 'eye',
  title: 'Competitive Analysis',
  text: 'How many firms bid at an office, and at what rate they win, in states that publish results.',
  status: SERVICE_STATUS.competitiveAnalysis,
};

/** The four services of the home page. */
export const HOME_SERVICES: readonly Service[] = [TENDER_MANAGEMENT, BID_PREDICTION, FINTECH, COMPETITIVE_ANALYSIS];

/** The six services of the services page. */
export const ALL_SERVICES: readonly Service[] = [
  ...HOME_SERVICES,
  {
    icon: 'bell',
    title: 'Real-time Notifications',
    text: 'Alerts before a bookmarked tender closes, and when its date or documents change.',
    status: SERVICE_STATUS.notifications,
  },
  {
    icon: 'user',
    title: 'Access for Teams',
    text: 'Role-based access control: who in your company searches, who prepares and who pays.',
    status: SERVICE_STATUS.teams,
  },
];

/** The three benefits of the services page. */
export const BENEFITS: readonly Service[] = [
  {
    icon: 'clock',
    title: 'Time for the bid',
    claim: BENEFIT_FIGURES.time,
    text: 'One search instead of a round of portals each morning, and a reminder instead of a note on the wall.',
  },
  {
    icon: 'search',
    title: 'Nothing overlooked',
    claim: BENEFIT_FIGURES.reach,
    text: 'Departments, boards, corporations and municipal bodies of a state in one list, by their closing hour.',
  },
  {
    icon: 'rupee',
    title: 'A price that fits',
    claim: BENEFIT_FIGURES.price,
    text: 'Searching and reading are free. Pay once a year for alerts in your states and for documents.',
  },
];

/** The benefits for a server where nothing is sold. */
export const FREE_BENEFITS: readonly Service[] = BENEFITS.map((benefit) =>
  benefit.claim === BENEFIT_FIGURES.price
    ? { icon: 'check', title: 'Free here', text: 'Searching, alerts, bids and documents cost nothing here.' }
    : benefit,
);
