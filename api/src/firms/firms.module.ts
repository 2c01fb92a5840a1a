import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.ts';
import { FirmAccessService } from './firm-access.service.ts';
import { FirmsController } from './firms.controller.ts';
import { FirmsService } from './firms.service.ts';

@Module({
  imports: [AuthModule],
  controllers: [FirmsController],
  providers: [FirmsService, FirmAccessService],
  exports: [FirmsService, FirmAccessService],
})
export class FirmsModule {}
