import { setTimeout as wait } from 'node:timers/promises';
import { type DynamicModule, Module } from '@nestjs/common';
import { Pool, type PoolConfig } from 'pg';
import { DataSource } from 'typeorm';
import { AuditService } from '../audit/audit.service.ts';
import { AccountOpened } from '../auth/account-opened.port.ts';
import { AuthController } from '../auth/auth.controller.ts';
import { OtpController } from '../auth/otp/otp.controller.ts';
import { OtpService } from '../auth/otp/otp.service.ts';
import { PasswordChangeService } from '../auth/passwords/password-change.service.ts';
import { PasswordResetController } from '../auth/passwords/password-reset.controller.ts';
import { PasswordResetService } from '../auth/passwords/password-reset.service.ts';
import { PasswordsService } from '../auth/passwords/passwords.service.ts';
import { ConsentsService } from '../auth/registration/consents.service.ts';
import { RegistrationService } from '../auth/registration/registration.service.ts';
import { SecurityEventsService } from '../auth/security-events.service.ts';
import { AccessTokens } from '../auth/sessions/access-token.ts';
import { SessionsController } from '../auth/sessions/sessions.controller.ts';
import { SessionsService } from '../auth/sessions/sessions.service.ts';
import { GOOGLE_KEYS, GoogleIdentityService, googleKeys } from '../auth/sign-in/google-identity.service.ts';
import { KnownBrowsersService } from '../auth/sign-in/known-browsers.service.ts';
import { SignInService } from '../auth/sign-in/sign-in.service.ts';
import { SignInCompletionService } from '../auth/sign-in/sign-in-completion.service.ts';
import { SignInThrottleService } from '../auth/sign-in/sign-in-throttle.service.ts';
import { AwardsController } from '../awards/awards.controller.ts';
import { AwardsService } from '../awards/awards.service.ts';
import { FollowedOfficesController } from '../awards/followed-offices.controller.ts';
import { FollowedOfficesService } from '../awards/followed-offices.service.ts';
import { CLOCK, CONFIG, HEALTH_POOL, READ_POOL, REPLICA_POOL, WAIT } from '../base/injection-tokens.ts';
import { BidRecordsController } from '../bids/bid-records.controller.ts';
import { BidRecordsService } from '../bids/bid-records.service.ts';
import { FileBackupController } from '../bids/file-backup.controller.ts';
import { FileBackupService } from '../bids/file-backup.service.ts';
import { BookmarksController } from '../bookmarks/bookmarks.controller.ts';
import { BookmarksService } from '../bookmarks/bookmarks.service.ts';
import { ContactController } from '../contact/contact.controller.ts';
import { ContactService } from '../contact/contact.service.ts';
import { ReplicaReader } from '../database/replica-reader.ts';
import { DeviceChangesController } from '../device-changes/device-changes.controller.ts';
import { DeviceChangesService } from '../device-changes/device-changes.service.ts';
import { SendTokensService } from '../device-changes/send-tokens.service.ts';
import { DownloadQuotasService } from '../documents/delivery/download-quotas.service.ts';
import { DownloadsController } from '../documents/delivery/downloads.controller.ts';
import { DownloadLinksService } from '../documents/delivery/links.service.ts';
import { DocumentRequestsService } from '../documents/document-requests.service.ts';
import { DocumentsController } from '../documents/documents.controller.ts';
import { DocumentsService } from '../documents/documents.service.ts';
import { DocumentFetchService } from '../documents/files/document-fetch.service.ts';
import { FileUploadService } from '../documents/files/file-upload.service.ts';
import { PackagesService } from '../documents/packages/packages.service.ts';
import { RateLimitsService } from '../http/limits/rate-limits.service.ts';
import { MetricsController } from '../http/monitoring/metrics.controller.ts';
import { Metrics } from '../http/monitoring/metrics.ts';
import { Readiness } from '../http/monitoring/readiness.ts';
import { FeedsService } from '../ingest/feeds/feeds.service.ts';
import { InvoicesController } from '../invoices/invoices.controller.ts';
import { InvoicesService } from '../invoices/invoices.service.ts';
import { JobSenderService } from '../jobs/job-sender.service.ts';
import { MailService } from '../mail/mail.service.ts';
import { MailboxController } from '../mail/mailbox.controller.ts';
import { BuyerAccountService } from '../orders/buyer-account.service.ts';
import { CatalogueService } from '../orders/catalogue.service.ts';
import { CheckoutService } from '../orders/checkout/checkout.service.ts';
import { DocumentDelivery } from '../orders/document-delivery.port.ts';
import { OrderListService } from '../orders/order-list.service.ts';
import { OrderPlacementService } from '../orders/order-placement.service.ts';
import { OrdersController } from '../orders/orders.controller.ts';
import { RefundsService } from '../orders/refunds/refunds.service.ts';
import { ProviderAuditService } from '../orders/settlement/provider-audit.service.ts';
import { ReconcileService } from '../orders/settlement/reconcile.service.ts';
import { SettleService } from '../orders/settlement/settle.service.ts';
import { OrderStatusController } from '../orders/status/order-status.controller.ts';
import { OrderStatusService } from '../orders/status/order-status.service.ts';
import { WebhooksController } from '../orders/webhooks/webhooks.controller.ts';
import { WebhooksService } from '../orders/webhooks/webhooks.service.ts';
import { CrawlersController } from '../pages/crawlers.controller.ts';
import { PaymentGateway } from '../payments/payment-gateway.port.ts';
import { PaymentGateways } from '../payments/payment-gateways.port.ts';
import { createGateways } from '../payments/providers.ts';
import { EntitlementsService } from '../plans/entitlements.service.ts';
import { FreePlanService } from '../plans/free-plan.service.ts';
import { PlanEndsService } from '../plans/plan-ends.service.ts';
import { PlansController } from '../plans/plans.controller.ts';
import { PlansService } from '../plans/plans.service.ts';
import { TrialsService } from '../plans/trials.service.ts';
import { OfficeAlertsService } from '../push/alerts/office-alerts.service.ts';
import { SearchAlertsService } from '../push/alerts/search-alerts.service.ts';
import { NoticesController } from '../push/notices/notices.controller.ts';
import { NoticesService } from '../push/notices/notices.service.ts';
import { PushSenderService } from '../push/sending/push-sender.service.ts';
import { PushController } from '../push/subscriptions/push.controller.ts';
import { SubscriptionsService } from '../push/subscriptions/subscriptions.service.ts';
import { UnsubscribeController } from '../push/unsubscribe/unsubscribe.controller.ts';
import { RetentionService } from '../retention/retention.service.ts';
import { type DatabaseAddress, toPgOptions } from '../schema/data-source.ts';
import { SearchesController } from '../searches/searches.controller.ts';
import { SearchesService } from '../searches/searches.service.ts';
import { PackBuildsService } from '../sync/pack-builds.service.ts';
import { SyncController } from '../sync/sync.controller.ts';
import { SyncService } from '../sync/sync.service.ts';
import { TendersController } from '../tenders/tenders.controller.ts';
import { TendersService } from '../tenders/tenders.service.ts';
import { AccountExportService } from '../users/account-export.service.ts';
import { MeController } from '../users/me.controller.ts';
import { UserInfoController } from '../users/user-info.controller.ts';
import { UsersService } from '../users/users.service.ts';
import { HealthController } from './health.controller.ts';
import type { ServerOptions } from './server.ts';
import { SiteController } from './site.controller.ts';

const READ_CONNECTIONS = 16;
const READ_TIMEOUT_MS = 3_000;
/** A short timeout: the primary answers when the replica does not. */
const REPLICA_POOL_OPTIONS = { connectionTimeoutMillis: 1_000, query_timeout: READ_TIMEOUT_MS + 1_000 };
/** The connection stays open: under load the database may have no free one. */
const HEALTH_POOL_OPTIONS = { max: 1, idleTimeoutMillis: 0, connectionTimeoutMillis: 2_000, query_timeout: 2_000 };

/** Closes the read pool with the app. */
class ReadPool extends Pool {
  onApplicationShutdown(): Promise<void> {
    return this.end();
  }
}

@Module({})
class AppModule {}

/** The only module: lists the controllers and binds the providers of one server. */
export function createModule({ config, database, now }: ServerOptions): DynamicModule {
  return {
    module: AppModule,
    controllers: [
      HealthController,
      MetricsController,
      SiteController,
      ...(config.production || config.mailUrl ? [] : [MailboxController]),
      TendersController,
      AwardsController,
      FollowedOfficesController,
      CrawlersController,
      ContactController,
      SearchesController,
      SyncController,
      BookmarksController,
      BidRecordsController,
      FileBackupController,
      DeviceChangesController,
      AuthController,
      SessionsController,
      OtpController,
      PasswordResetController,
      UserInfoController,
      MeController,
      OrdersController,
      OrderStatusController,
      WebhooksController,
      PlansController,
      DocumentsController,
      DownloadsController,
      InvoicesController,
      PushController,
      UnsubscribeController,
      NoticesController,
    ],
    providers: [
      Readiness,
      Metrics,
      TendersService,
      AwardsService,
      FollowedOfficesService,
      SyncService,
      PackBuildsService,
      FeedsService,
      RetentionService,
      SessionsService,
      PasswordsService,
      SignInThrottleService,
      KnownBrowsersService,
      GoogleIdentityService,
      { provide: GOOGLE_KEYS, useFactory: googleKeys },
      SignInService,
      RegistrationService,
      PasswordChangeService,
      SignInCompletionService,
      RateLimitsService,
      BookmarksService,
      BidRecordsService,
      FileBackupService,
      DeviceChangesService,
      SendTokensService,
      JobSenderService,
      MailService,
      ContactService,
      SearchesService,
      SubscriptionsService,
      NoticesService,
      SearchAlertsService,
      OfficeAlertsService,
      PushSenderService,
      AuditService,
      SecurityEventsService,
      ConsentsService,
      OtpService,
      PasswordResetService,
      UsersService,
      AccountExportService,
      InvoicesService,
      OrderPlacementService,
      CatalogueService,
      CheckoutService,
      SettleService,
      RefundsService,
      ReconcileService,
      ProviderAuditService,
      OrderStatusService,
      WebhooksService,
      OrderListService,
      BuyerAccountService,
      EntitlementsService,
      PlansService,
      PlanEndsService,
      FreePlanService,
      TrialsService,
      PackagesService,
      DownloadQuotasService,
      DownloadLinksService,
      DocumentsService,
      FileUploadService,
      DocumentRequestsService,
      DocumentFetchService,
      { provide: DocumentDelivery, useExisting: DocumentsService },
      {
        provide: AccountOpened,
        inject: [TrialsService, BuyerAccountService],
        useFactory: (trials: TrialsService, buyers: BuyerAccountService): AccountOpened => ({
          afterRegistration: (manager, user) => trials.start(manager, user),
          beforeSession: (manager, user) => buyers.claimOrders(manager, user),
        }),
      },
      { provide: PaymentGateways, useFactory: () => createGateways(config, now) },
      { provide: PaymentGateway, inject: [PaymentGateways], useFactory: ({ current }: PaymentGateways) => current },
      { provide: AccessTokens, useFactory: () => new AccessTokens(config.sessionKeys, config.publicOrigin) },
      { provide: CONFIG, useValue: config },
      { provide: CLOCK, useValue: now },
      { provide: WAIT, useValue: (ms: number) => wait(ms, undefined, { ref: false }) },
      { provide: DataSource, useValue: database.dataSource },
      { provide: READ_POOL, useFactory: () => createReadPool(database.address) },
      { provide: HEALTH_POOL, useFactory: () => createReadPool(database.address, HEALTH_POOL_OPTIONS) },
      {
        provide: REPLICA_POOL,
        useFactory: () => config.databaseUrlRead && createReadPool(config.databaseUrlRead, REPLICA_POOL_OPTIONS),
      },
      {
        provide: ReplicaReader,
        inject: [READ_POOL, { token: REPLICA_POOL, optional: true }],
        useFactory: (primary: Pool, replica?: Pool) => new ReplicaReader(primary, replica),
      },
    ],
  };
}

function createReadPool(address: DatabaseAddress, options: PoolConfig = {}): Pool {
  const pool = new ReadPool({
    ...toPgOptions(address),
    max: READ_CONNECTIONS,
    ...options,
    statement_timeout: READ_TIMEOUT_MS,
    // The default of 4 is for spinning disks. With it a search for a frequent word reads the whole table instead of the index.
    options: '-c timezone=UTC -c random_page_cost=1.1',
  });
  // A broken idle connection is replaced with the next query.
  pool.on('error', () => {});
  return pool;
}
