/** Texts of the services page: all services and their benefits. */
import { t } from '@lingui/core/macro';
import { BENEFIT_FIGURES, SERVICE_STATUS } from '@nivida/contract/site/claims';
import { HOME_SERVICES, type Service } from './home-services.ts';

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
    ? { icon: 'check', title: t`Free here`, text: t`Searching, alerts, bids and documents cost nothing here.` }
    : benefit,
);
