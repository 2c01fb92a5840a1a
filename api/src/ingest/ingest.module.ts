import { Module } from '@nestjs/common';
import { RecurringJobs } from '../jobs/job.ts';
import { CorrectionsService } from './corrections/corrections.service.ts';
import { FeedMailsService, fetchMailsJob } from './feeds/feed-mails.service.ts';
import { FeedsService, importFeedsJob } from './feeds/feeds.service.ts';
import { MappingService } from './mapping/mapping.service.ts';
import { reindexTendersJob } from './reindex-tenders.job.ts';
import { ImportApiController } from './sent-files/import-api.controller.ts';
import { ImportApiService } from './sent-files/import-api.service.ts';
import { ImportKeysService } from './sent-files/import-keys.service.ts';
import { SentFilesService, sentFilesCleanupJob } from './sent-files/sent-files.service.ts';

@RecurringJobs([importFeedsJob, fetchMailsJob, reindexTendersJob, sentFilesCleanupJob])
@Module({
  controllers: [ImportApiController],
  providers: [
    CorrectionsService,
    FeedMailsService,
    FeedsService,
    ImportApiService,
    ImportKeysService,
    MappingService,
    SentFilesService,
  ],
  exports: [CorrectionsService, FeedsService, MappingService, ImportKeysService, SentFilesService],
})
export class IngestModule {}
