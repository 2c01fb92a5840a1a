import { Module } from '@nestjs/common';
import { MailboxController } from './mailbox.controller.ts';

@Module({
  controllers: [MailboxController],
})
export class MailboxModule {}
