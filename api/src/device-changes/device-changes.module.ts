import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.ts';
import { AwardsModule } from '../awards/awards.module.ts';
import { BidsModule } from '../bids/bids.module.ts';
import { BookmarksModule } from '../bookmarks/bookmarks.module.ts';
import { FirmsModule } from '../firms/firms.module.ts';
import { SearchesModule } from '../searches/searches.module.ts';
import { DeviceChangesController } from './device-changes.controller.ts';
import { DeviceChangesService } from './device-changes.service.ts';

@Module({
  imports: [AuthModule, AwardsModule, BidsModule, BookmarksModule, FirmsModule, SearchesModule],
  controllers: [DeviceChangesController],
  providers: [DeviceChangesService],
})
export class DeviceChangesModule {}
