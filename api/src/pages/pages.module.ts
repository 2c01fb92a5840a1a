import { Module } from '@nestjs/common';
import { TendersModule } from '../tenders/tenders.module.ts';
import { AssetLinksController } from './asset-links.controller.ts';
import { CrawlersController } from './crawlers.controller.ts';
import { ShareController } from './share.controller.ts';

@Module({
  imports: [TendersModule],
  controllers: [AssetLinksController, CrawlersController, ShareController],
})
export class PagesModule {}
