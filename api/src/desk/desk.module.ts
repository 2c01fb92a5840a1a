import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.ts';
import { PlansModule } from '../plans/plans.module.ts';
import { UsersModule } from '../users/users.module.ts';
import { AuditLogService } from './audit-log/audit-log.service.ts';
import { DeskMeController } from './desk-me.controller.ts';
import { PeopleService } from './people/people.service.ts';

@Module({
  imports: [AuthModule, PlansModule, UsersModule],
  controllers: [DeskMeController],
  providers: [PeopleService, AuditLogService],
})
export class DeskModule {}
