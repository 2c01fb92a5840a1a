import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.ts';
import { RecurringJobs } from '../jobs/job.ts';
import { archiveTendersJob } from './archive-tenders.job.ts';
import { HideTendersService } from './hide-tenders.service.ts';
import { DocumentsSearchService } from './in-documents/documents-search.service.ts';
import { indexDocumentsJob } from './in-documents/index-documents.job.ts';
import { publishDraftsJob } from './publish-drafts.job.ts';
import { TenderReportsController } from './reports/tender-reports.controller.ts';
import { TenderReportsService } from './reports/tender-reports.service.ts';
import { TendersController } from './tenders.controller.ts';
import { TendersService } from './tenders.service.ts';

@RecurringJobs([publishDraftsJob, archiveTendersJob, indexDocumentsJob])
@Module({
  imports: [AuthModule],
  controllers: [TendersController, TenderReportsController],
  providers: [TendersService, DocumentsSearchService, HideTendersService, TenderReportsService],
  exports: [TendersService, HideTendersService, TenderReportsService],
})
export class TendersModule {}
