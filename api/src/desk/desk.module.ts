import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.ts';
import { DeskMeController } from './desk-me.controller.ts';

@Module({
  imports: [AuthModule],
  controllers: [DeskMeController],
})
export class DeskModule {}
