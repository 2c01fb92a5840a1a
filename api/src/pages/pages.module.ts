import { Module } from '@nestjs/common';
import { TendersModule } from '../tenders/tenders.module.ts';
import { CrawlersController } from './crawlers.controller.ts';

@Module({
  imports: [TendersModule],
  controllers: [CrawlersController],
})
export class PagesModule {}
