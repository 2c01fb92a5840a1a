import { Module } from '@nestjs/common';
import { RecurringJobs } from '../jobs/job.ts';
import { compactSyncJob } from './compact-sync.job.ts';
import { PackBuildsService, preparePacksJob } from './pack-builds.service.ts';
import { SyncController } from './sync.controller.ts';
import { SyncService } from './sync.service.ts';

@RecurringJobs([preparePacksJob, compactSyncJob])
@Module({
  controllers: [SyncController],
  providers: [SyncService, PackBuildsService],
  exports: [SyncService],
})
export class SyncModule {}
