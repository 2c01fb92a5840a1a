import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.ts';
import { RecurringJobs } from '../jobs/job.ts';
import { TendersModule } from '../tenders/tenders.module.ts';
import { ApiKeysController } from './keys/api-keys.controller.ts';
import { ApiKeysService } from './keys/api-keys.service.ts';
import { ListFeedsController } from './lists/list-feeds.controller.ts';
import { ListFeedsService } from './lists/list-feeds.service.ts';
import { OcdsController } from './ocds/ocds.controller.ts';
import { OcdsDumpsService, ocdsDumpsJob } from './ocds/ocds-dumps.service.ts';
import { OcdsExportService } from './ocds/ocds-export.service.ts';
import { SearchFeedAddressesController, SearchFeedsController } from './search-feeds/search-feeds.controller.ts';
import { SearchFeedsService } from './search-feeds/search-feeds.service.ts';

@RecurringJobs([ocdsDumpsJob])
@Module({
  imports: [AuthModule, TendersModule],
  controllers: [
    ListFeedsController,
    SearchFeedAddressesController,
    SearchFeedsController,
    ApiKeysController,
    OcdsController,
  ],
  providers: [ListFeedsService, SearchFeedsService, ApiKeysService, OcdsExportService, OcdsDumpsService],
  exports: [SearchFeedsService, ApiKeysService, OcdsDumpsService],
})
export class DataOutModule {}
