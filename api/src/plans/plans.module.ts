import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.ts';
import { RecurringJobs } from '../jobs/job.ts';
import { EntitlementsService } from './entitlements.service.ts';
import { FreePlanService } from './free-plan.service.ts';
import { GiftsService } from './gifts.service.ts';
import { PlanEndsService, planEndsJob } from './plan-ends.service.ts';
import { PlansController } from './plans.controller.ts';
import { PlansService } from './plans.service.ts';
import { TrialsService } from './trials.service.ts';

@RecurringJobs([planEndsJob])
@Module({
  imports: [AuthModule],
  controllers: [PlansController],
  providers: [PlansService, EntitlementsService, TrialsService, FreePlanService, PlanEndsService, GiftsService],
  exports: [EntitlementsService, GiftsService, PlansService, TrialsService],
})
export class PlansModule {}
