import type { Job } from '../../jobs/job.ts';
import { PushSenderService } from '../sending/push-sender.service.ts';
import { OfficeAlertsService } from './office-alerts.service.ts';
import { SearchAlertsService } from './search-alerts.service.ts';

/** Creates notices of new matches and about followed offices, and sends all due deliveries. */
export const searchAlertsJob: Job = {
  name: 'search-alerts',
  cron: '* * * * *',
  async run({ find }) {
    await (await find(SearchAlertsService)).createMatchNotices();
    await (await find(OfficeAlertsService)).createOfficeNotices();
    return (await find(PushSenderService)).sendDue();
  },
};
