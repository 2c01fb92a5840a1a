import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.ts';
import { SearchesController } from './searches.controller.ts';
import { SearchesService } from './searches.service.ts';

@Module({
  imports: [AuthModule],
  controllers: [SearchesController],
  providers: [SearchesService],
  exports: [SearchesService],
})
export class SearchesModule {}
