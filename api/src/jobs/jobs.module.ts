import { Global, Module } from '@nestjs/common';
import { JobSenderService } from './job-sender.service.ts';

@Global()
@Module({
  providers: [JobSenderService],
  exports: [JobSenderService],
})
export class JobsModule {}
