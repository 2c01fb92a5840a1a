import { Module } from '@nestjs/common';
import { TendersModule } from '../tenders/tenders.module.ts';
import { CrawlersController } from './crawlers.controller.ts';
import { ShareController } from './share.controller.ts';

@Module({
  imports: [TendersModule],
  controllers: [CrawlersController, ShareController],
})
export class PagesModule {}
