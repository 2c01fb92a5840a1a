import { Module } from '@nestjs/common';
import { RecurringJobs } from '../jobs/job.ts';
import { archiveTendersJob } from './archive-tenders.job.ts';
import { HideTendersService } from './hide-tenders.service.ts';
import { publishDraftsJob } from './publish-drafts.job.ts';
import { TendersController } from './tenders.controller.ts';
import { TendersService } from './tenders.service.ts';

@RecurringJobs([publishDraftsJob, archiveTendersJob])
@Module({
  controllers: [TendersController],
  providers: [TendersService, HideTendersService],
  exports: [TendersService, HideTendersService],
})
export class TendersModule {}
