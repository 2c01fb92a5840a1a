import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.ts';
import { DataOutModule } from '../data-out/data-out.module.ts';
import { DocumentsModule } from '../documents/documents.module.ts';
import { FirmsModule } from '../firms/firms.module.ts';
import { IngestModule } from '../ingest/ingest.module.ts';
import { RecurringJobs } from '../jobs/job.ts';
import { MailModule } from '../mail/mail.module.ts';
import { OrdersModule } from '../orders/orders.module.ts';
import { PlansModule } from '../plans/plans.module.ts';
import { PushModule } from '../push/push.module.ts';
import { SiteStatusModule } from '../site-status/site-status.module.ts';
import { SupportModule } from '../support/support.module.ts';
import { TendersModule } from '../tenders/tenders.module.ts';
import { UsersModule } from '../users/users.module.ts';
import { ApprovalsController } from './approvals/approvals.controller.ts';
import { ApprovalsService } from './approvals/approvals.service.ts';
import { AuditLogController } from './audit-log/audit-log.controller.ts';
import { AuditLogService } from './audit-log/audit-log.service.ts';
import { DataInController } from './data-in/data-in.controller.ts';
import { DataInService } from './data-in/data-in.service.ts';
import { DeskMeController } from './desk-me.controller.ts';
import { DeskDocumentsController } from './documents/desk-documents.controller.ts';
import { DeskDocumentsService } from './documents/desk-documents.service.ts';
import { DocumentLinesService } from './documents/document-lines.service.ts';
import { DeskFirmsController } from './firms/desk-firms.controller.ts';
import { DeskFirmsService } from './firms/desk-firms.service.ts';
import { MailingsService, sendMailingsJob } from './mailings/mailings.service.ts';
import { DeskMessagesController } from './messages/desk-messages.controller.ts';
import { DeskMessagesService } from './messages/desk-messages.service.ts';
import { DeskNoticesController } from './notices/desk-notices.controller.ts';
import { OrderActsService } from './orders/order-acts.service.ts';
import { DeskOrdersController } from './orders/orders.controller.ts';
import { DeskPeopleController } from './people/people.controller.ts';
import { PeopleService } from './people/people.service.ts';
import { StaffListController } from './staff/staff-list.controller.ts';
import { DeskTendersController } from './tenders/desk-tenders.controller.ts';
import { DeskTendersService } from './tenders/desk-tenders.service.ts';
import { ReportActsService } from './tenders/report-acts.service.ts';
import { TodayController } from './today/today.controller.ts';
import { TodayService } from './today/today.service.ts';

@RecurringJobs([sendMailingsJob])
@Module({
  imports: [
    AuthModule,
    DataOutModule,
    DocumentsModule,
    FirmsModule,
    IngestModule,
    MailModule,
    OrdersModule,
    PlansModule,
    PushModule,
    SiteStatusModule,
    SupportModule,
    TendersModule,
    UsersModule,
  ],
  controllers: [
    DeskMeController,
    TodayController,
    ApprovalsController,
    AuditLogController,
    StaffListController,
    DeskPeopleController,
    DeskFirmsController,
    DeskMessagesController,
    DeskDocumentsController,
    DeskTendersController,
    DeskNoticesController,
    DeskOrdersController,
    DataInController,
  ],
  providers: [
    ApprovalsService,
    AuditLogService,
    DataInService,
    OrderActsService,
    PeopleService,
    DeskFirmsService,
    DeskMessagesService,
    DeskDocumentsService,
    DocumentLinesService,
    DeskTendersService,
    ReportActsService,
    MailingsService,
    TodayService,
  ],
})
export class DeskModule {}
