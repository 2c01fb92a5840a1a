import { setTimeout as wait } from 'node:timers/promises';
import { type DynamicModule, Module } from '@nestjs/common';
import { Pool, type PoolConfig } from 'pg';
import { DataSource } from 'typeorm';
import { AuditService } from './audit/audit.service.ts';
import { SecurityEventsService } from './audit/security-events.service.ts';
import { AccessTokens } from './auth/access-token.ts';
import { AuthController } from './auth/auth.controller.ts';
import { ConsentsService } from './auth/consents.service.ts';
import { DevicesService } from './auth/devices.service.ts';
import { GOOGLE_KEYS, GoogleIdentity, googleKeys } from './auth/google.ts';
import { OtpController } from './auth/otp.controller.ts';
import { OtpService } from './auth/otp.service.ts';
import { PasswordChangeService } from './auth/password-change.service.ts';
import { PasswordsService } from './auth/passwords.service.ts';
import { RegistrationService } from './auth/registration.service.ts';
import { ResetController } from './auth/reset.controller.ts';
import { ResetService } from './auth/reset.service.ts';
import { SessionsController } from './auth/sessions.controller.ts';
import { SessionsService } from './auth/sessions.service.ts';
import { SignInService } from './auth/sign-in.service.ts';
import { SignInGuard } from './auth/sign-in-guard.service.ts';
import { WelcomeService } from './auth/welcome.service.ts';
import { BookmarksController } from './bookmarks/bookmarks.controller.ts';
import { BookmarksService } from './bookmarks/bookmarks.service.ts';
import { ContactController } from './contact/contact.controller.ts';
import { ContactService } from './contact/contact.service.ts';
import { type DatabaseAddress, toPgOptions } from './database/data-source.ts';
import { Reader } from './database/reader.ts';
import { CollectService } from './documents/collect.service.ts';
import { DocumentsController } from './documents/documents.controller.ts';
import { DocumentsService } from './documents/documents.service.ts';
import { DownloadsController } from './documents/downloads.controller.ts';
import { IntakeService } from './documents/intake.service.ts';
import { LinksService } from './documents/links.service.ts';
import { PackagesService } from './documents/packages.service.ts';
import { QuotasService } from './documents/quotas.service.ts';
import { DocumentRequestsService } from './documents/requests.service.ts';
import { HealthController } from './http/health.controller.ts';
import { LimitsService } from './http/limits.service.ts';
import { MetricsController } from './http/metrics.controller.ts';
import { Metrics } from './http/metrics.ts';
import { Readiness } from './http/readiness.ts';
import type { ServerParts } from './http/server.ts';
import { SiteController } from './http/site.controller.ts';
import { CLOCK, CONFIG, HEALTH_POOL, READ_POOL, REPLICA_POOL, WAIT } from './http/tokens.ts';
import { FeedsService } from './ingest/feeds.service.ts';
import { InvoicesController } from './invoices/invoices.controller.ts';
import { InvoicesService } from './invoices/invoices.service.ts';
import { JobSender } from './jobs/job-sender.ts';
import { MailService } from './mail/mail.service.ts';
import { MailboxController } from './mail/mailbox.controller.ts';
import { CheckoutService } from './orders/checkout.service.ts';
import { ClaimService } from './orders/claim.service.ts';
import { CompareService } from './orders/compare.service.ts';
import { DocumentDelivery } from './orders/delivery.service.ts';
import { GoodsService } from './orders/goods.service.ts';
import { OrderListService } from './orders/list.service.ts';
import { OrdersController } from './orders/orders.controller.ts';
import { PlaceService } from './orders/place.service.ts';
import { ReconcileService } from './orders/reconcile.service.ts';
import { RefundsService } from './orders/refunds.service.ts';
import { SettleService } from './orders/settle.service.ts';
import { StatusController } from './orders/status.controller.ts';
import { StatusService } from './orders/status.service.ts';
import { WebhooksController } from './orders/webhooks.controller.ts';
import { WebhooksService } from './orders/webhooks.service.ts';
import { OutboxController } from './outbox/outbox.controller.ts';
import { OutboxService } from './outbox/outbox.service.ts';
import { SendTokens } from './outbox/send-tokens.service.ts';
import { PaymentGateway } from './payments/gateway.service.ts';
import { createGateway } from './payments/gateways.ts';
import { EntitlementsService } from './plans/entitlements.service.ts';
import { PlanEndsService } from './plans/plan-ends.service.ts';
import { PlansController } from './plans/plans.controller.ts';
import { PlansService } from './plans/plans.service.ts';
import { TrialsService } from './plans/trials.service.ts';
import { NoticesController } from './push/notices.controller.ts';
import { NoticesService } from './push/notices.service.ts';
import { PushController } from './push/push.controller.ts';
import { SearchAlerts } from './push/search-alerts.service.ts';
import { PushSender } from './push/sender.service.ts';
import { StopController } from './push/stop.controller.ts';
import { SubscriptionsService } from './push/subscriptions.service.ts';
import { SearchesController } from './searches/searches.controller.ts';
import { SearchesService } from './searches/searches.service.ts';
import { SyncController } from './sync/sync.controller.ts';
import { SyncService } from './sync/sync.service.ts';
import { CrawlersController } from './tenders/crawlers.controller.ts';
import { TendersController } from './tenders/tenders.controller.ts';
import { TendersService } from './tenders/tenders.service.ts';
import { ExportService } from './users/export.service.ts';
import { MeController } from './users/me.controller.ts';
import { UserInfoController } from './users/user-info.controller.ts';
import { UsersService } from './users/users.service.ts';

const READ_CONNECTIONS = 16;
const READ_TIMEOUT_MS = 3_000;
/** Where it is cut off, the primary can be asked instead. */
const REPLICA_PATIENCE = { connectionTimeoutMillis: 1_000, query_timeout: READ_TIMEOUT_MS + 1_000 };
/** It is kept open: under load the database may have no other one to give. */
const ONE_OF_ITS_OWN = { max: 1, idleTimeoutMillis: 0, connectionTimeoutMillis: 2_000, query_timeout: 2_000 };

/** Closes the read pool with the app. */
class ReadPool extends Pool {
  onApplicationShutdown(): Promise<void> {
    return this.end();
  }
}

@Module({})
class AppModule {}

/** The only module, for one server: lists the features and binds what they inject. */
export function createModule({ config, database, now }: ServerParts): DynamicModule {
  return {
    module: AppModule,
    controllers: [
      HealthController,
      MetricsController,
      SiteController,
      ...(config.production || config.mailUrl ? [] : [MailboxController]),
      TendersController,
      CrawlersController,
      ContactController,
      SearchesController,
      SyncController,
      BookmarksController,
      OutboxController,
      AuthController,
      SessionsController,
      OtpController,
      ResetController,
      UserInfoController,
      MeController,
      OrdersController,
      StatusController,
      WebhooksController,
      PlansController,
      DocumentsController,
      DownloadsController,
      InvoicesController,
      PushController,
      StopController,
      NoticesController,
    ],
    providers: [
      Readiness,
      Metrics,
      TendersService,
      SyncService,
      FeedsService,
      SessionsService,
      PasswordsService,
      SignInGuard,
      DevicesService,
      GoogleIdentity,
      { provide: GOOGLE_KEYS, useFactory: googleKeys },
      SignInService,
      RegistrationService,
      PasswordChangeService,
      WelcomeService,
      LimitsService,
      BookmarksService,
      OutboxService,
      SendTokens,
      JobSender,
      MailService,
      ContactService,
      SearchesService,
      SubscriptionsService,
      NoticesService,
      SearchAlerts,
      PushSender,
      AuditService,
      SecurityEventsService,
      ConsentsService,
      OtpService,
      ResetService,
      UsersService,
      ExportService,
      InvoicesService,
      PlaceService,
      GoodsService,
      CheckoutService,
      SettleService,
      RefundsService,
      ReconcileService,
      CompareService,
      StatusService,
      WebhooksService,
      OrderListService,
      ClaimService,
      EntitlementsService,
      PlansService,
      PlanEndsService,
      TrialsService,
      // Nothing is ready until documents are bound here.
      PackagesService,
      QuotasService,
      LinksService,
      DocumentsService,
      IntakeService,
      DocumentRequestsService,
      CollectService,
      { provide: DocumentDelivery, useExisting: DocumentsService },
      { provide: PaymentGateway, useFactory: () => createGateway(config, now) },
      { provide: AccessTokens, useFactory: () => new AccessTokens(config.sessionKeys, config.publicOrigin) },
      { provide: CONFIG, useValue: config },
      { provide: CLOCK, useValue: now },
      { provide: WAIT, useValue: (ms: number) => wait(ms, undefined, { ref: false }) },
      { provide: DataSource, useValue: database.dataSource },
      { provide: READ_POOL, useFactory: () => createReadPool(database.address) },
      { provide: HEALTH_POOL, useFactory: () => createReadPool(database.address, ONE_OF_ITS_OWN) },
      {
        provide: REPLICA_POOL,
        useFactory: () => config.databaseUrlRead && createReadPool(config.databaseUrlRead, REPLICA_PATIENCE),
      },
      {
        provide: Reader,
        inject: [READ_POOL, { token: REPLICA_POOL, optional: true }],
        useFactory: (primary: Pool, replica?: Pool) => new Reader(primary, replica),
      },
    ],
  };
}

function createReadPool(address: DatabaseAddress, patience: PoolConfig = {}): Pool {
  const pool = new ReadPool({
    ...toPgOptions(address),
    max: READ_CONNECTIONS,
    ...patience,
    statement_timeout: READ_TIMEOUT_MS,
    options: '-c timezone=UTC',
  });
  // A connection that breaks while idle is replaced with the next query.
  pool.on('error', () => {});
  return pool;
}
