import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.ts';
import { RecurringJobs } from '../jobs/job.ts';
import { OrdersModule } from '../orders/orders.module.ts';
import { PushModule } from '../push/push.module.ts';
import { DownloadQuotasService } from './delivery/download-quotas.service.ts';
import { DownloadsController } from './delivery/downloads.controller.ts';
import { DownloadLinksService } from './delivery/links.service.ts';
import { DocumentRequestsService } from './document-requests.service.ts';
import { DocumentsController } from './documents.controller.ts';
import { DocumentsService } from './documents.service.ts';
import { documentsCleanupJob } from './documents-cleanup.job.ts';
import { DocumentAttachService } from './files/attach.service.ts';
import { DocumentFetchService, fetchDocumentsJob } from './files/document-fetch.service.ts';
import { FileUploadService } from './files/file-upload.service.ts';
import { PackagesService } from './packages/packages.service.ts';
import { RateCandidatesService } from './rates/rate-candidates.service.ts';
import { RateSchedulesService } from './rates/rate-schedules.service.ts';
import { OwnReadingsController } from './reading/own-readings.controller.ts';
import { OwnReadingsService, ownReadingsCleanupJob } from './reading/own-readings.service.ts';
import { readDocumentsJob } from './reading/read-documents.job.ts';
import { ReadDocumentsService } from './reading/read-documents.service.ts';
import { ReadingNoticesService } from './reading/reading-notices.service.ts';
import { ReadingStoreService } from './reading/reading-store.service.ts';
import { TenderReadingService } from './reading/tender-reading.service.ts';

@RecurringJobs([fetchDocumentsJob, documentsCleanupJob, ownReadingsCleanupJob, readDocumentsJob])
@Module({
  imports: [AuthModule, OrdersModule, PushModule],
  controllers: [DocumentsController, DownloadsController, OwnReadingsController],
  providers: [
    DocumentsService,
    DocumentRequestsService,
    DownloadQuotasService,
    DownloadLinksService,
    PackagesService,
    FileUploadService,
    DocumentAttachService,
    DocumentFetchService,
    ReadDocumentsService,
    ReadingNoticesService,
    ReadingStoreService,
    TenderReadingService,
    OwnReadingsService,
    RateSchedulesService,
    RateCandidatesService,
  ],
  exports: [DocumentsService, DocumentAttachService, OwnReadingsService],
})
export class DocumentsModule {}
