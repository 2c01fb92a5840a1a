import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.ts';
import { SyncModule } from '../sync/sync.module.ts';
import { AttachmentsController } from './attachments.controller.ts';
import { AttachmentsService } from './attachments.service.ts';
import { ContactController } from './contact.controller.ts';
import { SupportService } from './support.service.ts';
import { ThreadWriterService } from './thread-writer.service.ts';
import { ThreadsController } from './threads.controller.ts';

@Module({
  imports: [AuthModule, SyncModule],
  controllers: [ContactController, ThreadsController, AttachmentsController],
  providers: [SupportService, ThreadWriterService, AttachmentsService],
  exports: [SupportService, ThreadWriterService, AttachmentsService],
})
export class SupportModule {}
