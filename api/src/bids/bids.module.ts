import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.ts';
import { FirmsModule } from '../firms/firms.module.ts';
import { SyncModule } from '../sync/sync.module.ts';
import { BidRecordsController } from './bid-records.controller.ts';
import { BidRecordsService } from './bid-records.service.ts';
import { FileBackupController } from './file-backup.controller.ts';
import { FileBackupService } from './file-backup.service.ts';
import { RecordOwnersService } from './record-owners.service.ts';

@Module({
  imports: [AuthModule, FirmsModule, SyncModule],
  controllers: [BidRecordsController, FileBackupController],
  providers: [BidRecordsService, FileBackupService, RecordOwnersService],
  exports: [BidRecordsService, FileBackupService],
})
export class BidsModule {}
