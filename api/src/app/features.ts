/** The modules of the features, which declare their recurring jobs. Lower floors come first. */
import { AuthModule } from '../auth/auth.module.ts';
import { AwardsModule } from '../awards/awards.module.ts';
import { BidsModule } from '../bids/bids.module.ts';
import { BookmarksModule } from '../bookmarks/bookmarks.module.ts';
import { DataOutModule } from '../data-out/data-out.module.ts';
import { DeskModule } from '../desk/desk.module.ts';
import { DeviceChangesModule } from '../device-changes/device-changes.module.ts';
import { DocumentsModule } from '../documents/documents.module.ts';
import { FirmsModule } from '../firms/firms.module.ts';
import { IngestModule } from '../ingest/ingest.module.ts';
import { InvoicesModule } from '../invoices/invoices.module.ts';
import { type Job, jobsOf } from '../jobs/job.ts';
import { OrdersModule } from '../orders/orders.module.ts';
import { PagesModule } from '../pages/pages.module.ts';
import { PlansModule } from '../plans/plans.module.ts';
import { PushModule } from '../push/push.module.ts';
import { RetentionModule } from '../retention/retention.module.ts';
import { SearchesModule } from '../searches/searches.module.ts';
import { SiteStatusModule } from '../site-status/site-status.module.ts';
import { SupportModule } from '../support/support.module.ts';
import { SyncModule } from '../sync/sync.module.ts';
import { TendersModule } from '../tenders/tenders.module.ts';
import { UsersModule } from '../users/users.module.ts';

export const FEATURE_MODULES = [
  AuthModule,
  TendersModule,
  AwardsModule,
  SyncModule,
  SiteStatusModule,
  SearchesModule,
  PlansModule,
  FirmsModule,
  InvoicesModule,
  BidsModule,
  IngestModule,
  OrdersModule,
  PushModule,
  BookmarksModule,
  DocumentsModule,
  SupportModule,
  DataOutModule,
  DeviceChangesModule,
  PagesModule,
  RetentionModule,
  UsersModule,
  DeskModule,
];

export const JOBS: readonly Job[] = jobsOf(FEATURE_MODULES);

/** The job with this name; undefined for an unknown one. */
export const findJob = (name: string): Job | undefined => JOBS.find((job) => job.name === name);
