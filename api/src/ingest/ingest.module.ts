import { Module } from '@nestjs/common';
import { RecurringJobs } from '../jobs/job.ts';
import { CorrectionsService } from './corrections/corrections.service.ts';
import { FeedsService, importFeedsJob } from './feeds/feeds.service.ts';
import { MappingService } from './mapping/mapping.service.ts';
import { reindexTendersJob } from './reindex-tenders.job.ts';

@RecurringJobs([importFeedsJob, reindexTendersJob])
@Module({
  providers: [FeedsService, MappingService, CorrectionsService],
  exports: [MappingService, CorrectionsService],
})
export class IngestModule {}
