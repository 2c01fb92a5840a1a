/** Texts about the services of the home page. The claims say whether a service is available. */
import { type FeatureAvailability, type MarketingClaim, SERVICE_STATUS } from '@nivida/contract/site/claims';
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
