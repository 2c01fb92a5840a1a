import { Module } from '@nestjs/common';
import { BidsModule } from '../bids/bids.module.ts';
import { RecurringJobs } from '../jobs/job.ts';
import { SupportModule } from '../support/support.module.ts';
import { monthlyPartitionsJob } from './monthly-partitions.job.ts';
import { applyRetentionJob, RetentionService } from './retention.service.ts';

@RecurringJobs([applyRetentionJob, monthlyPartitionsJob])
@Module({
  imports: [BidsModule, SupportModule],
  providers: [RetentionService],
})
export class RetentionModule {}
