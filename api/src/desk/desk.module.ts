import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.ts';
import { PlansModule } from '../plans/plans.module.ts';
import { PushModule } from '../push/push.module.ts';
import { SupportModule } from '../support/support.module.ts';
import { UsersModule } from '../users/users.module.ts';
import { AuditLogService } from './audit-log/audit-log.service.ts';
import { DeskMeController } from './desk-me.controller.ts';
import { DeskMessagesController } from './messages/desk-messages.controller.ts';
import { DeskMessagesService } from './messages/desk-messages.service.ts';
import { PeopleService } from './people/people.service.ts';

@Module({
  imports: [AuthModule, PlansModule, PushModule, SupportModule, UsersModule],
  controllers: [DeskMeController, DeskMessagesController],
  providers: [PeopleService, AuditLogService, DeskMessagesService],
})
export class DeskModule {}
