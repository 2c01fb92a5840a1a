import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.ts';
import { AwardsModule } from '../awards/awards.module.ts';
import { BidsModule } from '../bids/bids.module.ts';
import { DataOutModule } from '../data-out/data-out.module.ts';
import { DocumentsModule } from '../documents/documents.module.ts';
import { FirmsModule } from '../firms/firms.module.ts';
import { RecurringJobs } from '../jobs/job.ts';
import { OrdersModule } from '../orders/orders.module.ts';
import { SearchesModule } from '../searches/searches.module.ts';
import { SupportModule } from '../support/support.module.ts';
import { TendersModule } from '../tenders/tenders.module.ts';
import { AccountDeletionService } from './account-deletion.service.ts';
import { AccountExportService } from './account-export.service.ts';
import { eraseAccountsJob } from './erase-accounts.job.ts';
import { MeController } from './me.controller.ts';
import { UserInfoController } from './user-info.controller.ts';
import { UsersService } from './users.service.ts';

@RecurringJobs([eraseAccountsJob])
@Module({
  imports: [
    AuthModule,
    AwardsModule,
    BidsModule,
    DataOutModule,
    DocumentsModule,
    FirmsModule,
    OrdersModule,
    SearchesModule,
    SupportModule,
    TendersModule,
  ],
  controllers: [UserInfoController, MeController],
  providers: [UsersService, AccountDeletionService, AccountExportService],
  exports: [AccountDeletionService, AccountExportService],
})
export class UsersModule {}
