/** Texts of the services page: all services and their benefits. */
import { t } from '@lingui/core/macro';
import { BENEFIT_FIGURES, SERVICE_STATUS } from '@nivida/contract/site/claims';
import { homeServices, type Service } from './home-services.ts';

/** The six services of the services page. */
export const allServices = (): readonly Service[] => [
  ...homeServices(),
  {
    icon: 'bell',
    title: t`Real-time Notifications`,
    text: t`Alerts before a bookmarked tender closes, and when its date or documents change.`,
    status: SERVICE_STATUS.notifications,
  },
  {
    icon: 'user',
    title: t`Access for Teams`,
    text: t`Role-based access control: who in your company searches, who prepares and who pays.`,
    status: SERVICE_STATUS.teams,
  },
];

const benefitOfPrice = (): Service => ({
  icon: 'rupee',
  title: t`A price that fits`,
  claim: BENEFIT_FIGURES.price,
  text: t`Searching and reading are free. Pay once a year for alerts in your states and for documents.`,
});

const benefitOfFree = (): Service => ({
  icon: 'check',
  title: t`Free here`,
  text: t`Searching, alerts, bids and documents cost nothing here.`,
});

/** The three benefits of the services page. */
export const benefits = (sellsNothing: boolean): readonly Service[] => [
  {
    icon: 'clock',
    title: t`Time for the bid`,
    claim: BENEFIT_FIGURES.time,
    text: t`One search instead of a round of portals each morning, and a reminder instead of a note on the wall.`,
  },
  {
    icon: 'search',
    title: t`Nothing overlooked`,
    claim: BENEFIT_FIGURES.reach,
    text: t`Departments, boards, corporations and municipal bodies of a state in one list, by their closing hour.`,
  },
  sellsNothing ? benefitOfFree() : benefitOfPrice(),
];
