import { Module } from '@nestjs/common';
import { IncidentsService } from './incidents.service.ts';
import { SiteNoticesService } from './site-notices.service.ts';
import { SiteStatusController } from './site-status.controller.ts';
import { SiteStatusService } from './site-status.service.ts';

@Module({
  controllers: [SiteStatusController],
  providers: [SiteNoticesService, IncidentsService, SiteStatusService],
  exports: [SiteNoticesService, IncidentsService, SiteStatusService],
})
export class SiteStatusModule {}
