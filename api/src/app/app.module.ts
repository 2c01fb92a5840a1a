import { setTimeout as wait } from 'node:timers/promises';
import { type DynamicModule, Module } from '@nestjs/common';
import type { Pool, PoolConfig } from 'pg';
import { DataSource } from 'typeorm';
import { AccountOpened } from '../auth/account-opened.port.ts';
import { GOOGLE_KEYS, googleKeys } from '../auth/sign-in/google-identity.service.ts';
import { CLOCK, CONFIG, HEALTH_POOL, READ_POOL, WAIT } from '../base/injection-tokens.ts';
import { RowsAssigned } from '../bids/rows-assigned.port.ts';
import { AssignmentNoticesService } from '../push/alerts/assignment-notices.service.ts';
import '../base/texts.ts';
import { READ_TIMEOUT_MS, ReadPool } from '../database/read-pool.ts';
import { ReplicaReader } from '../database/replica-reader.ts';
import { DocumentsService } from '../documents/documents.service.ts';
import { HttpModule } from '../http/http.module.ts';
import { JobsModule } from '../jobs/jobs.module.ts';
import { MailModule } from '../mail/mail.module.ts';
import { MailboxController } from '../mail/mailbox.controller.ts';
import { BuyerAccountService } from '../orders/buyer-account.service.ts';
import { DocumentDelivery } from '../orders/document-delivery.port.ts';
import { PaymentGateway } from '../payments/payment-gateway.port.ts';
import { PaymentGateways } from '../payments/payment-gateways.port.ts';
import { createGateways } from '../payments/providers.ts';
import { TrialsService } from '../plans/trials.service.ts';
import { type DatabaseAddress, toPgOptions } from '../schema/data-source.ts';
import { FEATURE_MODULES } from './features.ts';
import { HealthController } from './health.controller.ts';
import type { ServerOptions } from './server.ts';
import { SiteController } from './site.controller.ts';

/** A short timeout: another server answers when a replica does not. */
const REPLICA_POOL_OPTIONS = { connectionTimeoutMillis: 1_000, query_timeout: READ_TIMEOUT_MS + 1_000 };
/** The connection stays open: under load the database may have no free one. */
const HEALTH_POOL_OPTIONS = { max: 1, idleTimeoutMillis: 0, connectionTimeoutMillis: 2_000, query_timeout: 2_000 };

@Module({})
class AppModule {}

/** The root module of a server. It imports the modules of all features and provides settings, clock, database and ports to them. */
export function createModule({ config, database, now }: ServerOptions): DynamicModule {
  const createReadPool = (address: DatabaseAddress, options: PoolConfig = {}) =>
    new ReadPool({ ...toPgOptions(address), ...options }, config.databaseUrlDirect !== undefined);
  return {
    module: AppModule,
    global: true,
    imports: [JobsModule, HttpModule, MailModule, ...FEATURE_MODULES],
    controllers: [
      HealthController,
      SiteController,
      ...(config.production || config.mailUrl ? [] : [MailboxController]),
    ],
    providers: [
      { provide: CONFIG, useValue: config },
      { provide: CLOCK, useValue: now },
      { provide: WAIT, useValue: (ms: number) => wait(ms, undefined, { ref: false }) },
      { provide: DataSource, useValue: database.dataSource },
      { provide: READ_POOL, useFactory: () => createReadPool(database.address) },
      { provide: HEALTH_POOL, useFactory: () => createReadPool(database.address, HEALTH_POOL_OPTIONS) },
      {
        provide: ReplicaReader,
        inject: [READ_POOL],
        useFactory: (primary: Pool) =>
          new ReplicaReader(
            primary,
            config.databaseUrlsRead.map((address) => createReadPool(address, REPLICA_POOL_OPTIONS)),
            config.databaseUrlsRead.map((address) => createReadPool(address, HEALTH_POOL_OPTIONS)),
          ),
      },
      { provide: GOOGLE_KEYS, useFactory: googleKeys },
      { provide: PaymentGateways, useFactory: () => createGateways(config, now) },
      { provide: PaymentGateway, inject: [PaymentGateways], useFactory: ({ current }: PaymentGateways) => current },
      { provide: DocumentDelivery, useExisting: DocumentsService },
      { provide: RowsAssigned, useExisting: AssignmentNoticesService },
      {
        provide: AccountOpened,
        inject: [TrialsService, BuyerAccountService],
        useFactory: (trials: TrialsService, buyers: BuyerAccountService): AccountOpened => ({
          afterRegistration: (manager, user) => trials.start(manager, user),
          beforeSession: (manager, user) => buyers.claimOrders(manager, user),
        }),
      },
    ],
    exports: [
      CONFIG,
      CLOCK,
      WAIT,
      DataSource,
      READ_POOL,
      ReplicaReader,
      GOOGLE_KEYS,
      PaymentGateways,
      PaymentGateway,
      DocumentDelivery,
      RowsAssigned,
      AccountOpened,
    ],
  };
}
