/** Texts about the services of the home page. The claims say whether a service is available. */
import { t } from '@lingui/core/macro';
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

/** The four services of the home page. */
export const homeServices = (): readonly Service[] => [
  {
    icon: 'list',
    title: t`Tender Management`,
    text: t`Every open tender of a state on your phone, with its closing hour, always up to date and searched without a connection.`,
    status: SERVICE_STATUS.tenderManagement,
  },
  {
    icon: 'chart',
    title: t`AI Bid Prediction`,
    text: t`The range in which comparable works were awarded, where the results of a state are known.`,
    status: SERVICE_STATUS.bidPrediction,
  },
  {
    icon: 'rupee',
    title: t`Fintech Solutions`,
    text: t`Bank guarantees and earnest money (EMD) without the branch visit.`,
    status: SERVICE_STATUS.fintech,
  },
  {
    icon: 'eye',
    title: t`Competitive Analysis`,
    text: t`How many firms bid at an office, and at what rate they win, in states that publish results.`,
    status: SERVICE_STATUS.competitiveAnalysis,
  },
];
