import { Module } from '@nestjs/common';
import { RecurringJobs } from '../jobs/job.ts';
import { FeedsService, importFeedsJob } from './feeds/feeds.service.ts';
import { reindexTendersJob } from './reindex-tenders.job.ts';

@RecurringJobs([importFeedsJob, reindexTendersJob])
@Module({
  providers: [FeedsService],
})
export class IngestModule {}
