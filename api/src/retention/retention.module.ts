import { Module } from '@nestjs/common';
import { BidsModule } from '../bids/bids.module.ts';
import { RecurringJobs } from '../jobs/job.ts';
import { applyRetentionJob, RetentionService } from './retention.service.ts';

@RecurringJobs([applyRetentionJob])
@Module({
  imports: [BidsModule],
  providers: [RetentionService],
})
export class RetentionModule {}
