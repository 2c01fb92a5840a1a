import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.ts';
import { BidsModule } from '../bids/bids.module.ts';
import { TendersModule } from '../tenders/tenders.module.ts';
import { BookmarksController } from './bookmarks.controller.ts';
import { BookmarksService } from './bookmarks.service.ts';

@Module({
  imports: [AuthModule, BidsModule, TendersModule],
  controllers: [BookmarksController],
  providers: [BookmarksService],
  exports: [BookmarksService],
})
export class BookmarksModule {}
