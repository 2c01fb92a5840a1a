import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.ts';
import { RecurringJobs } from '../jobs/job.ts';
import { awardStatisticsJob } from './award-statistics.job.ts';
import { AwardsController } from './awards.controller.ts';
import { AwardsService } from './awards.service.ts';
import { FollowedOfficesController } from './followed-offices.controller.ts';
import { FollowedOfficesService } from './followed-offices.service.ts';

@RecurringJobs([awardStatisticsJob])
@Module({
  imports: [AuthModule],
  controllers: [AwardsController, FollowedOfficesController],
  providers: [AwardsService, FollowedOfficesService],
  exports: [AwardsService, FollowedOfficesService],
})
export class AwardsModule {}
