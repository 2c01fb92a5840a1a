import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.ts';
import { RecurringJobs } from '../jobs/job.ts';
import { AnswerNoticesService } from './alerts/answer-notices.service.ts';
import { AssignmentNoticesService } from './alerts/assignment-notices.service.ts';
import { closingSoonJob } from './alerts/closing-soon.job.ts';
import { DifferenceNoticesService } from './alerts/difference-notices.service.ts';
import { documentExpiryJob } from './alerts/document-expiry.job.ts';
import { OfficeAlertsService } from './alerts/office-alerts.service.ts';
import { searchAlertsJob } from './alerts/search-alerts.job.ts';
import { SearchAlertsService } from './alerts/search-alerts.service.ts';
import { NoticesController } from './notices/notices.controller.ts';
import { NoticesService } from './notices/notices.service.ts';
import { PushSenderService, sendPushesJob } from './sending/push-sender.service.ts';
import { PushController } from './subscriptions/push.controller.ts';
import { SubscriptionsService } from './subscriptions/subscriptions.service.ts';
import { UnsubscribeController } from './unsubscribe/unsubscribe.controller.ts';

@RecurringJobs([closingSoonJob, searchAlertsJob, sendPushesJob, documentExpiryJob])
@Module({
  imports: [AuthModule],
  controllers: [PushController, UnsubscribeController, NoticesController],
  providers: [
    SubscriptionsService,
    NoticesService,
    SearchAlertsService,
    OfficeAlertsService,
    PushSenderService,
    AnswerNoticesService,
    AssignmentNoticesService,
    DifferenceNoticesService,
  ],
  exports: [AnswerNoticesService, AssignmentNoticesService, DifferenceNoticesService],
})
export class PushModule {}
